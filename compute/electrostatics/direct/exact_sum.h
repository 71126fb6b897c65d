// The direct Coulomb sum at points in double precision, fast enough to measure the error of every frame.
#pragma once

#include <span>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// direct_potential_reference() on a device: V(r) = sum_j q_j / (4 pi eps0 |r - r_j|) in volts at points (angstrom).
/// A charge within 1e-4 angstrom of a point is left out there.
///
/// @param charges    host memory
/// @param points     host memory
/// @param potential  one value for each point, host memory
/// @param device     that computes
/// @param there      the same charges on it, where they are there already and have been checked
/// Accuracy: 1e-12 of the sum of |q_j| / (4 pi eps0 |r - r_j|). Throws Error (usage) for charges that are not finite
/// and where the numbers of points and values differ.
void exact_potential(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                     std::span<double> potential, Device device, Job& job, Span<const PointCharge> there = {});

/// The bodies: sums of q_j / |r - r_j|.
void exact_sum_cpu(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> sums,
                   Job& job);
void exact_sum_cuda(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> sums,
                    Device device, Job& job, Span<const PointCharge> there);

}  // namespace isolume
