// A part of a table with lines for each frame.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"

namespace isolume::cli {

struct LineRun {
  std::string partial, out;  ///< files; `out` may be empty
  std::string kind, heading, selection;
};

/// Makes the lines of all frames and keeps them as a part (part_run.h), writes the table where `out` names a file, and
/// finishes the run.
void run_line_part(Run& run, const LineRun& of, const std::vector<std::size_t>& frames,
                   const std::function<std::string(std::size_t frame)>& lines);

/// The same with `lines` of some frames at once, one text for each.
void run_line_parts(
    Run& run, const LineRun& of, const std::vector<std::size_t>& frames,
    const std::function<std::vector<std::string>(std::span<const std::size_t> frames, Job& job)>& lines);

}  // namespace isolume::cli
