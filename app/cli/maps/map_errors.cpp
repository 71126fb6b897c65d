// The standard errors of two maps, and what they say of their difference.
#include "app/cli/maps/map_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/over_time/difference.h"
#include "compute/over_time/significance.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void check_errors(const MapErrors& errors, bool plain_difference) {
  const bool given = !errors.own.empty() || !errors.other.empty();
  const bool wanted = !errors.error_out.empty() || !errors.faded_out.empty();
  if (wanted && !given)
    throw Error("--error-out and --faded-out need the standard error of a map: --error, --minus-error or both",
                Error::Kind::usage);
  if (given && !wanted) throw Error("--error and --minus-error go with --error-out or --faded-out", Error::Kind::usage);
  if (given && !plain_difference)
    throw Error(
        "--error and --minus-error are those of a plain --minus: without --scaled, --factor, --resolution, "
        "--like, --spacing, --region, --step, --near, --dust and --sigma",
        Error::Kind::usage);
  for (const std::string& path : {errors.error_out, errors.faded_out})
    if (!path.empty()) check_output(path, "mrc map ccp4 dx cube cub vdb");
}

void write_significance(Run& run, const MapErrors& errors, const Volume& difference,
                        const std::function<std::vector<float>(const std::string&)>& read) {
  if (errors.own.empty() && errors.other.empty()) return;
  const auto values_of = [&](const std::string& path) { return path.empty() ? std::vector<float>() : read(path); };
  std::vector<float> error = errors_of_difference(values_of(errors.own), values_of(errors.other));
  std::vector<float> faded(error.size());
  const std::size_t within = fade_insignificant(difference.values, error, faded);
  const auto unknown = static_cast<std::size_t>(std::count(error.begin(), error.end(), -1.0f));
  if (!errors.error_out.empty())
    write_volume(errors.error_out,
                 VolumeView(difference.grid, error, "standard error of the " + difference.name, difference.unit),
                 nullptr, 0, "standard error (-1: not known) of the difference, by Isolume");
  if (!errors.faded_out.empty())
    write_volume(
        errors.faded_out,
        VolumeView(difference.grid, faded, difference.name + ", faded where it is within its error", difference.unit),
        nullptr, 0, "faded to 0 within 2 standard errors: the difference, by Isolume");
  const double all = static_cast<double>(std::max<std::size_t>(1, faded.size()));
  run.report.result["significant"] = static_cast<double>(faded.size() - within) / all;
  run.report.result["with_error"] = static_cast<double>(faded.size() - unknown) / all;
  run.say(fmt::format("significant (above 2 standard errors) at {:.1f} % of the points, without an error at {:.1f} %",
                      100 * static_cast<double>(faded.size() - within) / all,
                      100 * static_cast<double>(unknown) / all));
}

}  // namespace isolume::cli
