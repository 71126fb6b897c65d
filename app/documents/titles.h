// What molecules and maps are called in lists, legends and keys: by their files.
#pragma once

#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// The name of the first file without its folder; empty for none.
std::string file_title(const std::vector<std::string>& paths);

/// The path of the file that a molecule's volume is from, by the endings of its files; empty where that is not known.
std::string volume_file(const Molecule& molecule, std::size_t volume);

/// The name of the file of a molecule's volume without its folder, with the volume's own name or its number behind it
/// where the file has several; for a volume of no file its name.
std::string volume_title(const Molecule& molecule, std::size_t volume);

}  // namespace isolume
