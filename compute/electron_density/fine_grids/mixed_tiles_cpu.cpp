// The density between the points of a coarse grid from values, slopes and mixed derivatives: along x, y and z, in SIMD.
#include "compute/electron_density/fine_grids/mixed_refinement.h"

#include <memory>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/fine_grids/mixed_tiles_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace mixed;

/// Orders of derivatives along x and y, and along z with those of them.
struct XY {
  int x, y;
};
struct Out {
  int xy, z;
};
template <MixedOutput output>
struct Orders;
template <>
struct Orders<MixedOutput::slopes> {
  static constexpr XY xy[] = {{0, 0}, {1, 0}, {0, 1}};
  static constexpr Out out[] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}};
  static constexpr int along_x = 2, along_xy = 3;
};
template <>
struct Orders<MixedOutput::mixed> {
  static constexpr XY xy[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  static constexpr Out out[] = {{0, 0}, {2, 0}, {0, 1}, {2, 1}, {1, 0}, {3, 0}, {1, 1}, {3, 1}};
  static constexpr int along_x = 2, along_xy = 4;
};
template <>
struct Orders<MixedOutput::second> {
  static constexpr XY xy[] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
  static constexpr Out out[] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {3, 0}, {4, 0}, {1, 1}, {5, 0}, {2, 1}, {0, 2}};
  static constexpr int along_x = 3, along_xy = 6;
};

constexpr int plane = window * window;

/// Room of one thread: after x by order, slope along y, slope along z; after x and y by their orders, slope along z.
struct Rooms {
  alignas(64) double weights[2][3][window][2][side];  // along x, of all and of fewer taps; points fastest
  alignas(64) double along_x[2][3][2][2][plane * side];
  alignas(64) double along_y[6][2][window * side * side];
};

/// The sum over the taps of a cell of what has values and slopes `rows` apart.
template <class D>
HWY_ATTR hn::Vec<D> sum_of(D d, const double (&weights)[taps][2], const double* values, const double* slopes,
                           int stride) {
  auto a = hn::Zero(d), b = hn::Zero(d);
  for (int k = 0; k < taps; ++k) {
    a = hn::MulAdd(hn::Set(d, weights[k][0]), hn::LoadU(d, values + k * stride), a);
    b = hn::MulAdd(hn::Set(d, weights[k][1]), hn::LoadU(d, slopes + k * stride), b);
  }
  return hn::Add(a, b);
}

