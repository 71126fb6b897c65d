// Poisson-Boltzmann: the potential of a molecule in a dielectric and in an electrolyte.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "molecule/grid.h"

namespace isolume {

/// Where the dielectric of the solute ends.
enum class DielectricBoundary : unsigned char {
  solvent_excluded,  ///< Connolly's surface of the probe
  van_der_waals,     ///< the union of the atoms' spheres
  smooth,            ///< the solvent-excluded surface, crossed over a width
  spline,    ///< a product over the atoms of steps about their spheres (APBS: srfm spl2, spl4); coefficients by the CPU
  gaussian,  ///< everywhere, from densities of the atoms: e1 rho + e2 (1 - rho); coefficients by the CPU
};

/// Corners of a box, angstrom.
struct PoissonBoltzmannReach {
  glm::dvec3 lower{0.0}, upper{0.0};
  bool operator==(const PoissonBoltzmannReach&) const = default;
};

/// A kind of ion of the electrolyte.
struct IonSpecies {
  double charge;         ///< e
  double concentration;  ///< mol/l
  double radius = 2.0;   ///< angstrom
  bool operator==(const IonSpecies&) const = default;
};

/// A slab across the whole box, normal to z, without ions. Points outside of the solute that are enclosed by it within
/// their plane are water, so that a channel is open; or with a `pore` those within that distance of the pore's axis.
struct PoissonBoltzmannMembrane {
  double centre = 0;      ///< z, angstrom
  double thickness = 30;  ///< angstrom
  double permittivity = 2;
  std::optional<double> pore;             ///< radius of a cylinder, angstrom; 0: without a pore
  std::optional<glm::dvec2> pore_centre;  ///< x and y of its axis; else the mean of the atoms in the slab
  bool operator==(const PoissonBoltzmannMembrane&) const = default;
};

struct PoissonBoltzmannOptions {
  bool nonlinear = false;
  double solute_permittivity = 2.0;
  double solvent_permittivity = 78.54;
  double temperature = 298.15;                                    ///< K
  std::vector<IonSpecies> ions{{1, 0.15, 2.0}, {-1, 0.15, 2.0}};  ///< neutral together; the largest radius is all ions'
  double ion_size = 0;  ///< non-linear: edge of the cube that an ion fills, angstrom; 0: ions are points
  DielectricBoundary boundary = DielectricBoundary::solvent_excluded;
  double probe_radius = 1.4;     ///< angstrom
  double width = 0.6;            ///< of the smooth boundary and of the splines, angstrom
  int spline_degree = 3;         ///< of the splines' steps: 3 (spl2 of APBS) or 7 (spl4)
  double gaussian_width = 0.93;  ///< sigma of the Gaussian dielectric, of the atoms' radii
  std::optional<PoissonBoltzmannMembrane> membrane;
  bool focus = true;  ///< the values on the box's faces come from a larger box with a coarser grid
  /// The larger boxes hold this too: of two molecules with the same grid and the same reach all boxes are the same.
  std::optional<PoissonBoltzmannReach> reach;
  /// The finest box need hold no more than this, on the nodes that it would have, where no potential is asked for.
  std::optional<PoissonBoltzmannReach> core;
  double tolerance = 1e-6;  ///< of the residual, relative to that without a solution
  int most_cycles = 100;
  bool estimate_error = true;  ///< solve with steps twice as long too, and compare
  /// Nodes of a box from which on a CUDA device keeps a linear equation's coefficients in 16 bits: where the surface
  /// cuts an edge is then known to 1 / 65535 of the edge. It takes half of the memory, and as long.
  std::size_t compact_from = std::size_t{1} << 25;

