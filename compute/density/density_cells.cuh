// Atoms in cells on CUDA: what the sort leaves for the tiles of the Gaussian density.
#pragma once

#include "compute/base/stream.h"
#include "compute/density/density_workspace.h"
#include "compute/density/gaussian_density_bodies.h"

namespace isolume {

/// Cells that atoms are sorted into by their centres.
struct DensityCells {
  double origin[3];
  double inverse[3];  ///< 1 / side
  int counts[3];
  unsigned total;  ///< also the key of atoms that are in no cell: too far from the grid to count

  __host__ __device__ int along(int axis, double at) const {
    const double cell = floor((at - origin[axis]) * inverse[axis]);
    return cell < 0 ? 0 : cell >= counts[axis] ? counts[axis] - 1 : static_cast<int>(cell);
  }
};

/// An atom in its place: two quadruples of floats.
struct alignas(16) CellAtom {
  float position[3];
  float cutoff;
  float colour[3];
  float scale;  ///< of lengths, so that the Gaussian is 2^-(length^2): (log2(e) / 2)^(1/2) / sigma
};

/// The atoms in the order of their cells; starts[cell] is the first of a cell, starts[total] the end of the last.
struct SortedAtoms {
  DensityCells cells;
  const CellAtom* atoms = nullptr;
  const std::uint32_t* starts = nullptr;
  double largest_cutoff = 0;
};

/// Sorts the atoms of a task in `stream`; memory.fault says afterwards whether one of them was not finite.
SortedAtoms sort_density_atoms(const DensityTask& task, Stream& stream, DensityWorkspace::Memory& memory);

}  // namespace isolume
