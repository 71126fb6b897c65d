// Every instruction set that the CPU bodies of the potential methods are built for gives the same numbers.
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using test::deviation;
using test::grid_points;

class PotentialSimd : public test::InstructionSetTest {};

INSTANTIATE_TEST_SUITE_P(Targets, PotentialSimd, testing::ValuesIn(test::instruction_sets()),
                         test::instruction_set_name);

TEST_P(PotentialSimd, Cutoff) {
  const auto charges = test::random_charges(600, 14);
  for (const Grid& grid : {test::make_grid({-2, 1, 2}, {0.5, 0.6, 0.45}, {37, 19, 17}),
                           test::make_skewed_grid({1, 2, 3}, 0.6, {21, 18, 9})}) {
    std::vector<double> expected(grid.size());
    for (const CutoffForm form : {CutoffForm::shifted, CutoffForm::switched}) {
      for (const Dielectric& dielectric : {Dielectric::constant(1), Dielectric::sigmoidal()}) {
        const CutoffOptions options{6.0, 5.0, form, dielectric};
        cutoff_potential_reference(charges, grid_points(grid), options, expected);
        std::vector<float> values(grid.size());
        Job job;
        cutoff_potential(charges, grid, options, values, job);
        EXPECT_LE(deviation(values, expected).rms, 1e-5);
      }
    }
  }
}

TEST_P(PotentialSimd, Msm) {
  const auto charges = test::random_charges(600, 12);
  const Grid grid = test::make_grid({-2, 1, 2}, {0.5, 0.6, 0.45}, {27, 19, 17});
  for (const int degree : {3, 5, 7}) {
    for (const bool refine : {true, false}) {
      MsmOptions options;
      options.degree = degree;
      options.smoothing = (degree + 1) / 2;
      options.cutoff = 4;
      options.spacing = 1.3;
      options.refine_roots = refine;
      std::vector<double> expected(grid.size());
      msm_potential_reference(charges, grid, options, grid_points(grid), expected);
      std::vector<float> values(grid.size());
      Job job;
      msm_potential(charges, grid, options, values, job);
      EXPECT_LE(deviation(values, expected).rms, refine ? 2e-5 : 2e-4);
    }
  }
}

TEST_P(PotentialSimd, DebyeHueckel) {
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : test::random_charges(700, 12)) spheres.push_back({c.position, c.charge, 1.5f});
  const Grid grid = test::make_grid({-5, -4, -3}, {0.7, 1.1, 1.3}, {31, 13, 11});
  for (const double ionic_strength : {0.0, 0.15, 400.0}) {  // the last: a range beyond which nothing is left
    DebyeHueckelOptions options;
    options.ionic_strength = ionic_strength;
    std::vector<double> expected(grid.size());
    debye_hueckel_reference(spheres, grid_points(grid), options, expected);
    std::vector<float> values(grid.size());
    Job job;
    debye_hueckel_potential(spheres, grid, options, values, job);
    EXPECT_LE(deviation(values, expected).rms, 1e-5);
  }
}

TEST_P(PotentialSimd, DebyeHueckelOnRowsOfAnyLength) {
  // What is left of four rows beyond whole vectors, and beyond 64 points, is summed together where it fits.
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : test::random_charges(600, 12)) spheres.push_back({c.position, c.charge, 1.5f});
  for (const int length : {1, 2, 3, 4, 5, 17, 18, 20, 36, 65, 66, 68, 193}) {
    SCOPED_TRACE(length);
    const Grid grid = test::make_skewed_grid({-5, -4, -3}, 0.31, {length, 3, 3});  // nine rows: not a multiple of four
    std::vector<double> expected(grid.size());
    debye_hueckel_reference(spheres, grid_points(grid), {}, expected);
    std::vector<float> values(grid.size());
    Job job;
    debye_hueckel_potential(spheres, grid, {}, values, job);
    const auto d = deviation(values, expected);
    EXPECT_LE(d.rms, 1e-5);
    EXPECT_LE(d.max, 1e-4);
  }
}

}  // namespace
}  // namespace isolume
