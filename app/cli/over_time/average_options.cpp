// --average and its options: the mean of a field over frames, with its standard error.
#include "app/cli/over_time/average_options.h"

#include "app/cli/command.h"
#include "app/cli/over_time/part_origin.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

void add_variance_option(Verb command, std::string& path) {
  command.option("--variance-out", path, "a map of the variance over the frames, in the square of the unit")
      .type_name("FILE")
      .writes();
}

void add_faded_option(Verb command, std::string& path) {
  command
      .option("--faded-out", path,
              "a map of the mean, or of the difference, faded to 0 where it is within its error: whole from 4 standard "
              "errors on, 0 up to 2 and where the error is not known")
      .type_name("FILE")
      .writes();
}

void add_average_options(Verb command, AverageOptions& options, bool flag) {
  if (flag)
    command.flag("--average", options.average, "the mean over --frames, with its standard error by blocks of frames");
  command.option("--frames", options.frames, "A:B:STEP (B excluded) of the average (default: all)");
  add_average_outputs(command, options);
}

void add_average_outputs(Verb command, AverageOptions& options) {
  command.option("--align", options.align,
                 "superpose frames by these atoms on the first frame, or on that of --frame (default: as they are)");
  command.option("--error-out", options.error_out, "a map of the mean's standard error; -1 where frames are too few")
      .type_name("FILE")
      .writes();
  add_variance_option(command, options.variance_out);
  add_faded_option(command, options.faded_out);
  command.option("--convergence", options.convergence, "csv: standard error and inefficiency against frames")
      .type_name("FILE")
      .writes();
  add_partial_option(command, options.partial);
}

void check_average_options(const AverageOptions& options, bool at_points) {
  const auto refuse = [](bool wrong, const char* text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  if (!options.average) {
    refuse(!options.frames.empty(), "--frames belongs to --average; --frame is one frame");
    refuse(!options.align.empty(), "--align belongs to --average");
    refuse(!options.error_out.empty(), "--error-out belongs to --average");
    refuse(!options.variance_out.empty(), "--variance-out belongs to --average");
    refuse(!options.faded_out.empty(), "--faded-out belongs to --average");
    refuse(!options.convergence.empty(), "--convergence belongs to --average");
    refuse(!options.partial.empty(), "--partial belongs to --average");
    return;
  }
  refuse(at_points && !options.error_out.empty(),
         "--error-out is a map; with --at the lines are mean,standard error already");
  refuse(at_points && !options.variance_out.empty(),
         "--variance-out is a map; with --at the report has the variance of each point");
  refuse(at_points && !options.faded_out.empty(), "--faded-out is a map, and --at gives lines");
  check_part_path(options.partial);
  if (!options.error_out.empty()) check_output(options.error_out, map_extensions);
  if (!options.variance_out.empty()) check_output(options.variance_out, map_extensions);
  if (!options.faded_out.empty()) check_output(options.faded_out, map_extensions);
  if (!options.convergence.empty()) check_output(options.convergence, "csv");
  if (!options.align.empty()) Selection{options.align};  // reports errors in it before any file is read
}

}  // namespace isolume::cli
