// Frame tiles: near pairs of two ranges of points in every frame of a group. A warp takes 32 points of one range
// against the tiles of the other whose boxes are near.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "compute/base/slices.h"
#include "compute/frames/frame_kernels.cuh"

namespace isolume::frame_tiles {

using frame_kernels::Points;
using frame_kernels::with_points;

inline constexpr int tile = 32;  ///< consecutive points, which in molecules are near each other
inline constexpr int warps = 4;  ///< of a block

/// A cell as the kernels take it: none, of right angles along the axes, or any.
struct Lattice {
  int kind;
  double vectors[9], inverse[9], reciprocal[3];
  float lengths[3], per_length[3];

  /// As Cell::minimum_image().
  __device__ double nearest(double x, double y, double z) const {
    if (kind == 0) return x * x + y * y + z * z;
    double d[3] = {x, y, z};
    if (kind == 1) {
      for (int axis = 0; axis < 3; ++axis) d[axis] -= vectors[4 * axis] * rint(inverse[4 * axis] * d[axis]);
      return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    double shift[3];
    for (int row = 0; row < 3; ++row) shift[row] = rint(inverse[row] * x + inverse[3 + row] * y + inverse[6 + row] * z);
    for (int row = 0; row < 3; ++row)
      d[row] -= vectors[row] * shift[0] + vectors[3 + row] * shift[1] + vectors[6 + row] * shift[2];
    double shortest = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double length = sqrt(shortest);
    if (!isfinite(length)) return shortest;
    int reach[3];
    for (int axis = 0; axis < 3; ++axis) reach[axis] = min(64, static_cast<int>(length * reciprocal[axis] + 0.5));
    const double from[3] = {d[0], d[1], d[2]};
    for (int i = -reach[0]; i <= reach[0]; ++i)
      for (int j = -reach[1]; j <= reach[1]; ++j)
        for (int k = -reach[2]; k <= reach[2]; ++k) {
          double square = 0;
          for (int row = 0; row < 3; ++row) {
            const double image = from[row] + vectors[row] * i + vectors[3 + row] * j + vectors[6 + row] * k;
            square += image * image;
          }
          shortest = fmin(shortest, square);
        }
    return shortest;
  }

  /// The same in single precision, off by at most `slack`; false where only double precision will do.
  __device__ bool roughly(float x, float y, float z, float& square, float& slack) const {
    if (kind > 1) return false;
    const float size = fabsf(x) + fabsf(y) + fabsf(z);
    if (kind == 1) {
      x = fmaf(-lengths[0], rintf(x * per_length[0]), x);
      y = fmaf(-lengths[1], rintf(y * per_length[1]), y);
      z = fmaf(-lengths[2], rintf(z * per_length[2]), z);
    }
    square = fmaf(x, x, fmaf(y, y, z * z));
    // Each coordinate is off by some parts in 2^23 of what it was before its image was taken.
    const float off = 5e-7f * size + 1e-6f;
    slack = 4 * off * (fabsf(x) + fabsf(y) + fabsf(z) + off);
    return true;
  }
};

inline Lattice lattice_of(const Cell& cell) {
  Lattice lattice{};
  if (!cell.exists()) return lattice;
  const glm::dmat3 inverse = glm::inverse(cell.vectors);
  bool right = true;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) {
      lattice.vectors[3 * column + row] = cell.vectors[column][row];
      lattice.inverse[3 * column + row] = inverse[column][row];
      right = right && (column == row || cell.vectors[column][row] == 0);
    }
  for (int i = 0; i < 3; ++i) {
    lattice.reciprocal[i] = glm::length(glm::dvec3(inverse[0][i], inverse[1][i], inverse[2][i]));
    lattice.lengths[i] = static_cast<float>(cell.vectors[i][i]);
    lattice.per_length[i] = static_cast<float>(1 / cell.vectors[i][i]);
  }
  lattice.kind = right ? 1 : 2;
  return lattice;
}

inline DeviceArray<Lattice> lattices_of(const Stream& stream, const FrameGroup& group) {
  std::vector<Lattice> lattices(group.frames);
  for (std::size_t f = 0; f < group.cells.size(); ++f) lattices[f] = lattice_of(group.cells[f]);
  return DeviceArray<Lattice>::from_host(lattices, stream, "cells of frames");
}

/// The ball around the box of a tile.
struct Ball {
  double x, y, z, radius;
};

template <class T>
__global__ void __launch_bounds__(32 * warps)
    ball_kernel(Points<T> points, std::size_t count, std::size_t tiles, std::size_t all, Ball* __restrict__ balls) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32;
  if (at >= all) return;
  const std::size_t i = at % tiles * tile + threadIdx.x % 32;
  const double3 p = points.at(at / tiles, i < count ? i : count - 1);
  double lower[3] = {p.x, p.y, p.z}, upper[3] = {p.x, p.y, p.z};
  for (int axis = 0; axis < 3; ++axis)
    for (int step = 16; step > 0; step /= 2) {
      lower[axis] = fmin(lower[axis], __shfl_xor_sync(~0u, lower[axis], step));
      upper[axis] = fmax(upper[axis], __shfl_xor_sync(~0u, upper[axis], step));
    }
  if (threadIdx.x % 32 != 0) return;
  const double x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
  balls[at] = {0.5 * (lower[0] + upper[0]), 0.5 * (lower[1] + upper[1]), 0.5 * (lower[2] + upper[2]),
               0.5 * sqrt(x * x + y * y + z * z) * (1 + 1e-9)};
}

