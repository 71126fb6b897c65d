// The kernels of forces by multilevel summation on CUDA.
#pragma once

#include "compute/electrostatics/msm/msm_cuda.h"

namespace isolume {

/// From the potentials of level 0 to the atoms.
struct MsmGather {
  double to_lattice[9];  ///< lattice coordinates u = to_lattice * position + offset, column by column
  double offset[3];
  int counts[3];
  int padded[3];
  bool periodic;
  int degree;
  float coefficient[8][8];  ///< MsmBasis
};

/// charges[i] = position and charge of atom i.
void msm_interleave_cuda(const float* positions, const float* charges, std::size_t atoms, RawCharge* out,
                         Stream& stream);
/// Adds forces, energies (null: none) and, where not null, to *energy_sum.
void msm_gather_cuda(const MsmGather& gather, const RawCharge* charges, std::size_t atoms, const float* potentials,
                     float* forces, float* energies, double* energy_sum, Stream& stream);

}  // namespace isolume
