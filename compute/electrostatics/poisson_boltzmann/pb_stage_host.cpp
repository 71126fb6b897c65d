// The stages of a Poisson-Boltzmann computation on the processor.
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/molecular_surface/molecular_surface.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

bool on_face(const PbProblem& p, glm::ivec3 place) {
  return glm::any(glm::equal(place, glm::ivec3(0))) || glm::any(glm::equal(place, p.counts - 1));
}

/// Calls body(node) for the nodes of the faces.
template <class Body>
void for_faces(const PbProblem& p, const Body& body) {
  const glm::ivec3 n = p.counts;
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      const bool whole = k == 0 || k == n.z - 1 || j == 0 || j == n.y - 1;
      for (int i = 0; i < n.x; i += whole ? 1 : n.x - 1) body(p.index({i, j, k}));
    }
  }
}

/// The eight nodes about a point, and their weights.
struct Corners {
  glm::ivec3 low;
  glm::dvec3 part;

  Corners(const PbProblem& p, glm::dvec3 point) {
    const glm::dvec3 at = (point - p.origin) / p.step;
    low = glm::clamp(glm::ivec3(glm::floor(at)), glm::ivec3(0), p.counts - 2);
    part = glm::clamp(at - glm::dvec3(low), 0.0, 1.0);
  }
  glm::ivec3 place(int corner) const { return low + glm::ivec3(corner & 1, corner >> 1 & 1, corner >> 2); }
  double weight(int corner) const {
    return (corner & 1 ? part.x : 1 - part.x) * (corner >> 1 & 1 ? part.y : 1 - part.y) *
           (corner >> 2 ? part.z : 1 - part.z);
  }
};

class HostStage final : public PbStage {
 public:
  HostStage(std::span<const ChargedSphere> atoms, const PbMediaMaker& media, const PbBox& box,
            const PoissonBoltzmannOptions& options, Job& job);

  void set_faces(const PbStage* outer, Job& job) override;
  void take_faces(const PbStage& from) override;
  void start_from(const PbStage& stage) override;
  void start_from(const PoissonBoltzmannStart& kept) override;
  void keep(PoissonBoltzmannStart& kept) const override;
  void solve(Job& job) override;
  void reaction(std::span<double> values, std::span<char> known) const override;
  double ion_energy() const override;
  void potential(const Grid& grid, Span<float> values, double unit, Job& job) const override;
  PbDifference difference(const PbStage& coarser) const override;
  std::vector<std::uint8_t> without_nodes() const override;
  bool solute_on_faces() const override;

 private:
  /// Charges about which no node is in the solute, as on wide grids, act from the nodes about them.
  void keep_lost_charges();
  /// u at points, as of nodes in the solute or in the solvent.
  void interpolate(std::span<const glm::dvec3> points, std::span<const std::uint8_t> inside, std::span<double> values,
                   Job& job) const;

  std::span<const ChargedSphere> atoms_;
  const PbMediaMaker& media_;
  std::span<const ChargedSphere> screened_;  ///< PbMediaMaker::screened()
  const PoissonBoltzmannOptions& options_;
  PbProblem problem;
  std::vector<double> u;
  bool guessed_ = false;  ///< u is from the solution with other steps
};

const HostStage& host(const PbStage& stage) {
  return static_cast<const HostStage&>(stage);
}

HostStage::HostStage(std::span<const ChargedSphere> atoms, const PbMediaMaker& media, const PbBox& box,
                     const PoissonBoltzmannOptions& options, Job& job)
    : PbStage(box), atoms_(atoms), media_(media), screened_(media.screened()), options_(options) {
  const PhaseTimer timer("Poisson-Boltzmann: surfaces and coefficients");
  pb_form(atoms, media, box, options, problem, job);
  keep_lost_charges();
  u.assign(problem.size(), 0.0);
}

void HostStage::keep_lost_charges() {
  const glm::dvec3 step = problem.step;
  const double unit = 4 * units::pi * pb_bjerrum(options_) * step.x * step.x / (step.x * step.y * step.z);
  for (const ChargedSphere& atom : atoms_) {
    const glm::dvec3 at(atom.position);
    if (atom.charge == 0 || !box_.contains(at)) continue;
    const Corners corners(problem, at);
    bool lost = true;
    for (int corner = 0; corner < 8; ++corner) lost = lost && !problem.inside[problem.index(corners.place(corner))];
    for (int corner = 0; corner < 8 && lost; ++corner)
      problem.source[problem.index(corners.place(corner))] +=
          static_cast<float>(unit * static_cast<double>(atom.charge) * corners.weight(corner));
  }
}

