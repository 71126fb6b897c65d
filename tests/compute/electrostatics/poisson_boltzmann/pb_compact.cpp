// Poisson-Boltzmann with coefficients of 16 bits, which devices keep of large grids: the same solutions in less memory.
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;
using CompactPoissonBoltzmann = OnDevice;
ISOLUME_ON_EVERY_DEVICE(CompactPoissonBoltzmann);

/// Charged spheres in a ball, near enough to each other for one surface.
std::vector<ChargedSphere> cluster() {
  std::vector<ChargedSphere> atoms;
  Random random(29);
  for (int k = -2; k <= 2; ++k)
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        const glm::dvec3 at = 2.1 * glm::dvec3(i, j, k) + random.in_box(-0.4, 0.4);
        atoms.push_back({glm::vec3(at), static_cast<float>(random(-0.6, 0.7)), static_cast<float>(random(1.4, 2.0))});
      }
  return atoms;
}

void expect_same(Device device, const Grid& grid, PoissonBoltzmannOptions options, const char* what) {
  const std::vector<ChargedSphere> atoms = cluster();
  const Solution usual = solve_map(device, atoms, grid, options);
  options.compact_from = 0;
  const Solution compact = solve_map(device, atoms, grid, options);
  // A surface that is known to 1 / 65535 of a step moves an energy by about as little.
  EXPECT_NEAR(compact.result.solvation_energy, usual.result.solvation_energy,
              3e-5 * std::abs(usual.result.solvation_energy))
      << what;
  std::vector<double> expected(usual.map.values.begin(), usual.map.values.end());
  const auto d = compare(compact.map.values, expected);
  EXPECT_LT(d.rms, 1e-4 * d.scale_rms) << what;
  EXPECT_LE(compact.result.residual, 1.5 * options.tolerance) << what;
}

TEST_P(CompactPoissonBoltzmann, IsTheSameSolution) {
  PoissonBoltzmannOptions options = salt(0.15, 2);
  expect_same(GetParam(), cube(14, 0.5), options, "a cube");
  // Steps that differ, no ions, a narrower box, charges that no node of the coarser grids is near.
  options.ions.clear();
  expect_same(GetParam(), make_grid({-9, -10, -11}, {0.4, 0.5, 0.6}, {45, 41, 37}), options, "no cube");
  expect_same(GetParam(), make_grid({-3, -3, -3}, glm::dvec3(0.3), {21, 21, 21}), salt(0.5, 1.5, 4), "a part");
  options = salt(0.15, 2);
  options.boundary = DielectricBoundary::smooth;
  expect_same(GetParam(), cube(14, 0.5), options, "a smooth surface");
}

TEST_P(CompactPoissonBoltzmann, HasTheEnergyOfBornsIon) {
  const std::vector<ChargedSphere> ion{{{0.1f, -0.2f, 0.05f}, 1, 3}};
  PoissonBoltzmannOptions options = salt(0, 2, 1);
  options.compact_from = 0;
  const Solution solution = solve_map(GetParam(), ion, cube(10, 0.5), options);
  const double born = -0.5 * units::coulomb_volt_angstrom / 3 * (1 - 1 / options.solvent_permittivity);
  const double energy = solution.result.solvation_energy / units::ev_in_kcal_per_mol;
  EXPECT_NEAR(energy, born, 1e-3 * std::abs(born));
}

TEST_P(CompactPoissonBoltzmann, LeavesOtherEquationsAsTheyAre) {
  // Non-linear ones, and those that the processor forms, have no codes.
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.nonlinear = true;
  expect_same(GetParam(), cube(14, 0.7), options, "non-linear");
  options.nonlinear = false;
  options.boundary = DielectricBoundary::gaussian;
  expect_same(GetParam(), cube(14, 0.7), options, "Gaussian");
}

TEST(CompactPoissonBoltzmannMemory, IsPredictedSmaller) {
  const std::vector<ChargedSphere> atoms = cluster();
  const Grid grid = cube(64, 0.125);  // 1025 x 1025 x 1025
  PoissonBoltzmannOptions options = salt(0.15, 2);
  const auto nodes = static_cast<double>(grid.size());
  const auto bytes = [&] {
    return static_cast<double>(poisson_boltzmann_memory(atoms, grid, options, Device::cuda(0))) / nodes;
  };
  EXPECT_LT(bytes(), 37);
  options.compact_from = ~std::size_t{0};
  EXPECT_GT(bytes(), 65);
}

}  // namespace
}  // namespace isolume
