// What the kernel of the near sum on CUDA is told of the grid, the boxes and the function.
#pragma once

#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

namespace near_cuda {

inline constexpr int run = 4;  ///< points of a lane, along z

/// Lengths are in units of the cutoff unless they say angstrom: a squared distance is then limited to the cutoff by the
/// saturation of the multiply-add that makes it.
struct NearGeometry {
  float ax, bx, by, cx, cy, cz;
  double dax, dbx, dby, dcx, dcy, dcz;  // angstrom
  int nx, ny, nz;
  // Boxes, angstrom.
  double lower[3];
  double inverse_side;
  float side;
  int counts[3];
  double per_angstrom;
  float per_fixed;  // of a FixedCharge to units of the cutoff
  float half[3];    // half-sides of a warp's box
  float half_angstrom[3];
  float reach;  // angstrom, with some room
  float coincident2;
};

struct NearConstants {
  float charge_scale;  // 1 / cutoff, angstrom
  float switching2, switch_scale, bulk, slope;
  float coefficient[5];
};

NearGeometry geometry_of(const DeviceBins& bins, const Grid& grid, const RowFrame& frame, double cutoff);
NearConstants constants_of(const PairFunction& function);

}  // namespace near_cuda

}  // namespace isolume
