// A part of a table with lines for each frame.
#include "app/cli/over_time/line_run.h"

#include <fmt/format.h>

#include "app/cli/over_time/line_part.h"
#include "app/cli/over_time/part_run.h"
#include "formats/write/write.h"

namespace isolume::cli {

void run_line_part(Run& run, const LineRun& of, const std::vector<std::size_t>& frames,
                   const std::function<std::string(std::size_t frame)>& lines) {
  run_line_parts(run, of, frames, [&](std::span<const std::size_t> some, Job& job) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < some.size(); ++i) {
      job.check();
      job.progress(static_cast<double>(i) / static_cast<double>(some.size()), of.kind);
      texts.push_back(lines(some[i]));
    }
    return texts;
  });
}

void run_line_parts(
    Run& run, const LineRun& of, const std::vector<std::size_t>& frames,
    const std::function<std::vector<std::string>(std::span<const std::size_t> frames, Job& job)>& lines) {
  PartRun made(run, of.partial, of.kind, frames);
  made.finish([&](std::span<const std::size_t> some, Job& job) {
    return line_part(of.kind, of.heading, of.selection, {some.begin(), some.end()}, lines(some, job));
  });
  run.report.phase("compute");
  if (!of.out.empty()) {
    const std::string table = table_of_lines(made.part());
    write_atomically(of.out, [&](std::ostream& out) { out << table; });
  }
  if (run.report.method.is_null()) run.report.method = {{"name", of.kind}, {"selection", of.selection}};
  run.report.result["part"] = {{"file", of.partial}, {"frames", frames_in_words(made.part().frames)}};
  run.report.phase("write");
  run.say(fmt::format("{}: {} of {}", of.partial, of.kind, counted(made.part().frames.size(), "frame")));
  run.finish();
}

}  // namespace isolume::cli
