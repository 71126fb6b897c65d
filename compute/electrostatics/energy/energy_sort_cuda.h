// Sorting atoms into cells on CUDA, without a step on the host: what the mesh and the sum over pairs begin with.
#pragma once

#include <cstdint>

#include "compute/base/device_array.h"
#include "compute/base/host_device.h"
#include "compute/electrostatics/energy/energy_cuda.h"

namespace isolume {

/// A place as fractions of the cell in units of 2^-32, so that differences and images wrap by themselves.
struct alignas(16) FractionalCharge {
  std::uint32_t u[3];
  float charge;  ///< e
};

/// Cells that divide the box along its vectors. Without bricks a coordinate u belongs to cell floor(u count); with them
/// the box has n mesh points along an axis, and cell b holds those from floor(b n / count) on.
struct SortedCells {
  int count[3] = {1, 1, 1};
  int n[3] = {};
  bool bricks = false;
  ISOLUME_HOST_DEVICE std::uint32_t size() const { return static_cast<std::uint32_t>(count[0] * count[1] * count[2]); }
};

/// Atoms in the order of cells, x fastest. Within a cell the order may change from one sort to the next.
class AtomSort {
 public:
  AtomSort(std::size_t atoms, const SortedCells& grid, Device device);
  /// Puts the work into the stream.
  void sort(const float* positions, const float* charges, const CellView& cell, Stream& stream);

  std::size_t size() const { return atoms_; }
  const SortedCells& grid() const { return grid_; }
  const FractionalCharge* sorted() const { return sorted_.data(); }
  const std::uint32_t* atom() const { return atom_.data(); }
  const std::uint32_t* first() const { return first_.data(); }
  std::size_t bytes() const { return atoms_ * 44 + first_.size() * 8; }

 private:
  std::size_t atoms_;
  SortedCells grid_;
  DeviceArray<FractionalCharge> placed_, sorted_;
  DeviceArray<std::uint32_t> home_, rank_, atom_;
  DeviceArray<std::uint32_t> counts_, first_;
};

}  // namespace isolume
