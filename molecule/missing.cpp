// Messages about data missing in a file, and how to get it.
#include "molecule/missing.h"

#include <algorithm>

namespace isolume {
namespace {

std::string name_of(const Molecule& molecule) {
  if (molecule.paths.empty()) return "the file";
  const std::string& path = molecule.paths.front();
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

std::string missing_positions(const Molecule& molecule) {
  if (molecule.atom_count() == 0) return "this needs atoms with positions, and " + name_of(molecule) + " has none";
  return name_of(molecule) +
         " has no coordinates: open it with a trajectory (DCD, XTC, NetCDF) or a PDB, GRO, CRD, restart or COOR file";
}

std::string missing_volume(const Molecule& molecule) {
  const std::string name = name_of(molecule);
  const bool orbitals =
      std::any_of(molecule.orbitals.begin(), molecule.orbitals.end(), [](const auto& o) { return o; });
  const bool charges = molecule.topology && molecule.topology->has_charges;
  std::string text = name + " holds no volume";
  if (orbitals) text += ". To make one: isolume compute orbital " + name + " --orbital homo --out homo.cube";
  if (!orbitals && charges) text += ". To make one: isolume compute potential " + name + " --out potential.dx";
  return text;
}

}  // namespace isolume