template <MixedOutput output>
HWY_ATTR void interpolate(const Axis (&axes)[3], glm::ivec3 coarse, const double* sums, MixedTile& to) {
  using O = Orders<output>;
  const hn::CappedTag<double, side> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  thread_local const std::unique_ptr<Rooms> room = std::make_unique<Rooms>();
  Rooms& rooms = *room;
  // Weights along x of all 8 points side by side; those of fewer taps of the 4 middles, then nothing.
  for (double& weight : std::span(&rooms.weights[0][0][0][0][0], sizeof(rooms.weights) / sizeof(double))) weight = 0;
  for (int order = 0; order < O::along_x; ++order) {
    for (int n = 0; n < side; ++n) {
      for (int k = 0; k < taps; ++k) {
        for (int slope = 0; slope < 2; ++slope) {
          const int at = axes[0].start[n / 2] + k;
          rooms.weights[0][order][at][slope][n] = axes[0].all[order][n][k][slope];
          if (n < cells) rooms.weights[1][order][axes[0].start[n] + k][slope][n] = axes[0].fewer[order][n][k][slope];
        }
      }
    }
  }
  for (int row = 0; row < plane; ++row) {
    const int y = axes[1].first + row % window, z = axes[2].first + row / window;
    const double* from =
        sums + ((static_cast<std::size_t>(z) * static_cast<std::size_t>(coarse.y) + static_cast<std::size_t>(y)) *
                    static_cast<std::size_t>(coarse.x) +
                static_cast<std::size_t>(axes[0].first)) *
                   numbers;
    for (int which = 0; which < 2; ++which) {
      for (int order = 0; order < O::along_x; ++order) {
        const auto& weights = rooms.weights[which][order];
        for (int n = 0; n < side; n += lanes) {
          // By slopes along y and z.
          auto v = hn::Zero(d), vy = hn::Zero(d), vz = hn::Zero(d), vyz = hn::Zero(d);
          for (int k = 0; k < window; ++k) {
            const double* point = from + k * numbers;
            for (int slope = 0; slope < 2; ++slope, point += 4) {
              const auto weight = hn::Load(d, weights[k][slope] + n);
              v = hn::MulAdd(weight, hn::Set(d, point[0]), v);
              vy = hn::MulAdd(weight, hn::Set(d, point[1]), vy);
              vz = hn::MulAdd(weight, hn::Set(d, point[2]), vz);
              vyz = hn::MulAdd(weight, hn::Set(d, point[3]), vyz);
            }
          }
          auto& out = rooms.along_x[which][order];
          hn::Store(v, d, out[0][0] + row * side + n);
          hn::Store(vy, d, out[1][0] + row * side + n);
          hn::Store(vz, d, out[0][1] + row * side + n);
          hn::Store(vyz, d, out[1][1] + row * side + n);
        }
      }
    }
  }
  for (int which = 0; which < 2; ++which) {
    // All 8 points along y and z, or the 4 middles by fewer taps.
    const int count = which == 0 ? side : cells;
    const auto cell_of = [&](int n) { return which == 0 ? n / 2 : n; };
    const auto weights_of = [&](const Axis& axis, int order, int n) -> const double(&)[taps][2] {
      return which == 0 ? axis.all[order][n] : axis.fewer[order][n];
    };
    for (int xy = 0; xy < O::along_xy; ++xy) {
      const auto& of_order = rooms.along_x[which][O::xy[xy].x];
      for (int slope = 0; slope < 2; ++slope) {
        for (int z = 0; z < window; ++z) {
          for (int y = 0; y < count; ++y) {
            const int from = (z * window + axes[1].start[cell_of(y)]) * side;
            double* out = rooms.along_y[xy][slope] + (z * side + y) * side;
            const auto& weights = weights_of(axes[1], O::xy[xy].y, y);
            for (int n = 0; n < side; n += lanes) {
              hn::Store(sum_of(d, weights, of_order[0][slope] + from + n, of_order[1][slope] + from + n, side), d,
                        out + n);
            }
          }
        }
      }
    }
    for (int number = 0; number < count_of(output); ++number) {
      const auto& of_orders = rooms.along_y[O::out[number].xy];
      for (int z = 0; z < count; ++z) {
        const auto& weights = weights_of(axes[2], O::out[number].z, z);
        for (int y = 0; y < count; ++y) {
          const int from = (axes[2].start[cell_of(z)] * side + y) * side;
          double* out = which == 0 ? to.values[number] + (z * side + y) * side : to.fewer[number][z][y];
          for (int n = 0; n < side; n += lanes) {
            hn::Store(sum_of(d, weights, of_orders[0] + from + n, of_orders[1] + from + n, side * side), d, out + n);
          }
        }
      }
    }
  }
  for (int number = 0; number < count_of(output); ++number) {
    for (int z = 0; z < cells; ++z) {
      for (int y = 0; y < cells; ++y) {
        for (int x = 0; x < cells; ++x)
          to.fewer[number][z][y][x] -= to.values[number][((2 * z + 1) * side + 2 * y + 1) * side + 2 * x + 1];
      }
    }
  }
}

HWY_ATTR void interpolate_any(const Axis (&axes)[3], glm::ivec3 coarse, const double* sums, MixedOutput output,
                              MixedTile& to) {
  if (output == MixedOutput::slopes) return interpolate<MixedOutput::slopes>(axes, coarse, sums, to);
  if (output == MixedOutput::mixed) return interpolate<MixedOutput::mixed>(axes, coarse, sums, to);
  interpolate<MixedOutput::second>(axes, coarse, sums, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(interpolate_any);

void interpolate_mixed_tile(const mixed::Axis (&axes)[3], glm::ivec3 coarse, const double* sums, MixedOutput output,
                            MixedTile& to) {
  HWY_DYNAMIC_DISPATCH(interpolate_any)(axes, coarse, sums, output, to);
}

}  // namespace isolume
#endif  // HWY_ONCE
