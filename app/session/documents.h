// Documents: the molecules of a scene, loaded.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Loaded molecules by what makes them: paths, assembly and placement; thread safe. Loading is done by the caller's
/// thread.
class Documents {
 public:
  /// @param place_bytes  that molecules may take at places where the scene has them no more, so that undoing finds them
  explicit Documents(std::size_t place_bytes = std::size_t{256} << 20) : place_bytes_(place_bytes) {}
  /// Reads files (formats/read.h) and keeps what they hold; returns a scene entry for each molecule. Throws Error.
  std::vector<SceneMolecule> open(const std::vector<std::string>& paths);
  /// The molecule of a scene entry, loaded, its assembly built and all of it placed, now where it was not. Throws
  /// Error.
  std::shared_ptr<const Molecule> molecule(const SceneMolecule& entry);
  /// Reads the files of an entry again, builds its assembly and places it anew. Throws Error; what was loaded then
  /// stays.
  void reload(const SceneMolecule& entry);
  /// As above, but null where it is not loaded yet.
  std::shared_ptr<const Molecule> loaded(const SceneMolecule& entry) const;

 private:
  struct Loaded {
    std::vector<std::string> paths;
    std::string assembly;
    Placement placement;
    std::shared_ptr<const Molecule> molecule;
    bool is(const SceneMolecule& entry) const {
      return paths == entry.paths && assembly == entry.assembly && placement == entry.placement;
    }
  };
  /// Keeps it where there is none yet, and returns what is kept; the mutex is not held.
  std::shared_ptr<const Molecule> keep(const SceneMolecule& entry, Molecule molecule);
  const std::size_t place_bytes_;
  mutable std::mutex mutex_;
  std::vector<Loaded> molecules_;
};

/// A sensible first picture of molecules that were just opened: cartoon for polymers with sticks for ligands and
/// spheres for ions, sticks for small molecules, lines for water up to a size, HOMO for orbitals, an isosurface for a
/// volume; camera fitted. Appends to `scene`.
void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect = 1.33);

/// Centre and radius (angstrom) of everything visible in a scene; of Layout::tiles, of what any tile has, where the
/// camera of the first sees it.
struct Extent {
  glm::dvec3 centre{0.0};
  double radius = 1.0;
};
Extent scene_extent(const Scene& scene, Documents& documents);

/// Number of frames the scene plays: the largest of its molecules.
std::size_t frame_count(const Scene& scene, Documents& documents);

}  // namespace isolume
