// The devices that every computation is tested on, and how a test runs on one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

inline void PrintTo(Device device, std::ostream* out) {
  *out << to_string(device);
}

namespace test {

/// The CPU, and each CUDA device that is usable here.
inline std::vector<Device> devices_present() {
  std::vector<Device> devices;
  for (const DeviceInfo& info : list_devices()) {
    if (info.usable) devices.push_back(info.device);
  }
  return devices;
}

inline std::string device_name(const testing::TestParamInfo<Device>& info) {
  return info.param.is_cuda() ? "cuda" + std::to_string(info.param.index) : "cpu";
}

/// Runs `compute(span)` into memory of the device and brings the result back.
template <class T, class Compute>
std::vector<T> on_device(Device device, std::size_t size, const Compute& compute) {
  DeviceArray<T> values(size, device, "test");
  compute(values.span());
  return values.copy_to_host();
}

inline Grid make_grid(glm::dvec3 origin, glm::dvec3 step, glm::ivec3 counts) {
  Grid grid;
  grid.origin = origin;
  grid.step = glm::dmat3(0.0);
  for (int axis = 0; axis < 3; ++axis) grid.step[axis][axis] = step[axis];
  grid.counts = counts;
  return grid;
}

/// A parallelepiped with no right angle.
inline Grid make_skewed_grid(glm::dvec3 origin, double step, glm::ivec3 counts) {
  Grid grid;
  grid.origin = origin;
  grid.step = step * glm::dmat3(glm::dvec3(0.9, 0.2, -0.1), glm::dvec3(0.3, 1.0, 0.15), glm::dvec3(-0.2, 0.25, 1.1));
  grid.counts = counts;
  return grid;
}

inline std::vector<glm::dvec3> grid_points(const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      for (int i = 0; i < grid.counts.x; ++i) points.push_back(grid.point(i, j, k));
    }
  }
  return points;
}

/// Uniform numbers that are the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
  }
  glm::dvec3 in_box(double lower, double upper) {
    const double x = (*this)(lower, upper);
    const double y = (*this)(lower, upper);
    return {x, y, (*this)(lower, upper)};
  }

 private:
  std::mt19937_64 engine_;
};

struct Difference {
  double largest = 0;    ///< of |value - expected|
  double rms = 0;        ///< of value - expected
  double scale = 0;      ///< largest |expected|
  double scale_rms = 0;  ///< of expected
};

template <class T>
Difference compare(const std::vector<T>& values, const std::vector<double>& expected) {
  Difference d;
  EXPECT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i) {
    const double e = static_cast<double>(values[i]) - expected[i];
    EXPECT_TRUE(std::isfinite(e)) << "value " << i << ": " << values[i] << " where " << expected[i] << " is expected";
    d.largest = std::max(d.largest, std::abs(e));
    d.scale = std::max(d.scale, std::abs(expected[i]));
    d.rms += e * e;
    d.scale_rms += expected[i] * expected[i];
  }
  const double n = std::max<double>(1, static_cast<double>(values.size()));
  d.rms = std::sqrt(d.rms / n);
  d.scale_rms = std::sqrt(d.scale_rms / n);
  return d;
}

/// Runs `compute(job)` with a job that is cancelled at its first report, and checks that it stops and leaves no memory.
template <class Compute>
void expect_cancelled(Device device, const Compute& compute) {
  const std::size_t before = allocated_memory(device);
  Job* handle = nullptr;
  Job job([&](double, const std::string&) { handle->cancel(); });
  handle = &job;
  try {
    compute(job);
    ADD_FAILURE() << "was not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::cancelled) << error.what();
  }
  EXPECT_EQ(allocated_memory(device), before);
}

/// One suite per computation, run on every device.
class OnDevice : public testing::TestWithParam<Device> {};

}  // namespace test
}  // namespace isolume

#define ISOLUME_ON_EVERY_DEVICE(suite)                                                          \
  INSTANTIATE_TEST_SUITE_P(Devices, suite, testing::ValuesIn(isolume::test::devices_present()), \
                           isolume::test::device_name)
