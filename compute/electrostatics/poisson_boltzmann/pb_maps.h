// Maps of the coefficients of a Poisson-Boltzmann problem: permittivities and accessibility.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

struct PoissonBoltzmannMaps {
  /// Relative permittivity of the edge to the next node along x, y and z: at half a step from the node. At the last
  /// node that of the edge before.
  std::array<std::vector<float>, 3> dielectric;
  std::vector<float> solvent;  ///< 1 outside of the solvent-excluded surface of the probe, else 0
  std::vector<float> spheres;  ///< 1 outside of the atoms' spheres, else 0
  std::vector<float> ions;     ///< 1 where the centre of an ion may be, else 0
};

/// At the nodes of an axis-aligned grid, x fastest. Throws Error (usage) as poisson_boltzmann() does.
PoissonBoltzmannMaps poisson_boltzmann_maps(std::span<const ChargedSphere> atoms, const Grid& grid,
                                            const PoissonBoltzmannOptions& options, Job& job);

/// The product over the atoms of splines about their spheres (pb_spline.h) at the nodes of an axis-aligned grid: 0 in
/// the solute, 1 in the solvent.
std::vector<float> spline_accessibility(std::span<const ChargedSphere> atoms, const Grid& grid, double width,
                                        int degree, Job& job);

/// The charges spread over the nodes of an axis-aligned grid, e/angstrom^3: each by the product of B-splines along the
/// axes of a degree of 1 (linear), 3 or 5 (Essmann et al., J. Chem. Phys. 103, 8577 (1995), eq. 4.1). What falls
/// outside of the grid is left out.
std::vector<float> spread_charge(std::span<const ChargedSphere> atoms, const Grid& grid, int degree);

/// Of the ions at a potential (kT/e) where they may be: all of them in mol/l, and their charge in e mol/l.
struct IonDensity {
  double number = 0, charge = 0;
};
IonDensity ion_density(const PoissonBoltzmannOptions& options, double potential);

}  // namespace isolume
