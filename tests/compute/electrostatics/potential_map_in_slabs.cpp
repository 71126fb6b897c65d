// Potential maps in slabs and in shares: the same values as in one piece, on the CPU in two shares, and on every pair
// of devices that the machine has.
#include "compute/electrostatics/potential_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<ChargedSphere> some_spheres() {
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<float>(random() >> 40) * 0x1.0p-24f; };
  std::vector<ChargedSphere> spheres;
  for (int i = 0; i < 200; ++i) {
    const float x = uniform();
    const float y = uniform();
    spheres.push_back({20.0f * glm::vec3(x, y, uniform()), uniform() - 0.5f, 1.5f});
  }
  return spheres;
}

// Small parameters for the spheres above.
PotentialOptions options_for(PotentialMethod method) {
  PotentialOptions options = usual_options(method);
  if (auto* const cutoff = std::get_if<CutoffOptions>(&options)) cutoff->cutoff = 8;
  if (auto* const mesh = std::get_if<SpmeMethod>(&options)) mesh->cell.vectors = glm::dmat3(24.0);
  HcpHierarchy parts;  // groups of ten, in two chains
  for (std::uint32_t i = 0; i <= 200; i += 10) parts.first[0].push_back(i);
  parts.first[1] = {0, 8, 20};
  parts.first[2] = {0, 2};
  if (auto* const hcp = std::get_if<HcpMethod>(&options)) hcp->parts = std::make_shared<const HcpHierarchy>(parts);
  return options;
}

constexpr PotentialMethod methods_in_slabs[] = {PotentialMethod::direct, PotentialMethod::cutoff,
                                                PotentialMethod::msm,    PotentialMethod::debye_hueckel,
                                                PotentialMethod::spme,   PotentialMethod::hcp};

struct Limit {
  explicit Limit(std::size_t bytes) { set_memory_limit(bytes); }
  ~Limit() { set_memory_limit(0); }
};

TEST(PotentialSlabs, AreTheMapInOnePiece) {
  const auto spheres = some_spheres();
  const Grid grid{glm::dvec3(-5), glm::dmat3(0.3), {101, 97, 90}};  // 3.5 MB
  const std::vector<Device> one{Device::cpu()};
  // The CPU twice tests the shares; the pairs of devices, where there are GPUs, that each computes its own.
  std::vector<std::vector<Device>> pairs{{Device::cpu(), Device::cpu()}};
  for (const DeviceInfo& info : list_devices())
    if (info.usable && info.device.is_cuda()) pairs.push_back({info.device, Device::cpu()});
  for (const PotentialMethod method : methods_in_slabs) {
    const PotentialOptions options = options_for(method);
    SCOPED_TRACE(describe(options));
    Job job;
    std::vector<float> whole(grid.size());
    const SlabReport all = potential_map_in_slabs(spheres, grid, options, one, whole, job);
    EXPECT_EQ(all.slabs, 1);
    double scale = 0;
    for (const float v : whole) scale = std::max(scale, std::abs(static_cast<double>(v)));
    ASSERT_GT(scale, 0);
    const auto expect_same = [&](const std::vector<float>& values, double tolerance) {
      double most = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double difference = std::abs(static_cast<double>(values[i]) - static_cast<double>(whole[i]));
        if (!(difference <= most)) most = difference;
      }
      EXPECT_LE(most, tolerance * scale);
    };
    {
      const Limit limit(all.bytes - 1'000'000);
      std::vector<float> parts(grid.size(), NAN);
      const SlabReport report = potential_map_in_slabs(spheres, grid, options, one, parts, job);
      EXPECT_GT(report.slabs, 1);
      EXPECT_LE(report.bytes, all.bytes - 1'000'000);
      expect_same(parts, 2e-6);
    }
    for (const std::vector<Device>& pair : pairs) {
      SCOPED_TRACE(to_string(pair.front()));
      std::vector<float> shared(grid.size(), NAN);
      const SlabReport report = potential_map_in_slabs(spheres, grid, options, pair, shared, job);
      EXPECT_GE(report.slabs, 2);
      for (const WorkerRecord& worker : report.workers) EXPECT_EQ(worker.faults, 0u) << worker.name << worker.why;
      // The same body gives the same sums; those of two kinds of device are each promised to 1e-5.
      expect_same(shared, pair.front().is_cuda() ? 1e-5 : 2e-6);
    }
  }
}

// Devices of one kind: the processor several times, and each GPU twice.
TEST(PotentialSlabs, HaveTheSameBitsWhoeverMakesThem) {
  const auto spheres = some_spheres();
  const Grid grid{glm::dvec3(-5), glm::dmat3(0.4), {61, 59, 70}};
  std::vector<Device> kinds{Device::cpu()};
  for (const DeviceInfo& info : list_devices())
    if (info.usable && info.device.is_cuda()) kinds.push_back(info.device);
  for (const Device& kind : kinds) {
    for (const PotentialMethod method : methods_in_slabs) {
      const PotentialOptions options = options_for(method);
      SCOPED_TRACE(describe(options) + " on " + to_string(kind));
      std::vector<float> first;
      for (const std::size_t count : {2u, 2u, 3u}) {
        const std::vector<Device> devices(count, kind);
        std::vector<float> values(grid.size(), NAN);
        Job job;
        const SlabReport report = potential_map_in_slabs(spheres, grid, options, devices, values, job);
        std::size_t layers = 0;
        for (const WorkerRecord& worker : report.workers) {
          layers += worker.parts;
          EXPECT_EQ(worker.faults, 0u) << worker.why;
        }
        EXPECT_EQ(layers, 70u);
        if (first.empty()) first = values;
        // CUDA sorts the atoms of particle-mesh Ewald into cells with atomic counters: their order in a cell, and with
        // it the rounding of sums over pairs, differs from one sort to the next.
        if (kind.is_cuda() && method == PotentialMethod::spme) {
          float scale = 0, most = 0;
          for (std::size_t i = 0; i < values.size(); ++i) {
            scale = std::max(scale, std::abs(first[i]));
            if (const float d = std::abs(values[i] - first[i]); !(d <= most)) most = d;
          }
          EXPECT_LE(most, 2e-6f * scale) << count << " devices";
        } else {
          EXPECT_TRUE(values == first) << count << " devices";
        }
      }
    }
  }
}

TEST(PotentialSlabs, RefuseWhatNoSlabHelps) {
  const auto spheres = some_spheres();
  const Grid grid{glm::dvec3(0), glm::dmat3(0.5), {40, 40, 40}};
  std::vector<float> values(grid.size());
  Job job;
  const std::vector<Device> one{Device::cpu()};
  const Limit limit(1000);
  EXPECT_THROW(potential_map_in_slabs(spheres, grid, {}, one, values, job), Error);
  EXPECT_THROW(potential_map_in_slabs(spheres, grid, {}, one, std::span(values).first(7), job), Error);
}

TEST(PotentialSlabs, StopWhenCancelled) {
  const auto spheres = some_spheres();
  const Grid grid{glm::dvec3(0), glm::dmat3(0.2), {100, 100, 100}};
  std::vector<float> values(grid.size());
  Job job;
  job.cancel();
  const std::vector<Device> two{Device::cpu(), Device::cpu()};
  EXPECT_THROW(potential_map_in_slabs(spheres, grid, {}, two, values, job), Error);
}

}  // namespace
}  // namespace isolume
