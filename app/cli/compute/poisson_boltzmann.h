// Poisson-Boltzmann on the command line: its options, maps and solvation energies.
#pragma once

#include <string>
#include <vector>

#include "app/cli/compute/potential_work.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume::cli {

/// What was given of --method pb beside what other methods have too; negative or empty where it was not.
struct PoissonBoltzmannChoice {
  bool nonlinear = false, focus = false, no_focus = false;
  double solute_dielectric = -1, ion_radius = -1, probe_radius = -1, width = -1;
  std::string surface;
  std::vector<std::string> ions;  ///< "2:0.05:2" each: charge, mol/l, angstrom

  /// The first that was given, empty for none: other methods refuse it.
  std::string given() const;
};
void add_poisson_boltzmann_options(Verb command, PoissonBoltzmannChoice& choice);

/// The options in the form of the computation; a negative ionic strength or permittivity is the usual one. Throws Error
/// (usage).
PoissonBoltzmannOptions poisson_boltzmann_options(const PoissonBoltzmannChoice& choice, double ionic_strength,
                                                  double temperature, double permittivity);

/// Throws Error (usage) for options that make no sense together or belong to another method.
void check_poisson_boltzmann(const MethodOptions& method, const PoissonBoltzmannChoice& choice);

/// compute potential --method pb: a map with its error and the solvation energy.
void poisson_boltzmann_map(Run& run, const GridOptions& grid, const MapGridOptions& map, const MethodOptions& method,
                           const PoissonBoltzmannChoice& choice, PotentialWork& work);

/// compute energy --method pb: the polar solvation energy, on a grid of `spacing` angstrom (0: 0.5, or wider where that
/// is more than 257 points along an edge). `atoms_out` gets 1/2 q times the reaction potential of every atom.
void poisson_boltzmann_energy(Run& run, const PoissonBoltzmannChoice& choice, std::vector<ChargedSphere> atoms,
                              double ionic_strength, double spacing, const std::string& atoms_out);

}  // namespace isolume::cli
