// The door of electrostatics: every method of the potential with its options, its maps, its bytes and its error.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/electrostatics/ewald/spme_map.h"
#include "compute/electrostatics/generalised_born/generalised_born.h"
#include "compute/electrostatics/hcp/hcp.h"
#include "compute/electrostatics/method_name.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// The direct sum.
struct DirectOptions {
  Dielectric dielectric;
  double accuracy = 0;  ///< constant dielectric: the relative RMS error of the fast mode; 0: the exact sum
};
/// Multilevel summation, its cell in `msm`.
struct MsmMethod {
  MsmOptions msm;
  double dielectric = 1;
};
/// Particle-mesh Ewald.
struct SpmeMethod {
  SpmeOptions spme;
  Cell cell;
  double dielectric = 1;
  double fixed_cutoff = 0;  ///< angstrom: the cutoff that choose_parameters() keeps; 0: it chooses that too
};
/// Hierarchical charge partitioning.
struct HcpMethod {
  HcpOptions hcp;
  std::shared_ptr<const HcpHierarchy> parts;  ///< of the charges, in their order
};

/// A method with its options, in the order of PotentialMethod after `automatic`.
using PotentialOptions = std::variant<DirectOptions, CutoffOptions, MsmMethod, DebyeHueckelOptions, SpmeMethod,
                                      HcpMethod, PoissonBoltzmannOptions, GeneralisedBornOptions>;

/// Never automatic.
PotentialMethod method_of(const PotentialOptions& options);
/// A method with its usual options. Throws Error (usage) for automatic.
PotentialOptions usual_options(PotentialMethod method);
/// "multilevel summation, a = 4 A, ..., vacuum": for reports, comments and legends.
std::string describe(const PotentialOptions& options);
/// What has to be said of the zero and of a net charge.
std::string describe_zero(const PotentialOptions& options, double total_charge);
/// Throws Error (usage) for a dielectric that the method does not take, a missing cell or missing parts.
void check_options(const PotentialOptions& options);

/// The dielectric of the medium; constant 1 where it belongs to the method (debye_hueckel, pb, gb).
Dielectric dielectric_of(const PotentialOptions& options);
bool has_sigmoidal_dielectric(const PotentialOptions& options);
/// By what the charges are divided: the dielectric constant, or 1 where it depends on the distance.
double charge_divisor(const PotentialOptions& options);
/// The fast mode of the direct sum.
bool is_fast_direct(const PotentialOptions& options);

/// Along which of the cell's vectors the charges repeat, and the cell.
std::array<bool, 3> periodic_axes(const PotentialOptions& options);
bool is_periodic(const PotentialOptions& options);
bool is_fully_periodic(const PotentialOptions& options);
const Cell& periodic_cell(const PotentialOptions& options);
/// The same options in another cell.
void set_cell(PotentialOptions& options, const Cell& cell);

/// The positions and charges, each divided.
std::vector<PointCharge> point_charges_of(std::span<const ChargedSphere> spheres, double divisor = 1.0);
/// The same into memory that is there.
void point_charges_of(std::span<const ChargedSphere> spheres, double divisor, std::vector<PointCharge>& charges);

/// What the maps of consecutive frames share. Results do not depend on it.
struct PotentialRoom {
  std::vector<PointCharge> charges;  ///< of the last map, divided by charge_divisor()
  MsmField msm;                      ///< of the last map, where that was msm on a CUDA device
  SpmeField spme;                    ///< of the last map, where that was spme
  PoissonBoltzmannStart start;       ///< pb: the last solution
  PoissonBoltzmannResult solved;     ///< pb: results of the last map

  /// Gives back what is too large to be held between frames.
  void end_frame();
};

/// The potential in volts at the points of a grid, on the device of `out`. Throws Error, among others for gb, which
/// has energies alone.
void potential(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
               Span<float> out, Job& job, PotentialRoom* room = nullptr);
