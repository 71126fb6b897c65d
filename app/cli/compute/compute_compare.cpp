// isolume compute compare: two potentials on one grid, by two methods or of two sets of charges, their times and
// errors, and the map of the difference.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/potential_work.h"
#include "app/fields/comparison/potential_comparison.h"
#include "compute/base/memory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t error_points = 2000;

struct Options {
  GridOptions grid;
  std::string selection = "all", cell;
  std::string first = "direct", second;
  std::vector<std::string> second_files;
  std::optional<std::size_t> second_frame;
  std::string second_selection;
  int repeats = 3;

  bool other_charges() const { return !second_files.empty() || second_frame || !second_selection.empty(); }
};

/// "msm --accuracy 1e-3" as the options of compute potential. Throws Error (usage).
MethodOptions parse_method(const std::string& text, const char* option) {
  MethodOptions method;
  const std::string words = text.empty() || text[0] == '-' ? text : "--method " + text;
  const std::string fault = parse_words(words, [&](Verb verb) { add_method_options(verb, method); });
  if (!fault.empty()) {
    throw Error(
        fmt::format("{} \"{}\": {}; expected a method with its options as compute potential takes them, such as "
                    "\"msm --accuracy 1e-3\"",
                    option, text, fault),
        Error::Kind::usage);
  }
  if (method.tolerance > 0) {
    throw Error(fmt::format("{}: --tolerance repeats until it is met; a comparison takes a method as it is", option),
                Error::Kind::usage);
  }
  return method;
}

Json side_json(const ComparedSide& side, const std::string& asked, double factor) {
  return {{"asked", asked},
          {"method", describe(side.potential)},
          {"seconds", side.median_seconds()},
          {"all_seconds", side.seconds},
          {"error",
           {{"rms", side.error.rms * factor},
            {"max", side.error.max * factor},
            {"relative", side.error.relative},
            {"points", side.error.points},
            {"reference", exact_name(side.potential)}}}};
}

// The charges of the second side: of other files, another frame, or another selection.
PotentialWork second_charges(Run& run, const Options& options) {
  GridOptions grid = options.grid;
  if (!options.second_files.empty()) grid.files = options.second_files;
  if (options.second_frame) grid.frame = options.second_frame;
  if (!options.second_files.empty() && !options.second_frame) grid.frame.reset();
  const std::string& selection = options.second_selection.empty() ? options.selection : options.second_selection;
  return read_charges(run, grid, selection, {}, cell_treatment(options.cell));
}

class Comparison {
 public:
  Comparison(Run& run, const Options& options)
      : run_(run),
        options_(options),
        work_(read_charges(run, options.grid, options.selection, {}, cell_treatment(options.cell))) {
    if (options.other_charges()) second_ = second_charges(run, options);
  }

  void add(const MethodOptions& method) {
    const PotentialWork& work = !sides_.empty() && second_ ? *second_ : work_;
    std::vector<ChargedSphere> spheres = work.charges.spheres;
    set_radii(spheres, method);
    PotentialOptions potential = potential_of(work, method);
    if (sides_.empty()) {
      grid_ = potential_grid_of({}, options_.grid, work_, potential);
      run_.report.grid(grid_);
    }
    const Grid near_grid = seen_from(grid_, work.charges.origin);
    if (chooses_parameters(method))
      choose_parameters(chosen_accuracy(method), spheres, near_grid, run_.device, potential);
    run_.report.phase("plan");
    sides_.push_back(
        compared_side(spheres, near_grid, potential, run_.devices, options_.repeats, error_points, run_.job()));
    run_.report.phase("compute");
    (sides_.size() == 1 ? charges_ : second_charges_) = spheres.size();
  }

