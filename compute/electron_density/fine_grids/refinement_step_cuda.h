// One grid that is filled from a coarser one on CUDA: what the kernels of both interpolations read.
#pragma once

#include <cstddef>

#include "compute/base/stream.h"
#include "compute/electron_density/fine_grids/mixed_refinement_math.h"

namespace isolume {
namespace refinement {

struct Step {
  int coarse[3], fine[3];     // points
  double step[3];             // of the coarse grid along x, y and z (bohr), for mixed derivatives
  unsigned tiles_x, tiles_y;  // of 8 x 8 x 8 points
  unsigned parts_x, parts_y;  // of 4 x 4 x 4 points
  const double* from;         // sums of coarse points: by set, number and point, or by set, point and mixed derivative
  double* sums;               // the same of fine points, or null
  float* values;              // the field
  DensityMeasure measure;
  double scale;
  unsigned* chosen;  // parts that have to be computed
  unsigned* count;   // of them, and of their points
};

/// Interpolates `count` tiles from `begin` on with mixed derivatives; `weights` are on the device.
void interpolate_mixed_cuda(const Stream& stream, DensityOrder order, std::size_t sets, const Step& step,
                            const mixed::Weights* weights, std::size_t begin, std::size_t count);

}  // namespace refinement
}  // namespace isolume
