// The options of Poisson-Boltzmann on the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume::cli {

/// What was given of --method pb apart from what other methods have too; negative or empty where it was not.
struct PoissonBoltzmannChoice {
  bool nonlinear = false, focus = false, no_focus = false;
  double solute_dielectric = -1, ion_radius = -1, ion_size = -1, probe_radius = -1, width = -1;
  std::string surface;
  std::vector<std::string> ions;           ///< "2:0.05:2" each: charge, mol/l, angstrom
  std::vector<std::string> dielectric_of;  ///< "resname LIG=4" each
  double membrane = -1, membrane_centre = 1e300, membrane_dielectric = -1, pore = -1;

  /// The first that was given, empty for none: other methods refuse it. Not the solute's dielectric, which gb has too.
  std::string given() const;
};
void add_poisson_boltzmann_options(Verb command, PoissonBoltzmannChoice& choice);

/// Gives atoms the permittivities of "SELECTION=EPS", of later ones where several have an atom. `atoms`: the numbers of
/// the spheres' atoms. Throws Error (usage), also where a selection has none of them.
void set_dielectrics(const std::vector<std::string>& choices, const Topology& topology, const Frame& frame,
                     std::span<const std::uint32_t> atoms, std::vector<ChargedSphere>& spheres);

/// The options in the form of the computation; a negative ionic strength or permittivity is the usual one. Throws Error
/// (usage).
PoissonBoltzmannOptions poisson_boltzmann_options(const PoissonBoltzmannChoice& choice, double ionic_strength,
                                                  double temperature, double permittivity);

}  // namespace isolume::cli
