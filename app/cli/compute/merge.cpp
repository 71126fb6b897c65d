// isolume merge: one result from the part files of several runs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/compute/analysis_output.h"
#include "app/cli/over_time/averager.h"
#include "app/cli/over_time/ligand_result.h"
#include "app/cli/over_time/line_part.h"
#include "app/cli/over_time/over_time.h"
#include "app/cli/over_time/pair_history.h"
#include "compute/base/memory.h"
#include "formats/parts/part_file.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> parts, minus;
  AnalysisOutputs tables;  ///< `out` is that of averages too
  std::string error_out, variance_out, faded_out, partial;
  std::string occupancy, timeline;  ///< of interactions
  std::string frames_out;           ///< of ligand maps

  bool any() const {
    return tables.any() || !error_out.empty() || !variance_out.empty() || !faded_out.empty() || !occupancy.empty() ||
           !timeline.empty() || !frames_out.empty();
  }
  bool allow_gaps = false;
};

/// Parts in the order of their first frames, so that the result does not depend on the order of the command line.
struct Parts {
  std::vector<std::string> paths;
  std::vector<std::uint64_t> frames;  ///< of all
  std::string kind;
};

Parts parts_of(Run& run, const std::vector<std::string>& given) {
  Parts parts;
  std::vector<std::pair<std::uint64_t, std::string>> ordered;
  std::string program;
  double bytes = 0, most = 0;
  for (const std::string& path : given) {
    run.report.input(path);
    const FramePart head = read_part_head(path);
    if (parts.kind.empty()) parts.kind = head.kind;
    if (program.empty()) program = head.program;
    if (head.program != program)
      run.say(fmt::format("warning: {} was written by Isolume {}, other parts by {}", path, head.program, program));
    const auto first = std::min_element(head.frames.begin(), head.frames.end());
    ordered.emplace_back(first == head.frames.end() ? 0 : *first, path);
    parts.frames.insert(parts.frames.end(), head.frames.begin(), head.frames.end());
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    bytes += size;
    most = std::max(most, size);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [first, path] : ordered) parts.paths.push_back(std::move(path));
  // Averages take the same room however many there are.
  const double needed = parts.kind == average_kind ? 3 * most : 2 * bytes + most;
  require_memory(static_cast<std::size_t>(needed), Device::cpu(), "the merged part");
  return parts;
}

// Frames that nobody has computed would be missed in silence.
void check_gaps(Run& run, const std::vector<std::uint64_t>& frames, bool allowed) {
  const std::string missing = missing_frames(frames);
  if (missing.empty()) return;
  if (!allowed)
    throw Error(fmt::format("no part has the frames {}; --allow-gaps merges without them", missing),
                Error::Kind::input);
  run.say(fmt::format("warning: no part has the frames {}", missing));
}

AveragePart merged_average(const Parts& parts, Job& job) {
  AveragePart whole = read_part(parts.paths.front());
  for (std::size_t i = 1; i < parts.paths.size(); ++i) {
    job.check();
    merge_parts(whole, read_part(parts.paths[i]), parts.paths[i]);
  }
  return whole;
}

void check_average(const Options& o, const std::string& path) {
  if (!o.tables.map.empty() || !o.tables.bonds.empty() || !o.tables.correlation.empty() || !o.occupancy.empty() ||
      !o.timeline.empty() || !o.frames_out.empty())
    throw Error(fmt::format("{} is a part of an average, which has --out and --error-out alone", path),
                Error::Kind::usage);
  if (!o.minus.empty() && !o.partial.empty())
    throw Error("--partial keeps one merged part; --minus writes a difference", Error::Kind::usage);
}

