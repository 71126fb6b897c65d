// The electron localization function where there is little density: what it is, and where it is 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

class ElfOnDevice : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, ElfOnDevice, testing::ValuesIn(test::devices_present()), test::device_name);

// Of one orbital D is 0, and the ELF is 1 where there is hardly any density, too: two terms cancel there to their last
// digits.
TEST_P(ElfOnDevice, OfOneOrbitalIsOneOnFineGrids) {
  const double a = 0.8;
  const SpinEvaluator evaluator(test::one_gaussian(a, 2));
  const Grid grid = test::make_grid(glm::dvec3(-0.5, -0.4, -0.3), glm::dvec3(0.06), {53, 50, 49});
  ASSERT_GE(refinement_levels(grid), 1);
  Job job;
  const auto values = test::on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
    measure_on_grid(evaluator, *find_density_measure("elf"), grid, out, job);
  });
  double least = 1;
  int empty = 0;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const std::array<int, 3> at{static_cast<int>(n % 53), static_cast<int>(n / 53 % 50),
                                static_cast<int>(n / (53 * 50))};
    const glm::dvec3 point = units::angstrom_in_bohr * grid.point(at[0], at[1], at[2]);
    const double density = 2 * std::pow(2 * a / std::numbers::pi, 1.5) * std::exp(-2 * a * glm::dot(point, point));
    if (std::abs(density / 1e-8 - 1) < 1e-5) continue;  // either
    if (density < 1e-8) {
      ASSERT_EQ(values[n], 0) << "density " << density;
      ++empty;
      continue;
    }
    least = std::min(least, density);
    ASSERT_NEAR(values[n], 1, 1e-6) << "density " << density;
  }
  EXPECT_LT(least, 2e-8);
  EXPECT_GT(empty, 100) << "far from the nucleus it is 0";
}

/// Far from a molecule the ELF is noise unless it is defined: everywhere it is what the formula in double precision
/// says.
TEST_P(ElfOnDevice, IsThatOfTheFormulaInAWideGrid) {
  const std::string file = test::shared_data("qm-fields/formamide.molden.gz");
  ISOLUME_NEEDS(file);
  const Orbitals orbitals = *read_file(file).orbitals.at(0);
  const SpinEvaluator evaluator(orbitals, false);
  // A slab of points 0.11 angstrom apart that are interpolated, and a coarse grid of computed ones.
  for (const Grid& grid : {test::make_grid({-9.9, -9.9, -1.2}, glm::dvec3(0.11), {181, 181, 28}),
                           test::make_grid(glm::dvec3(-8.8), glm::dvec3(0.8), {23, 23, 23})}) {
    Job job;
    const auto values = test::on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
      measure_on_grid(evaluator, *find_density_measure("elf"), grid, out, job);
    });
    std::vector<std::size_t> chosen;
    std::vector<glm::dvec3> points;
    for (std::size_t n = 0; n < grid.size(); n += grid.size() / 700) {
      const auto x = static_cast<std::size_t>(grid.counts.x), y = static_cast<std::size_t>(grid.counts.y);
      chosen.push_back(n);
      points.push_back(units::angstrom_in_bohr *
                       grid.point(static_cast<int>(n % x), static_cast<int>(n / x % y), static_cast<int>(n / (x * y))));
    }
    std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
    evaluator.reference(points, alpha, beta);
    // The CPU sums Gaussians of pairs, a GPU interpolates.
    const double within = GetParam().is_cuda() ? 2e-6 : 3e-7;
    int far = 0, near = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double density = alpha[i].density + beta[i].density;
      if (std::abs(density / 1e-8 - 1) < 1e-5) continue;  // either
      ++(density < 1e-8 ? far : near);
      EXPECT_NEAR(values[chosen[i]], measure_value(DensityMeasure::elf, alpha[i], beta[i]), within) << density;
      if (density < 1e-8) {
        EXPECT_EQ(values[chosen[i]], 0);
      }
    }
    EXPECT_GT(far, 50);
    EXPECT_GT(near, 50);
  }
}

}  // namespace
}  // namespace isolume
