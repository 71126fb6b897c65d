// Where hydrogens of templates stand in a structure, and templates of the ends of chains.
#pragma once

#include <glm/glm.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "molecule/force_field/residue_templates.h"

namespace isolume {

/// Names of atoms.
using AtomNames = std::set<std::string>;

inline bool is_hydrogen(const Atom& atom) {
  return atom.element == 1;
}

/// A residue of the structure that is to be completed.
struct CompletionTarget {
  std::string name;
  std::vector<std::uint32_t> heavy;             ///< atoms of the file
  std::map<std::string, std::uint32_t> named;   ///< heavy and hydrogen, by common name
  AtomNames names, links;                       ///< of heavy atoms, and of those bonded to other residues
  std::map<std::string, std::uint32_t> linked;  ///< the first atom of another residue at each link
};

/// Where a hydrogen of a template is in the target, by the frame of the atom that carries it;
/// in angstrom. False where the target has no such atom.
bool place_hydrogen(const ResidueTemplate& t, std::size_t carrier, glm::dvec3 hydrogen, const CompletionTarget& target,
                    const std::vector<glm::vec3>& positions, glm::dvec3& out);

/// The template of an amino acid at an end of a chain, composed: the atoms of the backbone from `end` (an end of
/// another residue), the side chain from `middle`. `first`: the end with the ammonium group, else that with OXT. The
/// charge that is missing to a whole number is spread over the side chain; `shift` becomes the most (in e) that an atom
/// got, where that is more.
ResidueTemplate composed_end(const ResidueTemplate& middle, const ResidueTemplate& end, bool first, double& shift);

}  // namespace isolume
