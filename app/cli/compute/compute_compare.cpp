// isolume compute compare: two to four potentials on one grid or at points, by methods, of other charges or of files,
// their times and errors, and the differences to one of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compare_at_points.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/potential_work.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/map_comparison.h"
#include "compute/electrostatics/potential_map.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t error_points = 2000;

struct Options {
  GridOptions grid;
  std::string selection = "all", cell;
  std::array<std::string, most_compared> sides{"direct"};  // methods with their options, or files of maps
  std::string reference = "first", map_unit;
  bool resample = false;
  std::vector<std::string> second_files;
  std::optional<std::size_t> second_frame;
  std::string second_selection;
  int repeats = 3;

  bool at_points() const { return !grid.at.empty(); }
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

constexpr std::array<const char*, most_compared> side_names{"first", "second", "third", "fourth"};

// A method with its options, or a file with a map.
struct Side {
  std::size_t number = 0;  // of side_names
  std::string asked;
  std::optional<MethodOptions> method;

  std::string name() const { return side_names[number]; }
};

bool names_map(const std::string& text) {
  std::string extension = std::filesystem::path(text).extension().string();
  if (extension == ".gz") extension = std::filesystem::path(text).stem().extension().string();
  constexpr std::array known{".dx", ".cube", ".cub", ".mrc", ".map", ".ccp4"};
  return std::find(known.begin(), known.end(), extension) != known.end();
}

// The sides that are asked for, in their order. Throws Error (usage).
std::vector<Side> sides_of(const Options& options) {
  std::vector<Side> sides;
  for (std::size_t k = 0; k < most_compared; ++k) {
    std::string asked = options.sides[k];
    if (asked.empty() && k == 1 && options.other_charges()) asked = options.sides[0];
    if (asked.empty()) continue;
    const std::string option = fmt::format("--{}", side_names[k]);
    Side side{k, asked, std::nullopt};
    if (!names_map(asked)) side.method = parse_method(asked, option.c_str());
    if (k == 1 && !side.method && options.other_charges())
      throw Error("--second names a map; --second-files, --second-frame and --second-select go with a method",
                  Error::Kind::usage);
    sides.push_back(std::move(side));
  }
  if (sides.size() < 2)
    throw Error("--second is missing: which method or map, or which --second-files, --second-frame or --second-select?",
                Error::Kind::usage);
  return sides;
}

// The place of --reference among the sides. Throws Error (usage).
std::size_t reference_of(const Options& options, const std::vector<Side>& sides) {
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (sides[k].name() == options.reference) return k;
  throw Error(fmt::format("--reference {}: there is no --{}", options.reference, options.reference),
              Error::Kind::usage);
}

// Where the map of a difference goes: with several of them the side is part of the name.
std::string difference_path(const std::string& out, const Side& side, bool several) {
  if (!several || out.empty()) return out;
  const std::filesystem::path path(out);
  return (path.parent_path() / (path.stem().string() + "-" + side.name() + path.extension().string())).string();
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json side_json(const ComparedSide& side, const Side& of, double factor) {
  if (!side.is_computed()) return {{"name", of.name()}, {"asked", of.asked}, {"map", side.file}};
  Json error;  // null: a sum in double precision is what others are measured against
  if (side.error.points > 0)
    error = {{"rms", side.error.rms * factor},
             {"max", side.error.max * factor},
             {"relative", side.error.relative},
             {"points", side.error.points},
             {"reference", exact_name(side.potential)}};
  return {{"name", of.name()},
          {"asked", of.asked},
          {"method", describe(side.potential)},
          {"seconds", side.median_seconds()},
          {"all_seconds", side.seconds},
          {"error", error}};
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
  Comparison(Run& run, const Options& options, std::vector<Side> sides, std::size_t reference)
      : run_(run),
        options_(options),
        asked_(std::move(sides)),
        reference_(reference),
        unit_(method_of_unit(asked_)),
        factor_(unit_factor(unit_)),
        work_(read_charges(run, options.grid, options.selection, {}, cell_treatment(options.cell))) {
    if (options.other_charges()) second_ = second_charges(run, options);
    for (const Side& side : asked_) {
      if (side.method) continue;
      Molecule file = read_file(side.asked);
      if (file.volumes.empty()) throw Error::in_file(side.asked, 0, "has no map");
      maps_[side.number] = file.volumes.front();
    }
  }

  void compute() {
    find_grid();
    run_.report.grid(grid_);
    for (const Side& side : asked_) {
      if (side.method) {
        add_method(side);
      } else {
        add_map(side);
      }
    }
    differences_ = differences_of(grid_, sides_, reference_);
    run_.report.phase("compute");
  }

  void compute_at_points() {
    const std::vector<glm::dvec3> points = read_points(options_.grid.at);
    run_.report.input(options_.grid.at);
    bool on_device = false;
    for (const Side& side : asked_) {
      if (side.method) {
        at_points_.push_back(
            method_at_points(run_, work_of(side), *side.method, points, options_.grid.spacing, options_.repeats));
        const PotentialMethod method = method_of(at_points_.back().side.potential);
        on_device = on_device || method == PotentialMethod::msm || method == PotentialMethod::pb;
      } else {
        const Volume& map = *maps_[side.number];
        at_points_.push_back(map_at_points(map, side.asked, volts_of(map), points));
      }
      sides_.push_back(at_points_.back().side);
    }
    run_.report.device(on_device ? run_.device : Device::cpu());
    run_.report.result["points"] = points.size();
    differences_ = differences_at(points, at_points_, reference_);
  }

  void finish_at_points() {
    report();
    Json columns = Json::array();
    for (const Side& side : asked_) columns.push_back(side.name());
    for (std::size_t k = 0; k < asked_.size(); ++k)
      if (k != reference_) columns.push_back(asked_[k].name() + " less " + asked_[reference_].name());
    run_.report.result["columns"] = columns;
    write_sides_at_points(options_.grid.out, at_points_, reference_, factor_);
    run_.report.phase("write");
    if (options_.grid.out.empty()) {
      run_.say(table());  // stdout has the values
    } else {
      fmt::print("{}", table());
    }
  }

  void finish() {
    report();
    run_.report.phase("difference");
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      if (k == reference_ || options_.grid.out.empty()) continue;
      MapDifference& difference = differences_[k];
      for (float& v : difference.values) v = static_cast<float>(factor_ * static_cast<double>(v));
      write_volume(
          difference_path(options_.grid.out, asked_[k], sides_.size() > 2),
          {grid_, std::move(difference.values), "difference of potentials", unit_.unit}, work_.molecule.get(),
          options_.grid.frame.value_or(0),
          fmt::format("difference of potentials in {}: ({}) less ({}), rms {:.2g}, max {:.2g}, by Isolume", unit_.unit,
                      sides_[k].text(), sides_[reference_].text(), difference.rms * factor_, difference.max * factor_));
    }
    run_.report.phase("write");
    fmt::print("{}", table());
  }

 private:
  // Maps alone are in volts.
  static MethodOptions method_of_unit(const std::vector<Side>& sides) {
    for (const Side& side : sides)
      if (side.method) return *side.method;
    return {};
  }

  // Volts for each unit of a map: its own, --map-unit, or that of the comparison.
  double volts_of(const Volume& map) const {
    MethodOptions unit = unit_;
    constexpr std::array known{"V", "kT/e", "kcal/mol/e"};
    if (!options_.map_unit.empty()) {
      unit.unit = options_.map_unit;
    } else if (std::find(known.begin(), known.end(), map.unit) != known.end()) {
      unit.unit = map.unit;
    }
    return 1 / unit_factor(unit);
  }

  // A map's own grid where none is named: interpolation is what a comparison should not need.
  void find_grid() {
    const bool named = options_.grid.spacing > 0 || !options_.grid.like.empty();
    for (const Side& side : asked_) {
      if (named || side.method) continue;
      grid_ = maps_[side.number]->grid;
      return;
    }
    for (const Side& side : asked_) {
      if (!side.method) continue;
      grid_ = potential_grid_of({}, options_.grid, work_, potential_of(work_, *side.method));
      return;
    }
    grid_ = potential_grid_of({}, options_.grid, work_, DirectOptions{});
  }

  const PotentialWork& work_of(const Side& side) const { return side.number == 1 && second_ ? *second_ : work_; }

  void add_map(const Side& side) {
    const Volume& map = *maps_[side.number];
    if (!options_.resample && !same_points(map.grid, grid_))
      throw Error(fmt::format("{} has another grid ({} x {} x {} points); --resample interpolates it, and --grid {} "
                              "takes its grid for all",
                              side.asked, map.grid.counts.x, map.grid.counts.y, map.grid.counts.z, side.asked),
                  Error::Kind::usage);
    sides_.push_back(side_of_map(map, side.asked, volts_of(map), grid_, options_.resample));
  }

  void add_method(const Side& side) {
    const MethodOptions& method = *side.method;
    const PotentialWork& work = work_of(side);
    std::vector<ChargedSphere> spheres = work.charges.spheres;
    set_radii(spheres, method);
    PotentialOptions potential = potential_of(work, method);
    const Grid near_grid = seen_from(grid_, work.charges.origin);
    if (chooses_parameters(method))
      choose_parameters(chosen_accuracy(method), spheres, near_grid, run_.device, potential);
    run_.report.phase("plan");
    const std::vector<Device> devices = run_.devices_for(rough_map_seconds(spheres.size(), near_grid, potential));
    sides_.push_back(compared_side(spheres, near_grid, potential, devices, options_.repeats, error_points, run_.job()));
    run_.worked(sides_.back().workers);
    run_.report.phase("compute");
  }

  void report() {
    Json& result = run_.report.result;
    result["charges"] = work_.charges.spheres.size();
    if (second_) result["second_charges"] = second_->charges.spheres.size();
    result["reference"] = asked_[reference_].name();
    Json all = Json::array(), differences = Json::array();
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      Json side = side_json(sides_[k], asked_[k], factor_);
      result[asked_[k].name()] = side;
      all.push_back(std::move(side));
      if (k == reference_) continue;
      const MapDifference& d = differences_[k];
      differences.push_back(
          {{"name", asked_[k].name()},
           {"rms", number_or_null(d.rms * factor_)},
           {"max", number_or_null(d.max * factor_)},
           {"at", {d.at.x, d.at.y, d.at.z}},
           {"relative", number_or_null(d.relative)},
           {"of", fmt::format("{} less {}, over all points; relative to the RMS of the {}", asked_[k].name(),
                              asked_[reference_].name(), asked_[reference_].name())}});
      if (options_.at_points()) continue;
      const std::string path = difference_path(options_.grid.out, asked_[k], sides_.size() > 2);
      if (!path.empty()) differences.back()["map"] = path;
    }
    result["sides"] = std::move(all);
    if (sides_.size() == 2) result["difference"] = differences.front();
    result["differences"] = std::move(differences);
    run_.report.unit = unit_.unit;
    run_.report.method = {{"name", "compare"}, {"repeats", options_.repeats}};
  }

