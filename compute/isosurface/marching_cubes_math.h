// What both bodies of marching cubes share: bits, edges, vertices.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/base/host_device.h"
#include "compute/base/storage.h"
#include "molecule/grid.h"

namespace isolume {

/// The lowest set bit; `bits` is not 0.
ISOLUME_HOST_DEVICE inline int lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// A volume as both bodies walk it. Rows of points are words of 32 bits, one bit a point, set inside. A point owns the
/// edges that leave it towards +x, +y and +z; the vertices on them are numbered word by word: first those on the x
/// edges of the word's points, then y, then z.
///
/// A slab is a part of the grid along z: layers count from its first, `own` of them give vertices and cells; one layer
/// after those is numbered (the cells below it use its vertices), and the one after that only tells which of its edges
/// are crossed. A whole grid is one slab.
struct IsoGrid {
  int nx = 0, ny = 0;
  int nz = 0;                      ///< layers with bits
  int own = 0;                     ///< layers whose vertices and cells are made
  int numbered = 0;                ///< layers whose vertices are numbered
  int first = 0;                   ///< the slab's first layer in the grid
  int layers = 0;                  ///< of the grid
  std::uint32_t first_vertex = 0;  ///< number of the slab's first vertex
  int words = 0;                   ///< in a row
  double origin[3];                ///< angstrom
  double step[3][3];               ///< step[axis] is a step vector
  float gradient[3][3];  ///< gradient in space = sum over axes of gradient[axis] * (difference along the axis)
  float inverse_scale =
      1;  ///< of `gradient`, which is about 1: gradient[axis] * inverse_scale leads to grid coordinates
  float isovalue = 0;
  float outward = -1;  ///< sign that turns the gradient out of the inside
  bool inside_above = true;
  bool mirrored = false;  ///< left-handed steps: triangles wind the other way

  ISOLUME_HOST_DEVICE std::size_t word(int w, int j, int k) const {
    return static_cast<std::size_t>(w) +
           static_cast<std::size_t>(words) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(ny) * static_cast<std::size_t>(k));
  }
  ISOLUME_HOST_DEVICE std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(nx) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(ny) * static_cast<std::size_t>(k));
  }
  ISOLUME_HOST_DEVICE std::ptrdiff_t layer_points() const {
    return static_cast<std::ptrdiff_t>(nx) * static_cast<std::ptrdiff_t>(ny);
  }
  /// NaN is outside.
  ISOLUME_HOST_DEVICE bool inside(float value) const { return inside_above ? value > isovalue : value < isovalue; }
  /// Points of a word that have a neighbour in +x.
  ISOLUME_HOST_DEVICE std::uint32_t has_next(int w) const {
    const int count = nx - 1 - 32 * w;
    return count >= 32 ? ~0u : count <= 0 ? 0u : (1u << count) - 1u;
  }
  /// The word moved by one point: bit i is that of point i + 1.
  ISOLUME_HOST_DEVICE std::uint32_t next_points(const std::uint32_t* bits, int w, int j, int k) const {
    const std::size_t at = word(w, j, k);
    return bits[at] >> 1 | (w + 1 < words ? bits[at + 1] << 31 : 0u);
  }
};

struct MarchingCubesOptions;
struct SurfaceSlab;
IsoGrid iso_grid(const Grid& grid, const MarchingCubesOptions& options, const SurfaceSlab& slab);

/// Differences of the volume along the axes at a point: central, one-sided at the border.
template <class T>
ISOLUME_HOST_DEVICE inline void differences(const IsoGrid& g, const T* volume, int i, int j, int k, float out[3]) {
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(g.index(i, j, 0)) + k * g.layer_points();
  const bool low[3] = {i == 0, j == 0, k + g.first == 0};
  const bool high[3] = {i + 1 == g.nx, j + 1 == g.ny, k + g.first + 1 == g.layers};
  const std::ptrdiff_t strides[3] = {1, g.nx, g.layer_points()};
  for (int axis = 0; axis < 3; ++axis) {
    const float difference =
        to_float(volume[high[axis] ? at : at + strides[axis]]) - to_float(volume[low[axis] ? at : at - strides[axis]]);
    out[axis] = low[axis] || high[axis] ? difference : 0.5f * difference;
  }
}

/// A vertex: where, which way is out, and how far along its edge.
struct IsoVertex {
  float position[3];
  float normal[3];
  float along;  ///< 0 at the point that owns the edge, 1 at its neighbour
};

template <class T>
ISOLUME_HOST_DEVICE inline IsoVertex iso_vertex(const IsoGrid& g, const T* volume, int axis, int i, int j, int k) {
  const int i2 = i + (axis == 0);
  const int j2 = j + (axis == 1);
  const int k2 = k + (axis == 2);
  const float a = to_float(volume[g.index(i, j, k)]);
  const float b = to_float(volume[g.index(i2, j2, k2)]);
  IsoVertex vertex;
  float t = (g.isovalue - a) / (b - a);
  if (!(t >= 0.0f && t <= 1.0f)) t = 0.5f;  // an end that is not a finite number
  vertex.along = t;
  const double at[3] = {i + (axis == 0 ? double{t} : 0.0), j + (axis == 1 ? double{t} : 0.0),
                        k + g.first + (axis == 2 ? double{t} : 0.0)};
  float da[3];
  float db[3];
  differences(g, volume, i, j, k, da);
  differences(g, volume, i2, j2, k2, db);
  float length2 = 0;
  for (int c = 0; c < 3; ++c) {
    vertex.position[c] =
        static_cast<float>(g.origin[c] + at[0] * g.step[0][c] + at[1] * g.step[1][c] + at[2] * g.step[2][c]);
    float slope = 0;
    for (int s = 0; s < 3; ++s) slope += g.gradient[s][c] * (da[s] + t * (db[s] - da[s]));
    vertex.normal[c] = g.outward * slope;
    length2 += slope * slope;
  }
  if (!(length2 > 1e-30f && length2 < 1e30f)) {
    // Too flat, too steep or not a number: out along the edge, whose ends are on different sides.
    const float sign = g.inside(a) ? 1.0f : -1.0f;
    length2 = 0;
    for (int c = 0; c < 3; ++c) {
      vertex.normal[c] = sign * static_cast<float>(g.step[axis][c]);
      length2 += vertex.normal[c] * vertex.normal[c];
    }
  }
  const float scale = length2 > 0 ? 1.0f / std::sqrt(length2) : 0.0f;
  for (int c = 0; c < 3; ++c) vertex.normal[c] *= scale;
  return vertex;
}

}  // namespace isolume
