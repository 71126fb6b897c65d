// The reaction potential, the field and the charge of the ions of a Poisson-Boltzmann solution, as maps.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/poisson_boltzmann/pb_boxes.h"
#include "compute/electrostatics/poisson_boltzmann/pb_fields_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_kept.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_open.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Some of a solution's nodes: those of the grid that was asked for, or every other one.
struct Nodes {
  const PbKept& kept;
  glm::ivec3 first;  ///< in the solution's box
  glm::ivec3 counts;

  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
  std::size_t layer() const { return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y); }
  std::size_t at(glm::ivec3 place) const {
    return static_cast<std::size_t>(place.x) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(place.y) +
                static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(place.z));
  }
  std::size_t node(glm::ivec3 place) const { return kept.index(first + place); }
  glm::dvec3 point(glm::ivec3 place) const { return kept.point(first + place); }
  PbBox box() const {
    PbBox box;
    box.origin = point(glm::ivec3(0));
    box.step = kept.step;
    box.counts = counts;
    return box;
  }
  /// Calls body(place, number, node) for the nodes of a layer.
  template <class Body>
  void for_layer(int k, const Body& body) const {
    for (int j = 0; j < counts.y; ++j)
      for (int i = 0; i < counts.x; ++i) body(glm::ivec3(i, j, k), at({i, j, k}), node({i, j, k}));
  }
};

/// The charge of the ions at nodes, e/angstrom^3, as the solved equation has it.
std::vector<float> ion_charge(const Nodes& nodes, std::span<const ChargedSphere> atoms,
                              const PoissonBoltzmannOptions& o, const PbMediaMaker& maker, Job& job) {
  std::vector<float> charge(nodes.size(), 0.0f);
  if (!(o.ionic_strength() > 0)) return charge;
  PbProblem problem;
  const PbBox box = nodes.box();
  problem.counts = box.counts;
  problem.origin = box.origin;
  problem.step = box.step;
  std::vector<float> depth(nodes.size()), share;
  molecular_surface(pb_surface_atoms(atoms), box.grid(), pb_ion_surface(o), Span<float>(depth), {}, job);
  if (o.membrane) share = maker.make(problem, job).share;
  const double kappa = o.inverse_debye_length(), cell = (box.step.x + box.step.y + box.step.z) / 3;
  const double unit = -o.solvent_permittivity * kappa * kappa / (4 * units::pi * pb_bjerrum(o));
  const PbIons ions = pb_ions(o);
  parallel_for(static_cast<std::size_t>(nodes.counts.z), job, "charge of the ions", [&](std::size_t k) {
    nodes.for_layer(static_cast<int>(k), [&](glm::ivec3, std::size_t number, std::size_t node) {
      if (nodes.kept.inside[node]) return;
      const double free = share.empty() ? 1.0 : 1.0 - static_cast<double>(share[number]);
      const double open = pb_open_to_ions(free, static_cast<double>(depth[number]), cell);
      double slope = 0;
      const double u = nodes.kept.solution[node];
      const double term = o.nonlinear ? pb_ion_term(ions, u, slope) : u;
      charge[number] = static_cast<float>(unit * open * term);
    });
  });
  return charge;
}

/// Sums of squares of differences and of values.
struct Compared {
  double square = 0, values = 0, most = 0;
  std::size_t count = 0;

  void add(double apart, double value) {
    square += apart * apart;
    values += value * value;
    most = std::max(most, std::abs(apart));
    ++count;
  }
  MapError error() const {
    MapError error;
    error.points = count;
    error.max = most;
    if (count == 0) return error;
    error.rms = std::sqrt(square / static_cast<double>(count));
    error.relative = values > 0 ? std::sqrt(square / values) : 0;
    return error;
  }
};

class Maker {
 public:
  Maker(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& o,
        const PoissonBoltzmannMapsOut& out, PoissonBoltzmannStart& fine, PoissonBoltzmannStart& coarse, Job& job)
      : atoms_(atoms),
        grid_(grid),
        o_(o),
        out_(out),
        job_(job),
        media_(atoms, o, job),
        fine_start_(fine),
        coarse_start_(coarse),
        on_device_(fine.device_solution.size() > 0),
        fine_kept_(fine),
        coarse_kept_(coarse),
        fine_{fine_kept_, glm::ivec3(glm::round((grid.origin - fine_kept_.origin) / fine_kept_.step)), grid.counts},
        unit_(units::thermal_voltage(o.temperature)),
        coulomb_(pb_bjerrum(o) / o.solute_permittivity) {}

