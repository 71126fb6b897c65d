// Maps of the potential by SPME: checks, the choice of the body, and that of the CPU.
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

void spme_potential_cpu(std::span<const glm::vec3> positions, std::span<const float> charges, const Grid& grid,
                        const Cell& cell, const SpmeOptions& options, SpmeMap map, Span<float> potential, Job& job) {
  SpmeSolverCpu solver(options, cell);
  solver.solve(positions, charges, {}, job);
  const SmoothKernel smooth = SmoothKernel::of_ewald(options.alpha);
  const bool full = map == SpmeMap::full;
  const ShortRange near = full ? ShortRange::fit(smooth, options.cutoff) : ShortRange::plain();
  const AtomCells cells(positions, charges, cell, true, options.cutoff);
  double total = 0;
  for (const float q : charges) total += static_cast<double>(q);
  // Of the background, to the part that pairs sum: its mean over the cell is 0 with the mesh's.
  const double background = full ? -units::pi / (options.alpha * options.alpha * cell.volume()) * total : 0;
  constexpr double volts = 1 / units::ev_in_kcal_per_mol;
  // Tiles of points that are near each other share the atoms around them.
  constexpr int side = 8;
  const glm::ivec3 n = grid.counts;
  const glm::ivec3 tiles((n.x + side - 1) / side, (n.y + side - 1) / side, (n.z + side - 1) / side);
  const auto tiles_xy = static_cast<std::size_t>(tiles.x) * static_cast<std::size_t>(tiles.y);
  parallel_for(tiles_xy * static_cast<std::size_t>(tiles.z), job, "SPME map", [&](std::size_t tile) {
    const glm::ivec3 first(
        side * static_cast<int>(tile % static_cast<std::size_t>(tiles.x)),
        side * static_cast<int>(tile / static_cast<std::size_t>(tiles.x) % static_cast<std::size_t>(tiles.y)),
        side * static_cast<int>(tile / tiles_xy));
    const glm::ivec3 last = glm::min(first + side, n);
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
          solver.locate(p, a);
          points.push_back(a);
          places.emplace_back(p - base);
          lower = glm::min(lower, places.back());
          upper = glm::max(upper, places.back());
        }
      }
    }
    std::vector<MeshValue> smooth_part(points.size());
    gather_potentials(options.order, points.data(), points.size(), solver.mesh(), smooth_part.data());
    GatheredRow around;
    if (full) {
      cells.each_near(base, lower, upper, options.cutoff,
                      [&](std::uint32_t, glm::vec3 p, float charge) { around.add(p, charge); });
    }
    const PairRow row = around.finish();
    std::size_t at = 0;
    for (int k = first.z; k < last.z; ++k) {
      for (int j = first.y; j < last.y; ++j) {
        for (int i = first.x; i < last.x; ++i, ++at) {
          PairSums sums;
          if (full) pair_loop(row, places[at].x, places[at].y, places[at].z, near, true, sums);
          const double v = units::coulomb_kcal_angstrom * (sums.potential + background) +
                           static_cast<double>(smooth_part[at].potential);
          potential.data[grid.index(i, j, k)] = static_cast<float>(v * volts);
        }
      }
    }
  });
}

}  // namespace

void spme_potential(std::span<const PointCharge> charges, const Grid& grid, const Cell& cell,
                    const SpmeOptions& options, SpmeMap map, Span<float> potential, Job& job) {
  check_grid(grid, "SPME");
  check_values(grid, potential, "SPME");
  check_charges(charges);
  if (charges.empty()) throw Error("SPME: there are no charges", Error::Kind::usage);
  const SpmeOptions complete = complete_spme(options, cell);
  require_memory(spme_memory(charges.size(), complete, cell, potential.device), potential.device, "SPME");
  job.check();
  if (potential.empty()) return;
  std::vector<glm::vec3> positions;
  std::vector<float> values;
  for (const PointCharge& c : charges) {
    positions.push_back(c.position);
    values.push_back(c.charge);
  }
  if (potential.device.is_cuda()) {
    spme_potential_cuda(positions, values, grid, cell, complete, map, potential, job);
  } else {
    spme_potential_cpu(positions, values, grid, cell, complete, map, potential, job);
  }
}

}  // namespace isolume
