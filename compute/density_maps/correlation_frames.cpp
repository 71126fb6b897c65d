// Correlation of a model and a map, frame by frame: a worker for each device keeps the map there.
#include "compute/density_maps/correlation_frames.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/density_maps/map_series.h"
#include "compute/density_maps/map_windows.h"
#include "compute/schedule/tile_run.h"
#include "molecule/atom_positions.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

/// The model's map is wanted, not only its sums.
bool keeps_model(const CorrelationFrames& request) {
  return !request.groups.empty() || request.mask_distance.has_value();
}

MapSeries::Task task_of(const CorrelationFrames& request) {
  return {request.shapes, request.atoms, request.grid, request.map, request.threshold, 0, keeps_model(request)};
}

/// Seconds since the last call, added to a sum.
class Clock {
 public:
  void add_to(double& sum) {
    const auto now = std::chrono::steady_clock::now();
    sum += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class CorrelationWorker : public TileWorker {
 public:
  CorrelationWorker(const CorrelationFrames& request, Device device, std::vector<FrameCorrelation>& found)
      : request_(request), device_(device), found_(found) {}

  std::string name() const override { return to_string(device_); }
  void prepare(Job&) override {
    series_ = std::make_unique<MapSeries>(task_of(request_), device_);
    if (request_.mask_distance) mask_ = DeviceArray<std::uint8_t>(request_.grid.size(), device_, "mask");
  }
  void compute(Tile tile, Job& job) override {
    // After a fault frames may be left in line.
    if (waiting_ > 0) prepare(job);
    waiting_ = 0;
    made_.clear();
    Clock clock;
    Frame frame = read(tile.begin, clock);
    put(frame, job);
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      const std::vector<glm::dvec3> positions =
          keeps_model(request_) ? precise_positions(frame, request_.atoms) : std::vector<glm::dvec3>();
      const bool more = i + 1 < tile.end;
      if (more) {
        clock.add_to(times_.computing);
        frame = read(i + 1, clock);
        // Kept maps are of the frame that was put last: frames wait in line only where none is kept.
        if (!keeps_model(request_)) put(frame, job);
      }
      made_.push_back(taken(positions, job));
      if (more && keeps_model(request_)) put(frame, job);
      job.progress(static_cast<double>(made_.size()) / static_cast<double>(tile.size()), "correlation");
    }
    clock.add_to(times_.computing);
  }
  bool right(Tile) override {
    // A map may hold what is no number; a model's does not.
    return std::all_of(made_.begin(), made_.end(), [this](const FrameCorrelation& one) {
      return std::isfinite(one.all.bb) && one.all.count == static_cast<double>(request_.grid.size());
    });
  }
  void hand_over(Tile tile) override {
    std::copy(made_.begin(), made_.end(), found_.begin() + static_cast<std::ptrdiff_t>(tile.begin));
  }
  bool lost() override { return is_gone(device_); }

  const FrameTimes& times() const { return times_; }

 private:
  Frame read(std::size_t row, Clock& clock) {
    Frame frame = frame_at(request_.molecule, request_.frames[row]);
    clock.add_to(times_.reading);
    return frame;
  }
  void put(const Frame& frame, Job& job) {
    ++waiting_;
    series_->put(frame.positions, job);
  }
  FrameCorrelation taken(std::span<const glm::dvec3> positions, Job& job) {
    const ComparedSums sums = series_->take(job);
    FrameCorrelation one{sums.all, sums.map_above, {}};
    const MapPair both{series_->map(), series_->model()};
    if (request_.mask_distance) {
      points_near(request_.grid, positions, *request_.mask_distance, mask_.span(), job);
      one.masked = masked_sums(both, mask_.span(), job);
    }
    if (!request_.groups.empty())
      one.groups = window_sums(request_.grid, both, positions, request_.groups, request_.window, job);
    --waiting_;
    return one;
  }

  const CorrelationFrames& request_;
  Device device_;
  std::vector<FrameCorrelation>& found_;
  std::unique_ptr<MapSeries> series_;
  DeviceArray<std::uint8_t> mask_;
  std::vector<FrameCorrelation> made_;
  int waiting_ = 0;
  FrameTimes times_;
};

}  // namespace

std::vector<FrameCorrelation> correlation_of_frames(const CorrelationFrames& request, std::span<const Device> devices,
                                                    std::vector<WorkerRecord>& workers, FrameTimes& times, Job& job) {
  std::vector<FrameCorrelation> found(request.frames.size());
  std::vector<std::unique_ptr<CorrelationWorker>> made;
  std::vector<TileWorker*> all;
  for (const Device& device : devices) {
    made.push_back(std::make_unique<CorrelationWorker>(request, device, found));
    all.push_back(made.back().get());
  }
  TilePlan plan;
  plan.parts = request.frames.size();
  plan.part = "frame";
  // On one device one line of frames, of which the next is read while one is computed.
  if (all.size() == 1) plan.seconds = std::numeric_limits<double>::infinity();
  const TileReport report = run_tiles(plan, all, "correlation", job);
  workers.insert(workers.end(), report.workers.begin(), report.workers.end());
  for (const auto& worker : made) times += worker->times();
  return found;
}

std::size_t correlation_memory(const CorrelationFrames& request, Device device) {
  return MapSeries::memory(task_of(request), device) + (request.mask_distance ? request.grid.size() : 0);
}

}  // namespace isolume