void HostStage::set_faces(const PbStage* outer, Job& job) {
  std::vector<std::size_t> nodes;
  for_faces(problem, [&](std::size_t node) { nodes.push_back(node); });
  if (outer != nullptr) {
    std::vector<glm::dvec3> points;
    std::vector<std::uint8_t> inside;
    for (const std::size_t node : nodes) {
      points.push_back(problem.point(node));
      inside.push_back(problem.inside[node]);
    }
    std::vector<double> values(nodes.size());
    host(*outer).interpolate(points, inside, values, job);
    for (std::size_t i = 0; i < nodes.size(); ++i) u[nodes[i]] = values[i];
    return;
  }
  const Grid grid = box_.grid();
  std::vector<float> faces(debye_hueckel_face_points(grid));
  debye_hueckel_faces(pb_face_spheres(atoms_, options_), grid, pb_face_solvent(options_), Span<float>(faces), job);
  const double volts = units::thermal_voltage(options_.temperature);
  const glm::ivec3 n = problem.counts;
  std::size_t at = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      for (int b = 0; b < n[second]; ++b) {
        for (int a = 0; a < n[first]; ++a, ++at) {
          glm::ivec3 place;
          place[axis] = side * (n[axis] - 1);
          place[first] = a;
          place[second] = b;
          u[problem.index(place)] = static_cast<double>(faces[at]) / volts;
        }
      }
    }
  }
}

void HostStage::take_faces(const PbStage& from) {
  const HostStage& finer = host(from);
  for_faces(problem, [&](std::size_t node) {
    const std::size_t twin = finer.problem.index(2 * problem.place(node));
    u[node] = problem.inside[node] == finer.problem.inside[twin] ? finer.u[twin] : 0.0;
  });
}

void HostStage::start_from(const PbStage& stage) {
  guessed_ = true;
  const HostStage& other = host(stage);
  const PbProblem& from = other.problem;
  // Where each node is between those of the other grid, along one axis after another.
  std::array<std::vector<int>, 3> low;
  std::array<std::vector<double>, 3> part;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    for (int i = 0; i < problem.counts[axis]; ++i) {
      glm::ivec3 place(0);
      place[axis] = i;
      const Corners corners(from, problem.origin + problem.step * glm::dvec3(place));
      low[a].push_back(corners.low[axis]);
      part[a].push_back(corners.part[axis]);
    }
  }
  oneapi::tbb::parallel_for(1, problem.counts.z - 1, [&](int k) {
    const auto kz = static_cast<std::size_t>(k);
    for (int j = 1; j < problem.counts.y - 1; ++j) {
      const auto jy = static_cast<std::size_t>(j);
      std::array<std::size_t, 4> rows;
      std::array<double, 4> weights;
      std::size_t count = 0;
      for (int side = 0; side < 4; ++side) {
        const double y = side & 1 ? part[1][jy] : 1 - part[1][jy], z = side >> 1 ? part[2][kz] : 1 - part[2][kz];
        if (y * z == 0) continue;
        rows[count] = from.index({0, low[1][jy] + (side & 1), low[2][kz] + (side >> 1)});
        weights[count++] = y * z;
      }
      const std::size_t row = problem.index({0, j, k});
      for (std::size_t i = 1; i + 1 < static_cast<std::size_t>(problem.counts.x); ++i) {
        // Only of nodes of the same kind: u jumps at the surface.
        const std::uint8_t kind = problem.inside[row + i];
        const double x = part[0][i];
        double sum = 0, total = 0;
        const auto take = [&](std::size_t at, double weight) {
          if (from.inside[at] != kind) return;
          sum += weight * other.u[at];
          total += weight;
        };
        for (std::size_t r = 0; r < count; ++r) {
          const std::size_t at = rows[r] + static_cast<std::size_t>(low[0][i]);
          if (x < 1) take(at, weights[r] * (1 - x));
          if (x > 0) take(at + 1, weights[r] * x);
        }
        u[row + i] = total > 0 ? sum / total : 0;
      }
    }
  });
}

