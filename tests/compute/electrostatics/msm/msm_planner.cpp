// What the planner of multilevel summation promises, at a size of which its tables know nothing; maps in parts, their
// progress, and how soon they stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_errors.h"
#include "molecule/base/error.h"
#include "tests/compute/electrostatics/potential_systems.h"

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
  void SetUp() override { make_water(99.2); }  // 1e5 atoms; the tables come from boxes of 38 to 49 angstrom

  void make_water(double side) {
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
  make_water(62);
  for (const MsmChoice choice : msm_choices()) {
    for (const auto& [a, accuracy] : {std::pair{3.0, 1e-3}, {4.5, 1e-4}, {5.5, 2.5e-3}, {8.0, 5e-4}}) {
      // The widest spacing that the planner would take.
      const auto ratio = msm_least_ratio(accuracy, [&](double r) { return msm_largest_error(choice, a, r); });
      if (!ratio) continue;
      const MsmOptions options = options_of(a, a / *ratio, choice);
      EXPECT_LE(error_of(options), accuracy) << describe(options);
    }
  }
}

TEST(MsmPlannerRatio, IsTheWidestLatticeThatIsFineEnough) {
  const auto inverse = [](double r) { return 1 / r; };
  EXPECT_NEAR(*msm_least_ratio(0.1, inverse), 10, 1e-6);
  EXPECT_LE(1 / *msm_least_ratio(0.1, inverse), 0.1);
  EXPECT_EQ(*msm_least_ratio(0.5, inverse), 2);
  EXPECT_EQ(*msm_least_ratio(3, inverse), 2);
  EXPECT_FALSE(msm_least_ratio(0.05, inverse));
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

class MsmJob : public test::OnDevice {
 protected:
  const std::vector<PointCharge> charges_ = test::random_charges(3000, 40);
  const Grid grid_{glm::dvec3(-2), glm::dmat3(0.9), glm::ivec3(50, 49, 47)};
  const MsmOptions options_ = options_of(5, 1.25, {5, 3, MsmBasisKind::bspline});

  /// A map into host memory, the lattices in three tenths of the progress.
  void run(int layers, Job& job, const std::function<void(int)>& done = {}) const {
    std::vector<float> values(grid_.size());
    MsmField field(charges_, grid_, options_, GetParam(), JobPart(job, 0, 0.3));
    field.map_to_host(0, grid_.counts.z, layers, values, JobPart(job, 0.3, 1), done);
  }
};
ISOLUME_ON_EVERY_DEVICE(MsmJob);

TEST_P(MsmJob, MovesItsProgressForwardToTheEnd) {
  for (const int layers : {9, 16, 47}) {
    std::vector<double> seen;
    double begin = 1;  // of the map
    Job job([&](double fraction, const std::string& what) {
      seen.push_back(fraction);
      if (what == "MSM: short range") begin = std::min(begin, fraction);
    });
    run(layers, job);
    ASSERT_FALSE(seen.empty());
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << layers;
    EXPECT_GE(seen.front(), 0);
    EXPECT_DOUBLE_EQ(seen.back(), 1);
    EXPECT_LE(begin, GetParam().is_cuda() ? 1 : 0.6);
    std::sort(seen.begin(), seen.end());
    const auto steps = std::unique(seen.begin(), seen.end()) - seen.begin();
    EXPECT_GE(steps, GetParam().is_cuda() ? 2 : 20) << layers << " layers at a time";
  }
}

TEST_P(MsmJob, StopsWithTheTileInWhichAnotherThreadCancels) {
  for (const int layers : {16, 47}) {
    for (const double when : {0.0, 0.2, 0.4, 0.6}) {                     // in the lattices, and in the map
      if (GetParam().is_cuda() && when > 0.3 && layers == 47) continue;  // one launch
      int after = 0;
      std::atomic<bool> asked = false;
      Job* handle = nullptr;
      std::jthread other;
      Job job([&](double fraction, const std::string&) {
        if (asked) {
          ++after;
        } else if (fraction > when) {
          other = std::jthread([&] {
            handle->cancel();
            asked = true;
          });
          other.join();
        }
      });
      handle = &job;
      try {
        run(layers, job);
        ADD_FAILURE() << "was not cancelled at " << when;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled) << error.what();
      }
      EXPECT_TRUE(asked);
      EXPECT_EQ(after, 0) << "reports after it was cancelled at " << when;
    }
  }
}

}  // namespace
}  // namespace isolume
