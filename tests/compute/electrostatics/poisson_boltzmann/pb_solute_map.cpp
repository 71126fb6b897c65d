// Coulomb's part of a Poisson-Boltzmann map in the solute, by lattices, on every device: against the plain sum.
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_fields.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_nodes.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using namespace test;
using PoissonBoltzmannSoluteMap = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PoissonBoltzmannSoluteMap);

TEST(PoissonBoltzmannSoluteSum, IsChosenByTheNumbersAlone) {
  EXPECT_EQ(pb_solute_sum(500, 100'000), PbSoluteSum::pairs);
  EXPECT_EQ(pb_solute_sum(20'000, 10'000), PbSoluteSum::pairs);
  EXPECT_EQ(pb_solute_sum(20'000, 100'000), PbSoluteSum::lattices);
  EXPECT_EQ(pb_solute_sum(5'000, 100'000'000), PbSoluteSum::map);
}

TEST_P(PoissonBoltzmannSoluteMap, HasCoulombsPotentialOfManyCharges) {
  const auto charges = water_charges(56);
  std::vector<ChargedSphere> atoms;
  glm::dvec3 middle(0);
  for (const PointCharge& charge : charges) {
    atoms.push_back({charge.position, charge.charge, 1.6f});
    middle += glm::dvec3(charge.position) / static_cast<double>(charges.size());
  }
  // A part of the solute, no multiple of the nodes that are summed at once.
  const Grid grid = make_grid(middle - glm::dvec3(26, 25, 24.5), glm::dvec3(1), {51, 50, 49});
  ASSERT_EQ(pb_solute_sum(charges.size(), grid.size() * 3 / 4), PbSoluteSum::lattices);
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.estimate_error = false;
  std::vector<float> potential(grid.size()), reaction(grid.size());
  PoissonBoltzmannMapsOut out;
  out.potential = potential;
  out.reaction = reaction;
  Job job;
  poisson_boltzmann_fields(atoms, grid, options, out, GetParam(), job);
  // What is not reaction potential is Coulomb's.
  std::vector<glm::dvec3> points;
  std::vector<double> found;
  for (std::size_t node = 0; node < grid.size(); node += 61) {
    const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
    points.push_back(
        grid.point(static_cast<int>(node % nx), static_cast<int>(node / nx % ny), static_cast<int>(node / (nx * ny))));
    found.push_back(static_cast<double>(potential[node]) - static_cast<double>(reaction[node]));
  }
  std::vector<double> expected(points.size());
  coulomb_sum_reference(charges, points, expected, {});
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    expected[i] *= units::coulomb_volt_angstrom / options.solute_permittivity;
    apart += (found[i] - expected[i]) * (found[i] - expected[i]);
    all += expected[i] * expected[i];
  }
  EXPECT_LT(std::sqrt(apart / all), 2e-5);
}

TEST_P(PoissonBoltzmannSoluteMap, IsThatOfAllNodesWhereItIsWanted) {
  const std::vector<ChargedSphere> atoms{{{-1.2f, 0.1f, 0}, 0.7f, 2.5f}, {{1.4f, 0.3f, -0.2f}, -0.4f, 3.0f}};
  const Grid grid = cube(8, 0.5);
  std::vector<std::uint8_t> wanted(grid.size(), 0);
  for (std::size_t node = 0; node < wanted.size(); node += 3) wanted[node] = 1;
  const PoissonBoltzmannOptions options = salt(0.15, 2);
  Job job;
  PoissonBoltzmannResult whole, part;
  const std::vector<float> all = on_device<float>(GetParam(), grid.size(), [&](Span<float> potential) {
    whole = poisson_boltzmann(atoms, grid, options, potential, job);
  });
  const std::vector<float> some = on_device<float>(GetParam(), grid.size(), [&](Span<float> potential) {
    part = poisson_boltzmann_at_nodes(atoms, grid, options, wanted, potential, job);
  });
  std::size_t left_out = 0;
  for (std::size_t node = 0; node < all.size(); ++node) {
    const bool same = std::abs(some[node] - all[node]) <= 1e-6f * (1 + std::abs(all[node]));
    if (wanted[node]) {
      ASSERT_TRUE(same) << node;
    }
    left_out += !same;
  }
  // Two spheres of 2.5 and 3 angstrom that overlap by half hold about 140 cubic angstrom, 1100 nodes.
  if (GetParam().is_cuda()) {
    EXPECT_EQ(left_out, 0u);
  } else {
    EXPECT_GT(left_out, 500u);
    EXPECT_LT(left_out, 1200u);
  }
  EXPECT_NEAR(part.solvation_energy, whole.solvation_energy, 1e-6 * std::abs(whole.solvation_energy));
  EXPECT_NEAR(part.error.rms, whole.error.rms, 1e-6 * whole.error.rms);
  wanted.pop_back();
  std::vector<float> room(grid.size());
  EXPECT_THROW(poisson_boltzmann_at_nodes(atoms, grid, options, wanted, Span<float>(room), job), Error);
}

}  // namespace
}  // namespace isolume
