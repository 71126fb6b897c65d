// Debye-Hückel on the CPU: vectors of points along rows, every sphere in turn.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/debye_hueckel/debye_cells.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel_bodies.h"
#include "compute/electrostatics/debye_hueckel/debye_tile_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/debye_hueckel/debye_hueckel_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 2^-x for x >= 0 by a polynomial of degree 5 on [-1/2, 1/2] (Taylor's of degree 7, economised by Chebyshev's
/// polynomials: relative error 1e-7); 0 for x > 126, which only `bounded` excludes beforehand.
template <bool bounded, class D, class V>
HWY_INLINE V exp2_minus(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto limited = bounded ? x : hn::Min(x, hn::Set(d, 126.0f));
  // Rounding by subtracting from 1.5 * 2^23 leaves the integer in the low bits.
  const auto magic = hn::Set(d, 12582912.0f);
  const auto shifted = hn::Sub(magic, limited);
  const auto f = hn::Add(limited, hn::Sub(shifted, magic));  // -x = integer - f
  auto p = hn::Set(d, -1.3400289e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 9.6758920e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, -5.5503275e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022110e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, -6.9314721e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const auto scale = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  const auto value = hn::BitCast(d, hn::Add(hn::BitCast(di, p), scale));
  return bounded ? value : hn::IfThenElseZero(hn::Lt(x, hn::Set(d, 126.0f)), value);
}

/// 2^x for |x| <= debye_close, relative error 2.4e-7: interpolated at Chebyshev's five points.
template <class D, class V>
HWY_INLINE V exp2_near(D d, V x) {
  auto p = hn::Set(d, 9.63547147e-3f);
  p = hn::MulAdd(p, x, hn::Set(d, 5.56542657e-2f));
  p = hn::MulAdd(p, x, hn::Set(d, 2.40226117e-1f));
  p = hn::MulAdd(p, x, hn::Set(d, 6.93143801e-1f));
  return hn::MulAdd(p, x, hn::Set(d, 1.0f));
}

/// Adds the spheres [first, last), at most debye_block, to a tile: amplitude / r 2^-r, lengths in units of 1/(kappa
/// log2 e).
template <bool bounded, bool close>
void add_block(const DebyeSpheres& spheres, std::size_t first, std::size_t last, DebyeTile& tile) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t count = last - first;
  HWY_ALIGN float c[debye_rows][debye_block];
  HWY_ALIGN float start[debye_rows][debye_block];
  HWY_ALIGN float amplitude[debye_block];
  bool near = false;
  const double* x = spheres.x.data() + first;
  const double* y = spheres.y.data() + first;
  const double* z = spheres.z.data() + first;
  for (std::size_t n = 0; n < count; ++n) amplitude[n] = static_cast<float>(spheres.amplitude[first + n]);
  for (int row = 0; row < debye_rows; ++row) {
    float least = 1e30f;
    for (std::size_t n = 0; n < count; ++n) {
      const double dy = tile.y[row] - y[n];
      const double dz = tile.z[row] - z[n];
      c[row][n] = static_cast<float>(dy * dy + dz * dz);
      least = c[row][n] < least ? c[row][n] : least;
    }
    near = near || least <= tile.coincident2;
  }
  const auto along = hn::Mul(hn::Iota(d, 0.0f), hn::Set(d, static_cast<float>(tile.step)));
  const auto half = hn::Set(d, 0.5f);
  const auto distance = [&](V dx, V c0, V& inverse, auto checked) HWY_ATTR {
    const auto r2 = hn::MulAdd(dx, dx, c0);
    auto e = hn::ApproximateReciprocalSqrt(r2);
    if constexpr (decltype(checked)::value) e = hn::IfThenZeroElse(hn::Le(r2, hn::Set(d, tile.coincident2)), e);
    // One step of Goldschmidt's for r and 1/r together.
    const auto g = hn::Mul(r2, e);
    const auto u = hn::NegMulAdd(g, hn::Mul(half, e), half);
    inverse = hn::MulAdd(e, u, e);
    return hn::MulAdd(g, u, g);
  };
  const auto pair = [&](V dx, V c0, V a, V sum, auto checked) HWY_ATTR {
    V inverse;
    const auto r = distance(dx, c0, inverse, checked);
    return hn::MulAdd(hn::Mul(a, inverse), exp2_minus<bounded>(d, r), sum);
  };
  static_assert(debye_rows == 4, "four rows share a vector below");
  for (int v = 0; v < tile.count; v += lanes) {
    if ((tile.count - v) * debye_rows <= lanes) {
      // What is left of the four rows fits into one vector: lane l is point l / 4 of row l % 4.
      HWY_ALIGN float places[debye_block][debye_rows];
      HWY_ALIGN float squares[debye_block][debye_rows];
      HWY_ALIGN float offsets[HWY_MAX_BYTES / sizeof(float)];
      for (int l = 0; l < lanes; ++l) offsets[l] = static_cast<float>(l / debye_rows * tile.step);
      for (int row = 0; row < debye_rows; ++row) {
        const double x0 = tile.x[row] + v * tile.step;
        for (std::size_t n = 0; n < count; ++n) {
          places[n][row] = static_cast<float>(x0 - x[n]);
          squares[n][row] = c[row][n];
        }
      }
      const auto offset = hn::Load(d, offsets);
      auto sum = hn::Zero(d);
      for (std::size_t n = 0; n < count; ++n) {
        const auto x0 = hn::Add(hn::LoadDup128(d, places[n]), offset);
        sum = pair(x0, hn::LoadDup128(d, squares[n]), hn::Set(d, amplitude[n]), sum, std::true_type());
      }
      HWY_ALIGN float partial[HWY_MAX_BYTES / sizeof(float)];
      hn::Store(sum, d, partial);
      for (int l = 0; l < lanes; ++l) {
        const int i = v + l / debye_rows;
        if (i < debye_length) tile.sums[l % debye_rows * debye_length + i] += static_cast<double>(partial[l]);
      }
      break;
    }
    for (int row = 0; row < debye_rows; ++row) {
      const double x0 = tile.x[row] + v * tile.step;
      for (std::size_t n = 0; n < count; ++n) start[row][n] = static_cast<float>(x0 - x[n]);
    }
    auto s0 = hn::Zero(d);
    auto s1 = s0;
    auto s2 = s0;
    auto s3 = s0;
    const auto all = [&](auto checked) HWY_ATTR {
      for (std::size_t n = 0; n < count; ++n) {
        const auto a = hn::Set(d, amplitude[n]);
        const auto at = [&](int row) HWY_ATTR { return hn::Add(along, hn::Set(d, start[row][n])); };
        const auto beside = [&](int row) HWY_ATTR { return hn::Set(d, c[row][n]); };
        if constexpr (close) {
          V inverse;
          const auto r = distance(at(debye_middle), beside(debye_middle), inverse, checked);
          const auto screened = hn::Mul(a, exp2_minus<bounded>(d, r));
          s1 = hn::MulAdd(screened, inverse, s1);
          const auto other = [&](int row, V sum) HWY_ATTR {
            V own;
            const auto apart = hn::Sub(r, distance(at(row), beside(row), own, checked));
            return hn::MulAdd(hn::Mul(screened, own), exp2_near(d, apart), sum);
          };
          s0 = other(0, s0);
          s2 = other(2, s2);
          s3 = other(3, s3);
        } else {
          s0 = pair(at(0), beside(0), a, s0, checked);
          s1 = pair(at(1), beside(1), a, s1, checked);
          s2 = pair(at(2), beside(2), a, s2, checked);
          s3 = pair(at(3), beside(3), a, s3, checked);
        }
      }
    };
    if (near) {
      all(std::true_type());
    } else {
      all(std::false_type());
    }
    HWY_ALIGN float partial[debye_rows][HWY_MAX_BYTES / sizeof(float)];
    hn::Store(s0, d, partial[0]);
    hn::Store(s1, d, partial[1]);
    hn::Store(s2, d, partial[2]);
    hn::Store(s3, d, partial[3]);
    for (int row = 0; row < debye_rows; ++row) {
      double* to = tile.sums + row * debye_length + v;
      for (int i = 0; i < lanes && v + i < debye_length; ++i) to[i] += static_cast<double>(partial[row][i]);
    }
  }
}

