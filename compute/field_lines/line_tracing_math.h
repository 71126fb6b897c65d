// A step along a field line, for the CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/base/host_device.h"

namespace isolume {

struct LinePoint {
  double x, y, z;
};

struct LineSample {
  double value;
  LinePoint slope;  ///< of the value, per angstrom
};

/// A grid's values, and its inverse step vectors as rows: grid coordinates are inverse * (point - origin).
struct LineGrid {
  const float* values;
  int nx, ny, nz;
  LinePoint origin;
  double inverse[3][3];
};

/// Spheres sorted into cubic cells as large as the largest: those that a point is in are in the 27 cells around it.
struct LineSpheres {
  const float* spheres = nullptr;  ///< x, y, z, radius of each
  const std::uint32_t* starts = nullptr;
  int nx = 0, ny = 0, nz = 0;
  LinePoint origin{0, 0, 0};
  double per_cell = 0;
};

struct LineSteps {
  double step, least, within;
};

/// Weights and slopes of cubic convolution between the second and the third of four points, at t.
struct LineCubic {
  double w[4], slope[4];
  int index[4];
};

/// False outside the axis' points.
ISOLUME_HOST_DEVICE inline bool line_cubic(double u, int count, LineCubic& c) {
  constexpr double rounding = 1e-9;  // of grid coordinates
  if (!(u >= -rounding && u <= count - 1 + rounding)) return false;
  u = u < 0 ? 0 : u > count - 1 ? count - 1 : u;
  int cell = static_cast<int>(u);
  if (cell > count - 2) cell = count - 2;
  const double t = u - cell, t2 = t * t, t3 = t2 * t;
  c.w[0] = 0.5 * (-t3 + 2 * t2 - t);
  c.w[1] = 0.5 * (3 * t3 - 5 * t2 + 2);
  c.w[2] = 0.5 * (-3 * t3 + 4 * t2 + t);
  c.w[3] = 0.5 * (t3 - t2);
  c.slope[0] = 0.5 * (-3 * t2 + 4 * t - 1);
  c.slope[1] = 0.5 * (9 * t2 - 10 * t);
  c.slope[2] = 0.5 * (-9 * t2 + 8 * t + 1);
  c.slope[3] = 0.5 * (3 * t2 - 2 * t);
  for (int n = 0; n < 4; ++n) {
    const int i = cell - 1 + n;
    c.index[n] = i < 0 ? 0 : i > count - 1 ? count - 1 : i;
  }
  // What the points beyond a face would have (a straight line) goes to those within.
  if (cell == 0) {
    c.w[1] += 2 * c.w[0], c.w[2] -= c.w[0], c.w[0] = 0;
    c.slope[1] += 2 * c.slope[0], c.slope[2] -= c.slope[0], c.slope[0] = 0;
  }
  if (cell == count - 2) {
    c.w[2] += 2 * c.w[3], c.w[1] -= c.w[3], c.w[3] = 0;
    c.slope[2] += 2 * c.slope[3], c.slope[1] -= c.slope[3], c.slope[3] = 0;
  }
  return true;
}

/// False outside the grid.
ISOLUME_HOST_DEVICE inline bool line_sample(const LineGrid& grid, LinePoint p, LineSample& sample) {
  const double d[3] = {p.x - grid.origin.x, p.y - grid.origin.y, p.z - grid.origin.z};
  double u[3];
  for (int row = 0; row < 3; ++row)
    u[row] = grid.inverse[row][0] * d[0] + grid.inverse[row][1] * d[1] + grid.inverse[row][2] * d[2];
  LineCubic x, y, z;
  if (!line_cubic(u[0], grid.nx, x) || !line_cubic(u[1], grid.ny, y) || !line_cubic(u[2], grid.nz, z)) return false;
  double value = 0, sx = 0, sy = 0, sz = 0;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      const float* row = grid.values + (static_cast<std::uint64_t>(z.index[k]) * static_cast<std::uint64_t>(grid.ny) +
                                        static_cast<std::uint64_t>(y.index[j])) *
                                           static_cast<std::uint64_t>(grid.nx);
      double along = 0, along_slope = 0;
      for (int i = 0; i < 4; ++i) {
        const double v = static_cast<double>(row[x.index[i]]);
        along += x.w[i] * v;
        along_slope += x.slope[i] * v;
      }
      value += z.w[k] * y.w[j] * along;
      sx += z.w[k] * y.w[j] * along_slope;
      sy += z.w[k] * y.slope[j] * along;
      sz += z.slope[k] * y.w[j] * along;
    }
  sample.value = value;
  const double s[3] = {sx, sy, sz};
  double out[3];
  for (int column = 0; column < 3; ++column)
    out[column] = grid.inverse[0][column] * s[0] + grid.inverse[1][column] * s[1] + grid.inverse[2][column] * s[2];
  sample.slope = {out[0], out[1], out[2]};
  return true;
}

