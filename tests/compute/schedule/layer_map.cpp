// Maps by several devices: the processor twice, and pairs with each GPU that there is.
#include "compute/schedule/layer_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/memory_error.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

// x + 2 y + 3 z at the points, and a sign of where the grid began.
void ramp(const Grid& layers, Span<float> out, Job& job) {
  std::vector<float> values;
  for (int k = 0; k < layers.counts.z; ++k)
    for (int j = 0; j < layers.counts.y; ++j)
      for (int i = 0; i < layers.counts.x; ++i) {
        const glm::dvec3 p = layers.point(i, j, k);
        values.push_back(static_cast<float>(p.x + 2 * p.y + 3 * p.z));
      }
  job.check();
  copy_memory(out.data, out.device, values.data(), Device::cpu(), values.size() * sizeof(float));
}

LayerMap ramp_map() {
  LayerMap map;
  map.what = "ramp";
  map.grid = {glm::dvec3(-1, 2, 0.5), glm::dmat3(0.25), {13, 7, 150}};
  map.make = ramp;
  map.exact = [](glm::dvec3 p) { return p.x + 2 * p.y + 3 * p.z; };
  return map;
}

void expect_ramp(const LayerMap& map, const std::vector<float>& values) {
  for (int k = 0; k < map.grid.counts.z; ++k)
    for (int j = 0; j < map.grid.counts.y; ++j)
      for (int i = 0; i < map.grid.counts.x; ++i) {
        const double expected = map.exact(map.grid.point(i, j, k));
        ASSERT_NEAR(static_cast<double>(values[map.grid.index(i, j, k)]), expected, 1e-4) << i << ' ' << j << ' ' << k;
      }
}

TEST(LayerMap, IsTheSameOnEveryPairOfDevices) {
  const LayerMap map = ramp_map();
  std::vector<std::vector<Device>> choices{{Device::cpu()}, {Device::cpu(), Device::cpu()}};
  for (const DeviceInfo& info : list_devices())
    if (info.usable && info.device.is_cuda()) choices.push_back({info.device, Device::cpu()});
  std::vector<float> first;
  for (const std::vector<Device>& devices : choices) {
    std::vector<float> values(map.grid.size(), NAN);
    Job job;
    const TileReport report = map_in_layers(map, devices, values, job);
    expect_ramp(map, values);
    std::size_t parts = 0;
    for (const WorkerRecord& record : report.workers) parts += record.parts;
    EXPECT_EQ(parts, 150u);
    if (first.empty()) first = values;
    EXPECT_EQ(values, first) << "not the same bits on " << devices.size() << " devices";
  }
}

TEST(LayerMap, IsRightAfterFaults) {
  LayerMap map = ramp_map();
  std::atomic<int> calls{0};
  map.make = [&](const Grid& layers, Span<float> out, Job& job) {
    const int call = calls++;
    if (call == 1) throw Error("launch failed");
    if (call == 3) throw MemoryError("ramp: needs more");
    ramp(layers, out, job);
  };
  const std::vector<Device> two{Device::cpu(), Device::cpu()};
  std::vector<float> values(map.grid.size(), NAN);
  Job job;
  const TileReport report = map_in_layers(map, two, values, job);
  expect_ramp(map, values);
  EXPECT_EQ(report.workers[0].faults + report.workers[1].faults, 2u);
}

TEST(LayerMap, TheSpotCheckRefusesWrongLayers) {
  LayerMap map = ramp_map();
  map.make = [](const Grid& layers, Span<float> out, Job& job) {
    ramp(layers, out, job);
    for (std::size_t i = 0; i < out.size; ++i) out.data[i] *= 1.01f;
  };
  const std::vector<Device> two{Device::cpu(), Device::cpu()};
  std::vector<float> values(map.grid.size(), NAN);
  Job job;
  try {
    map_in_layers(map, two, values, job);
    FAIL() << "wrong values were taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("layers 0 to 149 of 150 are missing"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("spot check"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