void merge_averages(Run& run, const Options& o, const Parts& parts) {
  check_average(o, parts.paths.front());
  const AverageOutputs outputs{o.tables.out, o.error_out, {}, o.faded_out, o.variance_out};
  const AveragePart first = read_part(parts.paths.front());
  // Wrong names are reported before the other parts are read.
  if (!outputs.out.empty()) check_output(outputs.out, first.is_map() ? map_extensions : "csv txt dat");
  if (!outputs.variance_out.empty() && (!o.minus.empty() || !first.is_map()))
    throw Error("--variance-out is a map of one average: neither of points nor of --minus", Error::Kind::usage);
  if (!first.is_map() && !outputs.faded_out.empty())
    throw Error("--faded-out is a map; these are averages at points", Error::Kind::usage);
  if (!first.is_map() && !outputs.error_out.empty())
    throw Error("--error-out is a map; these are averages at points, whose lines are mean,standard error already",
                Error::Kind::usage);
  for (const std::string& map : {outputs.error_out, outputs.faded_out, outputs.variance_out})
    if (!map.empty()) check_output(map, map_extensions);
  const AveragePart part = merged_average(parts, run.job());
  run.report.phase("read");
  run.report.method = {{"name", "merged average"}, {"parts", parts.paths.size()}, {"of", part.provenance}};
  if (!o.partial.empty()) write_part(o.partial, part);
  if (o.minus.empty()) {
    if (o.any()) write_average(run, part, outputs);
    return;
  }
  const Parts others = parts_of(run, o.minus);
  check_gaps(run, others.frames, o.allow_gaps);
  const AveragePart other = merged_average(others, run.job());
  require_same_place(part, other, o.minus.front());
  run.report.method["minus"] = other.provenance;
  write_difference(run, part, other, outputs);
}

FramePart joined(Run& run, const Parts& parts) {
  FramePart whole = read_part_file(parts.paths.front());
  for (std::size_t i = 1; i < parts.paths.size(); ++i) {
    run.job().check();
    join(whole, read_part_file(parts.paths[i]), parts.paths[i]);
  }
  run.report.phase("read");
  return whole;
}

void merge_ligand_maps(Run& run, const Options& o, const Parts& parts) {
  if (!o.minus.empty() || !o.tables.map.empty() || !o.tables.bonds.empty() || !o.tables.correlation.empty() ||
      !o.occupancy.empty() || !o.timeline.empty() || !o.faded_out.empty() || !o.variance_out.empty())
    throw Error(fmt::format("{} is a part of a ligand map, which has --out, --error-out and --frames-out alone",
                            parts.paths.front()),
                Error::Kind::usage);
  const FramePart whole = joined(run, parts);
  const LigandResult result = ligand_result_of(whole);
  const LigandOutputs outputs{o.tables.out, o.error_out, o.frames_out};
  check_ligand_outputs(outputs, result.at);
  const LigandAverage average = ligand_average_of(whole);
  if (!o.partial.empty()) write_part_file(o.partial, whole);
  if (outputs.any()) write_ligand(result, average, outputs);
  run.report.method = {{"name", "implicit ligand sampling"}, {"probe", result.made}, {"parts", parts.paths.size()}};
  run.report.unit = result.unit;
  run.report.result["frames"] = average.frames();
  if (average.frames() < average.all_frames())
    run.say(fmt::format("warning: {} of the {} of all parts are there", average.frames(),
                        counted(average.all_frames(), "frame")));
}

// Which residues interact, over all frames.
void write_pairs(Run& run, const Options& o, const FramePart& whole) {
  if (o.occupancy.empty() && o.timeline.empty()) return;
  if (!has_pairs(whole))
    throw Error(fmt::format("--occupancy and --timeline belong to interactions, and the parts are of {}", whole.kind),
                Error::Kind::usage);
  const PairHistory pairs = pairs_of(whole);
  const ResidueTexts texts = residue_texts_of(whole);
  const std::vector<std::size_t> frames(whole.frames.begin(), whole.frames.end());
  const auto write = [](const std::string& path, const std::string& text) {
    if (!path.empty()) write_atomically(path, [&](std::ostream& out) { out << text; });
  };
  write(o.occupancy, pairs.occupancy_table(frames.size(), texts));
  write(o.timeline, pairs.timeline_table(frames, texts));
  run.report.result["pairs"] = pairs.size();
}

// A table with lines for every frame.
void write_lines(Run& run, const Options& o, const FramePart& whole) {
  if (!o.tables.map.empty() || !o.tables.bonds.empty() || !o.tables.correlation.empty())
    throw Error(fmt::format("compute {} has one table, that of --out", whole.kind), Error::Kind::usage);
  run.report.method = {{"name", whole.kind}, {"selection", whole.text("selection")}};
  write_pairs(run, o, whole);
  if (o.tables.out.empty()) return;
  const std::string table = table_of_lines(whole);
  write_atomically(o.tables.out, [&](std::ostream& out) { out << table; });
  run.report.result["frames"] = whole.frames.size();
  run.report.result["rows"] = std::count(table.begin(), table.end(), '\n') - 1;
  run.say(fmt::format("{}: {} of {}", o.tables.out, whole.kind, counted(whole.frames.size(), "frame")));
}

