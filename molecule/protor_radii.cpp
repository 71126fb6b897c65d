// Radii of united atoms for accessible areas: ProtOr.
#include "molecule/protor_radii.h"

#include <algorithm>
#include <array>
#include <string>

namespace isolume {
namespace {

constexpr std::array<std::string_view, 22> residues = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY",
                                                       "HIS", "ILE", "LEU", "LYS", "MET", "MSE", "PHE", "PRO",
                                                       "SEC", "SER", "THR", "TRP", "TYR", "VAL"};

/// Trigonal carbons without a hydrogen, side chains.
constexpr std::array<std::string_view, 12> bare = {"ASN CG", "ASP CG", "GLN CD", "GLU CD", "ARG CZ",  "HIS CG",
                                                   "PHE CG", "TYR CG", "TYR CZ", "TRP CG", "TRP CD2", "TRP CE2"};

/// Trigonal carbons with one.
constexpr std::array<std::string_view, 16> aromatic = {"HIS CD2", "HIS CE1", "PHE CD1", "PHE CD2", "PHE CE1", "PHE CE2",
                                                       "PHE CZ",  "TYR CD1", "TYR CD2", "TYR CE1", "TYR CE2", "TRP CD1",
                                                       "TRP CE3", "TRP CZ2", "TRP CZ3", "TRP CH2"};

/// Oxygens with a hydrogen, or of acids, where either may have it.
constexpr std::array<std::string_view, 5> hydroxyl = {"SER OG", "THR OG1", "TYR OH", "ASP OD2", "GLU OE2"};

template <std::size_t n>
bool holds(const std::array<std::string_view, n>& list, const std::string& key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

}  // namespace

std::optional<float> protor_radius(std::string_view residue, std::string_view atom) {
  if (atom.empty() || std::find(residues.begin(), residues.end(), residue) == residues.end()) return std::nullopt;
  const std::string key = std::string(residue) + " " + std::string(atom);
  switch (atom[0]) {
    case 'C':
      if (atom == "C" || holds(bare, key)) return 1.61f;
      return holds(aromatic, key) ? 1.76f : 1.88f;
    case 'N':
      return 1.64f;
    case 'O':
      return atom == "OXT" || holds(hydroxyl, key) ? 1.46f : 1.42f;
    case 'S':
      return atom.substr(0, 2) == "SE" ? 1.90f : 1.77f;
    default:
      return std::nullopt;
  }
}

}  // namespace isolume
