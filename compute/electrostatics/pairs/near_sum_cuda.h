// The sum over pairs within a cutoff on CUDA: what cutoff summation and the short-range part of MSM share.
#pragma once

#include <cstdint>

#include "compute/base/device_array.h"
#include "compute/base/stream.h"
#include "compute/electrostatics/charges/charge_bins.h"
#include "compute/electrostatics/pairs/pair_function.h"

namespace isolume {

/// A charge in the grid's row frame; coordinates in units of 1 / DeviceBins::per_angstrom, so that differences are
/// exact.
struct alignas(16) FixedCharge {
  std::int32_t x, y, z;
  float charge;
};

/// ChargeBins on a device.
struct DeviceBins {
  DeviceArray<FixedCharge> charges;  ///< sorted by box
  DeviceArray<std::uint32_t> first;  ///< boxes + 1 offsets
  double per_angstrom = 1;
  double lower[3] = {};  ///< corner of box (0,0,0), angstrom
  double side = 1;       ///< of a box, angstrom
  int counts[3] = {};
  DeviceArray<int> coincident;  ///< one number: not 0 where some charge is on a grid point
};

/// Charges as uploaded.
struct alignas(16) RawCharge {
  float x, y, z, charge;
};
static_assert(sizeof(RawCharge) == sizeof(PointCharge));

/// Sorts the charges that lie within `reach` of the grid's box, with their images, into boxes of about `side`.
DeviceBins bin_charges_cuda(const DeviceArray<RawCharge>& charges, const Grid& grid, const RowFrame& frame,
                            double reach, double side, double scale, const ChargeImages& images, Stream& stream);

/// A smooth part that the near sum adds before its only store: for each point (i, j, k),
/// sum_n weights[(k / group * width + n) * group + k % group] values[((first[k / group] + n) * ny + j) * nx + i].
struct NearColumn {
  const float* values = nullptr;  ///< device, nx x ny x (lattice layers); null for none
  const int* first = nullptr;     ///< device, lattice layer per group of `group` points along z
  const float* weights = nullptr;
  int width = 0;
  static constexpr int group = 4;
};

/// potential = column + sum of charge * function(r^2), as near_sum_cpu().
void near_sum_cuda(const DeviceBins& bins, const Grid& grid, const RowFrame& frame, const PairFunction& function,
                   const NearColumn& column, float* potential, Stream& stream, const char* what);

}  // namespace isolume
