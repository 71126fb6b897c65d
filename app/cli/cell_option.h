// --pbc: where the molecules of a periodic cell are placed.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "molecule/whole_molecules.h"

namespace isolume::cli {

/// Declares --pbc. `text` becomes what is given, `otherwise` is what --help calls the default.
void add_cell_option(Verb command, std::string& text, const std::string& otherwise = "whole");

/// "as-is", "whole", "wrap", "centre" or "centre:SELECTION"; empty: whole. Throws Error (usage).
CellTreatment cell_treatment(const std::string& text);

}  // namespace isolume::cli
