// The line of PDB and PQR files that has the cell and its space group.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "molecule/cell.h"
#include "molecule/crystal/crystal.h"

namespace isolume {

/// CRYST1 in the columns of PDB 3.30: the symbol has 11, without its blanks where it is longer; Z is blank where it is
/// not known.
inline std::string cryst1(const Cell& cell, SpaceGroup group) {
  constexpr std::size_t room = 11;
  if (group.symbol.size() > room) std::erase(group.symbol, ' ');
  if (group.symbol.size() > room) group = {};
  const glm::dvec3 l = cell.lengths(), a = cell.angles();
  return fmt::format("CRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} {:<11}{:>4}", l.x, l.y, l.z, a.x, a.y, a.z,
                     group.symbol, group.z > 0 && group.z < 10'000 ? std::to_string(group.z) : std::string());
}

}  // namespace isolume
