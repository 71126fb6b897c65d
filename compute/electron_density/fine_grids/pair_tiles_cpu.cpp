// Tiles of fine grids: Hermite's interpolation from a coarser grid along z, y and x, and sums of Gaussians as products
// of what they are along each axis. In SIMD.
#include "compute/electron_density/fine_grids/pair_tiles.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/fine_grids/pair_tiles_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace pairs {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, cube>;

/// Orders of derivatives along y and z, and along x with those of them.
struct YZ {
  int y, z;
};
struct Out {
  int x, yz;
};
template <PairOutput output>
struct Orders;
template <>
struct Orders<PairOutput::value> {
  static constexpr YZ yz[] = {{0, 0}};
  static constexpr Out out[] = {{0, 0}};
  static constexpr int along_z = 1, along_yz = 1;
};
template <>
struct Orders<PairOutput::slopes> {
  static constexpr YZ yz[] = {{0, 0}, {1, 0}, {0, 1}};
  static constexpr Out out[] = {{0, 0}, {1, 0}, {0, 1}, {0, 2}};
  static constexpr int along_z = 2, along_yz = 3;
};
template <>
struct Orders<PairOutput::mixed> {
  static constexpr YZ yz[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  static constexpr Out out[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}};
  static constexpr int along_z = 2, along_yz = 4;
};
template <>
struct Orders<PairOutput::second> {
  static constexpr YZ yz[] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
  static constexpr Out out[] = {{0, 0}, {1, 0}, {0, 1}, {0, 2}, {2, 0}, {1, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}};
  static constexpr int along_z = 3, along_yz = 6;
};

constexpr int rows = window - 1;  // along y and z that are needed

/// What one plane of a tile has after z, by order, slope along x, slope along y; and after y, by orders and slope along
/// x. One thread's.
struct Planes {
  alignas(64) double after_z[3][2][2][rows * window];
  alignas(64) double after_y[6][2][side * window];
};

/// sum of weights times values and slopes of 8 points that are `stride` apart.
template <class D>
HWY_ATTR hn::Vec<D> sum_of(D d, const double (&weights)[mixed::taps][2], const double* values, const double* slopes,
                           std::size_t stride) {
  auto a = hn::Zero(d), b = hn::Zero(d);
  for (std::size_t k = 0; k < mixed::taps; ++k) {
    a = hn::MulAdd(hn::Set(d, weights[k][0]), hn::LoadU(d, values + k * stride), a);
    b = hn::MulAdd(hn::Set(d, weights[k][1]), hn::LoadU(d, slopes + k * stride), b);
  }
  return hn::Add(a, b);
}

/// The derivative of `order` at the middle of a cell, or at its first point, from the first of its 8 points on.
template <class D>
HWY_ATTR hn::Vec<D> derivative(D d, const Axis& axis, int order, bool middle, const double* values,
                               const double* slopes, std::size_t stride) {
  if (middle) return sum_of(d, axis.middle[order], values, slopes, stride);
  if (order == 2) return sum_of(d, axis.point, values, slopes, stride);
  return hn::LoadU(d, (order == 0 ? values : slopes) + before * stride);
}

template <PairOutput output>
HWY_ATTR void interpolate_as(const Axis (&axes)[3], const Window& from, double* to) {
  using O = Orders<output>;
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  thread_local const std::unique_ptr<Planes> room = std::make_unique<Planes>();
  Planes& planes = *room;
  for (int z = 0; z < side; ++z) {
    for (int order = 0; order < O::along_z; ++order) {
      for (int x_slope = 0; x_slope < 2; ++x_slope) {
        for (int y_slope = 0; y_slope < 2; ++y_slope) {
          const double* values = from.from + static_cast<std::size_t>(4 * x_slope + y_slope) * from.number +
                                 static_cast<std::size_t>(z / 2) * from.plane;
          const double* slopes = values + 2 * from.number;
          double* out = planes.after_z[order][x_slope][y_slope];
          for (int y = 0; y < rows; ++y) {
            const std::size_t row = static_cast<std::size_t>(y) * from.row;
            for (int n = 0; n < window; n += lanes) {
              const std::size_t at = row + static_cast<std::size_t>(n);
              hn::Store(derivative(d, axes[2], order, z % 2 == 1, values + at, slopes + at, from.plane), d,
                        out + y * window + n);
            }
          }
        }
      }
    }
    for (int yz = 0; yz < O::along_yz; ++yz) {
      for (int x_slope = 0; x_slope < 2; ++x_slope) {
        const auto& of_z = planes.after_z[O::yz[yz].z][x_slope];
        for (int y = 0; y < side; ++y) {
          for (int n = 0; n < window; n += lanes) {
            const int at = y / 2 * window + n;
            hn::Store(derivative(d, axes[1], O::yz[yz].y, y % 2 == 1, of_z[0] + at, of_z[1] + at, window), d,
                      planes.after_y[yz][x_slope] + y * window + n);
          }
        }
      }
    }
    for (int number = 0; number < count_of(output); ++number) {
      const auto& of_yz = planes.after_y[O::out[number].yz];
      for (int y = 0; y < side; ++y) {
        double* out = to + number * points + (z * side + y) * side;
        for (int n = 0; n < cells; n += lanes) {
          const int at = y * window + n;
          const int order = O::out[number].x;
          hn::StoreInterleaved2(derivative(d, axes[0], order, false, of_yz[0] + at, of_yz[1] + at, 1),
                                derivative(d, axes[0], order, true, of_yz[0] + at, of_yz[1] + at, 1), d, out + 2 * n);
        }
      }
    }
  }
}

