// Parts of tables with some lines for each frame, kept in their written form.
#pragma once

#include <string>
#include <vector>

#include "molecule/frame_part.h"

namespace isolume::cli {

/// A part whose frames have these lines; `heading` is the table's, `selection` what the lines are of.
FramePart line_part(const std::string& kind, const std::string& heading, const std::string& selection,
                    std::vector<std::uint64_t> frames, const std::vector<std::string>& lines);

bool is_line_part(const FramePart& part);

/// The table: its heading and the lines of all frames.
std::string table_of_lines(const FramePart& part);

}  // namespace isolume::cli
