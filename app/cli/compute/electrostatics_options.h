// The choice of a method for energies and forces of charges, as compute energy and compute dynamics take it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/compute/method_options.h"
#include "compute/electrostatics/energy/electrostatics.h"

namespace isolume::cli {

/// What was given on the command line; empty where it was not.
struct ElectrostaticsChoice {
  MethodOptions method;
  std::vector<double> cell;  ///< three lengths, or these and three angles
};

/// The cell that was given in place of the file's. Throws Error (usage) where it is none.
Cell given_cell(const ElectrostaticsChoice& choice, const Cell& of_file);
/// --method and the options of each, and --cell.
void add_electrostatics_options(Verb command, ElectrostaticsChoice& choice, MethodUse use);
/// Throws Error (usage) for options that do not belong to the method, or exclude each other.
void check_electrostatics_choice(const ElectrostaticsChoice& choice, MethodUse use);

/// A method that is ready to compute.
struct ChosenElectrostatics {
  PotentialOptions options;  ///< parts of hcp among them
  std::unique_ptr<Electrostatics> body;
};
/// The method for a problem; `method` gets its parameters, `run.report` the plans it was chosen from. `topology` gives
/// the hierarchy of hcp. Throws Error (usage) as the methods do.
ChosenElectrostatics make_electrostatics(Run& run, const ElectrostaticsChoice& choice, MethodUse use,
                                         const ElectrostaticProblem& problem, const Topology& topology,
                                         nlohmann::ordered_json& method);

}  // namespace isolume::cli
