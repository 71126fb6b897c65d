// Documents: the molecules of a scene, loaded.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Loaded molecules by what makes them: paths, treatment of the cell, assembly and placement; thread safe. Loading is
/// done by the caller's thread.
class Documents {
 public:
  /// @param place_bytes  that molecules may take at places where the scene has them no more, so that undoing finds them
  explicit Documents(std::size_t place_bytes = std::size_t{256} << 20) : place_bytes_(place_bytes) {}
  /// Reads files (formats/read.h) and keeps what they hold; returns a scene entry for each molecule. Throws Error.
  std::vector<SceneMolecule> open(const std::vector<std::string>& paths);
  /// The molecule of a scene entry, loaded, its cell treated, its assembly built and all of it placed, now where it was
  /// not. Throws Error.
  std::shared_ptr<const Molecule> molecule(const SceneMolecule& entry);
  /// The molecule as pictures show it: molecule(), with its motion smoothed where the entry says so
  /// (SceneMolecule::smoothing) and there are three frames or more. Those with orbitals stay as they are, since
  /// orbitals have places of their own. Throws Error, also where smoothing needs more memory than can be had.
  std::shared_ptr<const Molecule> shown(const SceneMolecule& entry);
  /// Reads the files of an entry again, builds its assembly and places it again. Throws Error; what was loaded then
  /// stays.
  void reload(const SceneMolecule& entry);
  /// As above, but null where it is not loaded yet.
  std::shared_ptr<const Molecule> loaded(const SceneMolecule& entry) const;
  /// As shown(), but null where it is not loaded yet.
  std::shared_ptr<const Molecule> loaded_as_shown(const SceneMolecule& entry);
  /// The atoms and residues of an entry, which stay what they are where it is placed: null only where it is loaded at
  /// no place.
  std::shared_ptr<const Topology> topology(const SceneMolecule& entry) const;

 private:
  struct Loaded {
    SceneMolecule entry;
    std::shared_ptr<const Molecule> molecule;
    bool is(const SceneMolecule& other) const { return is_moved(other) && entry.placement == other.placement; }
    /// It, at this place or at another one.
    bool is_moved(const SceneMolecule& other) const {
      return entry.paths == other.paths && entry.templates == other.templates && entry.cell == other.cell &&
             entry.assembly == other.assembly;
    }
  };
  /// Keeps it where there is none yet, and returns what is kept; the mutex is not held.
  std::shared_ptr<const Molecule> keep(const SceneMolecule& entry, Molecule molecule);
  struct Smoothed {
    std::shared_ptr<const Molecule> from;
    std::size_t half = 0;
    std::shared_ptr<const Molecule> molecule;
  };
  /// `ask`: whether there is memory for it is looked up first.
  std::shared_ptr<const Molecule> smoothed(const SceneMolecule& entry, std::shared_ptr<const Molecule> molecule,
                                           bool ask);
  const std::size_t place_bytes_;
  mutable std::mutex mutex_;
  std::vector<Loaded> molecules_;
  std::vector<Smoothed> smoothed_;
};

/// Number of frames the scene plays: the largest of its molecules.
std::size_t frame_count(const Scene& scene, Documents& documents);

}  // namespace isolume