  // Times and errors of the sides, then their differences.
  std::string table() const {
    std::string text =
        fmt::format("{:<24} {:>12} {:>14} {:>14}\n", "", "seconds", "rel. error", "rms error, " + unit_.unit);
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      const ComparedSide& side = sides_[k];
      std::string seconds, relative, rms;
      if (side.is_computed()) {
        seconds = fmt::format("{:.4g}", side.median_seconds());
        const bool measured = side.error.points > 0;
        relative = measured ? fmt::format("{:.2e}", side.error.relative) : "exact";
        rms = measured ? fmt::format("{:.2e}", side.error.rms * factor_) : "exact";
      }
      text += fmt::format("{:<24} {:>12} {:>14} {:>14}  {}\n", asked_[k].name(), seconds, relative, rms, side.text());
    }
    const ComparedSide& reference = sides_[reference_];
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      if (k == reference_) continue;
      const MapDifference& d = differences_[k];
      const bool timed = reference.is_computed() && sides_[k].is_computed();
      const double ratio = reference.median_seconds() / std::max(1e-12, sides_[k].median_seconds());
      text += fmt::format(
          "{:<24} {:>12} {:>14.2e} {:>14.2e}  at most {:.2e} {} at {:.2f} {:.2f} {:.2f} A\n",
          sides_.size() == 2 ? "difference" : fmt::format("{} less {}", asked_[k].name(), asked_[reference_].name()),
          timed ? fmt::format("{:.3g} x", ratio) : "", d.relative, d.rms * factor_, d.max * factor_, unit_.unit, d.at.x,
          d.at.y, d.at.z);
    }
    return text;
  }

  Run& run_;
  const Options& options_;
  std::vector<Side> asked_;
  std::size_t reference_ = 0;
  MethodOptions unit_;
  double factor_ = 1;
  PotentialWork work_;
  std::optional<PotentialWork> second_;
  std::array<std::shared_ptr<const Volume>, most_compared> maps_;
  Grid grid_;
  std::vector<ComparedSide> sides_;
  std::vector<SideAtPoints> at_points_;  // with --at, in their order
  std::vector<MapDifference> differences_;
};

