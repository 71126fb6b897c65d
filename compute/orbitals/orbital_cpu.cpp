// Molecular orbitals on the CPU: tiles of 8 x 8 x 8 points, terms screened by distance, double precision throughout.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/orbitals/orbital_terms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/orbitals/orbital_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef ISOLUME_ORBITAL_TILE
#define ISOLUME_ORBITAL_TILE
namespace isolume {

constexpr int orbital_side = 8;
constexpr int orbital_points = orbital_side * orbital_side * orbital_side;

/// One tile's sums. Points are in bohr: one table an axis where the grid is along the axes, else all of them.
struct OrbitalTile {
  alignas(64) double axes[3][orbital_side];
  alignas(64) double points[3][orbital_points];
  alignas(64) double sums[orbital_points];
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// d^p exp(-a d^2) for p = 0 .. degree along one axis.
template <int degree>
HWY_ATTR void axis_powers(const double* points, double centre, double exponent, double (*out)[orbital_side]) {
  const hn::CappedTag<double, orbital_side> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < orbital_side; i += lanes) {
    const auto x = hn::Sub(hn::Load(d, points + i), hn::Set(d, centre));
    auto value = hn::Exp(d, hn::Mul(hn::Mul(x, x), hn::Set(d, -exponent)));
    hn::Store(value, d, out[0] + i);
    for (int p = 1; p <= degree; ++p) {
      value = hn::Mul(value, x);
      hn::Store(value, d, out[p] + i);
    }
  }
}

/// Adds a term to a tile of an axis-aligned grid: exp(-a r^2) and every monomial are products of one factor an axis.
template <int degree>
HWY_ATTR void add_separable(OrbitalTile& tile, const OrbitalTerm& term, const double* coefficients) {
  const hn::CappedTag<double, orbital_side> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  alignas(64) double x[degree + 1][orbital_side];
  alignas(64) double y[degree + 1][orbital_side];
  alignas(64) double z[degree + 1][orbital_side];
  axis_powers<degree>(tile.axes[0], term.centre[0], term.exponent, x);
  axis_powers<degree>(tile.axes[1], term.centre[1], term.exponent, y);
  axis_powers<degree>(tile.axes[2], term.centre[2], term.exponent, z);
  // Sum over k for each (i, j), all z at once; then over j for each i, all y at once; then over i, all x at once.
  alignas(64) double over_k[(degree + 1) * (degree + 2) / 2][orbital_side];
  const double* c = coefficients;
  int pair = 0;
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; j <= degree - i; ++j, ++pair) {
      for (int v = 0; v < orbital_side; v += lanes) {
        auto sum = hn::Mul(hn::Set(d, c[0]), hn::Load(d, z[0] + v));
        for (int k = 1; k <= degree - i - j; ++k) sum = hn::MulAdd(hn::Set(d, c[k]), hn::Load(d, z[k] + v), sum);
        hn::Store(sum, d, over_k[pair] + v);
      }
      c += degree - i - j + 1;
    }
  }
  for (int at_z = 0; at_z < orbital_side; ++at_z) {
    alignas(64) double over_j[degree + 1][orbital_side];
    pair = 0;
    for (int i = 0; i <= degree; ++i) {
      for (int v = 0; v < orbital_side; v += lanes) {
        auto sum = hn::Mul(hn::Set(d, over_k[pair][at_z]), hn::Load(d, y[0] + v));
        for (int j = 1; j <= degree - i; ++j) {
          sum = hn::MulAdd(hn::Set(d, over_k[pair + j][at_z]), hn::Load(d, y[j] + v), sum);
        }
        hn::Store(sum, d, over_j[i] + v);
      }
      pair += degree - i + 1;
    }
    for (int v = 0; v < orbital_side; v += lanes) {
      for (int at_y = 0; at_y < orbital_side; ++at_y) {
        double* to = tile.sums + (at_z * orbital_side + at_y) * orbital_side + v;
        auto sum = hn::Load(d, to);
        for (int i = 0; i <= degree; ++i) sum = hn::MulAdd(hn::Set(d, over_j[i][at_y]), hn::Load(d, x[i] + v), sum);
        hn::Store(sum, d, to);
      }
    }
  }
}

/// Adds a term to a tile of any grid, point by point.
template <int degree>
HWY_ATTR void add_pointwise(OrbitalTile& tile, const OrbitalTerm& term, const double* coefficients) {
  const hn::CappedTag<double, orbital_side> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int at = 0; at < orbital_points; at += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + at), hn::Set(d, term.centre[0]));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + at), hn::Set(d, term.centre[1]));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + at), hn::Set(d, term.centre[2]));
    const auto r2 = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    const double* c = coefficients;
    auto sum = hn::Zero(d);
    auto powers_x = hn::Set(d, 1.0);
    for (int i = 0; i <= degree; ++i) {
      auto powers_xy = powers_x;
      for (int j = 0; j <= degree - i; ++j) {
        auto powers_xyz = powers_xy;
        for (int k = 0; k <= degree - i - j; ++k) {
          sum = hn::MulAdd(hn::Set(d, *c++), powers_xyz, sum);
          powers_xyz = hn::Mul(powers_xyz, z);
        }
        powers_xy = hn::Mul(powers_xy, y);
      }
      powers_x = hn::Mul(powers_x, x);
    }
    const auto e = hn::Exp(d, hn::Mul(r2, hn::Set(d, -term.exponent)));
    hn::Store(hn::MulAdd(sum, e, hn::Load(d, tile.sums + at)), d, tile.sums + at);
  }
}

