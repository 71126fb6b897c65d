// Smooth particle-mesh Ewald at any points, with field vectors.
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/energy/energy_cells_cpu.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/ewald/spme_solver_cpu.h"
#include "compute/electrostatics/pairs/short_range.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

void spme_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, const Cell& cell,
                const SpmeOptions& options, std::span<double> potential, std::span<glm::dvec3> field, Job& job) {
  if (potential.size() != points.size() || (!field.empty() && field.size() != points.size()))
    throw Error("SPME: as many values as points are needed", Error::Kind::usage);
  check_charges(charges);
  if (charges.empty()) throw Error("SPME: there are no charges", Error::Kind::usage);
  const SpmeOptions complete = complete_spme(options, cell);
  require_memory(spme_memory(charges.size(), complete, cell, Device::cpu()), Device::cpu(), "SPME");
  if (points.empty()) return;
  std::vector<glm::vec3> positions;
  std::vector<float> values;
  double total = 0;
  for (const PointCharge& c : charges) {
    positions.push_back(c.position);
    values.push_back(c.charge);
    total += static_cast<double>(c.charge);
  }
  SpmeSolverCpu solver(complete, cell);
  solver.solve(positions, values, {}, job);
  const ShortRange near = ShortRange::fit(SmoothKernel::of_ewald(complete.alpha), complete.cutoff);
  const AtomCells cells(positions, values, cell, true, complete.cutoff);
  double to_space[9];  // from mesh coordinates
  solver.tables().gradient(complete, to_space);
  // Of the background, to the part that pairs sum: its mean over the cell is 0 with the mesh's.
  const double background = -units::pi / (complete.alpha * complete.alpha * cell.volume()) * total;
  constexpr double volts = 1 / units::ev_in_kcal_per_mol;
  constexpr std::size_t tile = 64;
  parallel_for((points.size() + tile - 1) / tile, job, "SPME at points", [&](std::size_t t) {
    GatheredRow around;
    for (std::size_t i = t * tile; i < std::min(points.size(), (t + 1) * tile); ++i) {
      MeshAtom place{};
      solver.locate(points[i], place);
      MeshValue smooth{};
      gather_potentials(complete.order, &place, 1, solver.mesh(), &smooth);
      around.clear();
      cells.each_near(points[i], glm::vec3(0), glm::vec3(0), complete.cutoff,
                      [&](std::uint32_t, glm::vec3 p, float charge) { around.add(p, charge); });
      PairSums sums;
      pair_loop(around.finish(), 0, 0, 0, near, true, sums);
      potential[i] = volts * (units::coulomb_kcal_angstrom * (sums.potential + background) +
                              static_cast<double>(smooth.potential));
      if (field.empty()) continue;
      const glm::dvec3 g(smooth.gradient[0], smooth.gradient[1], smooth.gradient[2]);
      for (int axis = 0; axis < 3; ++axis) {
        const double gradient = to_space[axis] * g.x + to_space[3 + axis] * g.y + to_space[6 + axis] * g.z;
        field[i][axis] = volts * (units::coulomb_kcal_angstrom * sums.force[axis] - gradient);
      }
    }
  });
}

}  // namespace isolume
