// One device at work on tiles of a potential map: runs of layers along the grid's third axis.
#pragma once

#include <future>
#include <optional>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/ewald/spme_map.h"
#include "compute/electrostatics/method.h"
#include "compute/schedule/tile_run.h"

namespace isolume {

/// Layers that are always made together, from the grid, the method and the number of charges alone: each is a grid of
/// its own, so that the bits of a map made by several devices do not depend on which of them made what.
std::size_t map_grain(const Grid& grid, const PotentialOptions& options, std::size_t charges);

/// Makes layers of `grid`. `alone`: no other device works on the map; then tiles are as large as the memory allows, and
/// values are made or copied where they belong at once.
class MapWorker : public TileWorker {
 public:
  /// `spheres`, `grid`, `options`, `values` (in host memory) and `room` must live as long as this. Throws Error where
  /// one layer is too much for the device that is alone.
  MapWorker(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options, Device device,
            std::span<float> values, bool alone, PotentialRoom* room);

  std::string name() const override { return to_string(device_); }
  std::size_t most() const override;
  void prepare(Job& job) override;
  void compute(Tile tile, Job& job) override;
  bool right(Tile tile) override;
  void hand_over(Tile tile) override;
  bool lost() override;

  int layers() const { return layers_; }  ///< at a time
  bool short_of_memory() const { return layers_ < wanted_; }
  std::size_t bytes() const;  ///< predicted, of the device

 private:
  std::size_t plane() const;
  Grid part(int first, int count) const;
  bool travels() const { return msm_ != nullptr && device_.is_cuda(); }
  float* room_for(int layers);
  void make(int first, int count, float* to, Job& job);
  std::vector<ChargedSphere> in_reach(const Grid& part) const;
  std::vector<ChargedSphere> around(glm::dvec3 point) const;
  void begin_check(Tile tile);
  void expect_plain_sums();
  float exact_at(glm::ivec3 point) const;

  // A point of the spot check, and what the same sum on the host makes of it.
  struct Spot {
    glm::ivec3 point;
    float expected = 0;
  };
  bool row_is_right(const Spot& spot, int first) const;

  std::span<const ChargedSphere> spheres_;
  const Grid& grid_;
  const PotentialOptions& options_;
  Device device_;
  std::span<float> values_;
  bool alone_;
  PotentialRoom* room_;
  const MsmMethod* msm_;
  double floor_;  ///< of the spot check, volts
  int layers_ = 0, wanted_ = 0;
  std::vector<PointCharge> charges_;
  std::optional<MsmField> msm_field_;
  SpmeField own_spme_;
  SpmeField* spme_field_ = nullptr;  ///< that, or the one of the room
  DeviceArray<float> slab_;
  std::vector<Spot> spots_;
  std::future<void> expecting_;  ///< fills `spots_` while the device is at work; waited for before it is destroyed
};

}  // namespace isolume
