// isolume compute energy --binding: binding energies of two partners, and energies by generalised Born.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "compute/electrostatics/generalised_born/neck.h"
#include "compute/electrostatics/method.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// What was given of binding; negative or empty where it was not.
struct BindingChoice {
  std::vector<std::string> partners;  ///< two selections
  std::string frames;
  std::string residues;  ///< a CSV file of the residues' shares
  std::string alanine;   ///< a selection, interface_scan, or empty
  std::string scan_out;  ///< a CSV file of the scan
  double surface_tension = -1, surface_offset = -1e300, pressure = -1;
  double tolerance = 0;  ///< of the polar part's relative error; 0: whatever the steps give

  bool given() const { return !partners.empty(); }
};
void add_binding_options(Verb command, BindingChoice& choice);
/// Throws Error (usage) for options that belong together and are not, or make no sense with the method.
void check_binding_choice(const BindingChoice& choice, PotentialMethod method, const std::string& out);

/// The binding energy by the method, which is pb or gb, in the frames of the choice, or in `frame` where it names none.
/// `spacing` (pb) may be negative: 0.5 angstrom, or wider. `out` may be empty: a CSV file with a line for each frame.
/// `model`: of gb.
void binding_energy(Run& run, std::shared_ptr<const Molecule> molecule, const BindingChoice& choice,
                    const PotentialOptions& method, GeneralisedBornModel model, double spacing, std::size_t frame,
                    const std::string& out);

/// compute energy --method gb: the polar solvation energy of a frame. `atoms_out` and `residues` may be empty.
void generalised_born_energy(Run& run, const GeneralisedBornOptions& options, GeneralisedBornModel model,
                             const Topology& topology, const Frame& frame, const std::string& atoms_out,
                             const std::string& residues);

/// The report's key `method`.
nlohmann::ordered_json generalised_born_json(const GeneralisedBornOptions& options, GeneralisedBornModel model);

}  // namespace isolume::cli
