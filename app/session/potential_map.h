// The electrostatic potential by any of the methods: on a grid, at points, exactly, and with its error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/session/fields.h"
#include "compute/potential/cutoff.h"
#include "compute/potential/debye_hueckel.h"
#include "compute/potential/error_estimate.h"
#include "compute/potential/msm.h"

namespace isolume {

enum class PotentialMethod { direct, cutoff, msm, debye_hueckel };

/// A method with its parameters.
struct PotentialOptions {
  PotentialMethod method = PotentialMethod::direct;
  Dielectric dielectric;     ///< direct, cutoff and, where constant, msm
  double fast_accuracy = 0;  ///< direct, constant dielectric: the relative RMS error of its fast mode; 0: the exact sum
  CutoffOptions cutoff;      ///< its own dielectric is not used
  MsmOptions msm;
  DebyeHueckelOptions debye_hueckel;
};

/// The charges of a request with the radii of their atoms: those of the selected atoms, of alternate locations the
/// first. Throws Error (usage) where the file has none.
std::vector<ChargedSphere> charged_spheres(const FieldRequest& request);

/// The grid for the potential of `spheres` where the request names none: its spacing (0: by size), around the charges;
/// the cell where it is periodic along all three axes. Throws Error (usage) for absurd sizes.
Grid potential_map_grid(const FieldRequest& request, std::span<const ChargedSphere> spheres,
                        const PotentialOptions& options);

/// Bytes of `device` that potential_map() takes, the map included.
std::size_t potential_map_memory(std::span<const ChargedSphere> spheres, const Grid& grid,
                                 const PotentialOptions& options, Device device);

/// The potential in volts at the points of a grid, on the device of `potential`. Throws Error.
void potential_map(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                   Span<float> potential, Job& job);

/// What the method says at points, in plain double precision; not for msm (Error, usage).
void potential_at(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                  std::span<const glm::dvec3> points, std::span<double> potential);

/// What the method approximates, in plain double precision: the sum over all charges with its dielectric (direct,
/// cutoff, msm), Ewald's sum (msm, periodic), the sum of the screened charges (debye_hueckel).
void potential_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                     std::span<const glm::dvec3> points, std::span<double> potential);
const char* exact_name(const PotentialOptions& options);

/// The error of a map against potential_exact(), at `points` points: half spread over the grid, half near the charges.
MapError potential_map_error(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                             std::span<const float> values, Job& job, std::size_t points = 2000);
/// How many points take a fraction of a second: for maps that are shown live.
std::size_t quick_error_points(std::size_t charges);

/// Parameters of multilevel summation for a relative RMS error (that on water), by plan_msm(); periodicity and cell
/// stay. Returns the error that is expected. Throws Error (usage) for an accuracy out of reach.
double choose_msm(double accuracy, std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                  PotentialOptions& options);

/// What the settings of a field come to for these charges: where they say automatic, the direct sum if it takes about a
/// second at most and nothing is periodic, else multilevel summation; its parameters by choose_msm(). Throws Error
/// (usage) where the settings make no sense together, or a periodic cell is asked for and `cell` is none.
PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device);
/// The same before there is a grid: without the parameters of multilevel summation.
PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell);

/// "multilevel summation, a = 4 A, ..., vacuum": for reports, comments and legends.
std::string describe(const PotentialOptions& options);

}  // namespace isolume
