// The potential of Hermite Gaussians at a batch of points: the Coulomb recursion, in SIMD over points.
#include <cmath>
#include <cstddef>

#include "compute/electron_density/boys_function.h"
#include "compute/electron_density/density_potential_body.h"
#include "molecule/base/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/density_potential_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_HERMITE_STEPS
#define ISOLUME_HERMITE_STEPS
namespace isolume {

/// How R_tuv of one order follow from those of the order below: R[n] = X[axis] R'[lower] + factor R'[lowest].
struct HermiteStep {
  int axis = 0, lower = 0, lowest = 0;
  double factor = 0;
};
struct HermiteSteps {
  std::vector<HermiteStep> steps;  ///< one for each (t, u, v) of hermite_powers; the first is not used
  std::vector<int> raised[3];      ///< where t, u or v is one more

  HermiteSteps() {
    const std::vector<glm::ivec3> powers = hermite_powers(most_boys_order);
    const auto find = [&](glm::ivec3 p) {
      for (std::size_t n = 0; n < powers.size(); ++n) {
        if (powers[n] == p) return static_cast<int>(n);
      }
      return 0;
    };
    for (const glm::ivec3 power : powers) {
      HermiteStep step;
      if (power.x + power.y + power.z > 0) {
        // Along the axis with the smallest power, whose second term is often 0.
        step.axis = -1;
        for (int axis = 0; axis < 3; ++axis) {
          if (power[axis] > 0 && (step.axis < 0 || power[axis] < power[step.axis])) step.axis = axis;
        }
        glm::ivec3 p = power;
        p[step.axis] -= 1;
        step.lower = find(p);
        step.factor = p[step.axis];
        p[step.axis] -= 1;
        step.lowest = step.factor > 0 ? find(p) : 0;
      }
      steps.push_back(step);
      for (int axis = 0; axis < 3; ++axis) {
        glm::ivec3 p = power;
        p[axis] += 1;
        raised[axis].push_back(find(p));
      }
    }
  }
  static const HermiteSteps& all() {
    static const HermiteSteps steps;
    return steps;
  }
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

constexpr int wide = potential_points;
using Row = double[wide];

/// (-2p)^n F_n at all points.
HWY_ATTR void boys_rows(const double* t, double exponent, int order, Row* rows) {
  const double far = boys_asymptotic(order);
  bool all_far = true;
  for (int k = 0; k < wide; ++k) all_far = all_far && t[k] >= far;
  if (all_far) {
    for (int k = 0; k < wide; ++k) rows[0][k] = 0.5 * std::sqrt(units::pi / t[k]);
    for (int n = 1; n <= order; ++n) {
      const double factor = -exponent * (2 * n - 1);
      for (int k = 0; k < wide; ++k) rows[n][k] = rows[n - 1][k] * factor / t[k];
    }
    return;
  }
  double values[most_boys_order + 1];
  for (int k = 0; k < wide; ++k) {
    boys_function(t[k], order, values);
    double power = 1;
    for (int n = 0; n <= order; ++n, power *= -2 * exponent) rows[n][k] = power * values[n];
  }
}

HWY_ATTR void sum(const HermiteDensity& density, bool field, PotentialTile& tile) {
  const HermiteSteps& tables = HermiteSteps::all();
  alignas(64) Row boys[most_boys_order + 1];
  alignas(64) static thread_local Row rooms[2][hermite_count(most_boys_order)];
  for (int k = 0; k < wide; ++k) {
    tile.potential[k] = 0;
    for (int axis = 0; axis < 3; ++axis) tile.field[axis][k] = 0;
  }
  for (const HermiteSource& source : density.sources) {
    alignas(64) Row away[3];
    alignas(64) Row t;
    for (int k = 0; k < wide; ++k) {
      away[0][k] = source.centre.x - tile.points[0][k];
      away[1][k] = source.centre.y - tile.points[1][k];
      away[2][k] = source.centre.z - tile.points[2][k];
      t[k] = source.exponent * (away[0][k] * away[0][k] + away[1][k] * away[1][k] + away[2][k] * away[2][k]);
    }
    const int order = source.order + (field ? 1 : 0);
    boys_rows(t, source.exponent, order, boys);
    const double* c = density.coefficients.data() + source.first;
    if (order == 0) {
      for (int k = 0; k < wide; ++k) tile.potential[k] += c[0] * boys[0][k];
      continue;
    }
    Row *now = rooms[0], *before = rooms[1];
    for (int k = 0; k < wide; ++k) now[0][k] = boys[order][k];
    for (int n = order - 1; n >= 0; --n) {
      Row* swap = before;
      before = now;
      now = swap;
      for (int k = 0; k < wide; ++k) now[0][k] = boys[n][k];
      const int count = hermite_count(order - n);
      for (int h = 1; h < count; ++h) {
        const HermiteStep step = tables.steps[static_cast<std::size_t>(h)];
        const double *x = away[step.axis], *lower = before[step.lower], *lowest = before[step.lowest];
        double* to = now[h];
        if (step.factor == 0) {
          for (int k = 0; k < wide; ++k) to[k] = x[k] * lower[k];
        } else {
          for (int k = 0; k < wide; ++k) to[k] = x[k] * lower[k] + step.factor * lowest[k];
        }
      }
    }
    const int count = hermite_count(source.order);
    for (int h = 0; h < count; ++h) {
      for (int k = 0; k < wide; ++k) tile.potential[k] += c[h] * now[h][k];
    }
    if (!field) continue;
    // d/dr of R(P - r) is -R of one power more, and E = -dV/dr.
    for (int axis = 0; axis < 3; ++axis) {
      for (int h = 0; h < count; ++h) {
        const double* r = now[tables.raised[axis][static_cast<std::size_t>(h)]];
        for (int k = 0; k < wide; ++k) tile.field[axis][k] += c[h] * r[k];
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(sum);

void sum_potential(const HermiteDensity& density, bool field, PotentialTile& tile) {
  HWY_DYNAMIC_DISPATCH(sum)(density, field, tile);
}

}  // namespace isolume
#endif  // HWY_ONCE
