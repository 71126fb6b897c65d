// Basis sets of QCSchema.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "formats/orbitals/json_document.h"
#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// How much there may be: the file names the shells once for each kind of atom, so that a small one can mean many.
struct QcschemaLimits {
  std::size_t atoms = 0;      ///< that there are
  std::size_t functions = 0;  ///< at most
  std::size_t primitives = 0;
};

/// Number of functions of a shell, spherical or Cartesian.
std::size_t functions_of(const FileShell& shell);

/// The shells of all atoms, centre by centre. Throws Error (input) beyond the limits.
std::vector<FileShell> qcschema_shells(const JsonFile& file, const nlohmann::json& basis, const QcschemaLimits& limits);

}  // namespace isolume