  void make(PoissonBoltzmannFields& result) {
    if (!out_.field[0].empty() || !out_.reaction.empty()) {
      if (on_device_) {
        pb_fields_cuda({fine_start_, fine_.first, fine_.counts}, media_.screened(), o_, out_.reaction, out_.field,
                       job_);
      } else {
        slopes_and_reaction();
      }
    }
    const std::vector<float> ions = ion_charge_of(fine_, fine_start_);
    result.charges = charges(ions);
    if (coarse_kept_.counts.x > 0) compare(ions, result);
    if (!out_.ions.empty()) std::copy(ions.begin(), ions.end(), out_.ions.begin());
  }

 private:
  std::vector<float> ion_charge_of(const Nodes& nodes, const PoissonBoltzmannStart& start) const {
    if (!on_device_ || o_.membrane || !(o_.ionic_strength() > 0)) return ion_charge(nodes, atoms_, o_, media_, job_);
    return pb_ion_charge_cuda({start, nodes.first, nodes.counts}, atoms_, o_, job_);
  }

  /// The maps that need Coulomb's potential or field of the charges.
  void slopes_and_reaction() {
    const PhaseTimer timer("Poisson-Boltzmann: field and reaction potential");
    const bool with_field = !out_.field[0].empty(), with_reaction = !out_.reaction.empty();
    const std::span<const ChargedSphere> charges = media_.screened();
    std::size_t outside = 0;
    for (int k = 0; k < grid_.counts.z && with_reaction; ++k)
      fine_.for_layer(k,
                      [&](glm::ivec3, std::size_t, std::size_t node) { outside += fine_.kept.inside[node] ? 0 : 1; });
    constexpr double many = 2e10;  // pairs that are summed one by one
    const bool fast = static_cast<double>(outside) * static_cast<double>(charges.size()) > many;
    if (fast) {
      std::vector<PointCharge> points;
      for (const ChargedSphere& atom : charges)
        if (atom.charge != 0) points.push_back({atom.position, atom.charge});
      fast_direct_potential(points, grid_, {1e-5}, Span<float>(out_.reaction.data(), grid_.size(), Device::cpu()),
                            job_);
    }
    CoulombSum sum(pb_charges(charges), grid_.origin,
                   grid_.point(grid_.counts.x - 1, grid_.counts.y - 1, grid_.counts.z - 1), Device::cpu());
    // A few layers at a time: points in double precision take more than the maps.
    const auto layers = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 18) / fine_.layer()));
    for (int from = 0; from < grid_.counts.z; from += layers) {
      job_.check();
      const int to = std::min(grid_.counts.z, from + layers);
      std::vector<glm::dvec3> in, out;
      std::vector<std::size_t> in_numbers, out_numbers;
      for (int k = from; k < to; ++k) {
        fine_.for_layer(k, [&](glm::ivec3 place, std::size_t number, std::size_t node) {
          const bool inside = fine_.kept.inside[node] != 0;
          if (with_reaction && (inside || fast)) {
            const double u = fine_.kept.solution[node];
            out_.reaction[number] = static_cast<float>(
                inside ? unit_ * u : unit_ * u - static_cast<double>(out_.reaction[number]) / o_.solute_permittivity);
          } else if (with_reaction) {
            out.push_back(fine_.point(place));
            out_numbers.push_back(number);
          }
          if (with_field && inside) {
            in.push_back(fine_.point(place));
            in_numbers.push_back(number);
          }
        });
      }
      std::vector<double> values(std::max(in.size(), out.size()));
      sum.at(out, std::span(values).first(out.size()), {}, job_);
      for (std::size_t m = 0; m < out.size(); ++m) {
        const double u = fine_.kept.solution[fine_.node(place_of(out_numbers[m]))];
        out_.reaction[out_numbers[m]] = static_cast<float>(unit_ * (u - coulomb_ * values[m]));
      }
      if (!with_field) continue;
      std::vector<glm::dvec3> slopes(in.size());
      sum.at(in, std::span(values).first(in.size()), slopes, job_);
      parallel_for(static_cast<std::size_t>(to - from), job_, "field of Poisson-Boltzmann", [&](std::size_t k) {
        fine_.for_layer(from + static_cast<int>(k), [&](glm::ivec3 place, std::size_t number, std::size_t) {
          put(number, fine_.kept.slope(fine_.first + place));
        });
      });
      for (std::size_t m = 0; m < in.size(); ++m) put(in_numbers[m], coulomb_ * slopes[m], true);
    }
  }

  void put(std::size_t number, glm::dvec3 slope, bool add = false) {
    for (int axis = 0; axis < 3; ++axis) {
      float& value = out_.field[static_cast<std::size_t>(axis)][number];
      value = (add ? value : 0.0f) - static_cast<float>(unit_ * slope[axis]);
    }
  }

  glm::ivec3 place_of(std::size_t number) const {
    const auto nx = static_cast<std::size_t>(grid_.counts.x), ny = static_cast<std::size_t>(grid_.counts.y);
    return {static_cast<int>(number % nx), static_cast<int>(number / nx % ny), static_cast<int>(number / (nx * ny))};
  }

  PoissonBoltzmannCharges charges(const std::vector<float>& ions) const {
    PoissonBoltzmannCharges charges;
    const glm::ivec3 n = grid_.counts;
    if (std::min({n.x, n.y, n.z}) < 3) return charges;
    const glm::dvec3 step = fine_.kept.step;
    for (int k = 1; k < n.z - 1; ++k)
      for (int j = 1; j < n.y - 1; ++j)
        for (int i = 1; i < n.x - 1; ++i) charges.ions += static_cast<double>(ions[fine_.at({i, j, k})]);
    charges.ions *= step.x * step.y * step.z;
    const glm::dvec3 lower = fine_.point(glm::ivec3(0)) + 0.5 * step, upper = fine_.point(n - 1) - 0.5 * step;
    // Where a surface cuts the faces, or is near, the flux through them is not that of the solvent alone.
    constexpr double near = 4;  // angstrom from a sphere
    bool cut = o_.membrane.has_value();
    for (const ChargedSphere& atom : atoms_) {
      const glm::dvec3 at(atom.position);
      const bool within = glm::all(glm::greaterThanEqual(at, lower)) && glm::all(glm::lessThanEqual(at, upper));
      if (within) charges.solute += static_cast<double>(atom.charge);
      const double reach = static_cast<double>(atom.radius) + near;
      const bool far = glm::any(glm::lessThan(at + reach, lower)) || glm::any(glm::greaterThan(at - reach, upper));
      const bool well_within =
          glm::all(glm::greaterThan(at - reach, lower)) && glm::all(glm::lessThan(at + reach, upper));
      cut = cut || !(far || well_within);
    }
    if (!cut) charges.sum = flux();
    return charges;
  }

  /// What leaves the box half a step within the grid's faces, e.
  double flux() const {
    const glm::ivec3 n = grid_.counts;
    const glm::dvec3 step = fine_.kept.step;
    double total = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const double weight = step[a] * step[b] / step[axis];
      for (const bool high : {false, true}) {
        for (int p = 1; p < n[a] - 1; ++p) {
          for (int q = 1; q < n[b] - 1; ++q) {
            glm::ivec3 inner;
            inner[axis] = high ? n[axis] - 2 : 1;
            inner[a] = p;
            inner[b] = q;
            glm::ivec3 outer = inner;
            outer[axis] += high ? 1 : -1;
            total += weight * (fine_.kept.solution[fine_.node(inner)] - fine_.kept.solution[fine_.node(outer)]);
          }
        }
      }
    }
    return o_.solvent_permittivity * total / (4 * units::pi * pb_bjerrum(o_));
  }

  /// The errors, by the solution with steps twice as long at the nodes that both have.
  void compare(const std::vector<float>& ions, PoissonBoltzmannFields& result) const {
    const glm::ivec3 first = (fine_.first + 1) / 2, last = (fine_.first + grid_.counts - 1) / 2;
    if (glm::any(glm::lessThan(last, first))) return;
    const Nodes coarse{coarse_kept_, first, last - first + 1};
    const std::vector<float> others = ion_charge_of(coarse, coarse_start_);
    std::vector<double> apart;
    if (on_device_ && !out_.field[0].empty())
      apart = pb_slopes_apart_cuda({coarse_start_, first, coarse.counts}, fine_start_);
    Compared reaction, field, cloud;
    for (int k = 0; k < coarse.counts.z; ++k) {
      coarse.for_layer(k, [&](glm::ivec3 place, std::size_t number, std::size_t node) {
        const glm::ivec3 twin = 2 * (first + place);  // in the finer box
        const std::size_t finer = fine_.kept.index(twin), here = fine_.at(twin - fine_.first);
        cloud.add(static_cast<double>(others[number]) - static_cast<double>(ions[here]),
                  static_cast<double>(ions[here]));
        if (coarse_kept_.inside[node] != fine_.kept.inside[finer]) return;
        if (!out_.reaction.empty())
          reaction.add(unit_ * (coarse_kept_.solution[node] - fine_.kept.solution[finer]),
                       static_cast<double>(out_.reaction[here]));
        if (out_.field[0].empty()) return;
        const glm::dvec3 value(static_cast<double>(out_.field[0][here]), static_cast<double>(out_.field[1][here]),
                               static_cast<double>(out_.field[2][here]));
        field.add(unit_ * (on_device_ ? apart[number]
                                      : glm::distance(coarse_kept_.slope(first + place), fine_.kept.slope(twin))),
                  glm::length(value));
      });
      job_.check();
    }
    result.reaction = reaction.error();
    result.field = field.error();
    result.ions = cloud.error();
  }

  std::span<const ChargedSphere> atoms_;
  const Grid& grid_;
  const PoissonBoltzmannOptions& o_;
  const PoissonBoltzmannMapsOut& out_;
  Job& job_;
  PbMediaMaker media_;
  const PoissonBoltzmannStart &fine_start_, &coarse_start_;
  bool on_device_;
  PbKept fine_kept_, coarse_kept_;
  Nodes fine_;
  double unit_, coulomb_;
};

}  // namespace

