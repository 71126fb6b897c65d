// Which orbital a field means in a frame: by name, or by identity along the frames.
#pragma once

#include <cstddef>
#include <memory>

#include "app/scene/scene.h"
#include "compute/base/job.h"
#include "compute/orbitals/orbital_tracking.h"
#include "molecule/molecule.h"

namespace isolume {

/// The orbitals of a molecule matched from frame to frame: computed at the first call (a few milliseconds a frame), and
/// kept as long as the molecule lives. Thread safe. Throws Error.
std::shared_ptr<const OrbitalTracks> orbital_tracks(const std::shared_ptr<const Molecule>& molecule, Job& job);
/// The same where they are there already, else null; never waits.
std::shared_ptr<const OrbitalTracks> known_orbital_tracks(const std::shared_ptr<const Molecule>& molecule);

/// An orbital in one frame.
struct FoundOrbital {
  std::shared_ptr<const Orbitals> orbitals;  ///< of the frame
  std::size_t which = 0;                     ///< in them
  int sign = 1;                              ///< factor that makes its phase that of the frame it is followed from
  bool followed = false;
  double overlap = 1;  ///< weakest on the way
  bool weak = false;   ///< some match on the way is weak
};

/// The orbital of a field of kind orbital in a frame (beyond the last one: the last). Throws Error (usage) where the
/// frame has no orbitals, the name is of none, or the followed one was lost on the way.
FoundOrbital find_orbital(const std::shared_ptr<const Molecule>& molecule, const Field& field, std::size_t frame,
                          Job& job);

}  // namespace isolume
