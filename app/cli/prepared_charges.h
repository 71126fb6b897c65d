// Hydrogens and charges from the built-in tables, on the command line.
#pragma once

#include <string>

#include "app/cli/command.h"
#include "compute/preparation/prepared_charges.h"

namespace isolume::cli {

/// What the options say of charges from tables.
struct ChargeChoice {
  std::string set;  ///< amber (ff14sb), charmm (charmm36) or parse; empty where the option was not given
  std::string radii = "own";
  std::string protonation;  ///< a file, empty for none
  double ph = 7;
  bool neutral_ends = false;
  bool build_missing = false;  ///< side chains
};

/// --force-field (also --charges), --ph, --protonation, --build-missing and --radii.
void add_charge_options(Verb command, ChargeChoice& choice);

/// `molecule` with hydrogens, charges and radii. Says what was done and what was not, and puts it into the report under
/// "preparation". Throws Error.
PreparedStructure prepared_by(Run& run, const Molecule& molecule, const ChargeChoice& choice, std::size_t frame = 0);

/// The charges of commands that need some and take other options of their own.
struct UsualCharges {
  std::string set;             ///< a name or a CSV; empty where the option was not given
  bool build_missing = false;  ///< side chains
};

/// --force-field (also --charge-set) and --build-missing.
void add_charge_set_option(Verb command, UsualCharges& charges);

/// The molecule as it is where it has charges or no polymer that the tables know; else with those of amber, which is
/// said. Where a set is named it always gets charges of that set: "file" its own, a CSV those of its rows. States
/// and hydrogens are found in `frame`; in the other frames they follow their atoms. Throws Error (usage) where side
/// chains are to be built and the charges are not those of tables.
std::shared_ptr<const Molecule> with_usual_charges(Run& run, std::shared_ptr<const Molecule> molecule,
                                                   const UsualCharges& charges, std::size_t frame);

/// Lines chain,number,residue,state,charge,why of all residues, with a header.
std::string residue_table(const PreparedStructure& prepared);

}  // namespace isolume::cli