HWY_ATTR void interpolate_any(const Axis (&axes)[3], const Window& from, PairOutput output, double* to) {
  if (output == PairOutput::value) return interpolate_as<PairOutput::value>(axes, from, to);
  if (output == PairOutput::slopes) return interpolate_as<PairOutput::slopes>(axes, from, to);
  if (output == PairOutput::mixed) return interpolate_as<PairOutput::mixed>(axes, from, to);
  interpolate_as<PairOutput::second>(axes, from, to);
}

constexpr int most_orders = 2 * 6 + 2 + 3;  // of derivatives along an axis: of a Gaussian of tau, and of the output
constexpr std::size_t chunk = 8;            // Gaussians whose factors along y and z are kept

/// The derivatives of one Gaussian along the axes, at 8 points each, and its sums over z.
struct Factors {
  alignas(64) double along[3][most_orders][cube];
  double distance2[2][cube];  // along y and z
  int order;
  double reach2;
  std::vector<double> over_z;   // by order along z, then t and u: 8 points along z
  std::vector<double> over_yz;  // in one plane: by orders along y and z, then t: 8 points along y
};

HWY_ATTR inline void set_factors(const PairGaussian& of, glm::dvec3 origin, glm::dvec3 step, int derivatives,
                                 Factors& to) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int last = of.order + derivatives;
  to.order = of.order;
  to.reach2 = of.reach * of.reach;
  for (int axis = 0; axis < 3; ++axis) {
    auto& out = to.along[axis];
    for (int n = 0; n < cube; n += lanes) {
      const auto x = hn::MulAdd(hn::Iota(d, n), hn::Set(d, step[axis]), hn::Set(d, origin[axis] - of.centre[axis]));
      const auto x2 = hn::Mul(x, x);
      if (axis > 0) hn::StoreU(x2, d, to.distance2[axis - 1] + n);
      const auto slope = hn::Mul(hn::Set(d, -2 * of.exponent), x);
      auto lower = hn::Zero(d), value = hn::Exp(d, hn::Mul(hn::Set(d, -of.exponent), x2));
      hn::Store(value, d, out[0] + n);
      // G^(t+1) = -2 p (x G^(t) + t G^(t-1)).
      for (int t = 0; t < last; ++t) {
        const auto next = hn::MulAdd(slope, value, hn::Mul(hn::Set(d, -2 * of.exponent * t), lower));
        lower = value;
        value = next;
        hn::Store(value, d, out[t + 1] + n);
      }
    }
  }
}

/// Sums over v of the coefficients with what they are along z, by the order of derivatives along z.
HWY_ATTR inline void sum_over_z(const double* coefficients, int derivatives, Factors& of) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t tu = static_cast<std::size_t>((of.order + 1) * (of.order + 2) / 2);
  const std::size_t size = static_cast<std::size_t>(derivatives + 1) * tu * cube;
  if (of.over_z.size() < size) of.over_z.resize(size);
  double* out = of.over_z.data();
  for (int dz = 0; dz <= derivatives; ++dz) {
    const double* c = coefficients;
    for (int t = 0; t <= of.order; ++t) {
      for (int u = 0; t + u <= of.order; ++u, out += cube) {
        const int count = of.order - t - u + 1;
        for (int n = 0; n < cube; n += lanes) {
          auto sum = hn::Zero(d);
          for (int v = 0; v < count; ++v) sum = hn::MulAdd(hn::Set(d, c[v]), hn::Load(d, of.along[2][v + dz] + n), sum);
          hn::StoreU(sum, d, out + n);
        }
        c += count;
      }
    }
  }
}

