// Gaussians onto a mesh, tables about sites and splines between mesh points, in SIMD.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compute/electron_density/mesh/density_mesh_body.h"
#include "compute/orbitals/orbital_terms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/mesh/density_mesh_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, 16>;
constexpr int mesh_orders = std::max(2 * max_degree, most_site_order) + 1;
constexpr std::size_t longest = 256;  // points along an axis at a time

/// Derivatives with respect to the centre of sqrt(p / pi) exp(-p (x - centre)^2) at points x = first, first + step, ...
struct Line {
  int begin = 0, end = 0;  ///< of mesh points
  alignas(64) float at[mesh_orders][longest];

  void set(double centre, double exponent, int order, double origin, double step, int from, int to) {
    begin = from;
    end = to;
    const double root = std::sqrt(exponent), norm = root / 1.7724538509055160273;
    for (int i = from; i < to; ++i) {
      const double s = root * (origin + step * i - centre);
      double before = 0, value = norm * std::exp(-s * s);
      for (int t = 0; t <= order; ++t) {
        at[t][i - from] = static_cast<float>(value);
        const double next = root * 2 * s * value - 2 * exponent * t * before;
        before = value;
        value = next;
      }
    }
  }
};

HWY_ATTR void spread(const MeshSource& source, const float* coefficients, const MeshRows& mesh, int first, int end) {
  static thread_local Line x, y, z;
  const F d;
  const std::size_t lanes = hn::Lanes(d);
  const auto range = [&](int axis, int least, int most) {
    const double at = (source.centre[axis] - mesh.origin[axis]) / mesh.step, reach = source.reach / mesh.step;
    return glm::ivec2(std::max(least, static_cast<int>(std::ceil(at - reach))),
                      std::min(most, static_cast<int>(std::floor(at + reach)) + 1));
  };
  const glm::ivec2 in_z = range(2, first, end), in_y = range(1, 0, mesh.counts.y), in_x = range(0, 0, mesh.counts.x);
  if (in_z.x >= in_z.y || in_y.x >= in_y.y || in_x.x >= in_x.y) return;
  const int order = source.order;
  constexpr int most = static_cast<int>(longest);
  // Wide sources are taken in pieces.
  for (int z0 = in_z.x; z0 < in_z.y; z0 += most) {
    z.set(source.centre.z, source.exponent, order, mesh.origin.z, mesh.step, z0, std::min(in_z.y, z0 + most));
    for (int y0 = in_y.x; y0 < in_y.y; y0 += most) {
      y.set(source.centre.y, source.exponent, order, mesh.origin.y, mesh.step, y0, std::min(in_y.y, y0 + most));
      for (int x0 = in_x.x; x0 < in_x.y; x0 += most) {
        x.set(source.centre.x, source.exponent, order, mesh.origin.x, mesh.step, x0, std::min(in_x.y, x0 + most));
        for (int k = z.begin; k < z.end; ++k) {
          const double dz = mesh.origin.z + mesh.step * k - source.centre.z;
          // Sums over v, by (t, u).
          float of_z[mesh_orders][mesh_orders];
          for (int t = 0; t <= order; ++t) {
            for (int u = 0; t + u <= order; ++u) of_z[t][u] = 0;
          }
          for (int total = 0, h = 0; total <= order; ++total) {
            for (int t = total; t >= 0; --t) {
              for (int u = total - t; u >= 0; --u, ++h)
                of_z[t][u] += coefficients[h] * z.at[total - t - u][k - z.begin];
            }
          }
          for (int j = y.begin; j < y.end; ++j) {
            const double dy = mesh.origin.y + mesh.step * j - source.centre.y;
            const double left = source.reach * source.reach - dz * dz - dy * dy;
            if (left <= 0) continue;
            const double half = std::sqrt(left), at = source.centre.x - mesh.origin.x;
            const int begin = std::max(x.begin, static_cast<int>(std::ceil((at - half) / mesh.step)));
            const int last = std::min(x.end, static_cast<int>(std::floor((at + half) / mesh.step)) + 1);
            if (begin >= last) continue;
            float of_y[mesh_orders];
            for (int t = 0; t <= order; ++t) {
              of_y[t] = 0;
              for (int u = 0; t + u <= order; ++u) of_y[t] += of_z[t][u] * y.at[u][j - y.begin];
            }
            float* const to =
                mesh.values + (static_cast<std::size_t>(k) * mesh.rows + static_cast<std::size_t>(j)) * mesh.stride;
            std::size_t i = static_cast<std::size_t>(begin);
            const std::size_t stop = static_cast<std::size_t>(last), x_begin = static_cast<std::size_t>(x.begin);
            for (; i + lanes <= stop; i += lanes) {
              auto sum = hn::LoadU(d, to + i);
              for (int t = 0; t <= order; ++t)
                sum = hn::MulAdd(hn::Set(d, of_y[t]), hn::LoadU(d, x.at[t] + (i - x_begin)), sum);
              hn::StoreU(sum, d, to + i);
            }
            for (; i < stop; ++i) {
              float sum = to[i];
              for (int t = 0; t <= order; ++t) sum += of_y[t] * x.at[t][i - x_begin];
              to[i] = sum;
            }
          }
        }
      }
    }
  }
}

