// Correlation of a model and a map, frame by frame, by devices that share the frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "compute/base/device_fault.h"
#include "compute/base/memory_error.h"
#include "compute/density_maps/correlation_frames.h"
#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/frames/breathing_chain.h"
#include "tests/compute/schedule/failing_trajectory.h"

namespace isolume {
namespace {

/// A chain that breathes, and the map of its first frame.
class SharedCorrelation : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    const Frame first = molecule_->trajectory->frame(0);
    for (std::uint32_t i = 0; i < molecule_->atom_count(); i += 2) atoms_.push_back(i);
    for (std::size_t f = 0; f < molecule_->frame_count(); ++f) frames_.push_back(f);
    for (const std::uint32_t i : atoms_) shapes_.push_back({first.positions[i], 1.2f, 3 + static_cast<float>(i % 4)});
    grid_ = density_map_grid(shapes_, 1.0);
    map_.resize(grid_.size());
    density_map(shapes_, grid_, {map_.data(), map_.size(), Device::cpu()}, job_);
    groups_ = {{0, 1, 2}, {5}, {7, 20}};
  }
  CorrelationFrames request(const Molecule& molecule) const {
    CorrelationFrames made{molecule, frames_, atoms_, shapes_, grid_, map_};
    made.threshold = 0.2f;
    return made;
  }
  std::vector<FrameCorrelation> by(const CorrelationFrames& request, std::vector<Device> devices,
                                   std::vector<WorkerRecord>* workers = nullptr) {
    std::vector<WorkerRecord> records;
    FrameTimes times;
    const auto found = correlation_of_frames(request, devices, records, times, job_);
    EXPECT_GT(times.reading, 0);
    if (workers != nullptr) *workers = records;
    return found;
  }
  /// Sums over the points that `counts` names, in plain double precision.
  template <class Counts>
  MapSums plain(std::size_t frame, const Counts& counts) const {
    std::vector<MapAtom> model = shapes_;
    const Frame moved = molecule_->trajectory->frame(frame);
    for (std::size_t i = 0; i < model.size(); ++i) model[i].position = moved.positions[atoms_[i]];
    std::vector<glm::dvec3> points;
    for (int k = 0; k < grid_.counts.z; ++k)
      for (int j = 0; j < grid_.counts.y; ++j)
        for (int i = 0; i < grid_.counts.x; ++i) points.push_back(grid_.point(i, j, k));
    std::vector<double> values(points.size());
    density_map_reference(model, points, values);
    MapSums sums;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!counts(points[p], map_[p], model)) continue;
      const auto a = static_cast<double>(map_[p]);
      sums += {1, a, values[p], a * a, values[p] * values[p], a * values[p]};
    }
    return sums;
  }

  Job job_;
  std::shared_ptr<Molecule> molecule_ = test::breathing_chain(12, 9, Cell{});
  std::vector<std::uint32_t> atoms_;
  std::vector<std::size_t> frames_;
  std::vector<MapAtom> shapes_;
  Grid grid_;
  std::vector<float> map_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

bool near(glm::dvec3 point, const MapAtom& atom, double distance) {
  return glm::length(point - glm::dvec3(atom.position)) <= distance;
}

TEST_P(SharedCorrelation, IsThatOfPlainSums) {
  const auto found = by(request(*molecule_), {GetParam()});
  ASSERT_EQ(found.size(), frames_.size());
  EXPECT_NEAR(found[0].all.correlation(), 1, 1e-6) << "a map and itself";
  for (const std::size_t f : {0, 4, 8}) {
    const MapSums all = plain(f, [](auto, float, auto&) { return true; });
    const MapSums above = plain(f, [](auto, float value, auto&) { return value > 0.2f; });
    EXPECT_NEAR(found[f].all.correlation(), all.correlation(), 2e-6) << f;
    EXPECT_NEAR(found[f].masked.correlation(), above.correlation(), 2e-6) << f;
    EXPECT_EQ(found[f].masked.count, above.count) << f;
    EXPECT_TRUE(found[f].groups.empty());
  }
  EXPECT_LT(found[4].all.correlation(), 0.999) << "the chain has moved";
}

TEST_P(SharedCorrelation, NearAtomsIsThatOfPlainSums) {
  CorrelationFrames near_atoms = request(*molecule_);
  near_atoms.mask_distance = 2.5;
  near_atoms.groups = groups_;
  near_atoms.window = 3;
  const auto found = by(near_atoms, {GetParam()});
  for (const std::size_t f : {0, 5}) {
    const MapSums masked = plain(f, [](glm::dvec3 point, float, const std::vector<MapAtom>& model) {
      return std::any_of(model.begin(), model.end(), [&](const MapAtom& atom) { return near(point, atom, 2.5); });
    });
    EXPECT_EQ(found[f].masked.count, masked.count) << f;
    EXPECT_NEAR(found[f].masked.correlation(), masked.correlation(), 2e-6) << f;
    ASSERT_EQ(found[f].groups.size(), groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const MapSums local = plain(f, [&](glm::dvec3 point, float, const std::vector<MapAtom>& model) {
        return std::any_of(groups_[g].begin(), groups_[g].end(),
                           [&](std::uint32_t n) { return near(point, model[n], 3); });
      });
      EXPECT_EQ(found[f].groups[g].count, local.count) << f << ", " << g;
      EXPECT_NEAR(found[f].groups[g].correlation(), local.correlation(), 1e-5) << f << ", " << g;
    }
  }
}

void expect_same(const MapSums& a, const MapSums& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.ab, b.ab);
  EXPECT_EQ(a.bb, b.bb);
}

TEST_P(SharedCorrelation, IsTheSameBitsByTwoAndAfterFaults) {
  for (const bool local : {false, true}) {
    CorrelationFrames wanted = request(*molecule_);
    if (local) wanted.groups = groups_;
    const auto expected = by(wanted, {GetParam()});
    const std::function<void()> faults[] = {
        [] {}, [] { throw Error("launch failed"); }, [] { throw MemoryError("frames: needs more"); },
        [device = GetParam()] { throw DeviceFault("illegal address", device, 700, true); }};
    for (const auto& fault : faults) {
      Molecule failing = *molecule_;
      failing.trajectory = std::make_shared<test::FailingTrajectory>(molecule_->trajectory, [&](int call) {
        if (call == 4) fault();
      });
      CorrelationFrames shared = request(failing);
      if (local) shared.groups = groups_;
      std::vector<WorkerRecord> workers;
      const auto found = by(shared, {GetParam(), GetParam()}, &workers);
      ASSERT_EQ(workers.size(), 2u);
      EXPECT_EQ(workers[0].parts + workers[1].parts, frames_.size());
      for (std::size_t f = 0; f < frames_.size(); ++f) {
        SCOPED_TRACE(f);
        expect_same(found[f].all, expected[f].all);
        expect_same(found[f].masked, expected[f].masked);
        ASSERT_EQ(found[f].groups.size(), expected[f].groups.size());
        for (std::size_t g = 0; g < found[f].groups.size(); ++g) expect_same(found[f].groups[g], expected[f].groups[g]);
      }
    }
  }
}

ISOLUME_ON_EVERY_DEVICE(SharedCorrelation);

}  // namespace
}  // namespace isolume