/// In the plane z: sums over u, by orders along y and z, then t.
template <PairOutput output>
HWY_ATTR void sum_over_y(int z, Factors& of) {
  using O = Orders<output>;
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t tu = static_cast<std::size_t>((of.order + 1) * (of.order + 2) / 2);
  const std::size_t size = static_cast<std::size_t>(O::along_yz * (of.order + 1)) * cube;
  if (of.over_yz.size() < size) of.over_yz.resize(size);
  double* out = of.over_yz.data();
  for (int yz = 0; yz < O::along_yz; ++yz) {
    const double* from = of.over_z.data() + static_cast<std::size_t>(O::yz[yz].z) * tu * cube + z;
    for (int t = 0; t <= of.order; ++t, out += cube) {
      const int count = of.order - t + 1;
      for (int n = 0; n < cube; n += lanes) {
        auto sum = hn::Zero(d);
        for (int u = 0; u < count; ++u)
          sum = hn::MulAdd(hn::Set(d, from[u * cube]), hn::Load(d, of.along[1][u + O::yz[yz].y] + n), sum);
        hn::StoreU(sum, d, out + n);
      }
      from += static_cast<std::size_t>(count) * cube;
    }
  }
}

/// Adds what the Gaussians have in one row along x.
template <PairOutput output>
HWY_ATTR void add_row(std::span<const Factors* const> all, int y, double* to) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < cube; n += lanes) {
    const auto load = [&](int number) HWY_ATTR { return hn::LoadU(d, to + number * points + n); };
    const auto store = [&](int number, auto sum) HWY_ATTR { hn::StoreU(sum, d, to + number * points + n); };
    if constexpr (output == PairOutput::value) {
      auto f = load(0);
      for (const Factors* of : all) {
        const double* yz = of->over_yz.data() + y;
        for (int t = 0; t <= of->order; ++t)
          f = hn::MulAdd(hn::Set(d, yz[t * cube]), hn::Load(d, of->along[0][t] + n), f);
      }
      store(0, f);
    } else if constexpr (output == PairOutput::slopes) {
      auto f = load(0), fx = load(1), fy = load(2), fz = load(3);
      for (const Factors* of : all) {
        const double* yz = of->over_yz.data() + y;
        const int next = (of->order + 1) * cube;
        auto x = hn::Load(d, of->along[0][0] + n);
        for (int t = 0; t <= of->order; ++t, yz += cube) {
          const auto x1 = hn::Load(d, of->along[0][t + 1] + n);
          const auto b = hn::Set(d, yz[0]);
          f = hn::MulAdd(b, x, f);
          fx = hn::MulAdd(b, x1, fx);
          fy = hn::MulAdd(hn::Set(d, yz[next]), x, fy);
          fz = hn::MulAdd(hn::Set(d, yz[2 * next]), x, fz);
          x = x1;
        }
      }
      store(0, f);
      store(1, fx);
      store(2, fy);
      store(3, fz);
    } else if constexpr (output == PairOutput::mixed) {
      auto f = load(0), fy = load(1), fz = load(2), fyz = load(3);
      auto fx = load(4), fxy = load(5), fxz = load(6), fxyz = load(7);
      for (const Factors* of : all) {
        const double* yz = of->over_yz.data() + y;
        const int next = (of->order + 1) * cube;
        auto x = hn::Load(d, of->along[0][0] + n);
        for (int t = 0; t <= of->order; ++t, yz += cube) {
          const auto x1 = hn::Load(d, of->along[0][t + 1] + n);
          const auto b = hn::Set(d, yz[0]), by = hn::Set(d, yz[next]);
          const auto bz = hn::Set(d, yz[2 * next]), byz = hn::Set(d, yz[3 * next]);
          f = hn::MulAdd(b, x, f);
          fy = hn::MulAdd(by, x, fy);
          fz = hn::MulAdd(bz, x, fz);
          fyz = hn::MulAdd(byz, x, fyz);
          fx = hn::MulAdd(b, x1, fx);
          fxy = hn::MulAdd(by, x1, fxy);
          fxz = hn::MulAdd(bz, x1, fxz);
          fxyz = hn::MulAdd(byz, x1, fxyz);
          x = x1;
        }
      }
      store(0, f);
      store(1, fy);
      store(2, fz);
      store(3, fyz);
      store(4, fx);
      store(5, fxy);
      store(6, fxz);
      store(7, fxyz);
    } else {
      auto f = load(0), fx = load(1), fy = load(2), fz = load(3), xx = load(4);
      auto xy = load(5), xz = load(6), yy = load(7), yz2 = load(8), zz = load(9);
      for (const Factors* of : all) {
        const double* yz = of->over_yz.data() + y;
        const int next = (of->order + 1) * cube;
        auto x = hn::Load(d, of->along[0][0] + n), x1 = hn::Load(d, of->along[0][1] + n);
        for (int t = 0; t <= of->order; ++t, yz += cube) {
          const auto x2 = hn::Load(d, of->along[0][t + 2] + n);
          const auto b = hn::Set(d, yz[0]), by = hn::Set(d, yz[next]), bz = hn::Set(d, yz[2 * next]);
          f = hn::MulAdd(b, x, f);
          fx = hn::MulAdd(b, x1, fx);
          xx = hn::MulAdd(b, x2, xx);
          fy = hn::MulAdd(by, x, fy);
          xy = hn::MulAdd(by, x1, xy);
          fz = hn::MulAdd(bz, x, fz);
          xz = hn::MulAdd(bz, x1, xz);
          yy = hn::MulAdd(hn::Set(d, yz[3 * next]), x, yy);
          yz2 = hn::MulAdd(hn::Set(d, yz[4 * next]), x, yz2);
          zz = hn::MulAdd(hn::Set(d, yz[5 * next]), x, zz);
          x = x1;
          x1 = x2;
        }
      }
      store(0, f);
      store(1, fx);
      store(2, fy);
      store(3, fz);
      store(4, xx);
      store(5, xy);
      store(6, xz);
      store(7, yy);
      store(8, yz2);
      store(9, zz);
    }
  }
}