void check_places(const Options& options, const std::vector<Side>& sides) {
  const auto refuse = [](bool wrong, const char* text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  const bool at_points = options.at_points();
  if (!options.grid.out.empty()) check_output(options.grid.out, at_points ? "csv txt dat" : "cube cub dx mrc map ccp4");
  refuse(options.grid.spacing > 0 && !options.grid.like.empty(), "--spacing and --grid exclude each other");
  const auto is_pb = [](const Side& side) { return side.method && side.method->method == "pb"; };
  refuse(at_points && (!options.grid.like.empty() ||
                       (options.grid.spacing > 0 && std::none_of(sides.begin(), sides.end(), is_pb))),
         "--at takes points, so --grid makes no sense with it, and --spacing with pb alone");
  const auto is_map = [](const Side& side) { return !side.method; };
  refuse(at_points && !options.resample && std::any_of(sides.begin(), sides.end(), is_map),
         "--at: maps have values at the points of their grids; --resample interpolates them between these");
}

void run_compare(const Common& common, const Options& options) {
  std::vector<Side> sides = sides_of(options);
  check_places(options, sides);
  const std::size_t reference = reference_of(options, sides);
  const Side* with_unit = nullptr;
  for (const Side& side : sides) {
    if (!side.method) continue;
    if (with_unit && with_unit->method->unit != side.method->unit) {
      throw Error(fmt::format("--{} is in {} and --{} in {}; a difference needs one unit", with_unit->name(),
                              with_unit->method->unit, side.name(), side.method->unit),
                  Error::Kind::usage);
    }
    if (!with_unit) with_unit = &side;
    // Wrong options are reported before any file is read; a cell of 1 stands for the file's.
    potential_options(*side.method, Cell{glm::dmat3(1.0)});
  }
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  for (const std::string& file : options.second_files) run.report.input(file);
  for (const Side& side : sides)
    if (!side.method) run.report.input(side.asked);
  Comparison comparison(run, options, std::move(sides), reference);
  run.report.phase("read");
  if (options.at_points()) {
    comparison.compute_at_points();
    comparison.finish_at_points();
  } else {
    comparison.compute();
    run.report.memory(0, peak_memory(run.device));
    comparison.finish();
  }
  run.finish();
}

}  // namespace

