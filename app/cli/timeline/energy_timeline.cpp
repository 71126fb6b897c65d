// isolume compute timeline --of energy: the energies that a simulation program wrote, over time.
#include "app/cli/timeline/energy_timeline.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/quantum/nuclei.h"
#include "app/cli/trajectory/trajectory.h"
#include "compute/analysis/analysis.h"
#include "compute/over_time/running_statistics.h"
#include "compute/trajectory/energy_frames.h"
#include "formats/energies/read_energies.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::optional<std::size_t>>;

/// The energies of all energy files among the options', and the other files.
struct Files {
  EnergySeries series;
  std::vector<std::string> others;
};

Files read_all(const EnergyTimelineOptions& options) {
  Files files;
  std::vector<EnergySeries> parts;
  for (const std::string& path : options.files) {
    const auto source = ByteSource::open(path);
    if (is_energy_file(*source)) {
      parts.push_back(read_energies(*source));
    } else {
      files.others.push_back(path);
    }
  }
  if (parts.empty())
    throw Error(fmt::format("--of energy: none of {} is a GROMACS energy file (.edr), an AMBER output (mdout) or a "
                            "NAMD log",
                            fmt::join(options.files, ", ")),
                Error::Kind::input);
  files.series = joined_energies(std::move(parts));
  if (!options.terms.empty()) {
    std::vector<EnergyTerm> terms;
    for (const std::string& name : options.terms) terms.push_back(find_term(files.series, name));
    files.series.terms = std::move(terms);
  }
  convert_energies(files.series, options.unit);
  return files;
}

/// The rows of the table: those that --frames names, or one for each frame of the trajectory.
struct Table {
  Rows rows;
  std::vector<std::size_t> frames;  ///< empty without a trajectory
  std::vector<double> times;        ///< of the frames
};

Table table_of(const Files& files, const EnergyTimelineOptions& options, Job& job) {
  Table table;
  const EnergySeries& series = files.series;
  if (files.others.empty()) {
    for (const std::size_t row : parse_frames(options.frames, series.rows())) table.rows.emplace_back(row);
    return table;
  }
  const auto molecule = read_molecule(files.others);
  if (molecule->frame_count() == 0)
    throw Error(fmt::format("--of energy: {} has no frames", fmt::join(files.others, ", ")), Error::Kind::usage);
  if (series.times.empty())
    throw Error("--of energy: the energies have no times, so they are not those of frames; leave the trajectory out",
                Error::Kind::usage);
  const std::vector<double> times = frame_times(*molecule->trajectory, job);
  if (times.empty())
    throw Error(
        fmt::format("--of energy: frames of {} have no times; leave the trajectory out", fmt::join(files.others, ", ")),
        Error::Kind::usage);
  table.frames = parse_frames(options.frames, molecule->frame_count());
  for (const std::size_t frame : table.frames) table.times.push_back(times[frame]);
  table.rows = rows_of_frames(series.times, table.times);
  if (std::none_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.has_value(); }))
    throw Error(fmt::format("--of energy: no frame has the time of energies: frames from {:g} to {:g} ps, energies "
                            "from {:g} to {:g} ps",
                            table.times.front(), table.times.back(), series.times.front(), series.times.back()),
                Error::Kind::usage);
  return table;
}

std::string text_of(const EnergySeries& series, const Table& table) {
  const bool frames = !table.frames.empty(), times = !series.times.empty();
  std::string text = frames ? "frame,time (ps),step" : times ? "time (ps),step" : "step";
  for (const EnergyTerm& term : series.terms)
    text += "," + csv_field(term.unit.empty() ? term.name : term.name + " (" + term.unit + ")");
  text += '\n';
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    if (frames) text += fmt::format("{},{:.10g},", table.frames[i], table.times[i]);
    if (!frames && times) text += fmt::format("{:.10g},", series.times[*row]);
    if (row) text += fmt::format("{}", series.steps[*row]);
    for (const EnergyTerm& term : series.terms)
      text += row && std::isfinite(term.values[*row]) ? fmt::format(",{:.9g}", term.values[*row]) : ",";
    text += '\n';
  }
  return text;
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// The change of the line of least squares over all rows.
double drift(const std::vector<double>& x, const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  const auto count = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return xx > 0 ? xy / xx * (x.back() - x.front()) : NAN;
}

Json statistics(const EnergySeries& series, const EnergyTerm& term, const Rows& rows) {
  std::vector<double> values, at;
  for (const auto& row : rows) {
    if (!row || !std::isfinite(term.values[*row])) continue;
    values.push_back(term.values[*row]);
    at.push_back(series.times.empty() ? static_cast<double>(series.steps[*row]) : series.times[*row]);
  }
  if (values.empty()) return nullptr;
  const PointStatistics found = series_statistics(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"mean", found.mean},
          {"standard_error", number(found.error.standard_error)},
          {"standard_deviation", values.size() > 1 ? number(std::sqrt(found.variance)) : Json(nullptr)},
          {"minimum", *least},
          {"maximum", *most},
          {"drift", number(drift(at, values))},
          {"unit", term.unit}};
}

}  // namespace

void run_energy_timeline(const Common& common, const EnergyTimelineOptions& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  Run run(common, false);
  on_cpu_alone(run, common, "energies of a run");
  for (const std::string& path : options.files) run.report.input(path);
  const Files files = read_all(options);
  const EnergySeries& series = files.series;
  const Table table = table_of(files, options, run.job());
  run.report.phase("read");
  Json terms = Json::object();
  for (const EnergyTerm& term : series.terms) {
    run.job().check();
    terms[term.name] = statistics(series, term, table.rows);
  }
  run.report.phase("compute");
  write_text(options.out, text_of(series, table));
  for (const std::string& warning : series.warnings) run.say("warning: " + warning);
  run.report.method = {{"name", "energies of a run"}, {"program", series.program}, {"unit", options.unit}};
  run.report.unit = options.unit;
  const auto missing = static_cast<std::size_t>(
      std::count_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return !row.has_value(); }));
  run.report.result = {{"rows", table.rows.size()}, {"without_energies", missing}, {"terms", std::move(terms)}};
  run.report.phase("write");
  if (missing > 0)
    run.say(fmt::format("note: {} of {} have no energies of their time", missing, counted(table.rows.size(), "frame")));
  const std::string span =
      series.times.empty() ? "" : fmt::format(", {:g} to {:g} ps", series.times.front(), series.times.back());
  run.say(fmt::format("{}{} of {} in {}{}", options.out.empty() ? "" : options.out + ": ",
                      counted(series.terms.size(), "term"), series.program,
                      counted(table.rows.size(), table.frames.empty() ? "row" : "frame"), span));
  run.finish();
}

}  // namespace isolume::cli
