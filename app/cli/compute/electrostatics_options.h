// The choice of a method for energies and forces of charges, as compute energy and compute dynamics take it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/compute/energy_hcp.h"
#include "compute/electrostatics/energy/electrostatics.h"

namespace isolume::cli {

/// What was given on the command line; negative or empty where it was not.
struct ElectrostaticsChoice {
  std::string method = "direct";
  double accuracy = -1, cutoff = -1, alpha = -1, mesh_spacing = -1;
  int order = -1;
  double lattice_spacing = -1;
  int degree = -1, smoothing = -1;
  bool open = false;
  std::vector<int> mesh;
  std::vector<double> cell;  ///< three lengths, or these and three angles
  HcpChoice hcp;

  /// Whether the system repeats along its cell, if it has one.
  bool periodic(const Cell& cell) const { return method == "spme" || (method == "msm" && cell.exists() && !open); }
  /// Whether all atoms act by the law of a dielectric other than vacuum.
  bool direct_in_dielectric() const { return method == "direct" && !hcp.dielectric.empty(); }
};

/// The cell that was given in place of the file's. Throws Error (usage) where it is none.
Cell given_cell(const ElectrostaticsChoice& choice, const Cell& of_file);
/// --method and the options of each; `solvation`: there is pb too.
void add_electrostatics_options(Verb command, ElectrostaticsChoice& choice, bool solvation = false);
/// Throws Error (usage) for options that do not belong to the method, or exclude each other.
void check_electrostatics_choice(const ElectrostaticsChoice& choice);
/// The method for a problem; `method` gets its parameters, `run.report` the plans it was chosen from. `topology` gives
/// the hierarchy of hcp. Throws Error (usage) as the methods do.
std::unique_ptr<Electrostatics> make_electrostatics(Run& run, const ElectrostaticsChoice& choice,
                                                    const ElectrostaticProblem& problem, const Topology& topology,
                                                    nlohmann::ordered_json& method);

}  // namespace isolume::cli