void add_spheres(const DebyeSpheres& spheres, std::size_t first, std::size_t last, DebyeTile& tile) {
  if (tile.close) {
    tile.bounded ? add_block<true, true>(spheres, first, last, tile)
                 : add_block<false, true>(spheres, first, last, tile);
  } else {
    tile.bounded ? add_block<true, false>(spheres, first, last, tile)
                 : add_block<false, false>(spheres, first, last, tile);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "molecule/base/units.h"

namespace isolume {

HWY_EXPORT(add_spheres);

void debye_hueckel_cpu(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                       const DebyeHueckelOptions& options, Span<float> potential, Job& job) {
  const PhaseTimer timer("Debye-Hückel");
  const double kappa = options.inverse_debye_length();
  // Without ions the unit is so long that 2^-r is 1 to single precision.
  const double unit = kappa > 0 ? kappa * 1.4426950408889634 : 1e-12;
  std::vector<ChargedSphere> fewer;
  if (const DebyeCells cells = debye_cells(spheres, grids, kappa); !cells.cells.empty()) {
    fewer = debye_far_spheres(cells, spheres, kappa, job);
    spheres = fewer;
  }
  std::size_t offset = 0;
  for (const Grid& grid : grids) {
    float* out = potential.data + offset;
    offset += grid.size();
    if (grid.size() == 0) continue;
    const RowFrame frame(grid);
    DebyeSpheres framed;
    for (const ChargedSphere& s : spheres) {
      const glm::dvec3 p = unit * frame.to_frame(s.position);
      const double radius = static_cast<double>(s.radius);
      framed.x.push_back(p.x);
      framed.y.push_back(p.y);
      framed.z.push_back(p.z);
      framed.amplitude.push_back(units::coulomb_volt_angstrom / options.permittivity * static_cast<double>(s.charge) *
                                 unit * std::exp(kappa * radius) / (1 + kappa * radius));
    }
    // The longest distance is at most that of the corners of the boxes around both.
    glm::dvec3 lower(0.0);
    glm::dvec3 upper(0.0);
    for (std::size_t i = 0; i < framed.x.size(); ++i) {
      lower = glm::min(lower, glm::dvec3(framed.x[i], framed.y[i], framed.z[i]));
      upper = glm::max(upper, glm::dvec3(framed.x[i], framed.y[i], framed.z[i]));
    }
    for (int corner = 0; corner < 8; ++corner) {
      const glm::dvec3 p =
          unit * frame.point((corner & 1) ? grid.counts.x - 1 + debye_length : 0, (corner & 2) ? grid.counts.y - 1 : 0,
                             (corner & 4) ? grid.counts.z - 1 : 0);
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    const bool bounded = glm::length(upper - lower) < 125;
    const glm::ivec3 n = grid.counts;
    const int chunks = (n.x + debye_length - 1) / debye_length;
    const std::size_t rows = static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    const std::size_t groups = (rows + debye_rows - 1) / debye_rows;
    parallel_for(groups * static_cast<std::size_t>(chunks), job, "Debye-Hückel", [&](std::size_t t) {
      const int i = static_cast<int>(t % static_cast<std::size_t>(chunks)) * debye_length;
      const std::size_t group = t / static_cast<std::size_t>(chunks);
      alignas(64) double sums[debye_rows * debye_length] = {};
      DebyeTile tile;
      tile.step = unit * frame.ax;
      tile.count = std::min(debye_length, n.x - i);
      tile.bounded = bounded;
      tile.coincident2 = static_cast<float>(coincidence * coincidence * unit * unit);
      tile.sums = sums;
      for (int r = 0; r < debye_rows; ++r) {
        const std::size_t row = std::min(rows - 1, group * debye_rows + static_cast<std::size_t>(r));
        const glm::dvec3 p = unit * frame.point(i, static_cast<double>(row % static_cast<std::size_t>(n.y)),
                                                static_cast<double>(row / static_cast<std::size_t>(n.y)));
        tile.x[r] = p.x;
        tile.y[r] = p.y;
        tile.z[r] = p.z;
      }
      tile.close = true;
      for (int r = 0; r < debye_rows; ++r) {
        const glm::dvec3 apart(tile.x[r] - tile.x[debye_middle], tile.y[r] - tile.y[debye_middle],
                               tile.z[r] - tile.z[debye_middle]);
        tile.close = tile.close && glm::length(apart) <= debye_close;
      }
      // Totals in double precision, from blocks of single.
      for (std::size_t first = 0; first < framed.x.size(); first += debye_block) {
        job.check();
        HWY_DYNAMIC_DISPATCH(add_spheres)(framed, first, std::min(framed.x.size(), first + debye_block), tile);
      }
      for (int r = 0; r < debye_rows; ++r) {
        const std::size_t row = group * debye_rows + static_cast<std::size_t>(r);
        if (row >= rows) break;
        float* to = out + row * static_cast<std::size_t>(n.x) + i;
        for (int x = 0; x < tile.count; ++x) to[x] = static_cast<float>(sums[r * debye_length + x]);
      }
    });
  }
}

}  // namespace isolume
#endif  // HWY_ONCE