  /// mol/l: half the sum of c z^2.
  double ionic_strength() const;
  /// 1/angstrom, of the solvent with these ions.
  double inverse_debye_length() const;
  bool operator==(const PoissonBoltzmannOptions&) const = default;
};

/// What else is known of a solution.
struct PoissonBoltzmannResult {
  std::vector<double>
      reaction_potential;       ///< at every charge, V: the potential less Coulomb's in the solute's dielectric
  double solvation_energy = 0;  ///< polar, kcal/mol
  double solvation_error = 0;   ///< estimated, kcal/mol; 0 where it was not asked for
  double coarse_energy = 0;     ///< solvation energy with steps twice as long, kcal/mol; 0 likewise
  double ion_energy = 0;        ///< the part of the solvation energy that is the ions', kcal/mol; 0 where linear
  MapError error;               ///< of the potential in the solvent, estimated at every other node along the axes; V
  double residual = 0;          ///< RMS of the residual, relative to that without a solution
  int cycles = 0;               ///< of multigrid, on the finest grid
  int newton_steps = 0;         ///< of the non-linear equation
  int grids = 1;                ///< that the finest one's faces came from, and itself
  std::size_t outside = 0;      ///< charges outside of the finest grid, whose reaction potential is of a coarser one
  glm::ivec3 counts{0};         ///< of the finest grid that was solved on
};

/// The last solution, for the next frame to start from. Empty at first; of no use after the grid has changed.
struct PoissonBoltzmannStart {
  glm::dvec3 origin{0.0}, step{0.0};
  glm::ivec3 counts{0};
  std::vector<double> solution;  ///< of a computation on the processor
  std::vector<unsigned char> inside;
  DeviceArray<double> device_solution;  ///< of one on a CUDA device
  DeviceArray<unsigned char> device_inside;
  std::vector<PoissonBoltzmannStart> others;  ///< of the larger boxes, and of the grid with steps twice as long
};

/// The potential of charged spheres, the solute, in a solvent with ions:
///
///     -div(eps grad phi) + [away from the solute] eps_s kappa^2 phi = rho / eps0
///
/// or with the ions' exponentials in place of the linear term. In the solute, Coulomb's potential of the charges in its
/// dielectric is summed and only the rest, the reaction potential, is solved for; at the surface the potential and
/// eps d(phi)/dn are continuous. Finite volumes on the grid's nodes, a face's permittivity being the harmonic mean over
/// the edge to where the surface cuts it; conjugate gradients about multigrid cycles in single precision, the residual
/// in double. Values on the box's faces are Debye and Hückel's sums, or from a larger box with a coarser grid. The
/// equations and the error against the step are in docs/methods/poisson-boltzmann.md.
///
/// Atoms may have permittivities of their own: a point of the solute has that of the atom whose sphere's surface is
/// nearest, or which it is deepest in. Their charges' Coulomb potentials are those in their own permittivity.
///
/// With the Gaussian dielectric rho = 1 - prod_i (1 - exp(-(r - r_i)^2 / (sigma R_i)^2)) (Li, Li, Zhang, Alexov, J.
/// Chem. Theory Comput. 9, 2126 (2013)); charges have a radius of 1 angstrom or more.
///
/// The solvation energy is 1/2 sum q_i (reaction potential at i), with the ions' osmotic and electrostatic terms where
/// the equation is not linear: of a transfer from an unbounded medium with the solute's permittivity, without ions.
///
/// The errors are estimated as the difference of the solutions with the grid's steps and with steps twice as long: the
/// error itself where the method is of first order, three times it where it is of second.
///
/// @param atoms      host memory; radius > 0 for all but those inside of others
/// @param grid       axis-aligned
/// @param potential  grid.size() values in volts, x fastest, on the device that computes; or empty for none
/// @param start      the solution to start from where it is of the same grid, replaced by this one; or null
/// Throws Error (usage): options out of range, a grid that is not axis-aligned, overlapping atoms, charges outside of
/// the grid where there is no focusing, or outside of every atom, a grid too coarse for the solute. Throws Error
/// (failed) where the solver does not converge.
PoissonBoltzmannResult poisson_boltzmann(std::span<const ChargedSphere> atoms, const Grid& grid,
                                         const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                         PoissonBoltzmannStart* start = nullptr);

/// About the bytes of memory of the device that are taken apart from the output and the atoms.
std::size_t poisson_boltzmann_memory(std::span<const ChargedSphere> atoms, const Grid& grid,
                                     const PoissonBoltzmannOptions& options, Device device);

/// "linear Poisson-Boltzmann, permittivities 2 and 78.54, ionic strength 0.15 mol/l, solvent-excluded surface": for
/// reports.
std::string describe(const PoissonBoltzmannOptions& options);

}  // namespace isolume
