// A timeline as a heat map in SVG.
#pragma once

#include <string>

#include "compute/timeline/timeline.h"

namespace isolume::cli {

/// Frames to the right, rows down, with axes, a colour key and the unit. Numbers from 0 or more are shown by a scale
/// from dark blue to yellow (viridis), others from red over white (0) to blue; secondary structure by a colour a class.
/// Beyond 800 columns or rows each cell is the mean of several (of structure the first).
std::string timeline_svg(const Timeline& line, TimelineKind kind, const Topology& topology, bool by_atom);

/// "A/THR1", "A/THR1:CA".
std::string timeline_label(const Timeline& line, const Topology& topology, std::size_t row, bool by_atom);

}  // namespace isolume::cli
