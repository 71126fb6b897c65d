// What the planner of multilevel summation promises, at a size of which its tables know nothing; maps in parts.
#include <gtest/gtest.h>

#include <cstring>

#include "compute/device_array.h"
#include "compute/potential/error_estimate.h"
#include "compute/potential/exact_sum.h"
#include "compute/potential/msm.h"
#include "compute/potential/msm_errors.h"
#include "tests/compute/potential_systems.h"

namespace isolume {
namespace {

MsmOptions options_of(double a, double h, const MsmChoice& choice) {
  MsmOptions options;
  options.cutoff = a;
  options.spacing = h;
  options.degree = choice.degree;
  options.smoothing = choice.smoothing;
  options.basis = choice.basis;
  return options;
}

class MsmPlanner : public test::OnDevice {
 protected:
  void SetUp() override {
    const double side = 99.2;  // 1e5 atoms; the tables come from boxes of 38 to 49 angstrom
    charges_ = test::water_charges(side, 5);
    grid_ = {glm::dvec3(-4), glm::dmat3(1.0), glm::ivec3(static_cast<int>(side) + 9)};
  }

  /// Against the direct sum in double precision, as every map is measured.
  double error_of(const MsmOptions& options) const {
    SCOPED_TRACE(describe(options));
    DeviceArray<float> potential(grid_.size(), GetParam());
    Job job;
    msm_potential(charges_, grid_, options, potential.span(), job);
    return potential_error_on_device(charges_, grid_, potential.span(), 1000, 1, job).relative;
  }

  std::vector<PointCharge> charges_;
  Grid grid_;
};
ISOLUME_ON_EVERY_DEVICE(MsmPlanner);

TEST_P(MsmPlanner, KeepsItsPromiseForAHundredThousandAtoms) {
  for (const double accuracy : {1e-2, 2.5e-3, 5e-4, 1e-4, 2.5e-5}) {
    const MsmPlanned plan = plan_msm(accuracy, charges_, grid_, GetParam());
    EXPECT_LE(plan.expected_error, accuracy);
    EXPECT_LE(error_of(plan.options), accuracy) << accuracy << ": " << describe(plan.options);
  }
}

TEST_P(MsmPlanner, AllowsEnoughForBothBases) {
  for (const MsmChoice choice : msm_choices()) {
    if (choice.degree == 7) continue;  // to save time
    for (const auto& [a, accuracy] : {std::pair{5.5, 2.5e-3}, {4.5, 1e-4}}) {
      // The widest spacing that the planner would take.
      double low = 2, high = 24;
      if (msm_largest_error(choice, a, low) < accuracy) continue;
      for (int step = 0; step < 30; ++step)
        (msm_largest_error(choice, a, 0.5 * (low + high)) > accuracy ? low : high) = 0.5 * (low + high);
      const MsmOptions options = options_of(a, a / high, choice);
      EXPECT_LE(error_of(options), accuracy) << describe(options);
    }
  }
}

TEST(MsmParts, OnTheCpuHaveTheBitsOfTheWhole) {
  const auto charges = test::random_charges(300, 24);
  // Layers that do not end with the tiles of 16; turned and skewed, so that no coordinate is a round number.
  const Grid grid = test::make_skewed_grid({1.3, -0.7, 2.1}, 0.61, {37, 29, 45});
  for (const MsmBasisKind basis : {MsmBasisKind::nodal, MsmBasisKind::bspline}) {
    const MsmOptions options = options_of(6, 1.5, {5, 3, basis});
    std::vector<float> whole(grid.size()), parts(grid.size());
    Job job;
    msm_potential(charges, grid, options, Span<float>(whole), job);
    for (const int layers : {1, 7, 16, 33}) {
      std::fill(parts.begin(), parts.end(), NAN);
      MsmField(charges, grid, options, Device::cpu(), job).map_to_host(0, grid.counts.z, layers, parts, job);
      EXPECT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof(float)), 0) << layers << " at a time";
      MsmField field(charges, grid, options, Device::cpu(), job);
      const std::size_t plane = grid.size() / static_cast<std::size_t>(grid.counts.z);
      for (int first = 0; first < grid.counts.z; first += layers) {
        const int count = std::min(layers, grid.counts.z - first);
        field.map(first, count,
                  Span<float>(&parts[plane * static_cast<std::size_t>(first)], plane * static_cast<std::size_t>(count),
                              Device::cpu()),
                  job);
      }
      EXPECT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof(float)), 0) << "layers by " << layers;
    }
  }
}

}  // namespace
}  // namespace isolume