  void finish(double factor, const std::string& unit) {
    MapDifference difference = difference_of(grid_, sides_[0].values, sides_[1].values);
    for (float& v : difference.values) v = static_cast<float>(factor * static_cast<double>(v));
    const double rms = difference.rms, worst = difference.max, relative = difference.relative;
    const glm::dvec3 place = difference.at;
    Json& result = run_.report.result;
    result["charges"] = charges_;
    if (second_) result["second_charges"] = second_charges_;
    result["first"] = side_json(sides_[0], options_.first, factor);
    result["second"] = side_json(sides_[1], options_.second, factor);
    result["difference"] = {{"rms", rms * factor},
                            {"max", worst * factor},
                            {"at", {place.x, place.y, place.z}},
                            {"relative", relative},
                            {"of", "second less first, over all points; relative to the RMS of the first"}};
    run_.report.unit = unit;
    run_.report.method = {{"name", "compare"}, {"repeats", options_.repeats}};
    if (!options_.grid.out.empty()) {
      write_volume(
          options_.grid.out, {grid_, std::move(difference.values), "difference of potentials", unit},
          work_.molecule.get(), options_.grid.frame.value_or(0),
          fmt::format("difference of potentials in {}: ({}) less ({}), rms {:.2g}, max {:.2g}, by Isolume", unit,
                      describe(sides_[1].potential), describe(sides_[0].potential), rms * factor, worst * factor));
    }
    run_.report.phase("write");
    fmt::print("{:<10} {:>12} {:>14} {:>14}\n", "", "seconds", "rel. error", "rms error, " + unit);
    for (const ComparedSide& side : sides_) {
      fmt::print("{:<10} {:>12.4g} {:>14.2e} {:>14.2e}  {}\n", &side == &sides_[0] ? "first" : "second",
                 side.median_seconds(), side.error.relative, side.error.rms * factor, describe(side.potential));
    }
    fmt::print("{:<10} {:>12} {:>14.2e} {:>14.2e}  at most {:.2e} {} at {:.2f} {:.2f} {:.2f} A\n", "difference",
               fmt::format("{:.3g} x", sides_[0].median_seconds() / std::max(1e-12, sides_[1].median_seconds())),
               relative, rms * factor, worst * factor, unit, place.x, place.y, place.z);
  }

 private:
  Run& run_;
  const Options& options_;
  PotentialWork work_;
  std::optional<PotentialWork> second_;
  Grid grid_;
  std::vector<ComparedSide> sides_;
  std::size_t charges_ = 0, second_charges_ = 0;
};

void run_compare(const Common& common, const Options& options) {
  if (!options.grid.out.empty()) {
    check_output(options.grid.out, "cube cub dx mrc map ccp4");
  }
  if (!options.grid.at.empty()) throw Error("--at: a comparison is made on a grid", Error::Kind::usage);
  if (options.grid.spacing > 0 && !options.grid.like.empty()) {
    throw Error("--spacing and --grid exclude each other", Error::Kind::usage);
  }
  const MethodOptions first = parse_method(options.first, "--first");
  if (options.second.empty() && !options.other_charges())
    throw Error("--second is missing: which method, or which --second-files, --second-frame or --second-select?",
                Error::Kind::usage);
  const MethodOptions second = options.second.empty() ? first : parse_method(options.second, "--second");
  if (first.unit != second.unit) {
    throw Error(
        fmt::format("--first is in {} and --second in {}; a difference needs one unit", first.unit, second.unit),
        Error::Kind::usage);
  }
  // Wrong options are reported before any file is read; a cell of 1 stands for the file's.
  for (const MethodOptions* method : {&first, &second}) potential_options(*method, Cell{glm::dmat3(1.0)});
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  for (const std::string& file : options.second_files) run.report.input(file);
  Comparison comparison(run, options);
  run.report.phase("read");
  comparison.add(first);
  comparison.add(second);
  run.report.memory(0, peak_memory(run.device));
  comparison.finish(unit_factor(first), first.unit);
  run.finish();
}

}  // namespace

void add_compute_compare(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "compare", "the potential by two methods, or of two frames, files or selections, and its difference",
      "isolume compute compare protein.pqr --first direct --second \"msm --accuracy 1e-3\" --out difference.dx\n"
      "  isolume compute compare a.psf a.dcd --frame 0 --second-frame 50 --out difference.dx",
      [&commands, options] { run_compare(commands.common, *options); });
  add_grid_options(command, options->grid, "the map of the second less the first: cube, dx, mrc, map or ccp4");
  command.option("--first", options->first, "a method with its options, as compute potential takes them (direct)");
  command.option("--second", options->second, "the second method (default with other charges: the first)");
  command.option("--second-files", options->second_files, "the charges of the second side are of these files")
      .type_name("FILE ...");
  command.option("--second-frame", options->second_frame, "they are of this frame, from 0");
  command.option("--second-select", options->second_selection, "they are of these atoms");
  command.option("--repeats", options->repeats, "number of timings of each; the median is reported (3)").range(1, 1000);
  command.option("--select", options->selection, "atoms whose charges count");
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
