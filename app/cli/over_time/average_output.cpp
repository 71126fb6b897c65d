// The output and messages of an average.
#include <fmt/format.h>

#include <cmath>

#include "app/cli/over_time/averager.h"
#include "app/fields/averages/running_mean.h"
#include "compute/over_time/significance.h"
#include "formats/write/write.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_listed_points = 10000;

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// Lines mean,standard error; and all that is known of each point for the report.
std::string lines_of(const RunningStatistics& statistics, Json& listed) {
  std::string text;
  for (std::size_t i = 0; i < statistics.points(); ++i) {
    const PointStatistics found = statistics.at(i);
    const MeanError& error = found.error;
    text += fmt::format("{},{}\n", found.mean, error.standard_error);
    if (statistics.points() > most_listed_points) continue;
    listed.push_back({{"mean", found.mean},
                      {"variance", found.variance},
                      {"standard_error", number_or_null(error.standard_error)},
                      {"half_interval_95", number_or_null(interval_factor(error.degrees) * error.standard_error)},
                      {"inefficiency", number_or_null(error.inefficiency)},
                      {"rough", error.rough(statistics.frames())},
                      {"degrees_of_freedom", error.degrees},
                      {"block_length", error.block_length}});
  }
  return text;
}

void write_convergence(const std::string& path, const AveragePart& part) {
  write_atomically(path, [&](std::ostream& out) {
    out << fmt::format("frames,standard error ({0}),rms of the mean ({0}),inefficiency (frames),without an error\n",
                       part.unit);
    const auto cell = [](const Json& value) {
      return value.is_null() ? "nan" : fmt::format("{:.7g}", value.get<double>());
    };
    for (const Json& row : part.convergence)
      out << fmt::format("{},{},{},{},{}\n", row["frames"].get<std::uint64_t>(), cell(row["standard_error"]),
                         cell(row["rms"]), cell(row["inefficiency"]), cell(row["without_error"]));
  });
}

void write_maps(const AveragePart& part, const AverageOutputs& outputs, const std::string& comment, Job& job,
                const Molecule* molecule, std::size_t frame) {
  const bool errors_too = !outputs.error_out.empty() || !outputs.faded_out.empty();
  if (outputs.out.empty() && outputs.variance_out.empty() && !errors_too) return;
  std::vector<float> means(part.size()), errors(errors_too ? part.size() : 0);
  std::vector<float> variances(outputs.variance_out.empty() ? 0 : part.size());
  part.statistics.fill(means, errors, job, variances);
  if (!outputs.out.empty())
    write_volume(outputs.out, VolumeView(part.grid, means, part.name, part.unit), molecule, frame, comment);
  if (!outputs.variance_out.empty())
    write_volume(outputs.variance_out,
                 VolumeView(part.grid, variances, "variance of the " + part.name.substr(part.name.find(' ') + 1),
                            squared_unit(part.unit)),
                 molecule, frame, "variance over the frames: " + comment);
  flag_unknown(errors);
  if (!outputs.error_out.empty())
    write_volume(outputs.error_out, VolumeView(part.grid, errors, "standard error of the " + part.name, part.unit),
                 molecule, frame, "standard error (-1: too few frames) of the " + comment);
  write_faded(part, means, errors, part.name, comment, outputs.faded_out);
}

}  // namespace

void write_faded(const AveragePart& part, std::span<const float> values, std::span<const float> errors,
                 const std::string& name, const std::string& comment, const std::string& path) {
  if (path.empty()) return;
  std::vector<float> faded(values.size());
  fade_insignificant(values, errors, faded);
  write_volume(path, VolumeView(part.grid, faded, name + ", faded where it is within its error", part.unit), nullptr, 0,
               "faded to 0 within 2 standard errors: " + comment);
}

void flag_unknown(std::span<float> errors) {
  for (float& error : errors)
    if (std::isnan(error)) error = -1;
}

void write_average(Run& run, const AveragePart& part, const AverageOutputs& outputs, const Molecule* molecule,
                   std::size_t frame) {
  const StatisticsSummary summary = part.statistics.summary();
  const auto points = static_cast<double>(std::max<std::size_t>(1, summary.points));
  const double without = static_cast<double>(summary.without) / points;
  const double rough = static_cast<double>(summary.rough) / points;
  Json& result = run.report.result;
  result["frames"] = part.frames.size();
  result["standard_error"] = {
      {"rms", number_or_null(summary.rms_error)},
      {"relative", summary.rms_mean > 0 ? number_or_null(summary.rms_error / summary.rms_mean) : Json(nullptr)},
      {"points", summary.points},
      {"without", without},
      {"rough", rough},
      {"method", "blocks of frames, after Flyvbjerg and Petersen"}};
  result["statistical_inefficiency"] = {{"median", number_or_null(summary.inefficiency)},
                                        {"nine_in_ten", number_or_null(summary.high_inefficiency)}};
  result["convergence"] = part.convergence;
  run.report.unit = part.unit;
  const std::string frames = counted(part.frames.size(), "frame");
  const std::string comment = fmt::format("{} over {}, {}, by Isolume", part.name, frames, part.comment);
  if (part.is_map()) {
    run.report.grid(part.grid);
    write_maps(part, outputs, comment, run.job(), molecule, frame);
  } else {
    Json listed = Json::array();
    const std::string lines = lines_of(part.statistics, listed);
    result["points"] = listed;
    if (outputs.out.empty()) {
      fmt::print("{}", lines);
    } else {
      write_atomically(outputs.out, [&](std::ostream& out) { out << lines; });
    }
  }
  if (!outputs.convergence.empty()) write_convergence(outputs.convergence, part);
  const std::string known = std::isfinite(summary.rms_error)
                                ? fmt::format("standard error {:.2g} {} rms, inefficiency {:.3g} frames",
                                              summary.rms_error, part.unit, summary.inefficiency)
                                : std::string("no standard error");
  run.say(fmt::format("{}{} over {}: {}", outputs.out.empty() ? "" : outputs.out + ": ", part.name, frames, known));
  if (without > 0)
    run.say(fmt::format("note: {} too few for a standard error at {:.1f} % of the points (NaN, in maps -1)",
                        part.frames.size() == 1 ? "1 frame is" : frames + " are", 100 * without));
  if (rough > 0)
    run.say(
        fmt::format("note: at {:.1f} % of the points the standard error is rough, and may be half of the true one: "
                    "it comes from fewer than {:g} independent frames",
                    100 * rough, enough_independent));
}

}  // namespace isolume::cli
