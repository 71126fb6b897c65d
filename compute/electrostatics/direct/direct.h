// Direct Coulomb summation: the exact potential of point charges.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "molecule/grid.h"

namespace isolume {

/// V(r) = sum_j q_j / (4 pi eps0 |r - r_j|) in volts at every grid point (vacuum, no periodicity).
/// A charge that is on a point (distance under 1e-4 angstrom) is left out there, so that every value is finite.
///
/// @param charges    host memory
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Accuracy: 1e-5 of the RMS of the potential against direct_potential_reference().
void direct_potential(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);

/// The same at points in plain double precision, with one loop; for tests and for the error of every other method.
void direct_potential_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                                std::span<double> potential);

std::size_t direct_potential_memory(std::size_t charges, const Grid& grid, Device device);

}  // namespace isolume
