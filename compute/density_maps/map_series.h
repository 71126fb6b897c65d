// Maps of one model frame after frame, each compared with the same map.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/density_maps/density_map.h"

namespace isolume {

/// compared_density_map() of many frames of one model: the map, widths, heights and memory stay on the device, and only
/// positions go there. Frames wait in line, two at most: on CUDA the positions of one are gathered and copied while the
/// map of the other is made.
///
///     MapSeries series(task, Device::cuda());
///     series.put(first, job);
///     for (...) {
///       if (more) series.put(next, job);
///       use(series.take(job));
///     }
///
/// An exception of put() or take() ends its use. One thread at a time, the same one on CUDA.
class MapSeries {
 public:
  struct Task {
    std::span<const MapAtom> atoms;          ///< widths and heights; positions are not looked at
    std::span<const std::uint32_t> numbers;  ///< of each of them among the positions of a frame
    const Grid& grid;                        ///< axis-aligned (Error (usage) otherwise)
    std::span<const float> map;              ///< host memory; copied
    float map_threshold = 0;                 ///< as MapComparison's
    float model_threshold = 0;
    bool keeps_model = false;  ///< model() is wanted
  };
  /// Throws Error (usage) where there are no atoms, a number of the task's is not finite or sizes differ.
  MapSeries(const Task& task, Device device);
  ~MapSeries();
  MapSeries(const MapSeries&) = delete;
  MapSeries& operator=(const MapSeries&) = delete;

  /// Puts a frame in line; its positions may change when it returns. Throws Error (usage) where two are in it.
  void put(std::span<const glm::vec3> positions, Job& job);
  /// Waits for the oldest frame in line. Throws Error (usage) for a position that is not finite, and where there is
  /// none in line.
  ComparedSums take(Job& job);

  /// The map, on the device.
  Span<const float> map() const;
  /// The model's map of the frame that was taken last, on the device, until the next put(). Empty unless kept.
  Span<const float> model() const;

  /// Bytes taken on the device, map and kept maps included.
  static std::size_t memory(const Task& task, Device device);

  class Body;

 private:
  std::vector<std::uint32_t> numbers_;
  std::unique_ptr<Body> body_;
  std::size_t waiting_ = 0;
};

/// A body is given checked tasks, and no more than two frames at a time.
class MapSeries::Body {
 public:
  virtual ~Body() = default;
  /// Where the atoms' positions of the next frame go.
  virtual std::span<glm::vec3> places() = 0;
  /// Puts it in line.
  virtual void start(Job& job) = 0;
  virtual ComparedSums take(Job& job) = 0;
  virtual Span<const float> map() const = 0;
  virtual Span<const float> model() const = 0;
};
std::unique_ptr<MapSeries::Body> map_series_cuda(const MapSeries::Task& task, Device device);

}  // namespace isolume
