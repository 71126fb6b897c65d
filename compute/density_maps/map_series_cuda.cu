// Maps of one model frame after frame on CUDA: two streams, one a frame, so that copies and maps overlap.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compute/base/launch.cuh"
#include "compute/density_maps/density_map_stream.h"
#include "compute/density_maps/map_series.h"

namespace isolume {
namespace {

/// Everything of a frame in line. The stream comes last: its destructor waits before memory is given back.
struct Slot {
  explicit Slot(Device device) : stream(device) {}
  PinnedArray<glm::vec3> gathered;
  DeviceArray<float> positions;
  DensityMapMemory memory;
  DeviceArray<float> model;
  Stream stream;
};

class Series final : public MapSeries::Body {
 public:
  Series(const MapSeries::Task& task, Device device)
      : device_(device),
        grid_(task.grid),
        count_(task.atoms.size()),
        map_(DeviceArray<float>::from_host(task.map, device, "density map")),
        comparison_{std::as_const(map_).span(), task.map_threshold, task.model_threshold} {
    std::vector<float> looks;
    looks.reserve(2 * task.atoms.size() + 2);
    for (const MapAtom& atom : task.atoms) {
      looks.insert(looks.end(), {atom.sigma, atom.height});
      largest_sigma_ = std::max(largest_sigma_, atom.sigma);
    }
    looks.insert(looks.end(), {0, 0});  // a look is read as four numbers
    looks_ = DeviceArray<float>::from_host(looks, device, "widths of atoms");
    for (auto& slot : slots_) {
      slot = std::make_unique<Slot>(device);
      slot->positions = DeviceArray<float>(3 * count_, device, "positions of a model");
      if (task.keeps_model) slot->model = DeviceArray<float>(grid_.size(), device, "map of the model");
    }
  }
  ~Series() override {
    // In the order of their making backwards: each has made its device the current one.
    slots_[1].reset();
    slots_[0].reset();
  }

  std::span<glm::vec3> places() override {
    return {slots_[next_ % 2]->gathered.room(count_, device_, "positions of a model"), count_};
  }

  void start(Job& job) override {
    Slot& slot = *slots_[next_++ % 2];
    {
      const LaunchTimer timer("density map: copying positions", device_.index, slot.stream.handle());
      cuda_check(cuda_api().copy(slot.positions.data(), slot.gathered.data(), count_ * sizeof(glm::vec3),
                                 CudaApi::host_to_device, slot.stream.handle()),
                 "positions of a model");
    }
    const DensityAtomView view{slot.positions.data(), looks_.data(), count_, 3, 2, largest_sigma_};
    start_density_map_cuda(view, {{}, grid_, slot.model.span(), &comparison_, largest_sigma_}, slot.stream, job,
                           slot.memory);
  }

  ComparedSums take(Job& /*job*/) override {
    Slot& slot = *slots_[taken_++ % 2];
    slot.stream.synchronize("density map: tiles");
    return finish_density_map_cuda(slot.memory);
  }

  Span<const float> map() const override { return map_.span(); }
  Span<const float> model() const override { return std::as_const(slots_[(taken_ + 1) % 2]->model).span(); }

 private:
  Device device_;
  Grid grid_;
  std::size_t count_;
  DeviceArray<float> map_, looks_;
  MapComparison comparison_;
  float largest_sigma_ = 0;
  std::array<std::unique_ptr<Slot>, 2> slots_;
  std::size_t next_ = 0, taken_ = 0;
};

}  // namespace

std::unique_ptr<MapSeries::Body> map_series_cuda(const MapSeries::Task& task, Device device) {
  return std::make_unique<Series>(task, device);
}

}  // namespace isolume
