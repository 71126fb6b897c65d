// The potential at points: as a method says it, exactly, and the error of maps by comparing the two.
#pragma once

#include "app/fields/potential_map.h"
#include "compute/electrostatics/error_estimate.h"

namespace isolume {

/// What the method says at points, in volts, and, where `field` is not empty, -grad V in volt/angstrom: in double
/// precision but for the lattices of msm, which are summed on `device`, and the mesh of spme. Throws Error.
void potential_at(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                  std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field,
                  Device device, Job& job);

/// What the method approximates, in plain double precision: the sum over all charges with its dielectric (direct,
/// cutoff, msm, hcp), Ewald's sum (spme; msm, periodic), the sum of the screened charges (debye_hueckel).
void potential_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                     std::span<const glm::dvec3> points, std::span<double> potential);
const char* exact_name(const PotentialOptions& options);

/// The error of a map against potential_exact(), at `points` points: half spread over the grid, half near the charges.
/// `values` may lie on any device: only those points' values are brought to host memory. `room`: that of the map.
MapError potential_map_error(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                             Span<const float> values, Job& job, std::size_t points = 2000,
                             const PotentialRoom* room = nullptr);
/// The same for values (volts) at points; at `most` of them, evenly chosen.
MapError potential_points_error(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                                std::span<const glm::dvec3> points, std::span<const double> values, Job& job,
                                std::size_t most = 2000);
/// How many points take a fraction of a second: for maps that are shown live.
std::size_t quick_error_points(std::size_t charges);

/// How far `values` (volts) at points of a surface are from the exact potential there, which the device sums where
/// it can. `room`: of the map that they come from.
MapError potential_surface_error(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                                 std::span<const glm::dvec3> points, std::span<const double> values, Device device,
                                 Job& job, const PotentialRoom* room = nullptr);

}  // namespace isolume
