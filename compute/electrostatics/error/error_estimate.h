// The measured error of a potential map.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// How far a map is from the exact sum, measured at sampled grid points.
struct MapError {
  double rms = 0;               ///< over all points of the map, each of the same weight; unit of the map
  double max = 0;               ///< of the points that were sampled; unit of the map
  double relative = 0;          ///< rms / RMS of the exact values over all points of the map
  std::size_t points = 0;       ///< that were sampled
  double near_rms = 0;          ///< the same near charges, where values are largest: unit of the map,
  double near_relative = 0;     ///< over the RMS of the exact values there;
  std::size_t near_points = 0;  ///< 0 where there is no map, or nothing near
};

/// Samples `points` grid points and compares `values` (host, volts) there with the double-precision direct sum. Half
/// of the points are spread evenly over the grid, a quarter over the points within 4 angstrom of charges along every
/// axis, charge by charge, and a quarter over the corners of the cells that hold charges, where a few points can hold
/// most of the squares. Each counts by the inverse of its probability, so that `rms` and `relative` are those of
/// all points of the map. A fixed seed.
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

/// How far values are from exact ones, one for each; without what is near charges.
MapError compare_potentials(std::span<const double> values, std::span<const double> exact);

}  // namespace isolume
