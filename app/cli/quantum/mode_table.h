// The normal modes of a file as a table.
#pragma once

#include <string>
#include <vector>

#include "molecule/molecule.h"
#include "molecule/quantum/vibrations.h"

namespace isolume::cli {

/// The masses of the molecule's atoms: standard atomic weights, Da.
std::vector<double> masses_of(const Molecule& molecule);

/// A row for each mode, with a line that names the columns.
std::string mode_table(const Vibrations& vibrations, const std::vector<double>& masses, const Molecule& molecule);

}  // namespace isolume::cli