void add_compute_compare(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "compare", "the potential by two to four methods, of other charges or from maps, and the differences",
      "isolume compute compare protein.pqr --first direct --second \"msm --accuracy 1e-3\" --out difference.dx\n"
      "  isolume compute compare a.psf a.dcd --frame 0 --second-frame 50 --out difference.dx\n"
      "  isolume compute compare a.pqr --first direct --second msm --at points.csv --out values.csv\n"
      "  isolume compute compare a.pqr --first \"pb --unit kT/e\" --second apbs.dx --third debye-hueckel",
      [&commands, options] { run_compare(commands.common, *options); });
  add_grid_options(command, options->grid,
                   "the map of each other side less the reference: cube, dx, mrc, map or ccp4; with --at a table");
  command.option("--first", options->sides[0],
                 "a method with its options, as compute potential takes them (direct), or a map: dx, cube, mrc");
  command.option("--second", options->sides[1], "the second method or map (default with other charges: the first)");
  command.option("--third", options->sides[2], "a third method or map");
  command.option("--fourth", options->sides[3], "a fourth method or map");
  command.option("--reference", options->reference, "the side that differences are taken to (first)")
      .one_of({"first", "second", "third", "fourth"});
  command.flag("--resample", options->resample, "interpolate maps whose grid is another, or at --at");
  command.option("--map-unit", options->map_unit, "the unit of maps that do not say it (default: that of the methods)")
      .one_of({"V", "kT/e", "kcal/mol/e"});
  command.option("--second-files", options->second_files, "the charges of the second side are of these files")
      .type_name("FILE ...");
  command.option("--second-frame", options->second_frame, "they are of this frame, from 0");
  command.option("--second-select", options->second_selection, "they are of these atoms");
  command.option("--repeats", options->repeats, "number of timings of each; the median is reported (3)").range(1, 1000);
  command.option("--select", options->selection, "atoms whose charges count");
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
