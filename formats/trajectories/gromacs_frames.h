// What readers of GROMACS trajectories share: frames behind each other, each with a header.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "formats/bytes/binary.h"
#include "formats/bytes/frames.h"
#include "molecule/molecule.h"

namespace isolume {

/// What a frame's header says of it.
struct GromacsFrame {
  std::uint64_t atoms = 0;
  bool positions = true;  ///< it has some
};

/// A trajectory of frames with the atoms of the first. `step_over` reads a header and goes over the frame. A damaged
/// frame becomes a warning, and ends the trajectory, unless it is the first with positions. Frames without positions
/// are left out. Throws Error (input) where no frame has positions, or the first cannot be decoded.
///
/// @param swap  the byte order of the file is not that of the machine
Molecule read_gromacs_frames(std::shared_ptr<const ByteSource> source, const char* format, bool swap,
                             const std::function<GromacsFrame(BinaryCursor&)>& step_over,
                             IndexedTrajectory::Decode decode, IndexedTrajectory::DecodeLeading leading = {});

}  // namespace isolume
