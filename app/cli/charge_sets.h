// Charges by name: those of the file, of tables, estimated ones, or a column of a CSV.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// Throws Error (usage) where `name` is none of file, amber (ff14sb), charmm (charmm36), parse, gasteiger, and does not
/// end in .csv or .csv:COLUMN. Empty is none.
void check_charge_set(const std::string& name);

bool is_charge_table(const std::string& name);

/// What a scene calls that set in SceneMolecule::templates ("tables:charmm"); empty for file and for none. With
/// `build_missing` they build side chains too, and none are those of amber. Throws Error (usage) for a CSV, which a
/// scene cannot hold, and for unknown names.
std::string scene_tables(const std::string& name, bool build_missing);

/// --charge-set and --build-missing of commands that draw.
void add_scene_charges_option(Verb command, std::string& set, bool& build_missing);

/// `molecule` with the charges of a CSV (FILE.csv, or FILE.csv:COLUMN instead of the column "charge"). Rows are found
/// by a column index (from 0), serial, or chain, number and atom. Throws Error (input) where an atom has no row.
std::shared_ptr<const Molecule> with_charges_of_csv(Run& run, const Molecule& molecule, const std::string& name);

/// Charges of residues by two sets, as CSV: chain, number, residue, both charges, their difference, and the atom whose
/// charges differ most.
std::string compared_charges(Run& run, const std::shared_ptr<const Molecule>& molecule, const std::string& first,
                             const std::string& second, std::size_t frame);

}  // namespace isolume::cli
