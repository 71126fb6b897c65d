// Index of the frames of text files, which is taken up where a file has grown since it was read before.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/bytes/frames.h"
#include "formats/bytes/known_frames.h"
#include "formats/bytes/text.h"
#include "formats/bytes/text_pieces.h"

namespace isolume {

/// What one step over a frame found.
struct FrameStep {
  enum class Kind { frame, blank, end, cut, damaged } kind = Kind::frame;
  std::size_t atoms = 0;
};

/// Goes over one frame; the scanner is at its first line. Throws Error (input) where the first frame is damaged.
using StepOver = std::function<FrameStep(LineScanner& scanner, bool first)>;

/// Where the frames start: those with the atoms of the first one, `molecule.topology`. A last frame that is cut short
/// or whose beginning makes no sense becomes a warning, unless it is the only one, as do frames of other atoms.
std::vector<FramePlace> index_frames(const ByteSource& source, Molecule& molecule, const StepOver& step_over);

/// The molecule of a text file whose first frame was read with its atoms; the others are decoded when asked for.
Molecule indexed_molecule(std::shared_ptr<const ByteSource> source, std::string title, AtomPart first,
                          const StepOver& step_over, IndexedTrajectory::Decode decode);

/// Goes over the next `count` lines, faster than line by line; false where there are fewer. line() is then empty.
bool skip_lines(LineScanner& scanner, std::size_t count);

}  // namespace isolume
