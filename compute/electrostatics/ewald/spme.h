// Smooth particle-mesh Ewald: energies, forces and potentials of periodic systems.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/energy/electrostatics.h"

namespace isolume {

/// Parameters of SPME (Essmann, Perera, Berkowitz, Darden, Lee, Pedersen, J. Chem. Phys. 103, 8577 (1995),
/// doi:10.1063/1.470117; equations in docs/methods/periodic.md). 1/r = erfc(alpha r)/r, summed over pairs within the
/// cutoff, + erf(alpha r)/r, summed over waves from a mesh onto which B-splines of `order` spread the charges.
struct SpmeOptions {
  double cutoff = 9.0;      ///< angstrom; at most half of the least distance between opposite faces of the cell
  double tolerance = 1e-5;  ///< erfc(alpha cutoff): gives alpha where that is 0
  double alpha = 0;         ///< 1/angstrom
  int order = 4;            ///< of the splines, 4 to 8
  glm::ivec3 mesh{0};       ///< points along the cell vectors; 0 chooses good sizes of at most `spacing`
  double spacing = 1.0;     ///< angstrom
  bool operator==(const SpmeOptions&) const = default;
};

/// The options with alpha and mesh filled in for a cell. Throws Error (usage) for options out of range, no cell, a cell
/// too small for the cutoff (naming the largest that fits), and mesh sizes under the order or of factors above 7
/// (naming the next that serves).
SpmeOptions complete_spme(const SpmeOptions& options, const Cell& cell);

/// The largest cutoff of sums over nearest images in a cell: half of the least distance between its faces.
double largest_cutoff(const Cell& cell);
/// The cutoff where none is given: `usual`, or the largest that the cell allows.
double usual_cutoff(double usual, const Cell& cell);
/// "rc = 9 A, alpha = 0.347 1/A, 64 x 64 x 64, order 4".
std::string describe(const SpmeOptions& options);

/// Conducting surroundings (tin foil: no surface term); a net charge is neutralised by a uniform background.
/// Accuracy: the long-range part 1e-5 of its RMS force against the same mesh in double precision; against Ewald's sum
/// what spme_expected_error() says. The mesh does not conserve momentum to the last digit: the sum of the forces is
/// below the RMS force error times the square root of the number of atoms. On CUDA cuFFT is needed; results do not
/// depend on the order in which threads run.
std::unique_ptr<Electrostatics> spme_electrostatics(ElectrostaticProblem problem, const SpmeOptions& options,
                                                    Device device);
/// The part that comes from the mesh alone, for benchmarks and for programs that have their own sum over pairs.
std::unique_ptr<Electrostatics> spme_mesh(ElectrostaticProblem problem, const SpmeOptions& options, Device device);
/// The same part in plain double precision (the transforms as sums); for tests.
ElectrostaticReference spme_mesh_reference(const ElectrostaticProblem& problem, const SpmeOptions& options,
                                           std::span<const glm::dvec3> positions);

/// Bytes of memory of `device` apart from positions and output.
std::size_t spme_memory(std::size_t atoms, const SpmeOptions& options, const Cell& cell, Device device);

/// Relative RMS error of the forces (pairs and mesh) on a medium like water, by the formulas of Kolafa and Perram (Mol.
/// Simul. 9, 351 (1992)) for the pairs and of Wang, Dommert and Holm (J. Chem. Phys. 133, 034117 (2010)) for the mesh.
double spme_expected_error(const SpmeOptions& options, const Cell& cell);

/// A choice with what it is predicted to cost.
struct SpmePlanned {
  SpmeOptions options;
  double expected_error = 0;
  double seconds = 0;
};
/// The choices that reach a relative RMS force error, the fastest first: cutoffs, orders and meshes by the device's
/// rates, which are measured on first use and kept; those of a map where it has `map_points`. Throws Error (usage)
/// where `accuracy` is finer than single precision gives.
std::vector<SpmePlanned> plan_spme(double accuracy, std::size_t atoms, const Cell& cell, Device device,
                                   double fixed_cutoff = 0, std::size_t map_points = 0);

/// What a map of the potential shows.
enum class SpmeMap {
  full,    ///< the potential of the point charges
  smooth,  ///< that of Gaussian charges of width 1/(sqrt(2) alpha): the mesh part alone (Aksimentiev, Schulten 2005)
};

/// V in volts at every grid point, of the charges and all their images, zero mean over the cell for `smooth` and, for
/// `full`, as Ewald's sum. A charge within 1e-4 angstrom of a point is left out there.
/// @param potential  grid.size() values, x fastest, on the device that computes
void spme_potential(std::span<const PointCharge> charges, const Grid& grid, const Cell& cell,
                    const SpmeOptions& options, SpmeMap map, Span<float> potential, Job& job);

/// The same (full) at points anywhere, on the CPU, and where `field` is not empty E = -grad V in volt/angstrom: the
/// analytic gradient of the pairs' function and of the splines. Throws Error (usage) where sizes differ.
void spme_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, const Cell& cell,
                const SpmeOptions& options, std::span<double> potential, std::span<glm::dvec3> field, Job& job);

}  // namespace isolume
