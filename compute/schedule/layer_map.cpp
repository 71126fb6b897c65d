// Maps in runs of layers, on several devices.
#include "compute/schedule/layer_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::size_t plane_of(const Grid& grid) {
  return static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
}

// From the grid alone; tiles of 8 points a side are whole.
std::size_t grain_of(const Grid& grid) {
  const int layers = (grid.counts.z + 63) / 64;
  return static_cast<std::size_t>((layers + 7) / 8 * 8);
}

class LayerWorker : public TileWorker {
 public:
  LayerWorker(const LayerMap& map, Device device, std::span<float> values)
      : map_(map), device_(device), values_(values), plane_(plane_of(map.grid)) {}

  std::string name() const override { return to_string(device_); }
  std::size_t most() const override {
    constexpr std::size_t part = std::size_t{64} << 20;
    return std::max<std::size_t>(1, part / (plane_ * sizeof(float)));
  }

  void compute(Tile tile, Job& job) override {
    const std::size_t grain = grain_of(map_.grid), size = plane_ * tile.size();
    if (map_.memory) {
      require_memory(map_.memory(layers_of(tile), device_) + size * sizeof(float), device_, map_.what);
    }
    if (slab_.size() < size) {
      slab_ = {};
      slab_ = DeviceArray<float>(size, device_, map_.what.c_str());
    }
    for (std::size_t at = tile.begin; at < tile.end;) {
      const std::size_t next = std::min(tile.end, (at / grain + 1) * grain);
      const auto part_of = [&](std::size_t layer) {
        return static_cast<double>(layer - tile.begin) / static_cast<double>(tile.size());
      };
      JobPart some(job, part_of(at), part_of(next));
      map_.make(layers_of({at, next}),
                Span<float>(slab_.data() + plane_ * (at - tile.begin), plane_ * (next - at), device_), some);
      job.check();
      at = next;
    }
  }

  // Three points; wrong where most are: one may be where the value jumps.
  bool right(Tile tile) override {
    int wrong = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t layer = (tile.begin * 31 + i * 17) % tile.size();
      const std::size_t row = (tile.begin * 131 + i * 977) % static_cast<std::size_t>(map_.grid.counts.y);
      if (!row_is_right(tile.begin, layer, row)) ++wrong;
    }
    return wrong < 2;
  }

  void hand_over(Tile tile) override {
    copy_memory(values_.data() + plane_ * tile.begin, Device::cpu(), slab_.data(), device_,
                plane_ * tile.size() * sizeof(float));
  }

  bool lost() override { return is_gone(device_); }

 private:
  Grid layers_of(Tile tile) const {
    Grid layers = map_.grid;
    layers.origin = map_.grid.point(0, 0, static_cast<int>(tile.begin));
    layers.counts.z = static_cast<int>(tile.size());
    return layers;
  }

  bool row_is_right(std::size_t first, std::size_t layer, std::size_t row) const {
    const auto n = static_cast<std::size_t>(map_.grid.counts.x);
    std::vector<float> values(n);
    copy_memory(values.data(), Device::cpu(), slab_.data() + plane_ * layer + n * row, device_, n * sizeof(float));
    double squares = 0;
    for (const float v : values) squares += static_cast<double>(v) * static_cast<double>(v);
    if (!std::isfinite(squares) || !map_.exact) return std::isfinite(squares);
    const std::size_t i = (row + layer) * 7919 % n;
    const double expected =
        map_.exact(map_.grid.point(static_cast<int>(i), static_cast<int>(row), static_cast<int>(first + layer)));
    const double scale = std::max(std::sqrt(squares / static_cast<double>(n)), std::abs(expected));
    return std::abs(static_cast<double>(values[i]) - expected) <= map_.floor + map_.tolerance * scale;
  }

  const LayerMap& map_;
  Device device_;
  std::span<float> values_;
  std::size_t plane_;
  DeviceArray<float> slab_;
};

}  // namespace

TileReport map_in_layers(const LayerMap& map, std::span<const Device> devices, std::span<float> values, Job& job) {
  if (values.size() != map.grid.size())
    throw Error(fmt::format("{}: {} values for {} points", map.what, values.size(), map.grid.size()),
                Error::Kind::usage);
  if (values.empty()) return {};
  std::vector<std::unique_ptr<LayerWorker>> work;
  std::vector<TileWorker*> workers;
  for (const Device& device : devices) {
    work.push_back(std::make_unique<LayerWorker>(map, device, values));
    workers.push_back(work.back().get());
  }
  TilePlan plan;
  plan.parts = static_cast<std::size_t>(map.grid.counts.z);
  plan.grain = grain_of(map.grid);
  plan.part = "layer";
  return run_tiles(plan, workers, map.what, job);
}

}  // namespace isolume
