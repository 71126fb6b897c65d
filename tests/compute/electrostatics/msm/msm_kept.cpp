// A multilevel summation that is given other charges, parameters or maps has the bits of one that is made again.
#include <gtest/gtest.h>

#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "molecule/base/error.h"
#include "tests/compute/electrostatics/msm/msm_cases.h"

namespace isolume {
namespace {

using test::in_cell;
using test::msm_map;
using test::msm_options;
using test::random_charges;

class MsmKept : public test::OnDevice {
 protected:
  /// The kept one, given these, and a new one.
  void expect_same(const std::vector<PointCharge>& charges, const Grid& grid, const MsmOptions& options) {
    Job job;
    kept_.reset(charges, grid, options, GetParam(), job);
    DeviceArray<float> values(grid.size(), GetParam());
    kept_.map(0, grid.counts.z, values.span(), job);
    EXPECT_EQ(values.copy_to_host(), msm_map(GetParam(), charges, grid, options));
  }

  MsmField kept_;
};
ISOLUME_ON_EVERY_DEVICE(MsmKept);

const Grid grid{glm::dvec3(-1), glm::dmat3(0.9), {29, 31, 27}};

std::vector<PointCharge> moved(std::vector<PointCharge> charges, float by) {
  for (std::size_t i = 0; i < charges.size(); ++i) charges[i].position += by * static_cast<float>(i % 7) / 7.0f;
  return charges;
}

TEST_P(MsmKept, HasTheBitsOfANewOneWhereverTheChargesGo) {
  const MsmOptions options = msm_options(5, 2, 5, 3, 0, MsmLattice::fft);
  const auto charges = random_charges(700, 24);
  expect_same(charges, grid, options);
  const bool on_device = GetParam().is_cuda();
  EXPECT_EQ(kept_.keeps_memory(), on_device);
  EXPECT_EQ(kept_.charges_on_device().size, on_device ? charges.size() : 0);
  for (const float by : {0.3f, -0.2f, 0.9f}) expect_same(moved(charges, by), grid, options);
  auto other = charges;
  for (PointCharge& c : other) c.charge = -2 * c.charge;
  expect_same(other, grid, options);
  // Far enough out that the lattices grow, back again, fewer and more.
  other[3].position.x = 41;
  expect_same(other, grid, options);
  expect_same(charges, grid, options);
  expect_same({charges.begin(), charges.begin() + 100}, grid, options);
  expect_same(random_charges(900, 24, 3), grid, options);
}

TEST_P(MsmKept, HasThemAfterOtherParametersMapsAndCells) {
  const auto charges = random_charges(500, 24);
  for (const MsmLattice lattice : {MsmLattice::fft, MsmLattice::direct}) {
    MsmOptions options = msm_options(5, 2, 5, 3, 2, lattice);
    expect_same(charges, grid, options);
    options.cutoff = 6;
    expect_same(charges, grid, options);
    options.basis = MsmBasisKind::bspline;
    expect_same(charges, grid, options);
    Grid other = grid;
    other.origin.x += 0.37;
    expect_same(charges, other, options);
    other.counts.y -= 4;
    expect_same(charges, other, options);
    other.step[1].x = 0.2;  // not along the lattice any more
    expect_same(charges, other, options);
  }
  for (const double side : {24.0, 24.0, 25.0}) {
    const Cell cell{glm::dmat3(side)};
    const MsmOptions options = in_cell(msm_options(5, 2, 5, 3), cell, {true, true, true});
    expect_same(charges, grid, options);
    expect_same(moved(charges, 0.4f), grid, options);
  }
}

TEST_P(MsmKept, MakesPartsOfTheMapToo) {
  const MsmOptions options = msm_options(5, 2, 5, 3);
  Job job;
  const glm::ivec3 n = grid.counts;
  const auto plane = static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y);
  for (const float by : {0.0f, 0.5f}) {
    const auto charges = moved(random_charges(400, 24), by);
    kept_.reset(charges, grid, options, GetParam(), job);
    const std::vector<float> whole = msm_map(GetParam(), charges, grid, options);
    for (const int first : {0, 8, 16}) {
      DeviceArray<float> part(8 * plane, GetParam());
      kept_.map(first, 8, part.span(), job);
      const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) * plane);
      const auto d = test::deviation(part.copy_to_host(), std::vector<double>(begin, begin + 8 * n.x * n.y));
      EXPECT_LE(d.rms, 2e-6);
      EXPECT_LE(d.max, 1e-4);
    }
  }
}

TEST_P(MsmKept, SaysWhatIsWrongAndIsGoodAfterwards) {
  const MsmOptions options = msm_options(5, 2, 5, 3);
  const auto charges = random_charges(300, 24);
  expect_same(charges, grid, options);
  auto broken = charges;
  broken[7].position.y = std::numeric_limits<float>::quiet_NaN();
  Job job;
  EXPECT_THROW(kept_.reset(broken, grid, options, GetParam(), job), Error);
  EXPECT_THROW(kept_.reset({}, grid, options, GetParam(), job), Error);
  Job stopped;
  stopped.cancel();
  EXPECT_THROW(kept_.reset(charges, grid, options, GetParam(), stopped), Error);
  expect_same(charges, grid, options);
}

TEST_P(MsmKept, ItsChargesServeForTheError) {
  const MsmOptions options = msm_options(5, 2, 5, 3);
  auto charges = random_charges(600, 24);
  Job job;
  for (const float by : {0.0f, 0.4f}) {
    charges = moved(charges, by);
    kept_.reset(charges, grid, options, GetParam(), job);
    DeviceArray<float> values(grid.size(), GetParam());
    kept_.map(0, grid.counts.z, values.span(), job);
    const MapError sent = potential_error_on_device(charges, grid, values.span(), 200, 1, job);
    const MapError there =
        potential_error_on_device(charges, grid, values.span(), 200, 1, job, kept_.charges_on_device());
    EXPECT_EQ(there.rms, sent.rms);
    EXPECT_EQ(there.max, sent.max);
    EXPECT_EQ(there.relative, sent.relative);
    EXPECT_GT(sent.rms, 0);
  }
  if (!GetParam().is_cuda()) return;
  std::vector<glm::dvec3> points(3, glm::dvec3(1));
  std::vector<double> found(3);
  EXPECT_THROW(exact_potential(std::span(charges).first(5), points, found, GetParam(), job, kept_.charges_on_device()),
               Error);
}

}  // namespace
}  // namespace isolume
