// The colours that residues have in the picture.
#include "app/view/residue_colours.h"

#include "app/scene/named_selections.h"
#include "app/view/representation_colours.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

bool follows_chain(Style style) {
  return style == Style::cartoon || style == Style::tube || style == Style::trace;
}

/// The atom that stands for a residue, of those in the mask; the number of atoms for none.
std::size_t guide_of(const Topology& topology, const Residue& residue, const std::vector<std::uint8_t>& mask) {
  std::size_t found = topology.atoms.size();
  for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    if (!mask[i]) continue;
    const Name name = topology.atoms[i].name;
    if (name == "CA" || name == "C4'" || name == "C4*") return i;
    if (found == topology.atoms.size()) found = i;
  }
  return found;
}

}  // namespace

std::vector<glm::u8vec4> residue_colours(const Scene& scene, std::uint32_t molecule, const Topology& topology,
                                         const Frame& frame, Documents& documents) {
  std::vector<glm::u8vec4> result(topology.residues.size(), glm::u8vec4(0));
  if (molecule >= scene.molecules.size() || !scene.molecules[molecule].visible) return result;
  for (const bool ribbons : {true, false}) {
    for (const Representation& representation : scene.representations) {
      if (!representation.visible || representation.molecule != molecule ||
          follows_chain(representation.style) != ribbons || representation.style == Style::hydrogen_bonds ||
          representation.style == Style::vectors)
        continue;
      const auto mask = Selection(with_names(scene, molecule, representation.selection)).mask(topology, frame);
      const AtomColours colours = colours_of(scene, representation, topology, frame, mask, documents);
      for (std::size_t r = 0; r < result.size(); ++r) {
        if (result[r].a > 0) continue;
        const std::size_t guide = guide_of(topology, topology.residues[r], mask);
        if (guide < topology.atoms.size()) result[r] = glm::u8vec4(glm::u8vec3(colours.colours[guide]), 255);
      }
    }
  }
  return result;
}

}  // namespace isolume
