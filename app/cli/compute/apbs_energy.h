// isolume compute energy --apbs: an input file of APBS, computed here.
#pragma once

#include <string>

#include "app/cli/command.h"

namespace isolume::cli {

/// Computes all ELEC blocks of an input of APBS, writes their potentials (DX, kT/e) and prints its energies in kJ/mol
/// and kcal/mol. Throws Error.
void apbs_energy(const Common& common, const std::string& path);

/// compute potential --apbs: the same for the maps that the file writes. Throws Error (usage) where it writes none.
void apbs_maps(const Common& common, const std::string& path);

}  // namespace isolume::cli