void merge_analyses(Run& run, const Options& o, const Parts& parts) {
  if (!o.minus.empty() || !o.error_out.empty() || !o.faded_out.empty() || !o.variance_out.empty() ||
      !o.frames_out.empty())
    throw Error(
        fmt::format("{} is a part of compute {}: --minus, --error-out, --variance-out, --faded-out and --frames-out "
                    "belong to maps",
                    parts.paths.front(), parts.kind),
        Error::Kind::usage);
  check_outputs_of(o.tables);
  for (const std::string* path : {&o.occupancy, &o.timeline})
    if (!path->empty()) check_output(*path, "csv");
  const FramePart whole = joined(run, parts);
  if (!o.partial.empty()) write_part_file(o.partial, whole);
  if (is_line_part(whole)) {
    write_lines(run, o, whole);
  } else if (!o.occupancy.empty() || !o.timeline.empty()) {
    throw Error(fmt::format("--occupancy and --timeline belong to interactions, and the parts are of {}", whole.kind),
                Error::Kind::usage);
  } else if (o.tables.any()) {
    const AnalysisResult result = result_of(whole, o.tables, run.job());
    run.report.phase("compute");
    write_analysis(run, result, o.tables);
  }
  run.report.method["parts"] = parts.paths.size();
}

void run_merge(const Common& common, const Options& options) {
  if (!options.any() && options.partial.empty())
    throw Error("--out or --partial is missing: where should the result go?", Error::Kind::usage);
  Run run(common, false);
  const Parts parts = parts_of(run, options.parts);
  if (options.any()) check_gaps(run, parts.frames, options.allow_gaps);
  if (parts.kind == average_kind) {
    merge_averages(run, options, parts);
  } else if (parts.kind == ligand_kind) {
    merge_ligand_maps(run, options, parts);
  } else {
    merge_analyses(run, options, parts);
  }
  run.report.result["frames_covered"] = frames_in_words(parts.frames);
  if (!options.partial.empty())
    run.say(fmt::format("{}: {} from {}", options.partial, counted(parts.frames.size(), "frame"),
                        counted(parts.paths.size(), "part")));
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_merge(Commands& commands) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(commands.app, "merge", "one result over frames from parts that --partial kept",
                                    "isolume merge part.* --out rdf.csv\n"
                                    "  isolume merge part.* --out mean.dx --error-out error.dx\n"
                                    "  isolume merge holo.* --minus apo.* --out difference.dx --error-out error.dx",
                                    [&commands, options] { run_merge(commands.common, *options); });
  command.option("PART", options->parts, "part files of one result").required();
  command.option("--minus", options->minus, "parts of another average on the same grid or points, to be subtracted")
      .type_name("PART ...");
  command.option("--out", options->tables.out, "of averages a map (cube, dx, mrc, map or ccp4); of all else csv")
      .type_name("FILE")
      .writes();
  add_variance_option(command, options->variance_out);
  add_faded_option(command, options->faded_out);
  command.option("--error-out", options->error_out, "a map of the mean's standard error").type_name("FILE").writes();
  command.option("--map", options->tables.map, "of contacts: csv of pairs of residues").type_name("FILE").writes();
  command.option("--bonds", options->tables.bonds, "of hbonds: csv of each bond").type_name("FILE").writes();
  command.option("--correlation", options->tables.correlation, "of hbonds: csv of C(t) and S(t)")
      .type_name("FILE")
      .writes();
  command.option("--occupancy", options->occupancy, "of interactions: csv of pairs of residues")
      .type_name("FILE")
      .writes();
  command.option("--timeline", options->timeline, "of interactions: csv of the same in every frame")
      .type_name("FILE")
      .writes();
  command.option("--frames-out", options->frames_out, "of ligand maps: a map of the effective number of frames")
      .type_name("FILE")
      .writes();
  command.option("--partial", options->partial, "keep what is merged as one part, to be merged again")
      .type_name("PART")
      .writes();
  command.flag("--allow-gaps", options->allow_gaps, "merge though frames between those of the parts are missing");
}

}  // namespace isolume::cli