template <PairOutput output>
HWY_ATTR void add_as(const PairGaussians& all, std::span<const std::uint32_t> which, glm::dvec3 origin, glm::dvec3 step,
                     double* to) {
  constexpr int derivatives = output == PairOutput::second ? 2 : output == PairOutput::value ? 0 : 1;
  thread_local const std::unique_ptr<Factors[]> room = std::make_unique<Factors[]>(chunk);
  for (std::size_t first = 0; first < which.size(); first += chunk) {
    const std::size_t count = std::min(chunk, which.size() - first);
    for (std::size_t n = 0; n < count; ++n) {
      const PairGaussian& gaussian = all.gaussians[which[first + n]];
      set_factors(gaussian, origin, step, derivatives, room[n]);
      sum_over_z(all.coefficients.data() + gaussian.first, Orders<output>::along_z - 1, room[n]);
    }
    for (int z = 0; z < cube; ++z) {
      std::array<const Factors*, chunk> in_plane, in_row;
      std::size_t planes = 0;
      for (std::size_t n = 0; n < count; ++n) {
        if (room[n].distance2[1][z] > room[n].reach2) continue;
        sum_over_y<output>(z, room[n]);
        in_plane[planes++] = &room[n];
      }
      if (planes == 0) continue;
      for (int y = 0; y < cube; ++y) {
        std::size_t rows_in_reach = 0;
        for (std::size_t n = 0; n < planes; ++n) {
          const Factors* const of = in_plane[n];
          if (of->distance2[1][z] + of->distance2[0][y] <= of->reach2) in_row[rows_in_reach++] = of;
        }
        if (rows_in_reach > 0) add_row<output>({in_row.data(), rows_in_reach}, y, to + (z * side + y) * side);
      }
    }
  }
}

HWY_ATTR void add_any(const PairGaussians& all, std::span<const std::uint32_t> which, glm::dvec3 origin,
                      glm::dvec3 step, PairOutput output, double* to) {
  if (output == PairOutput::value) return add_as<PairOutput::value>(all, which, origin, step, to);
  if (output == PairOutput::slopes) return add_as<PairOutput::slopes>(all, which, origin, step, to);
  if (output == PairOutput::mixed) return add_as<PairOutput::mixed>(all, which, origin, step, to);
  add_as<PairOutput::second>(all, which, origin, step, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace pairs
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {
namespace pairs {

HWY_EXPORT(interpolate_any);
HWY_EXPORT(add_any);

Axis axis_of(const mixed::Weights& weights, double step) {
  Axis to;
  double factor = 1;
  for (int order = 0; order < 3; ++order, factor /= step) {
    for (int k = 0; k < mixed::taps; ++k) {
      to.middle[order][k][0] = factor * weights.middle[before][order][k][0];
      to.middle[order][k][1] = factor * step * weights.middle[before][order][k][1];
    }
  }
  for (int k = 0; k < mixed::taps; ++k) {
    to.point[k][0] = weights.point[before][k][0] / (step * step);
    to.point[k][1] = weights.point[before][k][1] / step;
  }
  return to;
}

void interpolate(const Axis (&axes)[3], const Window& window, PairOutput output, double* to) {
  HWY_DYNAMIC_DISPATCH(interpolate_any)(axes, window, output, to);
}

void add(const PairGaussians& all, std::span<const std::uint32_t> which, glm::dvec3 origin, glm::dvec3 step,
         PairOutput output, double* to) {
  HWY_DYNAMIC_DISPATCH(add_any)(all, which, origin, step, output, to);
}

}  // namespace pairs
}  // namespace isolume
#endif  // HWY_ONCE
