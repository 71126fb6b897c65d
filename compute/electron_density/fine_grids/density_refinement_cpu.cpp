// Sums of the density between the points of a coarse grid, along x and y plane by plane, then along z, in SIMD.
#include <algorithm>
#include <cmath>

#include "compute/electron_density/fine_grids/density_refinement.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/fine_grids/density_refinement_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace refinement;

constexpr int most_room = 12;

/// The middle of each cell along one axis from a window of points that are `stride` apart, by weights of all points or
/// of fewer.
HWY_ATTR void middles(const double (&weights)[cells][window], const double* from, int stride, int room, double* to,
                      int to_stride) {
  const hn::CappedTag<double, 4> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < room; n += lanes) {
    auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
    for (int k = 0; k < window; ++k) {
      const auto value = hn::LoadU(d, from + k * stride + n);
      a = hn::MulAdd(value, hn::Set(d, weights[0][k]), a);
      b = hn::MulAdd(value, hn::Set(d, weights[1][k]), b);
      c = hn::MulAdd(value, hn::Set(d, weights[2][k]), c);
      e = hn::MulAdd(value, hn::Set(d, weights[3][k]), e);
    }
    hn::StoreU(a, d, to + n);
    hn::StoreU(b, d, to + to_stride + n);
    hn::StoreU(c, d, to + 2 * to_stride + n);
    hn::StoreU(e, d, to + 3 * to_stride + n);
  }
}
static_assert(cells == 4);

/// The coarse points of the tile themselves.
HWY_ATTR void points(int offset, const double* from, int stride, int room, double* to, int to_stride) {
  for (int c = 0; c < cells; ++c)
    std::copy_n(from + std::min(offset + c, window - 1) * stride, room, to + c * to_stride);
}

/// Room of one thread.
struct Planes {
  alignas(64) double plane[window * window * most_room];
  alignas(64) double along_x[window * side * most_room], fewer_x[window * cells * most_room];
  alignas(64) double along_y[window * side * side * most_room], fewer_y[window * cells * cells * most_room];
};

HWY_ATTR void interpolate(const Weights& weights, glm::ivec3 coarse, const double* sums, int room, glm::ivec3 tile,
                          RefinedTile& to) {
  Axis axes[3];
  double factors[3][window], back[3][side];
  const auto place = [&](int x, int y, int z) {
    return ((static_cast<std::size_t>(z) * static_cast<std::size_t>(coarse.y) + static_cast<std::size_t>(y)) *
                static_cast<std::size_t>(coarse.x) +
            static_cast<std::size_t>(x)) *
           static_cast<std::size_t>(room);
  };
  const glm::ivec3 middle = glm::min(tile * cells + cells / 2, coarse - 2);
  for (int axis = 0; axis < 3; ++axis) {
    axes[axis].first = first_of(tile[axis], coarse[axis]);
    axes[axis].offset = tile[axis] * cells - axes[axis].first;
    for (int cell = 0; cell < cells; ++cell)
      set_cell(weights, tile[axis], coarse[axis], cell, axes[axis].all[cell], axes[axis].fewer[cell]);
    glm::ivec3 step(0);
    step[axis] = 1;
    const glm::ivec3 before = middle - step, after = middle + step;
    const double rate = decay(sums[place(before.x, before.y, before.z)], sums[place(after.x, after.y, after.z)]);
    for (int k = 0; k < window; ++k) factors[axis][k] = std::exp(-rate * (axes[axis].first + k - middle[axis]));
    for (int k = 0; k < side; ++k) back[axis][k] = std::exp(rate * (tile[axis] * cells + 0.5 * k - middle[axis]));
  }
  const hn::CappedTag<double, 4> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  thread_local Planes planes;
  for (int z = 0; z < window; ++z) {
    for (int y = 0; y < window; ++y) {
      const double* from = sums + place(axes[0].first, axes[1].first + y, axes[2].first + z);
      double* row = planes.plane + y * window * room;
      for (int x = 0; x < window; ++x) {
        const auto factor = hn::Set(d, factors[0][x] * factors[1][y] * factors[2][z]);
        for (int n = 0; n < room; n += lanes)
          hn::StoreU(hn::Mul(factor, hn::LoadU(d, from + x * room + n)), d, row + x * room + n);
      }
      points(axes[0].offset, row, room, room, planes.along_x + y * side * room, 2 * room);
      middles(axes[0].all, row, room, room, planes.along_x + (y * side + 1) * room, 2 * room);
      middles(axes[0].fewer, row, room, room, planes.fewer_x + y * cells * room, room);
    }
    for (int x = 0; x < side; ++x) {
      double* to_y = planes.along_y + (z * side * side + x) * room;
      points(axes[1].offset, planes.along_x + x * room, side * room, room, to_y, 2 * side * room);
      middles(axes[1].all, planes.along_x + x * room, side * room, room, to_y + side * room, 2 * side * room);
    }
    for (int x = 0; x < cells; ++x) {
      middles(axes[1].fewer, planes.fewer_x + x * room, cells * room, room,
              planes.fewer_y + (z * cells * cells + x) * room, cells * room);
    }
  }
  for (int n = 0; n < side * side; ++n) {
    points(axes[2].offset, planes.along_y + n * room, side * side * room, room, to.values + n * room,
           2 * side * side * room);
    middles(axes[2].all, planes.along_y + n * room, side * side * room, room, to.values + (side * side + n) * room,
            2 * side * side * room);
  }
  for (int n = 0; n < cells * cells; ++n) {
    middles(axes[2].fewer, planes.fewer_y + n * room, cells * cells * room, room, to.fewer + n * room,
            cells * cells * room);
  }
  const auto scale = [&](double factor, double* values) HWY_ATTR {
    for (int n = 0; n < room; n += lanes)
      hn::StoreU(hn::Mul(hn::Set(d, factor), hn::LoadU(d, values + n)), d, values + n);
  };
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x)
        scale(back[0][x] * back[1][y] * back[2][z], to.values + ((z * side + y) * side + x) * room);
    }
  }
  for (int z = 0; z < cells; ++z) {
    for (int y = 0; y < cells; ++y) {
      for (int x = 0; x < cells; ++x) {
        scale(back[0][2 * x + 1] * back[1][2 * y + 1] * back[2][2 * z + 1],
              to.fewer + ((z * cells + y) * cells + x) * room);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(interpolate);

void interpolate_tile(const refinement::Weights& weights, glm::ivec3 coarse, const double* sums, int room,
                      glm::ivec3 tile, RefinedTile& to) {
  HWY_DYNAMIC_DISPATCH(interpolate)(weights, coarse, sums, room, tile, to);
}

}  // namespace isolume
#endif  // HWY_ONCE
