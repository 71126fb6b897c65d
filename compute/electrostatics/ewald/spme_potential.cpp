// Maps of the potential by SPME: checks, the choice of the body, and that of the CPU.
#include "compute/electrostatics/ewald/spme_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/energy/energy_cells_cpu.h"
#include "compute/electrostatics/ewald/spme_bodies.h"
#include "compute/electrostatics/ewald/spme_solver_cpu.h"
#include "compute/electrostatics/pairs/short_range.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

// The mesh of a system, done, and its atoms in cells.
class SpmeMapCpu final : public SpmeMapBody {
 public:
  SpmeMapCpu(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
             const SpmeOptions& options, SpmeMap map, Job& job)
      : options_(options),
        full_(map == SpmeMap::full),
        cell_(cell),
        solver_(options, cell),
        near_(full_ ? ShortRange::fit(SmoothKernel::of_ewald(options.alpha), options.cutoff) : ShortRange::plain()),
        cells_(positions, charges, cell, true, options.cutoff) {
    solve(positions, charges, job);
  }

  void renew(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
             Job& job) override {
    if (cell_ != cell) solver_.set_cell(options_, cell);
    cell_ = cell;
    cells_ = AtomCells(positions, charges, cell, true, options_.cutoff);
    solve(positions, charges, job);
  }

  void map(const Grid& grid, Span<float> potential, Job& job) override;

 private:
  void solve(std::span<const glm::vec3> positions, std::span<const float> charges, Job& job) {
    solver_.solve(positions, charges, {}, job);
    double total = 0;
    for (const float q : charges) total += static_cast<double>(q);
    // Of the background, to the part that pairs sum: its mean over the cell is 0 with the mesh's.
    background_ = full_ ? -units::pi / (options_.alpha * options_.alpha * cell_.volume()) * total : 0;
  }
  void tile(const Grid& grid, glm::ivec3 first, glm::ivec3 last, float* potential) const;

  SpmeOptions options_;
  bool full_;
  Cell cell_;
  SpmeSolverCpu solver_;
  ShortRange near_;
  AtomCells cells_;
  double background_ = 0;
};

void SpmeMapCpu::map(const Grid& grid, Span<float> potential, Job& job) {
  // Tiles of points that are near each other share the atoms around them.
  constexpr int side = 8;
  const glm::ivec3 n = grid.counts;
  const glm::ivec3 tiles((n.x + side - 1) / side, (n.y + side - 1) / side, (n.z + side - 1) / side);
  const auto tiles_xy = static_cast<std::size_t>(tiles.x) * static_cast<std::size_t>(tiles.y);
  parallel_for(tiles_xy * static_cast<std::size_t>(tiles.z), job, "SPME map", [&](std::size_t index) {
    const glm::ivec3 first(
        side * static_cast<int>(index % static_cast<std::size_t>(tiles.x)),
        side * static_cast<int>(index / static_cast<std::size_t>(tiles.x) % static_cast<std::size_t>(tiles.y)),
        side * static_cast<int>(index / tiles_xy));
    tile(grid, first, glm::min(first + side, n), potential.data);
  });
}

