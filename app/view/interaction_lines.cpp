// Interactions of a scene: those found in a frame, and their dashed lines.
#include "app/view/interaction_lines.h"

#include <algorithm>

#include "app/view/dashes.h"
#include "app/view/usual_look.h"
#include "molecule/selection/selection.h"

namespace isolume {

glm::u8vec4 colour_of(InteractionKind kind) {
  switch (kind) {
    case InteractionKind::hydrogen_bond:
      return hydrogen_bond_colour;
    case InteractionKind::salt_bridge:
      return {230, 159, 0, 255};
    case InteractionKind::stacking:
      return {0, 158, 115, 255};
    case InteractionKind::edge_stacking:
      return {90, 190, 160, 255};
    case InteractionKind::cation_pi:
      return {86, 130, 233, 255};
    case InteractionKind::clash:
      return {213, 40, 0, 255};
    case InteractionKind::contact:
      break;
  }
  return {130, 130, 130, 255};
}

InteractionKinds kinds_of(const InteractionSet& set) {
  return {set.hydrogen_bonds, set.salt_bridges, set.stacking, set.stacking, set.cation_pi, set.clashes, set.contacts};
}

std::vector<Interaction> InteractionFinder::find(const InteractionSet& set,
                                                 const std::shared_ptr<const Molecule>& molecule, const Frame& frame,
                                                 Job& job) {
  const Topology& topology = *molecule->topology;
  auto known = sites_.find(molecule.get());
  if (known == sites_.end()) {
    if (sites_.size() > 8) sites_.clear();
    known = sites_.emplace(molecule.get(), std::pair(molecule, interaction_sites(topology, frame))).first;
  }
  const std::vector<std::uint8_t> first = Selection(set.selection).mask(topology, frame);
  const std::vector<std::uint8_t> second =
      set.other.empty() ? std::vector<std::uint8_t>{} : Selection(set.other).mask(topology, frame);
  return interactions(topology, known->second.second, frame, first, second, kinds_of(set), {}, job);
}

void move_with_atoms(std::vector<Interaction>& interactions, const Frame& from, const Frame& to) {
  const auto motion = [&](const std::vector<std::uint32_t>& atoms) {
    glm::dvec3 sum(0);
    for (const std::uint32_t i : atoms) sum += glm::dvec3(to.positions[i]) - glm::dvec3(from.positions[i]);
    return atoms.empty() ? glm::vec3(0) : glm::vec3(sum / static_cast<double>(atoms.size()));
  };
  for (Interaction& interaction : interactions) {
    interaction.from += motion(interaction.first);
    interaction.to += motion(interaction.second);
  }
}

InteractionDrawing draw_interactions(const std::vector<Interaction>& interactions) {
  InteractionDrawing result;
  result.key.title = "Interactions";
  Dashes dashes(2.5f);
  for (const Interaction& interaction : interactions) {
    const glm::u8vec4 colour = colour_of(interaction.kind);
    dashes.line(interaction.from, interaction.to, colour);
    std::pair<std::string, glm::vec3> entry(name(interaction.kind), glm::vec3(glm::u8vec3(colour)) / 255.0f);
    auto& entries = result.key.entries;
    if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(std::move(entry));
  }
  if (!dashes.empty()) result.lines = std::move(dashes).item();
  return result;
}

InteractionSet usual_interactions(const Molecule& molecule, const std::string& selected) {
  InteractionSet set;
  if (!molecule.topology) return set;
  const auto any = [&](const char* words) { return !Selection(words).atoms(*molecule.topology, {}).empty(); };
  if (!selected.empty()) {
    set.selection = "same residue as " + selected;
  } else if (any("ligand") && any("not ligand")) {
    set.selection = "ligand";
  } else {
    set.clashes = false;  // of a whole structure they would hide the rest
    return set;
  }
  set.other = "not (" + set.selection + ")";
  return set;
}

}  // namespace isolume