template <class T>
DeviceArray<Ball> balls_of(const Stream& stream, const Points<T>& points, std::size_t frames, std::size_t count) {
  const std::size_t tiles = (count + tile - 1) / tile;
  DeviceArray<Ball> balls(frames * tiles, stream, "tiles of frames");
  launch("tiles of frames", stream, ball_kernel<T>, blocks_for(frames * tiles, warps), {32 * warps, 1, 1}, points,
         count, tiles, frames * tiles, balls.data());
  return balls;
}

/// Two ranges of points with their tiles.
template <class T>
struct Sets {
  Points<T> a, b;
  std::size_t count_a, count_b, tiles_a, tiles_b;
  const Ball* balls_a;
  const Ball* balls_b;
  const Lattice* lattices;
  bool upper;  ///< pairs whose second point comes after the first alone
  /// Warps that share the tiles of b with one tile of a. A tile whose points are not together is near many others, and
  /// all would wait for its warp.
  std::size_t parts = 1;
};

/// Calls visit(frame, i, j, x, y, z), the difference of point j of b and this lane's point i of a, for the pairs of
/// tiles nearer than reach(frame). A warp has a part of the tiles of b with a tile of a in a frame; `first` and `end`
/// count such parts.
template <class T, class Reach, class Visit>
__device__ void for_near_pairs(const Sets<T>& sets, std::size_t first, std::size_t end, const Reach& reach,
                               const Visit& visit) {
  const std::size_t number = first + static_cast<std::size_t>(blockIdx.x) * warps + threadIdx.x / 32;
  if (number >= end) return;
  const std::size_t at = number / sets.parts;
  const unsigned lane = threadIdx.x % 32;
  const std::size_t share = (sets.tiles_b + 32 * sets.parts - 1) / (32 * sets.parts) * 32;
  const std::size_t part_begin = number % sets.parts * share;
  const std::size_t part_end = part_begin + share < sets.tiles_b ? part_begin + share : sets.tiles_b;
  const std::size_t frame = at / sets.tiles_a, i = at % sets.tiles_a * tile + lane;
  const Lattice& lattice = sets.lattices[frame];
  const Ball own = sets.balls_a[at];
  const T* from = sets.a.values + 3 * (frame * sets.a.per_frame + sets.a.first + (i < sets.count_a ? i : 0));
  const T own_x = from[0], own_y = from[1], own_z = from[2];
  const double limit = reach(frame);
  const std::size_t least = sets.upper ? at % sets.tiles_a / 32 * 32 : 0;
  for (std::size_t base = part_begin > least ? part_begin : least; base < part_end; base += 32) {
    bool near = false;
    if (base + lane < part_end) {
      const Ball other = sets.balls_b[frame * sets.tiles_b + base + lane];
      const double most = limit + own.radius + other.radius;
      // Written so that a ball that is no number, and an endless reach, are near.
      near = !(lattice.nearest(other.x - own.x, other.y - own.y, other.z - own.z) > most * most);
    }
    for (unsigned found = __ballot_sync(~0u, near); found != 0; found &= found - 1) {
      const std::size_t begin = (base + static_cast<std::size_t>(__ffs(static_cast<int>(found)) - 1)) * tile;
      const std::size_t mine = begin + lane < sets.count_b ? begin + lane : begin;
      const T* q = sets.b.values + 3 * (frame * sets.b.per_frame + sets.b.first + mine);
      const T x = q[0], y = q[1], z = q[2];
      const int members = static_cast<int>(sets.count_b - begin < tile ? sets.count_b - begin : tile);
      for (int k = 0; k < members; ++k) {
        const T dx = __shfl_sync(~0u, x, k) - own_x, dy = __shfl_sync(~0u, y, k) - own_y,
                dz = __shfl_sync(~0u, z, k) - own_z;
        if (i < sets.count_a) visit(frame, i, begin + static_cast<std::size_t>(k), dx, dy, dz);
      }
    }
  }
}

/// The difference of two points of single precision is taken again, exactly.
template <class T>
__device__ double exact_square(const Sets<T>& sets, std::size_t frame, std::size_t i, std::size_t j) {
  const double3 p = sets.a.at(frame, i), q = sets.b.at(frame, j);
  return sets.lattices[frame].nearest(q.x - p.x, q.y - p.y, q.z - p.z);
}

/// Makes tiles and cells, and calls body(sets).
template <class Body>
void with_sets(const Stream& stream, const FrameGroup& group, PointRange a, PointRange b, bool upper,
               const Body& body) {
  const DeviceArray<Lattice> lattices = lattices_of(stream, group);
  with_points(group, a, [&](auto points) {
    using T = std::remove_cvref_t<decltype(*points.values)>;
    Sets<T> sets{};
    sets.a = sets.b = points;
    sets.b.first = b.first;
    sets.count_a = a.count;
    sets.count_b = b.count;
    const DeviceArray<Ball> balls_a = balls_of(stream, sets.a, group.frames, a.count);
    const DeviceArray<Ball> balls_b = balls_of(stream, sets.b, group.frames, b.count);
    sets.tiles_a = balls_a.size() / group.frames;
    sets.tiles_b = balls_b.size() / group.frames;
    sets.balls_a = balls_a.data();
    sets.balls_b = balls_b.data();
    sets.lattices = lattices.data();
    sets.upper = upper;
    body(sets);
  });
}

inline constexpr std::size_t first_tiles = 4096;  ///< of a launch; later ones take as many as fit its time

}  // namespace isolume::frame_tiles
