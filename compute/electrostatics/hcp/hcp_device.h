// A system under hierarchical charge partitioning on a CUDA device: made once, its atoms set as often as they move.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"

namespace isolume {

/// A level as the kernels read it.
struct HcpDeviceLevel {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* atom = nullptr;
  HcpCentre* centres = nullptr;  ///< reach is negative where no charge stands for the component (hcp_no_charge)
  HcpCharge* charges = nullptr;
  std::uint32_t count = 0;
  float threshold = 0;
};

/// The sigmoidal dielectric in units of k = S^3 (D - 1)/2: eps / k = bulk - (square r^2 + linear r + constant)
/// 2^(decay r), and eps' / k = r^2 2^(decay r).
struct HcpDeviceLaw {
  float decay = 0, square = 0, linear = 0, constant = 0, bulk = 1;
  float slope = 0;  ///< S
};

struct HcpDeviceSystem {
  const HcpCharge* atoms = nullptr;
  const HcpCharge* quads = nullptr;     ///< the atoms of every group in fours, the last filled up
  const std::uint32_t* quad = nullptr;  ///< the first quad of a group; groups + 1
  const HcpCharge* charges = nullptr;   ///< of all levels' components, one level after the other
  HcpDeviceLevel levels[3];
  std::uint32_t atom_count = 0;
  HcpDeviceLaw law;
};

/// Where the targets are: on a grid or in a list.
struct HcpDeviceTargets {
  const float* points = nullptr;  ///< x, y, z
  double origin[3] = {}, step[3][3] = {};
  int nx = 0, ny = 0, nz = 0;
  std::uint32_t tiles_x = 0, tiles_y = 0;
  std::uint32_t count = 0;  ///< of a list

  static HcpDeviceTargets on(const Grid& grid);
  /// Of hcp_tile points.
  std::size_t tiles() const;
};

class HcpDevice {
 public:
  HcpDevice(std::size_t atoms, const std::vector<HcpLevel>& levels, const HcpOptions& options, Stream& stream);

  /// Centres and charges of the components of these atoms, which stay the caller's.
  void set_atoms(const HcpCharge* atoms, Stream& stream);
  /// `unit`/(eps r) summed at the targets.
  void sum(const HcpDeviceTargets& targets, double unit, float* potential, Stream& stream, Job& job);
  /// (E, V) on the atoms, four values each, an atom's own charge left out; V is 0 where `potential` is not wanted.
  void field_on_atoms(double unit, bool potential, float* values, Stream& stream, Job& job);

  const HcpDeviceSystem& system() const { return system_; }
  bool sigmoidal() const { return sigmoidal_; }
  std::size_t bytes() const;

 private:
  struct Level {
    DeviceArray<std::uint32_t> first, atom;
    DeviceArray<HcpCentre> centres;
  };
  void set_quads(const HcpCharge* atoms, Stream& stream);
  /// What the kernels' sums are multiplied by.
  float scale_of(double unit) const { return static_cast<float>(unit / divisor_); }

  HcpDeviceSystem system_;
  std::vector<Level> levels_;
  DeviceArray<HcpCharge> charges_, quads_;
  DeviceArray<std::uint32_t> quad_;
  int charges_each_;
  bool sigmoidal_;
  double divisor_ = 1;
};

}  // namespace isolume
