// The measured error of a potential map.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// How far a map is from the exact sum, measured at sampled grid points.
struct MapError {
  double rms = 0;       ///< unit of the map
  double max = 0;       ///< unit of the map
  double relative = 0;  ///< rms / rms of the exact values at the same points
  std::size_t points = 0;
};

/// Samples `points` grid points (half spread over the grid, half within 4 angstrom of charges; a fixed seed) and
/// compares `values` (host, volts) there with the double-precision direct sum.
MapError potential_error(std::span<const PointCharge> charges, const Grid& grid, std::span<const float> values,
                         std::size_t points = 2000, std::uint32_t seed = 1);

/// The same against another exact potential (volts at points; called from several threads), of a map on any device:
/// only the sampled values are brought to host memory.
using ExactPotential = std::function<void(std::span<const glm::dvec3> points, std::span<double> potential)>;
MapError potential_error(std::span<const PointCharge> charges, const Grid& grid, Span<const float> values,
                         const ExactPotential& exact, std::size_t points, std::uint32_t seed, Job& job);

/// The same with the direct sum, which the device of the values forms in double precision (exact_potential()). `there`:
/// the charges on that device, where they are there already.
MapError potential_error_on_device(std::span<const PointCharge> charges, const Grid& grid, Span<const float> values,
                                   std::size_t points, std::uint32_t seed, Job& job,
                                   Span<const PointCharge> there = {});

/// How far values are from exact ones, one for each.
MapError compare_potentials(std::span<const double> values, std::span<const double> exact);

}  // namespace isolume