PoissonBoltzmannFields poisson_boltzmann_fields(std::span<const ChargedSphere> atoms, const Grid& grid,
                                                const PoissonBoltzmannOptions& options, PoissonBoltzmannMapsOut out,
                                                Device device, Job& job) {
  for (const std::span<float> map : {out.potential, out.reaction, out.field[0], out.field[1], out.field[2], out.ions})
    if (!map.empty() && map.size() != grid.size())
      throw Error(fmt::format("Poisson-Boltzmann: a map of {} values for {} points", map.size(), grid.size()),
                  Error::Kind::usage);
  if (options.core) throw Error("Poisson-Boltzmann: maps are of a whole grid, not of a core alone", Error::Kind::usage);
  PoissonBoltzmannFields result;
  PoissonBoltzmannStart fine, coarse;
  {
    JobPart part(job, 0, 0.7);
    DeviceArray<float> there(device.is_cuda() ? out.potential.size() : 0, device, "potential");
    Span<float> values =
        device.is_cuda() ? there.span() : Span<float>(out.potential.data(), out.potential.size(), device);
    result.solved = pb_solve_boxes(atoms, grid, options, values, part, &fine, &coarse);
    if (there.size() > 0)
      copy_memory(out.potential.data(), Device::cpu(), there.data(), device, out.potential.size_bytes());
  }
  fine.others.clear();
  JobPart part(job, 0.7, 1);
  Maker(atoms, grid, options, out, fine, coarse, part).make(result);
  return result;
}

std::size_t poisson_boltzmann_fields_memory(const Grid& grid) {
  // Both solutions as they are kept, the ions' charge, and the depths that it needs.
  return grid.size() * (2 * (sizeof(double) + 1) * 9 / 8 + 2 * sizeof(float));
}

}  // namespace isolume