void HostStage::start_from(const PoissonBoltzmannStart& kept) {
  if (kept.counts != problem.counts || kept.origin != problem.origin || kept.step != problem.step) return;
  // Where much of the surface has moved, the guess from other steps is the better one.
  constexpr double most_moved = 0.05;  // of the edges that it cuts
  if (guessed_) {
    std::vector<std::size_t> moved(static_cast<std::size_t>(problem.counts.z), 0);
    const std::size_t layer = problem.size() / moved.size();
    oneapi::tbb::parallel_for(std::size_t{0}, moved.size(), [&](std::size_t k) {
      for (std::size_t node = k * layer; node < (k + 1) * layer; ++node)
        moved[k] += kept.inside[node] != problem.inside[node];
    });
    const std::size_t nodes = std::accumulate(moved.begin(), moved.end(), std::size_t{0});
    if (static_cast<double>(nodes) > most_moved * static_cast<double>(problem.cuts)) return;
  }
  oneapi::tbb::parallel_for(1, problem.counts.z - 1, [&](int k) {
    for (int j = 1; j < problem.counts.y - 1; ++j) {
      for (int i = 1; i < problem.counts.x - 1; ++i) {
        const std::size_t node = problem.index({i, j, k});
        if (kept.inside[node] == problem.inside[node]) u[node] = kept.solution[node];
      }
    }
  });
}

void HostStage::keep(PoissonBoltzmannStart& kept) const {
  kept.origin = problem.origin;
  kept.step = problem.step;
  kept.counts = problem.counts;
  kept.solution = u;
  kept.inside = problem.inside;
}

void HostStage::solve(Job& job) {
  progress = pb_solve_cpu(problem, options_, u, job);
}

void HostStage::interpolate(std::span<const glm::dvec3> points, std::span<const std::uint8_t> inside,
                            std::span<double> values, Job& job) const {
  // Of the corners on the point's side of the surface alone: u jumps there, and the potential's slope does. Where there
  // are none, of all, taken over with Coulomb's potential.
  struct Other {
    std::size_t point;
    double weight;
  };
  std::vector<Other> others;
  std::vector<glm::dvec3> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Corners corners(problem, points[i]);
    double own = 0;
    for (int corner = 0; corner < 8; ++corner)
      if (problem.inside[problem.index(corners.place(corner))] == inside[i]) own += corners.weight(corner);
    const bool alone = own > 0.05;
    values[i] = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const std::size_t at = problem.index(corners.place(corner));
      const bool same = problem.inside[at] == inside[i];
      const double weight = corners.weight(corner) / (alone ? own : 1.0);
      if (weight == 0 || (alone && !same)) continue;
      values[i] += weight * u[at];
      if (same) continue;
      others.push_back({i, problem.inside[at] ? weight : -weight});
      places.push_back(problem.point(at));
    }
  }
  std::vector<double> coulomb(places.size());
  pb_coulomb(screened_, places, coulomb, {}, job, media_.screened_sum());
  const double unit = pb_bjerrum(options_) / options_.solute_permittivity;
  for (std::size_t m = 0; m < others.size(); ++m) values[others[m].point] += others[m].weight * unit * coulomb[m];
}

void HostStage::reaction(std::span<double> values, std::span<char> known) const {
  const PbNodes nodes = pb_nodes(box_);
  oneapi::tbb::parallel_for(std::size_t{0}, atoms_.size(), [&](std::size_t i) {
    const glm::dvec3 at(atoms_[i].position);
    if (!box_.contains(at)) return;
    known[i] = 1;
    values[i] = options_.boundary == DielectricBoundary::gaussian
                    ? pb_linear_fit(nodes, u.data(), problem.inside.data(), &at.x)
                    : pb_harmonic_fit(nodes, u.data(), problem.inside.data(), &at.x);
  });
}

PbDifference HostStage::difference(const PbStage& coarser) const {
  const HostStage& coarse = host(coarser);
  PbDifference sums;
  for (std::size_t node = 0; node < coarse.problem.size(); ++node) {
    const std::size_t twin = problem.index(2 * coarse.problem.place(node));
    if (coarse.problem.inside[node] || problem.inside[twin]) continue;
    const double apart = u[twin] - coarse.u[node];
    sums.square += apart * apart;
    sums.values += u[twin] * u[twin];
    sums.most = std::max(sums.most, std::abs(apart));
    ++sums.count;
  }
  return sums;
}

