// Frames of a molecule that moves along a normal mode.
#pragma once

#include <cstddef>
#include <vector>

#include "molecule/frame.h"
#include "molecule/quantum/vibrations.h"

namespace isolume {

/// One period of a mode about `rest` as `count` frames: positions rest + amplitude sin(2 pi n / count) e, where e is
/// the displacement of the mode with its longest vector of length 1 (amplitude: angstrom); velocities and times of that
/// motion (angstrom/ps, ps), of an imaginary mode with the size of its frequency. A mode of frequency 0 has neither.
/// Throws Error (usage) where the numbers of atoms differ or nothing moves.
std::vector<Frame> mode_frames(const VibrationalMode& mode, const Frame& rest, double amplitude, std::size_t count);

/// The largest speed of an atom in it, angstrom/ps: amplitude times 2 pi c |frequency|.
double largest_speed(const VibrationalMode& mode, double amplitude);

}  // namespace isolume