/// Whether a point is inside `part` of the radius of a sphere.
ISOLUME_HOST_DEVICE inline bool in_line_spheres(const LineSpheres& all, LinePoint p, double part) {
  const double u[3] = {(p.x - all.origin.x) * all.per_cell, (p.y - all.origin.y) * all.per_cell,
                       (p.z - all.origin.z) * all.per_cell};
  const int counts[3] = {all.nx, all.ny, all.nz};
  int low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    if (!(u[axis] >= -1 && u[axis] <= counts[axis] + 1)) return false;
    const int cell = static_cast<int>(floor(u[axis]));
    low[axis] = cell - 1 < 0 ? 0 : cell - 1;
    high[axis] = cell + 1 > counts[axis] - 1 ? counts[axis] - 1 : cell + 1;
  }
  for (int k = low[2]; k <= high[2]; ++k)
    for (int j = low[1]; j <= high[1]; ++j) {
      const int row = (k * all.ny + j) * all.nx;
      if (high[0] < low[0]) continue;
      for (std::uint32_t s = all.starts[row + low[0]]; s < all.starts[row + high[0] + 1]; ++s) {
        const float* sphere = all.spheres + 4 * static_cast<std::uint64_t>(s);
        const double dx = static_cast<double>(sphere[0]) - p.x, dy = static_cast<double>(sphere[1]) - p.y,
                     dz = static_cast<double>(sphere[2]) - p.z, r = part * static_cast<double>(sphere[3]);
        if (dx * dx + dy * dy + dz * dz < r * r) return true;
      }
    }
  return false;
}

/// How a line goes on after a point: further, or its end.
enum class LineGoes : std::uint8_t { on, border, surface, nowhere };

/// A unit vector along sign * slope; false outside the grid and where the field vanishes.
ISOLUME_HOST_DEVICE inline bool line_direction(const LineGrid& grid, LinePoint at, double sign, double least,
                                               LinePoint& to) {
  LineSample s;
  if (!line_sample(grid, at, s)) return false;
  const double length = sqrt(s.slope.x * s.slope.x + s.slope.y * s.slope.y + s.slope.z * s.slope.z);
  if (!(length > least)) return false;
  to = {sign * s.slope.x / length, sign * s.slope.y / length, sign * s.slope.z / length};
  return true;
}

ISOLUME_HOST_DEVICE inline LinePoint line_moved(LinePoint p, double by, LinePoint along) {
  return {p.x + by * along.x, p.y + by * along.y, p.z + by * along.z};
}

/// Hands a point of the line with its value to `put`, and moves to the next one. Nothing is put outside the grid.
template <class Put>
ISOLUME_HOST_DEVICE inline LineGoes line_step(const LineGrid& grid, const LineSpheres& spheres, const LineSteps& o,
                                              double sign, bool first, LinePoint& place, const Put& put) {
  LineSample here;
  if (!line_sample(grid, place, here)) return LineGoes::border;
  put(place, here.value);
  if (!first && spheres.starts != nullptr && in_line_spheres(spheres, place, o.within)) return LineGoes::surface;
  const double length = sqrt(here.slope.x * here.slope.x + here.slope.y * here.slope.y + here.slope.z * here.slope.z);
  if (!(length > o.least)) return LineGoes::nowhere;
  const LinePoint k1{sign * here.slope.x / length, sign * here.slope.y / length, sign * here.slope.z / length};
  LinePoint k2, k3, k4;
  if (!line_direction(grid, line_moved(place, 0.5 * o.step, k1), sign, o.least, k2) ||
      !line_direction(grid, line_moved(place, 0.5 * o.step, k2), sign, o.least, k3) ||
      !line_direction(grid, line_moved(place, o.step, k3), sign, o.least, k4))
    return LineGoes::border;
  const LinePoint along{(k1.x + 2 * k2.x + 2 * k3.x + k4.x) / 6, (k1.y + 2 * k2.y + 2 * k3.y + k4.y) / 6,
                        (k1.z + 2 * k2.z + 2 * k3.z + k4.z) / 6};
  // Where the field turns round within a step it vanishes between: a line goes no further.
  if (along.x * along.x + along.y * along.y + along.z * along.z < 0.25) return LineGoes::nowhere;
  place = line_moved(place, o.step, along);
  return LineGoes::on;
}

}  // namespace isolume