void SpmeMapCpu::tile(const Grid& grid, glm::ivec3 first, glm::ivec3 last, float* potential) const {
  constexpr double volts = 1 / units::ev_in_kcal_per_mol;
  const glm::dvec3 base = grid.point(first.x, first.y, first.z);
  std::vector<MeshAtom> points;
  std::vector<glm::vec3> places;
  glm::vec3 lower(0);
  glm::vec3 upper(0);
  for (int k = first.z; k < last.z; ++k) {
    for (int j = first.y; j < last.y; ++j) {
      for (int i = first.x; i < last.x; ++i) {
        const glm::dvec3 p = grid.point(i, j, k);
        MeshAtom a{};
        solver_.locate(p, a);
        points.push_back(a);
        places.emplace_back(p - base);
        lower = glm::min(lower, places.back());
        upper = glm::max(upper, places.back());
      }
    }
  }
  std::vector<MeshValue> smooth_part(points.size());
  gather_potentials(options_.order, points.data(), points.size(), solver_.mesh(), smooth_part.data());
  GatheredRow around;
  if (full_) {
    cells_.each_near(base, lower, upper, options_.cutoff,
                     [&](std::uint32_t, glm::vec3 p, float charge) { around.add(p, charge); });
  }
  const PairRow row = around.finish();
  std::size_t at = 0;
  for (int k = first.z; k < last.z; ++k) {
    for (int j = first.y; j < last.y; ++j) {
      for (int i = first.x; i < last.x; ++i, ++at) {
        PairSums sums;
        if (full_) pair_loop(row, places[at].x, places[at].y, places[at].z, near_, true, sums);
        const double v = units::coulomb_kcal_angstrom * (sums.potential + background_) +
                         static_cast<double>(smooth_part[at].potential);
        potential[grid.index(i, j, k)] = static_cast<float>(v * volts);
      }
    }
  }
}

}  // namespace

void SpmeField::reset(std::span<const PointCharge> charges, const Cell& cell, const SpmeOptions& options, SpmeMap map,
                      Device device, Job& job) {
  check_charges(charges);
  if (charges.empty()) throw Error("SPME: there are no charges", Error::Kind::usage);
  const SpmeOptions complete = complete_spme(options, cell);
  job.check();
  // What is kept is put back only when it has been renewed: an error on the way leaves nothing half done.
  std::unique_ptr<SpmeMapBody> body = std::move(body_);
  const bool serves =
      body && options_ == complete && shown_ == map && device_ == device && positions_.size() == charges.size();
  positions_.resize(charges.size());
  charges_.resize(charges.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    positions_[i] = charges[i].position;
    charges_[i] = charges[i].charge;
  }
  if (serves) {
    body->renew(positions_, charges_, cell, job);
  } else {
    body.reset();
    bytes_ = spme_memory(charges.size(), complete, cell, device);
    require_memory(bytes_, device, "SPME");
    body = device.is_cuda() ? spme_map_body_cuda(positions_, charges_, cell, complete, map, device, job)
                            : std::make_unique<SpmeMapCpu>(positions_, charges_, cell, complete, map, job);
    options_ = complete;
    shown_ = map;
    device_ = device;
  }
  body_ = std::move(body);
}

SpmeField::SpmeField(std::span<const PointCharge> charges, const Cell& cell, const SpmeOptions& options, SpmeMap map,
                     Device device, Job& job) {
  reset(charges, cell, options, map, device, job);
}

bool SpmeField::keeps_memory() const {
  constexpr std::size_t most = std::size_t{256} << 20;
  return body_ && bytes_ <= most;
}

SpmeField::SpmeField() = default;
SpmeField::~SpmeField() = default;
SpmeField::SpmeField(SpmeField&&) noexcept = default;
SpmeField& SpmeField::operator=(SpmeField&&) noexcept = default;

void SpmeField::map(const Grid& grid, Span<float> potential, Job& job) {
  check_grid(grid, "SPME");
  check_values(grid, potential, "SPME");
  if (!body_) throw Error("SPME: there are no charges", Error::Kind::usage);
  if (potential.device != device_)
    throw Error(fmt::format("SPME: the mesh is on {}, the map on {}", to_string(device_), to_string(potential.device)),
                Error::Kind::usage);
  if (!potential.empty()) body_->map(grid, potential, job);
}

void spme_potential(std::span<const PointCharge> charges, const Grid& grid, const Cell& cell,
                    const SpmeOptions& options, SpmeMap map, Span<float> potential, Job& job) {
  check_grid(grid, "SPME");
  check_values(grid, potential, "SPME");
  check_charges(charges);
  if (charges.empty()) throw Error("SPME: there are no charges", Error::Kind::usage);
  complete_spme(options, cell);
  if (potential.empty()) return;
  SpmeField(charges, cell, options, map, potential.device, job).map(grid, potential, job);
}

}  // namespace isolume