template <int degree>
HWY_ATTR void add_term(OrbitalTile& tile, const OrbitalTerm& term, const double* coefficients, bool separable) {
  if (separable) {
    add_separable<degree>(tile, term, coefficients);
  } else {
    add_pointwise<degree>(tile, term, coefficients);
  }
}

HWY_ATTR void add_terms(OrbitalTile& tile, const OrbitalTerms& all, const std::uint32_t* which, std::size_t count,
                        bool separable) {
  for (std::size_t n = 0; n < count; ++n) {
    const OrbitalTerm& term = all.terms[which[n]];
    const double* c = all.coefficients.data() + term.first;
    switch (term.degree) {
      case 0:
        add_term<0>(tile, term, c, separable);
        break;
      case 1:
        add_term<1>(tile, term, c, separable);
        break;
      case 2:
        add_term<2>(tile, term, c, separable);
        break;
      case 3:
        add_term<3>(tile, term, c, separable);
        break;
      case 4:
        add_term<4>(tile, term, c, separable);
        break;
      case 5:
        add_term<5>(tile, term, c, separable);
        break;
      default:
        add_term<6>(tile, term, c, separable);
        break;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <memory>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/orbitals/orbital_bodies.h"
#include "molecule/base/units.h"

namespace isolume {

HWY_EXPORT(add_terms);

namespace {

constexpr int run_length = 16;  // tiles along x that share one list of candidates

/// A box of points of the grid and the terms that reach it.
struct Box {
  glm::dvec3 lower, upper;  // bohr

  /// The box of grid points first .. last (grid indices), whatever the directions of the steps.
  Box(const Grid& grid, glm::ivec3 first, glm::ivec3 last) {
    lower = upper = grid.point(first.x, first.y, first.z);
    for (int corner = 1; corner < 8; ++corner) {
      const glm::dvec3 p =
          grid.point(corner & 1 ? last.x : first.x, corner & 2 ? last.y : first.y, corner & 4 ? last.z : first.z);
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    lower *= units::angstrom_in_bohr;
    upper *= units::angstrom_in_bohr;
  }
  bool reached_by(const OrbitalTerm& term) const {
    const glm::dvec3 centre(term.centre[0], term.centre[1], term.centre[2]);
    const glm::dvec3 d = centre - glm::clamp(centre, lower, upper);
    return glm::dot(d, d) <= term.cutoff * term.cutoff;
  }
};

/// Fills in the points of a tile; those beyond the grid's edge are computed and not stored.
void place(OrbitalTile& tile, const Grid& grid, glm::ivec3 first, bool separable) {
  if (separable) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < orbital_side; ++i) {
        tile.axes[axis][i] = units::angstrom_in_bohr * (grid.origin[axis] + (first[axis] + i) * grid.step[axis][axis]);
      }
    }
    return;
  }
  for (int n = 0; n < orbital_points; ++n) {
    const glm::ivec3 at =
        first + glm::ivec3(n % orbital_side, n / orbital_side % orbital_side, n / orbital_side / orbital_side);
    const glm::dvec3 p = units::angstrom_in_bohr * grid.point(at.x, at.y, at.z);
    for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = p[axis];
  }
}

void store(const OrbitalTile& tile, const Grid& grid, glm::ivec3 first, Span<float> amplitude) {
  const glm::ivec3 counts = glm::min(glm::ivec3(orbital_side), grid.counts - first);
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      const double* from = tile.sums + (k * orbital_side + j) * orbital_side;
      float* to = amplitude.data + grid.index(first.x, first.y + j, first.z + k);
      for (int i = 0; i < counts.x; ++i) to[i] = static_cast<float>(from[i]);
    }
  }
}

}  // namespace

void orbital_cpu(const OrbitalTerms& terms, const Grid& grid, Span<float> amplitude, Job& job) {
  const PhaseTimer timer("orbital: tiles");
  const bool separable = grid.axis_aligned();
  const Tiling runs{grid.counts, {orbital_side * run_length, orbital_side, orbital_side}};
  parallel_for(runs.size(), job, "orbital", [&](std::size_t r) {
    thread_local std::unique_ptr<OrbitalTile> tile;
    if (!tile) tile = std::make_unique<OrbitalTile>();
    const glm::ivec3 begin = runs.tile(r) * runs.side;
    const glm::ivec3 end = glm::min(begin + runs.side, grid.counts);
    std::vector<std::uint32_t> candidates;
    const Box run(grid, begin, end - 1);
    for (std::uint32_t t = 0; t < terms.terms.size(); ++t) {
      if (run.reached_by(terms.terms[t])) candidates.push_back(t);
    }
    std::vector<std::uint32_t> chosen;
    for (glm::ivec3 first = begin; first.x < end.x; first.x += orbital_side) {
      job.check();
      const Box box(grid, first, glm::min(first + orbital_side, grid.counts) - 1);
      chosen.clear();
      for (const std::uint32_t t : candidates) {
        if (box.reached_by(terms.terms[t])) chosen.push_back(t);
      }
      place(*tile, grid, first, separable);
      std::fill_n(tile->sums, orbital_points, 0.0);
      // In pieces, so that a tile of thousands of terms can be cancelled.
      constexpr std::size_t piece = 4096;
      for (std::size_t n = 0; n < chosen.size(); n += piece) {
        job.check();
        HWY_DYNAMIC_DISPATCH(add_terms)(*tile, terms, chosen.data() + n, std::min(piece, chosen.size() - n), separable);
      }
      store(*tile, grid, first, amplitude);
    }
  });
}

}  // namespace isolume
#endif  // HWY_ONCE
