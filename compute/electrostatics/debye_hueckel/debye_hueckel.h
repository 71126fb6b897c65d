// Debye-Hückel: the potential of charged spheres in an electrolyte.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compute/electrostatics/charges/charged_sphere.h"
#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// The solvent.
struct DebyeHueckelOptions {
  double ionic_strength = 0.15;  ///< mol/l, >= 0
  double temperature = 298.15;   ///< K, > 0
  double permittivity = 78.54;   ///< relative, >= 1

  /// kappa = sqrt(2 e^2 N_A I / (eps0 eps k T)), 1/angstrom (0.128 for the defaults, a Debye length of 7.8 angstrom).
  double inverse_debye_length() const;
  bool operator==(const DebyeHueckelOptions&) const = default;
};

/// V(r) = sum_j q_j / (4 pi eps0 eps d_j) exp(-kappa (d_j - R_j)) / (1 + kappa R_j), d_j = |r - r_j|, in volts: each
/// sphere by itself in the linearised Poisson-Boltzmann equation, added up, as the multiple Debye-Hückel ("mdh")
/// boundary of APBS does (Baker, Sept, Joseph, Holst, McCammon, Proc. Natl. Acad. Sci. USA 98, 10037 (2001),
/// doi:10.1073/pnas.181342398). A sphere whose centre is within 1e-4 angstrom of a point is left out there.
///
/// @param spheres    host memory
/// @param grid       any parallelepiped
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Throws Error (usage) for options out of range, sizes that differ, and spheres that are not finite or of negative
/// radius. Accuracy: 1e-5 of the RMS of the potential against debye_hueckel_reference().
void debye_hueckel_potential(std::span<const ChargedSphere> spheres, const Grid& grid,
                             const DebyeHueckelOptions& options, Span<float> potential, Job& job);

/// The same on the six faces of the box that the grid fills: faces x = first, x = last, y = first, y = last, z = first,
/// z = last, one after the other, each with the faster of its two indices first.
///
/// @param potential  debye_hueckel_face_points(grid) values
void debye_hueckel_faces(std::span<const ChargedSphere> spheres, const Grid& grid, const DebyeHueckelOptions& options,
                         Span<float> potential, Job& job);

/// The grids of the six faces, in that order; their sizes add up to debye_hueckel_face_points().
std::array<Grid, 6> debye_hueckel_face_grids(const Grid& grid);
std::size_t debye_hueckel_face_points(const Grid& grid);

/// The same at points in plain double precision; for tests.
void debye_hueckel_reference(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                             const DebyeHueckelOptions& options, std::span<double> potential);

}  // namespace isolume
