// A system under hierarchical charge partitioning on a CUDA device: made once, its atoms set as often as they move.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/device_array.h"
#include "compute/potential/hcp_bodies.h"

namespace isolume {

/// A level as the kernels read it.
struct HcpDeviceLevel {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* atom = nullptr;
  HcpCentre* centres = nullptr;
  HcpCharge* charges = nullptr;
  std::uint32_t count = 0;
  float threshold = 0;
};

struct HcpDeviceSystem {
  const HcpCharge* atoms = nullptr;
  HcpDeviceLevel levels[3];
  std::uint32_t atom_count = 0;
  float bulk = 1, half = 0, slope = 0, slope_log2 = 0;  ///< D, (D - 1)/2, S, S log2(e)
};

/// Where the targets are: on a grid, in a list, or (neither) on the atoms.
struct HcpDeviceTargets {
  const float* points = nullptr;  ///< x, y, z
  double origin[3] = {}, step[3][3] = {};
  int nx = 0, ny = 0, nz = 0;
  std::uint32_t tiles_x = 0, tiles_y = 0;
  std::uint32_t count = 0;  ///< of a list, or of the atoms

  static HcpDeviceTargets on(const Grid& grid);
  /// Of a list or of atoms `points` each; of a grid hcp_tile.
  std::size_t tiles(std::size_t points) const;
};

class HcpDevice {
 public:
  HcpDevice(std::size_t atoms, const std::vector<HcpLevel>& levels, const HcpOptions& options, Stream& stream);

  /// Centres and charges of the components of these atoms, which stay the caller's.
  void set_atoms(const HcpCharge* atoms, Stream& stream);
  /// `unit`/(eps r) summed at the targets into `potential`, or (E, V), four values each, into `values`.
  void sum(const HcpDeviceTargets& targets, double unit, float* potential, float* values, Stream& stream, Job& job);

  const HcpDeviceSystem& system() const { return system_; }
  bool sigmoidal() const { return sigmoidal_; }
  std::size_t bytes() const;

 private:
  struct Level {
    DeviceArray<std::uint32_t> first, atom;
    DeviceArray<HcpCentre> centres;
    DeviceArray<HcpCharge> charges;
  };
  HcpDeviceSystem system_;
  std::vector<Level> levels_;
  int charges_each_;
  bool sigmoidal_;
  double bulk_;
};

}  // namespace isolume
