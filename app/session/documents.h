// Documents: the molecules of a scene, loaded.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Loaded molecules by the paths that make them; thread safe. Loading is done by the caller's thread.
class Documents {
 public:
  /// Reads files (formats/read.h) and keeps what they hold; returns a scene entry for each molecule. Throws Error.
  std::vector<SceneMolecule> open(const std::vector<std::string>& paths);
  /// The molecule of a scene entry, loaded, and its assembly built, now where it was not. Throws Error.
  std::shared_ptr<const Molecule> molecule(const SceneMolecule& entry);
  /// Reads the files of an entry again, and builds its assembly anew. Throws Error; what was loaded then stays.
  void reload(const SceneMolecule& entry);
  /// As above, but null where it is not loaded yet.
  std::shared_ptr<const Molecule> loaded(const SceneMolecule& entry) const;

 private:
  mutable std::mutex mutex_;
  /// By paths and assembly.
  std::map<std::pair<std::vector<std::string>, std::string>, std::shared_ptr<const Molecule>> molecules_;
};

/// A sensible first picture of molecules that were just opened: cartoon for polymers with sticks for ligands and
/// spheres for ions, sticks for small molecules, lines for water up to a size, HOMO for orbitals, an isosurface for a
/// volume; camera fitted. Appends to `scene`.
void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect = 1.33);

/// Centre and radius (angstrom) of everything visible in a scene.
struct Extent {
  glm::dvec3 centre{0.0};
  double radius = 1.0;
};
Extent scene_extent(const Scene& scene, Documents& documents);

/// Number of frames the scene plays: the largest of its molecules.
std::size_t frame_count(const Scene& scene, Documents& documents);

}  // namespace isolume
