// Poisson-Boltzmann on the command line: reports and solvation energies.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/compute/poisson_boltzmann_options.h"
#include "compute/electrostatics/method.h"
#include "molecule/topology.h"

namespace isolume::cli {

/// The key `method` of a report.
nlohmann::ordered_json poisson_boltzmann_json(const PoissonBoltzmannOptions& options,
                                              const PoissonBoltzmannResult& result);

/// Puts the solvation energy, its error, and how many atoms have no radius into a report's result.
void put_solvation_energy(nlohmann::ordered_json& result, const PoissonBoltzmannResult& solved,
                          const std::vector<ChargedSphere>& atoms);

/// compute energy --method pb: the polar solvation energy, on a grid of `spacing` angstrom (0: 0.5, or wider where that
/// is more than 257 points along an edge). `atoms_out` gets 1/2 q times the reaction potential of every atom,
/// `residues` their sums over the residues of the topology; either may be empty.
void poisson_boltzmann_energy(Run& run, const PoissonBoltzmannOptions& options, std::vector<ChargedSphere> atoms,
                              double spacing, const std::string& atoms_out, const std::string& residues,
                              const Topology& topology);

}  // namespace isolume::cli
