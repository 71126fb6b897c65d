// What follows from the sums over atoms at one point, as the CPU and the CUDA bodies compute it.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/density_measure_math.h"
#include "compute/electron_density/promolecule.h"

namespace isolume {
namespace promolecule_math {

inline constexpr double largest_reduced_gradient = 10;  ///< of maps

ISOLUME_HOST_DEVICE inline double length(double x, double y, double z) {
  return sqrt(x * x + y * y + z * z);
}

/// |abs(a) + abs(b)| - |a + b|, abs by component.
ISOLUME_HOST_DEVICE inline double between(const double (&a)[3], const double (&b)[3]) {
  return length(fabs(a[0]) + fabs(b[0]), fabs(a[1]) + fabs(b[1]), fabs(a[2]) + fabs(b[2])) -
         length(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

ISOLUME_HOST_DEVICE inline double field_value(PromoleculeField field, const PointDensity& of, double delta_g,
                                              double delta_g_inter) {
  DensityMeasure measure = DensityMeasure::electron;
  switch (field) {
    case PromoleculeField::electron:
      break;
    case PromoleculeField::gradient:
      measure = DensityMeasure::gradient;
      break;
    case PromoleculeField::laplacian:
      measure = DensityMeasure::laplacian;
      break;
    case PromoleculeField::lambda2:
      measure = DensityMeasure::lambda2;
      break;
    case PromoleculeField::rdg:
      measure = DensityMeasure::rdg;
      break;
    case PromoleculeField::sign_lambda2:
      measure = DensityMeasure::sign_lambda2;
      break;
    case PromoleculeField::delta_g:
      return delta_g;
    case PromoleculeField::delta_g_inter:
      return delta_g_inter;
  }
  return density_math::value_of(measure, of, PointDensity{}, of);
}

ISOLUME_HOST_DEVICE inline double map_value(PromoleculeField field, const PointDensity& of, double delta_g,
                                            double delta_g_inter) {
  const double value = field_value(field, of, delta_g, delta_g_inter);
  return field == PromoleculeField::rdg ? fmin(value, largest_reduced_gradient) : value;
}

}  // namespace promolecule_math
}  // namespace isolume