/// potential() for the values at some of the nodes, as about a surface: those with a 1 in `wanted` (grid.size() values,
/// host memory; empty: all) are those of potential() to its rounding. hcp gives 0 to the others, which cost nothing;
/// other methods compute all. Throws Error as potential() does, and Error (usage) where `wanted` has another size.
void potential_at_nodes(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                        std::span<const std::uint8_t> wanted, Span<float> out, Job& job, PotentialRoom* room = nullptr);
/// Bytes of `device` that potential() takes, the map included.
std::size_t potential_memory(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                             Device device);

/// The potential at points, in volts, and, where `field` is not empty, -grad V in volt/angstrom: in double precision
/// but for the lattices of msm, which are summed on `device`, and the mesh of spme. Throws Error, among others for pb,
/// which makes maps.
void potential_at(std::span<const ChargedSphere> charges, const PotentialOptions& method,
                  std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field,
                  Device device, Job& job);
/// What the method approximates, in plain double precision: the sum over all charges with its dielectric (direct,
/// cutoff, msm, hcp), Ewald's sum (spme; msm, periodic), the sum of the screened charges (debye_hueckel). Throws Error
/// (usage) for pb, which solves an equation.
void potential_exact(std::span<const ChargedSphere> charges, const PotentialOptions& method,
                     std::span<const glm::dvec3> points, std::span<double> potential);
/// What errors are measured against, in words.
const char* exact_name(const PotentialOptions& method);

/// The error of a map against potential_exact(), at `points` points: half spread over the grid, half near the charges.
/// `values` may lie on any device: only those points' values are brought to host memory. `room`: that of the map, which
/// has the error of pb, estimated with steps twice as long; without it that is unknown, of 0 points.
MapError measured_error(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                        Span<const float> values, Job& job, std::size_t points = 2000,
                        const PotentialRoom* room = nullptr);
/// The same for values (volts) at points; at `most` of them, evenly chosen. Of 0 points for pb.
MapError measured_error_at(std::span<const ChargedSphere> charges, const PotentialOptions& method,
                           std::span<const glm::dvec3> points, std::span<const double> values, Job& job,
                           std::size_t most = 2000);
/// The same at all of the points of a surface, where `device` sums the exact potential if it can. `room`: of the map
/// that the values come from.
MapError measured_error_on_surface(std::span<const ChargedSphere> charges, const PotentialOptions& method,
                                   std::span<const glm::dvec3> points, std::span<const double> values, Device device,
                                   Job& job, const PotentialRoom* room = nullptr);
/// How many points take a fraction of a second: for maps that are shown live.
std::size_t quick_error_points(std::size_t charges);

inline constexpr double usual_accuracy = 2.5e-3;  ///< relative RMS error that msm is planned for
inline constexpr double finest_accuracy = 2e-5;   ///< that msm and spme can be planned for

/// True for the methods whose parameters follow from an accuracy: msm and spme.
bool has_accuracy(PotentialMethod method);
bool has_accuracy(const PotentialOptions& options);
/// Parameters of multilevel summation (plan_msm()) or particle-mesh Ewald (plan_spme()) for a relative RMS error;
/// periodicity and cell stay. Returns the error that is expected: of the potential on water (msm), of forces on a
/// medium like water (spme). Throws Error (usage) for an accuracy out of reach.
double choose_parameters(double accuracy, std::span<const ChargedSphere> charges, const Grid& grid, Device device,
                         PotentialOptions& options);

/// A try of to_accuracy().
struct AccuracyTry {
  int number = 1;
  double planned_for = 0;     ///< the relative error that the parameters were chosen for
  double expected_error = 0;  ///< what choose_parameters() returned; 0 for the first try
  MapError before;            ///< of the try before, of 0 points for the first
};
/// Calls compute() with `options`, which were planned for an error of `planned_for`, until the relative error that it
/// returns is at most `target`: before every further call the parameters of msm and spme are chosen for a third of the
/// error that they were planned for, not below finest_accuracy, `most` calls in all. Returns the last error, which is
/// above the target where other methods, or the finest parameters, do not meet it.
MapError to_accuracy(double target, double planned_for, int most, std::span<const ChargedSphere> charges,
                     const Grid& grid, Device device, PotentialOptions& options,
                     const std::function<MapError(const AccuracyTry&)>& compute);

}  // namespace isolume
