// What the verbs that compare frames with each other share.
#include <fmt/format.h>

#include "app/cli/cell_option.h"
#include "app/cli/quantum/nuclei.h"
#include "app/cli/trajectory/trajectory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {

void add_frame_set_options(Verb command, FrameSetOptions& options, const char* selection, const char* out, bool fits) {
  command.option("FILE", options.files, "a structure with its trajectory").required();
  command.option("--frame,--frames", options.frames, "A:B:STEP (B excluded), from 0");
  command.option("--select", options.selection, fmt::format("which atoms (default: {})", selection));
  if (fits) command.flag("--no-fit", options.no_fit, "leave frames where they are");
  add_cell_option(command, options.cell);
  command.option("--out", options.out, out).type_name("FILE").writes();
}

ReadFrames read_frame_set(Run& run, const Common& common, const FrameSetOptions& options, const std::string& what) {
  on_cpu_alone(run, common, what);
  for (const std::string& file : options.files) run.report.input(file);
  ReadFrames result;
  result.molecule = read_molecule(options.files, {}, cell_treatment(options.cell));
  if (!result.molecule->topology || result.molecule->frame_count() == 0)
    throw Error(missing_positions(*result.molecule), Error::Kind::usage);
  const auto frames = parse_frames(options.frames, result.molecule->frame_count());
  if (frames.size() < 2)
    throw Error(fmt::format("{}: takes at least two frames, and there {} {}", what, frames.size() == 1 ? "is" : "are",
                            frames.size()),
                Error::Kind::usage);
  result.set = read_frames(*result.molecule, frames, options.selection, run.job());
  run.report.method = {{"name", what},
                       {"selection", result.set.selection},
                       {"atoms", result.set.atoms.size()},
                       {"frames", frames.size()},
                       {"superposed", !options.no_fit},
                       {"pbc", options.cell.empty() ? "whole" : options.cell}};
  run.report.phase("read");
  return result;
}

std::string frame_heading(const FrameSet& set) {
  return set.times.empty() ? "frame" : "frame,time (ps)";
}

std::string frame_cells(const FrameSet& set, std::size_t row) {
  return set.times.empty() ? fmt::format("{}", set.frames[row])
                           : fmt::format("{},{:.6g}", set.frames[row], set.times[row]);
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, [&](std::ostream& out) { out << text; });
  }
}

}  // namespace isolume::cli
