// Every instruction set that the CPU bodies are built for gives the same numbers.
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/orbitals/orbital.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/base/instruction_sets.h"

namespace isolume {
namespace {

using namespace test;

class Simd : public test::InstructionSetTest {};

INSTANTIATE_TEST_SUITE_P(Targets, Simd, testing::ValuesIn(test::instruction_sets()), test::instruction_set_name);

TEST_P(Simd, DirectPotential) {
  Random random(1);
  std::vector<PointCharge> charges;
  for (int i = 0; i < 300; ++i) charges.push_back({glm::vec3(random.in_box(-6, 6)), static_cast<float>(random(-1, 1))});
  for (const Grid& grid :
       {make_grid({-5, -5, -5}, {0.6, 0.7, 0.8}, {19, 13, 11}), make_skewed_grid({-4, -4, -4}, 0.7, {11, 9, 9})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> expected(points.size());
    direct_potential_reference(charges, points, expected);
    Job job;
    std::vector<float> values(points.size());
    direct_potential(charges, grid, values, job);
    const Difference d = compare(values, expected);
    EXPECT_LE(d.rms, 1e-5 * d.scale_rms);
  }
}

TEST_P(Simd, GaussianDensity) {
  Random random(2);
  std::vector<DensityAtom> atoms;
  for (int i = 0; i < 300; ++i) atoms.push_back({glm::vec3(random.in_box(-6, 6)), 1.3f, glm::vec3(1, 0.5, 0.25)});
  const Grid grid = make_grid({-8, -8, -8}, {0.41, 0.53, 0.47}, {41, 31, 35});
  std::vector<double> expected(grid.size());
  std::vector<glm::dvec3> expected_colours(grid.size());
  gaussian_density_reference(atoms, grid, {}, expected, expected_colours);
  Job job;
  std::vector<float> values(grid.size());
  std::vector<glm::vec3> colours(grid.size());
  gaussian_density(atoms, grid, {}, Span<float>(values), Span<glm::vec3>(colours), job);
  const Difference d = compare(values, expected);
  EXPECT_LE(d.largest, 1e-5 * d.scale);
  for (std::size_t i = 0; i < colours.size(); ++i) ASSERT_NEAR(colours[i].y, expected_colours[i].y, 1e-5);
}

TEST_P(Simd, Orbital) {
  Basis basis;
  for (int l = 0; l <= 6; ++l) {
    Shell shell;
    shell.l = static_cast<std::uint8_t>(l);
    shell.spherical = l > 1;
    shell.exponents = {1.2, 0.4};
    shell.coefficients = {0.5, 0.6};
    basis.shells.push_back(shell);
  }
  Random random(3);
  Orbitals orbitals;
  orbitals.orbitals.resize(1);
  for (std::size_t i = 0; i < basis.function_count(); ++i) orbitals.coefficients.push_back(random(-1, 1));
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.centres = {{0.1, 0.2, 0.3}};
  for (const Grid& grid :
       {make_grid({-2, -2, -2}, {0.31, 0.29, 0.3}, {13, 14, 15}), make_skewed_grid({-2, -2, -2}, 0.33, {9, 10, 11})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> expected(points.size());
    orbital_reference(orbitals, 0, points, expected);
    Job job;
    std::vector<float> values(points.size());
    orbital(orbitals, 0, grid, values, job);
    const Difference d = compare(values, expected);
    EXPECT_LE(d.largest, 1e-6 * d.scale);
  }
}

}  // namespace
}  // namespace isolume
