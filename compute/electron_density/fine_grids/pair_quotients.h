// Quotients of sums at a point: the electron localisation function and the localised orbital locator, with their error.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/density_measure_math.h"
#include "compute/electron_density/fine_grids/density_refinement_math.h"

namespace isolume::pairs {

/// A quotient, and what errors of the density and of tau may change it by.
struct Quotient {
  double value, doubt;
};

ISOLUME_HOST_DEVICE inline Quotient localisation_of(double excess, double uniform, double of_excess) {
  if (!(uniform > 0)) return {0, 0};
  const double ratio = excess / uniform, change = of_excess / uniform, value = 1 / (1 + ratio * ratio);
  return {value, value * value * change * (2 * fabs(ratio) + change)};
}

/// Of the sums of one or two sets, as refinement::field_of() takes them. `error_of_sums` is that of the density and of
/// tau (atomic units).
ISOLUME_HOST_DEVICE inline Quotient quotient_of(DensityMeasure measure,
                                                const double (&sums)[2][refinement::most_numbers], int sets,
                                                double error_of_sums) {
  using M = DensityMeasure;
  const PointDensity a = refinement::point_of(sums[0], 5, sets == 2 ? 1 : 0.5);
  const PointDensity b = sets == 2 ? refinement::point_of(sums[1], 5, 1) : a;
  const auto of_excess = [&](const PointDensity& of) {
    const double slope = sqrt(density_math::squared_gradient(of)) / of.density;
    return error_of_sums * (1 + slope * (0.25 + 0.125 * slope));
  };
  const auto quotient = [&]() -> Quotient {
    if (measure == M::elf_alpha || measure == M::elf_beta) {
      const PointDensity& of = measure == M::elf_alpha ? a : b;
      return localisation_of(density_math::excess(of), density_math::uniform(true, of.density), of_excess(of));
    }
    const bool spins = measure == M::elf_spin || measure == M::lol_spin;
    PointDensity total;
    total.density = a.density + b.density;
    total.tau = a.tau + b.tau;
    for (int axis = 0; axis < 3; ++axis) total.gradient[axis] = a.gradient[axis] + b.gradient[axis];
    const double uniform = spins ? density_math::uniform(true, a.density) + density_math::uniform(true, b.density)
                                 : density_math::uniform(false, total.density);
    if (measure == M::lol || measure == M::lol_spin) {
      const double value = density_math::orbital_localisation(uniform, total.tau);
      return {value, value * (1 - value) * error_of_sums * (1 / total.tau + 2 / total.density)};
    }
    if (!spins) return localisation_of(density_math::excess(total), uniform, of_excess(total));
    return localisation_of(density_math::excess(a) + density_math::excess(b), uniform, of_excess(a) + of_excess(b));
  };
  // Which side of the least density a point is on is known but for the error.
  enum class Side { below, either, above };
  const auto side_of = [&](bool spin, double density) {
    const double beyond = density - density_math::least_localised(spin);
    return beyond < -2 * error_of_sums ? Side::below : beyond > 2 * error_of_sums ? Side::above : Side::either;
  };
  Side first, second;
  if (measure == M::elf_alpha || measure == M::elf_beta) {
    first = second = side_of(true, measure == M::elf_alpha ? a.density : b.density);
  } else if (measure == M::elf_spin || measure == M::lol_spin) {
    first = side_of(true, a.density);
    second = side_of(true, b.density);
  } else {
    first = second = side_of(false, a.density + b.density);
  }
  if (first == Side::either || second == Side::either) return {0, HUGE_VAL};
  if (first == Side::below && second == Side::below) return {0, 0};
  return quotient();
}

}  // namespace isolume::pairs
