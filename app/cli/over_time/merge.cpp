// isolume merge: one average from the part files of several runs.
#include <fmt/format.h>

#include "app/cli/over_time/averager.h"
#include "app/cli/over_time/over_time.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> parts, minus;
  AverageOutputs outputs;
};

AveragePart merged(const std::vector<std::string>& paths, AveragePart first, Job& job) {
  for (std::size_t i = 1; i < paths.size(); ++i) {
    job.check();
    merge_parts(first, read_part(paths[i]), paths[i]);
  }
  return first;
}

void run_merge(const Common& common, const Options& options) {
  Run run(common, false);
  for (const std::string& path : options.parts) run.report.input(path);
  AveragePart part = read_part(options.parts.front());
  // What is wrong with the names is said before the other parts are read.
  check_output(options.outputs.out, part.is_map() ? map_extensions : "csv txt dat");
  if (!part.is_map() && !options.outputs.error_out.empty())
    throw Error("--error-out is a map; these are averages at points, whose lines are mean,standard error already",
                Error::Kind::usage);
  if (!options.outputs.error_out.empty()) check_output(options.outputs.error_out, map_extensions);
  part = merged(options.parts, std::move(part), run.job());
  run.report.phase("read");
  run.report.method = {{"name", "merged average"}, {"parts", options.parts.size()}, {"of", part.provenance}};
  if (options.minus.empty()) {
    write_average(run, part, options.outputs);
  } else {
    for (const std::string& path : options.minus) run.report.input(path);
    const AveragePart other = merged(options.minus, read_part(options.minus.front()), run.job());
    require_same_place(part, other, options.minus.front());
    run.report.method["minus"] = other.provenance;
    write_difference(run, part, other, options.outputs);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_merge(Commands& commands) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(commands.app, "merge", "one average over frames from parts that --partial kept",
                                    "isolume merge part.* --out mean.dx --error-out error.dx\n"
                                    "  isolume merge holo.* --minus apo.* --out difference.dx --error-out error.dx",
                                    [&commands, options] { run_merge(commands.common, *options); });
  command.option("PART", options->parts, "part files of one average").required();
  command.option("--minus", options->minus, "parts of another average on the same grid or points, to be subtracted")
      .type_name("PART ...");
  command.option("--out", options->outputs.out, "a map (cube, dx, mrc, map or ccp4); of points csv")
      .required()
      .type_name("FILE")
      .writes();
  command.option("--error-out", options->outputs.error_out, "a map of the mean's standard error")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
