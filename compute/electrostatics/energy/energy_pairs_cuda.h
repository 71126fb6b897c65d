// The sum over pairs within a cutoff on CUDA, for energies and forces.
#pragma once

#include "compute/electrostatics/energy/energy_sort_cuda.h"
#include "compute/electrostatics/pairs/short_range.h"
#include "molecule/grid.h"

namespace isolume {

/// A grid as kernels read it.
struct GridView {
  double origin[3];
  double step[9];  // the three steps one after the other
  int counts[3];
  static GridView of(const Grid& grid);
};

/// How the cells lie.
struct PairGeometry {
  float step[9];   // edge vectors of a cell
  float width[3];  // of a cell, across its faces
  int reach[3];
  bool periodic;
  bool upright;  // edges at right angles
};

class PairsCuda {
 public:
  /// `cell` is the box that the atoms are sorted in; where not periodic, one that holds them all.
  PairsCuda(std::size_t atoms, const Cell& cell, bool periodic, const ShortRange& function, Device device);
  /// Sorts the atoms of device memory: what run() begins with, and needed once before add_map().
  void sort(const float* positions, const float* charges, Stream& stream);
  /// values[point] += scale * sum of charge * function over the atoms within the cutoff of the grid's points.
  void add_map(const GridView& grid, float scale, float* values, Stream& stream);
  /// Assigns forces and energies (null: none) of all pairs but the excluded and scaled ones; adds to sums (`all`).
  void run(const float* positions, EnergyDevice& device, bool all, float* forces, float* energies, Stream& stream);
  std::size_t bytes() const { return sort_.bytes() + relative_.size() * 16; }

 private:
  CellView view_;
  double cutoff_;  // angstrom
  PairGeometry geometry_;
  AtomSort sort_;
  DeviceArray<float> relative_;  // 4 an atom: place from the corner of its cell, angstrom, and charge
  DeviceArray<ShortRange> function_;
};

}  // namespace isolume