std::vector<std::uint8_t> HostStage::without_nodes() const {
  std::vector<std::uint8_t> lost(atoms_.size(), 0);
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const glm::dvec3 at(atoms_[i].position);
    if (atoms_[i].charge == 0 || !box_.contains(at)) continue;
    const Corners corners(problem, at);
    lost[i] = 1;
    for (int corner = 0; corner < 8; ++corner)
      if (problem.inside[problem.index(corners.place(corner))]) lost[i] = 0;
  }
  return lost;
}

bool HostStage::solute_on_faces() const {
  bool any = false;
  for_faces(problem, [&](std::size_t node) { any = any || problem.inside[node]; });
  return any;
}

double HostStage::ion_energy() const {
  if (!problem.nonlinear) return 0;
  // 1/2 phi F - the osmotic term, over the volume where ions are.
  double sum = 0;
  for (std::size_t node = 0; node < problem.size(); ++node) {
    if (problem.kappa[node] == 0 || on_face(problem, problem.place(node))) continue;
    double slope = 0;
    const double term = pb_ion_term(problem.ions, u[node], slope);
    sum += static_cast<double>(problem.kappa[node]) * (0.5 * u[node] * term - pb_osmotic(problem.ions, u[node]));
  }
  const double volume = problem.step.x * problem.step.y * problem.step.z / (problem.step.x * problem.step.x);
  return sum * volume / (4 * units::pi * pb_bjerrum(options_));
}

void HostStage::potential(const Grid& grid, Span<float> values, double unit, Job& job) const {
  const PhaseTimer timer("Poisson-Boltzmann: Coulomb's part in the solute");
  float* out = values.data;
  std::vector<std::size_t> nodes;
  std::vector<glm::dvec3> points;
  std::size_t at = 0;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      const std::size_t row = problem.index(box_.first + glm::ivec3(0, j, k));
      for (int i = 0; i < grid.counts.x; ++i, ++at) {
        const std::size_t node = row + static_cast<std::size_t>(i);
        out[at] = static_cast<float>(unit * u[node]);
        if (!problem.inside[node] || (!wanted.empty() && wanted[at] == 0)) continue;
        nodes.push_back(at);
        points.push_back(grid.point(i, j, k));
      }
    }
  }
  const double scale = units::coulomb_volt_angstrom / options_.solute_permittivity *
                       (unit / units::thermal_voltage(options_.temperature));
  const std::span<const PointCharge> charges = media_.screened_sum()->charges();
  if (pb_solute_sum(charges.size(), nodes.size()) == PbSoluteSum::map) {
    std::vector<float> coulomb(grid.size());
    fast_direct_potential(charges, grid, {1e-5}, Span<float>(coulomb), job);
    for (const std::size_t node : nodes)
      out[node] += static_cast<float>(static_cast<double>(coulomb[node]) / options_.solute_permittivity *
                                      (unit / units::thermal_voltage(options_.temperature)));
  } else {
    std::vector<double> coulomb(points.size());
    pb_coulomb(screened_, points, coulomb, {}, job, media_.screened_sum());
    for (std::size_t i = 0; i < nodes.size(); ++i) out[nodes[i]] += static_cast<float>(scale * coulomb[i]);
  }
}

class HostStages final : public PbStageMaker {
 public:
  HostStages(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options)
      : atoms_(atoms), options_(options) {}
  std::unique_ptr<PbStage> make(const PbBox& box, Job& job) override {
    if (!media_) media_.emplace(atoms_, options_, job);
    return std::make_unique<HostStage>(atoms_, *media_, box, options_, job);
  }

 private:
  std::span<const ChargedSphere> atoms_;
  const PoissonBoltzmannOptions& options_;
  std::optional<PbMediaMaker> media_;
};

}  // namespace

std::unique_ptr<PbStageMaker> pb_stages_host(std::span<const ChargedSphere> atoms,
                                             const PoissonBoltzmannOptions& options) {
  return std::make_unique<HostStages>(atoms, options);
}

}  // namespace isolume
