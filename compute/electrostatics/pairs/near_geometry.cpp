// What the kernel of the near sum on CUDA is told of the grid, the boxes and the function.
#include <algorithm>
#include <cmath>

#include "compute/electrostatics/pairs/near_geometry.h"

namespace isolume {

namespace near_cuda {

NearGeometry geometry_of(const DeviceBins& bins, const Grid& grid, const RowFrame& frame, double cutoff) {
  const double unit = 1 / cutoff;
  NearGeometry g{};
  const auto scaled = [&](double length, double& angstrom) {
    angstrom = length;
    return static_cast<float>(length * unit);
  };
  g.ax = scaled(frame.ax, g.dax);
  g.bx = scaled(frame.bx, g.dbx);
  g.by = scaled(frame.by, g.dby);
  g.cx = scaled(frame.cx, g.dcx);
  g.cy = scaled(frame.cy, g.dcy);
  g.cz = scaled(frame.cz, g.dcz);
  g.nx = grid.counts.x;
  g.ny = grid.counts.y;
  g.nz = grid.counts.z;
  const double half[3] = {
      3.5 * frame.ax + 1.5 * std::abs(frame.bx) + 0.5 * (run - 1) * std::abs(frame.cx) + 1e-4,
      1.5 * frame.by + 0.5 * (run - 1) * std::abs(frame.cy) + 1e-4,
      0.5 * (run - 1) * frame.cz + 1e-4,
  };
  double furthest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    g.lower[axis] = bins.lower[axis];
    g.counts[axis] = bins.counts[axis];
    g.half[axis] = static_cast<float>(half[axis] * unit);
    g.half_angstrom[axis] = static_cast<float>(half[axis]);
    furthest = std::max(furthest, bins.side * bins.counts[axis]);
  }
  g.inverse_side = 1 / bins.side;
  g.side = static_cast<float>(bins.side);
  g.per_angstrom = bins.per_angstrom;
  g.per_fixed = static_cast<float>(unit / bins.per_angstrom);
  // Boxes are found in single precision.
  g.reach = static_cast<float>(cutoff + 1e-3 + 1e-6 * furthest);
  g.coincident2 = static_cast<float>(coincidence * coincidence * unit * unit);
  return g;
}

NearConstants constants_of(const PairFunction& function) {
  const double unit = 1 / static_cast<double>(function.cutoff);
  NearConstants f{};
  f.charge_scale = static_cast<float>(unit);
  const double switching2 = static_cast<double>(function.switching2) * unit * unit;
  f.switching2 = static_cast<float>(switching2);
  f.switch_scale = static_cast<float>(1 / ((1 - switching2) * (1 - switching2) * (1 - switching2)));
  f.bulk = function.bulk;
  f.slope = static_cast<float>(static_cast<double>(function.slope) * function.cutoff);
  double power = function.cutoff;
  for (int k = 0; function.kind == PairFunction::Kind::taylor && k < 5; ++k) {
    f.coefficient[k] = static_cast<float>(static_cast<double>(function.coefficient[k]) * power);
    power *= function.cutoff * function.cutoff;
  }
  return f;
}

}  // namespace near_cuda

}  // namespace isolume
