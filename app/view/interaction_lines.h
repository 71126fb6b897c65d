// Interactions of a scene: those found in a frame, and their dashed lines.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "app/scene/scene.h"
#include "compute/structure/interactions.h"
#include "molecule/molecule.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Of the dashed lines: hydrogen bonds like those of a representation, the others apart for colour-blind eyes too.
glm::u8vec4 colour_of(InteractionKind kind);
/// The kinds that a set has ticked; `stacking` is both face to face and edge to face.
InteractionKinds kinds_of(const InteractionSet& set);

/// Finds the interactions of sets. Sites are found once for each molecule.
class InteractionFinder {
 public:
  /// In a frame of the set's molecule, which has a topology; `set` without names (app/scene/named_selections.h). Throws
  /// Error where a selection is wrong.
  std::vector<Interaction> find(const InteractionSet& set, const std::shared_ptr<const Molecule>& molecule,
                                const Frame& frame, Job& job);

 private:
  std::map<const Molecule*, std::pair<std::shared_ptr<const Molecule>, InteractionSites>> sites_;
};

/// A group of interactions as it is drawn.
struct InteractionDrawing {
  std::shared_ptr<const DrawItem> lines;  ///< null where there are none
  ColourKey key;                          ///< the kinds that occur
};
/// Moves where interactions are drawn with the middle of their atoms, from one frame to another (smoothing).
void move_with_atoms(std::vector<Interaction>& interactions, const Frame& from, const Frame& to);

InteractionDrawing draw_interactions(const std::vector<Interaction>& interactions);

/// What is shown where nobody has said it. With atoms selected: theirs with all others; else of the ligands with what
/// is around them; else between all atoms. Of molecule 0.
InteractionSet usual_interactions(const Molecule& molecule, const std::string& selected);

}  // namespace isolume
