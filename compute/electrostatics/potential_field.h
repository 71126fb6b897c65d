// Potential and field vectors at points by the sums over all charges.
#pragma once

#include <array>
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

/// dE_a/dx_b of a field at a point, volt/angstrom^2: xx, yy, zz, xy, xz, yz. It is symmetric, as a field without
/// a curl has it. Its trace is that of the charge there: 0 in vacuum away from charges, -kappa^2 V in an electrolyte.
using FieldGradient = std::array<double, 6>;

/// The gradient of the field of debye_hueckel_field(), likewise.
void debye_hueckel_gradient(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                            const DebyeHueckelOptions& options, std::span<FieldGradient> gradients);

/// Its principal value of the largest magnitude, with its sign.
double principal_gradient(const FieldGradient& gradient);

/// d eps / dr of a dielectric, 1/angstrom.
double dielectric_slope(const Dielectric& dielectric, double r);

}  // namespace isolume
