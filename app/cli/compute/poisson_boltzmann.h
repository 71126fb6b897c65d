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

/// What the program is to take of a device's memory with a solution: on the CPU with what it has taken already, since
/// the peak of the report counts that too.
std::size_t memory_with(const std::vector<ChargedSphere>& atoms, const Grid& grid,
                        const PoissonBoltzmannOptions& options, Device device);

/// Says which radius keeps the ions from the atoms, where theirs are not all the same.
void say_of_ions(Run& run, const PoissonBoltzmannOptions& options);

/// Puts the solvation energy, its error, and how many atoms have no radius into the report's result. Says how many
/// charges are outside of the grid.
void put_solvation_energy(Run& run, const PoissonBoltzmannResult& solved, const std::vector<ChargedSphere>& atoms);

/// compute energy --method pb: the polar solvation energy, on a grid of `spacing` angstrom (0: 0.5, or wider where that
/// is more than 257 points along an edge), shorter until the estimated relative error is within `tolerance` (0: any).
/// `atoms_out` gets 1/2 q times the reaction potential of every atom,
/// `residues` their sums over the residues of the topology; either may be empty.
void poisson_boltzmann_energy(Run& run, const PoissonBoltzmannOptions& options, std::vector<ChargedSphere> atoms,
                              double spacing, double tolerance, const std::string& atoms_out,
                              const std::string& residues, const Topology& topology);

}  // namespace isolume::cli