/// Weights of six rows a distance of 1 apart, at `u` from the first.
HWY_ATTR void six_weights(float u, float* w) {
  const float a = u, b = u - 1, c = u - 2, e = u - 3, f = u - 4, g = u - 5;
  w[0] = b * c * e * f * g * (-1.0f / 120);
  w[1] = a * c * e * f * g * (1.0f / 24);
  w[2] = a * b * e * f * g * (-1.0f / 12);
  w[3] = a * b * c * f * g * (1.0f / 12);
  w[4] = a * b * c * e * g * (-1.0f / 24);
  w[5] = a * b * c * e * f * (1.0f / 120);
}

HWY_ATTR void site_row(const SiteTable& table, const float* numbers, glm::dvec3 from, glm::dvec3 step, int first,
                       int end, float* out) {
  const F d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) float powers[hermite_count(most_site_order) + 32];
  const auto count = static_cast<std::size_t>(hermite_count(table.order));
  std::fill(powers, powers + table.width + 16, 0.0f);
  const double per_radius = 1 / table.radius, per_step = 1 / site_step;
  const double reach2 = table.reach * table.reach;
  const auto last = static_cast<double>(table.rows - site_points);
  for (int i = first; i < end; ++i) {
    const glm::dvec3 away = table.centre - (from + static_cast<double>(i) * step);
    const double r2 = glm::dot(away, away);
    if (r2 >= reach2) continue;
    const double r = std::sqrt(r2), over = r > 1e-30 ? 1 / r : 1e30;
    const double place = std::log1p(r * per_radius) * per_step;
    const double row = std::min(std::max(std::floor(place) - 2, 0.0), last);
    float w[site_points];
    six_weights(static_cast<float>(place - row), w);
    const auto x = static_cast<float>(away.x * over), y = static_cast<float>(away.y * over),
               z = static_cast<float>(away.z * over);
    // Degree by degree: x times all of the degree before, then y times those without x, then z^n.
    powers[0] = 1;
    std::size_t before = 0, now = 1;
    for (int degree = 1; degree <= table.order; ++degree) {
      const std::size_t all = now - before;  // of the degree before
      const auto without = static_cast<std::size_t>(degree);
      for (std::size_t n = 0; n < all; ++n) powers[now + n] = x * powers[before + n];
      for (std::size_t n = 0; n < without; ++n) powers[now + all + n] = y * powers[now - without + n];
      powers[now + all + without] = z * powers[now - 1];
      before = now;
      now += all + without + 1;
    }
    powers[count] = static_cast<float>(over);
    const float* const t = numbers + static_cast<std::size_t>(row) * table.width;
    const std::size_t width = table.width;
    auto sum = hn::Zero(d);
    for (std::size_t n = 0; n < width; n += lanes) {
      auto a = hn::Mul(hn::Set(d, w[0]), hn::LoadU(d, t + n));
      auto b = hn::Mul(hn::Set(d, w[1]), hn::LoadU(d, t + width + n));
      a = hn::MulAdd(hn::Set(d, w[2]), hn::LoadU(d, t + 2 * width + n), a);
      b = hn::MulAdd(hn::Set(d, w[3]), hn::LoadU(d, t + 3 * width + n), b);
      a = hn::MulAdd(hn::Set(d, w[4]), hn::LoadU(d, t + 4 * width + n), a);
      b = hn::MulAdd(hn::Set(d, w[5]), hn::LoadU(d, t + 5 * width + n), b);
      sum = hn::MulAdd(hn::Add(a, b), hn::LoadU(d, powers + n), sum);
    }
    out[i] += hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

HWY_ATTR void mix(std::span<const float* const> rows, std::span<const float> weights, std::size_t count, float* to) {
  const F d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t w = 0; w < rows.size(); ++w)
      sum = hn::MulAdd(hn::Set(d, weights[w]), hn::LoadU(d, rows[w] + n), sum);
    hn::StoreU(sum, d, to + n);
  }
  for (; n < count; ++n) {
    float sum = 0;
    for (std::size_t w = 0; w < rows.size(); ++w) sum += weights[w] * rows[w][n];
    to[n] = sum;
  }
}

HWY_ATTR void read(const float* row, const int* starts, const float* weights, std::size_t count, float* out) {
  const F d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; ++i) {
    auto sum = hn::Zero(d);
    for (std::size_t w = 0; w < 16; w += lanes)
      sum = hn::MulAdd(hn::LoadU(d, row + starts[i] + w), hn::LoadU(d, weights + 16 * i + w), sum);
    out[i] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(spread);
HWY_EXPORT(site_row);
HWY_EXPORT(mix);
HWY_EXPORT(read);

void spread_source(const MeshSource& source, const float* coefficients, const MeshRows& mesh, int first, int end) {
  HWY_DYNAMIC_DISPATCH(spread)(source, coefficients, mesh, first, end);
}
void add_site(const SiteTable& table, const float* numbers, glm::dvec3 from, glm::dvec3 step, int first, int end,
              float* out) {
  HWY_DYNAMIC_DISPATCH(site_row)(table, numbers, from, step, first, end, out);
}
void mix_rows(std::span<const float* const> rows, std::span<const float> weights, std::size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(mix)(rows, weights, count, to);
}
void read_row(const float* row, const int* starts, const float* weights, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(read)(row, starts, weights, count, out);
}

}  // namespace isolume
#endif  // HWY_ONCE
