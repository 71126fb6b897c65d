// Potential and field vectors at points by the sums over all charges.
#pragma once

#include <span>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/pairs/cutoff.h"

namespace isolume {

/// V (volts) and, where `field` is not empty, E = -grad V (volt/angstrom) at points, in double precision, one loop over
/// all charges: the analytic derivatives of the sums of direct.h, cutoff.h and debye_hueckel.h. A charge within 1e-4
/// angstrom of a point is left out there. Safe from several threads at once. Throws Error (usage) where sizes differ.
/// With the plain form of the cutoff sum E has no part from the step at the cutoff. MsmField::at() has the same for
/// multilevel summation.
void direct_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> potential,
                  std::span<glm::dvec3> field);
void cutoff_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                  const CutoffOptions& options, std::span<double> potential, std::span<glm::dvec3> field);
void debye_hueckel_field(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                         const DebyeHueckelOptions& options, std::span<double> potential, std::span<glm::dvec3> field);

/// d eps / dr of a dielectric, 1/angstrom.
double dielectric_slope(const Dielectric& dielectric, double r);

}  // namespace isolume
