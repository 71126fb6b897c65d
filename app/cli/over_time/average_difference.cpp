// The difference of two averages with its standard error.
#include <fmt/format.h>

#include <cmath>

#include "app/cli/over_time/averager.h"
#include "compute/base/parallel_for.h"
#include "formats/write/write.h"

namespace isolume::cli {
namespace {

struct Difference {
  double value = 0, error = 0;
  bool known = false, significant = false;
};

Difference difference_at(const RunningStatistics& first, const RunningStatistics& second, std::size_t point) {
  const PointStatistics a = first.at(point), b = second.at(point);
  Difference result{a.mean - b.mean, std::nan(""), a.error.known() && b.error.known(), false};
  if (!result.known) return result;
  const double ea = a.error.standard_error * a.error.standard_error;
  const double eb = b.error.standard_error * b.error.standard_error;
  result.error = std::sqrt(ea + eb);
  // Welch and Satterthwaite's degrees of freedom.
  const double parts = ea * ea / a.error.degrees + eb * eb / b.error.degrees;
  const double degrees = parts > 0 ? (ea + eb) * (ea + eb) / parts : a.error.degrees;
  result.significant = std::abs(result.value) > interval_factor(degrees) * result.error;
  return result;
}

}  // namespace

void write_difference(Run& run, const AveragePart& part, const AveragePart& minus, const AverageOutputs& outputs) {
  const std::size_t size = part.size();
  std::vector<Difference> found(size);
  constexpr std::size_t tile = 1024;
  parallel_for((size + tile - 1) / tile, run.job(), "difference", [&](std::size_t t) {
    for (std::size_t i = t * tile; i < std::min(size, (t + 1) * tile); ++i)
      found[i] = difference_at(part.statistics, minus.statistics, i);
  });
  std::size_t known = 0, significant = 0;
  std::vector<float> values, errors;
  std::string lines;
  for (const Difference& d : found) {
    known += d.known ? 1 : 0;
    significant += d.significant ? 1 : 0;
    values.push_back(static_cast<float>(d.value));
    errors.push_back(static_cast<float>(d.error));
    if (!part.is_map()) lines += fmt::format("{},{}\n", d.value, d.error);
  }
  flag_unknown(errors);
  const std::string name = "difference of the " + part.name;
  const std::string comment = fmt::format("{}: {} frames ({}) less {} frames ({}), by Isolume", name,
                                          part.frames.size(), part.comment, minus.frames.size(), minus.comment);
  if (part.is_map()) {
    run.report.grid(part.grid);
    write_volume(outputs.out, VolumeView(part.grid, values, name, part.unit), nullptr, 0, comment);
    if (!outputs.error_out.empty())
      write_volume(outputs.error_out, VolumeView(part.grid, errors, "standard error of the " + name, part.unit),
                   nullptr, 0, "standard error (-1: too few frames) of the " + comment);
    write_faded(part, values, errors, name, comment, outputs.faded_out);
  } else {
    write_atomically(outputs.out, [&](std::ostream& out) { out << lines; });
  }
  const double all = static_cast<double>(std::max<std::size_t>(1, size));
  run.report.unit = part.unit;
  run.report.result["frames"] = {part.frames.size(), minus.frames.size()};
  run.report.result["with_error"] = static_cast<double>(known) / all;
  run.report.result["significant"] = static_cast<double>(significant) / all;
  run.say(
      fmt::format("{}: {}, outside its 95 % interval about 0 at {:.1f} % of the points, inside at {:.1f} %, without "
                  "an error at {:.1f} %",
                  outputs.out, name, 100 * static_cast<double>(significant) / all,
                  100 * static_cast<double>(known - significant) / all, 100 * static_cast<double>(size - known) / all));
}

}  // namespace isolume::cli
