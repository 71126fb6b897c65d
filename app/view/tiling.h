// The tiles of a scene: which molecules have one, and what each camera looks at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A molecule of the scene in a tile of its own.
struct SceneTile {
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::string title;           ///< the name of its first file; with its number where another has the same
  glm::dvec3 shift{0.0};       ///< what the first tile's camera looks at, moved by this, is what this one's looks at
};

/// Where a molecule is, whatever frame is shown: the middle of its atoms in frame 0 (without water and ions, where
/// there is something else), or of its first volume.
struct MoleculeMiddle {
  glm::dvec3 centre{0.0};
  double radius = 0;  ///< of gyration, angstrom
};
MoleculeMiddle middle_of(const Molecule& molecule);
/// Those that were computed; molecules are kept alive by it.
using MoleculeMiddles = std::map<std::shared_ptr<const Molecule>, MoleculeMiddle>;

/// The tiles, in the order of the molecules: those that are visible and of which something is drawn. Empty where the
/// scene wants none, or there are fewer than two. Every tile's camera looks at the middle of its molecule as the
/// first's looks at its; molecules that lie on an earlier one (their middles within half of its radius), as superposed
/// ones do, are seen from the same place as that, so that they can be compared.
std::vector<SceneTile> tiles_of(const Scene& scene, Documents& documents, MoleculeMiddles* known = nullptr);

}  // namespace isolume
