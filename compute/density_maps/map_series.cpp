// Maps of one model frame after frame: checks, the CPU's body and the choice of the body.
#include "compute/density_maps/map_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/density_map_stream.h"

namespace isolume {
namespace {

void check_task(const MapSeries::Task& task) {
  check_grid(task.grid, "correlation");
  if (!task.grid.axis_aligned())
    throw Error("density map: the grid must be along x, y and z; that of the map is skewed", Error::Kind::usage);
  if (task.atoms.empty()) throw Error("correlation: no atoms", Error::Kind::usage);
  if (task.numbers.size() != task.atoms.size() || task.map.size() != task.grid.size())
    throw Error(fmt::format("correlation: {} atoms with {} numbers, and a map of {} values for {} points",
                            task.atoms.size(), task.numbers.size(), task.map.size(), task.grid.size()),
                Error::Kind::usage);
  for (std::size_t i = 0; i < task.atoms.size(); ++i) {
    const MapAtom& atom = task.atoms[i];
    if (!(atom.sigma > 0) || !std::isfinite(atom.sigma) || !std::isfinite(atom.height))
      throw Error(fmt::format("density map: atom {}: width or height is not a finite number", i + 1),
                  Error::Kind::usage);
  }
}

/// Frames are kept as atoms, and computed when they are taken.
class OnCpu final : public MapSeries::Body {
 public:
  explicit OnCpu(const MapSeries::Task& task)
      : grid_(task.grid), comparison_{{}, task.map_threshold, task.model_threshold} {
    map_.assign(task.map.begin(), task.map.end());
    comparison_.map = {map_.data(), map_.size(), Device::cpu()};
    atoms_.assign(task.atoms.begin(), task.atoms.end());
    for (auto& places : places_) places.resize(atoms_.size());
    if (task.keeps_model) model_.resize(task.grid.size());
  }

  std::span<glm::vec3> places() override { return places_[next_ % 2]; }
  void start(Job& /*job*/) override { ++next_; }
  ComparedSums take(Job& job) override {
    const std::vector<glm::vec3>& places = places_[taken_++ % 2];
    for (std::size_t i = 0; i < atoms_.size(); ++i) atoms_[i].position = places[i];
    return compared_density_map(atoms_, grid_, comparison_, {model_.data(), model_.size(), Device::cpu()}, job);
  }
  Span<const float> map() const override { return comparison_.map; }
  Span<const float> model() const override { return {model_.data(), model_.size(), Device::cpu()}; }

 private:
  Grid grid_;
  MapComparison comparison_;
  std::vector<float> map_, model_;
  std::vector<MapAtom> atoms_;
  std::array<std::vector<glm::vec3>, 2> places_;
  std::size_t next_ = 0, taken_ = 0;
};

}  // namespace

MapSeries::MapSeries(const Task& task, Device device) : numbers_(task.numbers.begin(), task.numbers.end()) {
  check_task(task);
  require_memory(memory(task, device), device, "correlation");
  body_ = device.is_cuda() ? map_series_cuda(task, device) : std::make_unique<OnCpu>(task);
}

MapSeries::~MapSeries() = default;

void MapSeries::put(std::span<const glm::vec3> positions, Job& job) {
  if (waiting_ == 2) throw Error("correlation: two frames are in line already", Error::Kind::usage);
  const std::span<glm::vec3> places = body_->places();
  constexpr std::size_t block = 16384;
  parallel_for((places.size() + block - 1) / block, job, "positions of a model", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(places.size(), (b + 1) * block); ++i)
      places[i] = positions[numbers_[i]];
  });
  body_->start(job);
  ++waiting_;
}

ComparedSums MapSeries::take(Job& job) {
  if (waiting_ == 0) throw Error("correlation: no frame is in line", Error::Kind::usage);
  job.check();
  --waiting_;
  return body_->take(job);
}

Span<const float> MapSeries::map() const {
  return body_->map();
}

Span<const float> MapSeries::model() const {
  return body_->model();
}

std::size_t MapSeries::memory(const Task& task, Device device) {
  const std::size_t map = task.grid.size() * sizeof(float), n = task.atoms.size();
  if (!device.is_cuda())
    return n * (sizeof(MapAtom) + 2 * sizeof(glm::vec3) + 4) + map * (task.keeps_model ? 2 : 1) +
           density_map_memory(task.atoms, task.grid, device);
  // Two frames: positions, workspace and the model's map of each; looks of one.
  return map * (task.keeps_model ? 3 : 1) + n * 8 + 2 * (n * 14 + density_map_workspace(n, task.grid));
}

}  // namespace isolume
