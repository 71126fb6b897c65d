// The frame that is shown of each molecule of a scene, decoded once.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// Keeps the frame that was asked for last of each molecule of a scene. One thread at a time.
class FrameCache {
 public:
  /// Frame `frame` of the scene's molecule `index`, or the last one where it has fewer. Null where there is no molecule
  /// or it has no positions. Throws Error as Trajectory::frame() does.
  std::shared_ptr<const Frame> get(std::size_t index, const std::shared_ptr<const Molecule>& molecule,
                                   std::size_t frame);

 private:
  struct Entry {
    std::shared_ptr<const Molecule> molecule;
    std::size_t number = 0;
    std::shared_ptr<const Frame> frame;
  };
  std::vector<Entry> entries_;
};

}  // namespace isolume
