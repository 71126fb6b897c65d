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
};

/// --force-field (also --charges), --ph, --protonation and --radii.
void add_charge_options(Verb command, ChargeChoice& choice);

/// `molecule` with hydrogens, charges and radii. Says what was done and what was not, and puts it into the report under
/// "preparation". Throws Error.
PreparedStructure prepared_by(Run& run, const Molecule& molecule, const ChargeChoice& choice, std::size_t frame = 0);

/// Lines chain,number,residue,state,charge,why of all residues, with a header.
std::string residue_table(const PreparedStructure& prepared);

}  // namespace isolume::cli
