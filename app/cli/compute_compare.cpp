// isolume compute compare: the potential by two methods on one grid, their times and errors, and the map of the
// difference.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/compute.h"
#include "app/cli/compute_runs.h"
#include "app/cli/potential_work.h"
#include "app/session/potential_map.h"
#include "app/session/potential_points.h"
#include "app/session/potential_slabs.h"
#include "compute/memory.h"
#include "formats/write.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  GridOptions grid;
  std::string selection = "all";
  std::string first = "direct", second;
  int repeats = 3;
};

/// "msm --accuracy 1e-3" as the options of compute potential. Throws Error (usage).
MethodOptions parse_method(const std::string& text, const char* option) {
  MethodOptions method;
  CLI::App app("a method");
  add_method_options(app, method);
  const std::string words = text.empty() || text[0] == '-' ? text : "--method " + text;
  try {
    app.parse(words, false);
  } catch (const CLI::ParseError& error) {
    throw Error(
        fmt::format("{} \"{}\": {}; expected a method with its options as compute potential takes them, such as "
                    "\"msm --accuracy 1e-3\"",
                    option, text, error.what()),
        Error::Kind::usage);
  }
  if (method.tolerance > 0) {
    throw Error(fmt::format("{}: --tolerance repeats until it is met; a comparison takes a method as it is", option),
                Error::Kind::usage);
  }
  return method;
}

/// One side: its map in volts, how long it took, and how far it is from what it approximates.
struct Side {
  PotentialOptions potential;
  std::vector<float> values;
  std::vector<double> seconds;
  MapError error;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Json side_json(const Side& side, const std::string& asked, double factor) {
  return {{"asked", asked},
          {"method", describe(side.potential)},
          {"seconds", median(side.seconds)},
          {"all_seconds", side.seconds},
          {"error",
           {{"rms", side.error.rms * factor},
            {"max", side.error.max * factor},
            {"relative", side.error.relative},
            {"points", side.error.points},
            {"reference", exact_name(side.potential)}}}};
}

class Comparison {
 public:
  Comparison(Run& run, const Options& options)
      : run_(run), options_(options), request_(potential_request(run, options.grid, options.selection)) {}

  void add(const MethodOptions& method) {
    std::vector<ChargedSphere> spheres = charged_spheres(request_);
    set_radii(spheres, method);
    Side side;
    side.potential = potential_of(request_, method);
    if (sides_.empty()) {
      grid_ = potential_map_grid(request_, spheres, side.potential);
      run_.report.grid(grid_);
    }
    if (chooses_parameters(method)) {
      choose_parameters(chosen_accuracy(method), spheres, grid_, run_.device, side.potential);
    }
    run_.report.phase("plan");
    side.values.resize(grid_.size());
    for (int k = 0; k < options_.repeats; ++k) {
      const auto begin = std::chrono::steady_clock::now();
      potential_map_in_slabs(spheres, grid_, side.potential, run_.devices, side.values, run_.job());
      side.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    side.error = potential_map_error(spheres, grid_, side.potential, Span<const float>(side.values), run_.job());
    run_.report.phase("compute");
    charges_ = spheres.size();
    sides_.push_back(std::move(side));
  }

  void finish(double factor, const std::string& unit) {
    const std::vector<float>& a = sides_[0].values;
    std::vector<float>& b = sides_[1].values;
    double squares = 0, scale = 0, worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double difference = static_cast<double>(b[i]) - static_cast<double>(a[i]);
      squares += difference * difference;
      scale += static_cast<double>(a[i]) * static_cast<double>(a[i]);
      if (std::abs(difference) > worst) worst = std::abs(difference), at = i;
      b[i] = static_cast<float>(factor * difference);
    }
    const double rms = std::sqrt(squares / static_cast<double>(a.size()));
    const double relative = scale > 0 ? std::sqrt(squares / scale) : 0;
    const glm::dvec3 place = point_of(grid_, at);
    Json& result = run_.report.result;
    result["charges"] = charges_;
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
          options_.grid.out, {grid_, std::move(b), "difference of potentials", unit}, request_.molecule.get(),
          options_.grid.frame,
          fmt::format("difference of potentials in {}: ({}) less ({}), rms {:.2g}, max {:.2g}, by Isolume", unit,
                      describe(sides_[1].potential), describe(sides_[0].potential), rms * factor, worst * factor));
    }
    run_.report.phase("write");
    fmt::print("{:<10} {:>12} {:>14} {:>14}\n", "", "seconds", "rel. error", "rms error, " + unit);
    for (const Side& side : sides_) {
      fmt::print("{:<10} {:>12.4g} {:>14.2e} {:>14.2e}  {}\n", &side == &sides_[0] ? "first" : "second",
                 median(side.seconds), side.error.relative, side.error.rms * factor, describe(side.potential));
    }
    fmt::print("{:<10} {:>12} {:>14.2e} {:>14.2e}  at most {:.2e} {} at {:.2f} {:.2f} {:.2f} A\n", "difference",
               fmt::format("{:.3g} x", median(sides_[0].seconds) / std::max(1e-12, median(sides_[1].seconds))),
               relative, rms * factor, worst * factor, unit, place.x, place.y, place.z);
  }

 private:
  Run& run_;
  const Options& options_;
  FieldRequest request_;
  Grid grid_;
  std::vector<Side> sides_;
  std::size_t charges_ = 0;
};

void run_compare(const Common& common, const Options& options) {
  if (!options.grid.out.empty()) {
    check_output(options.grid.out, "cube cub dx mrc map ccp4");
    check_not_input(options.grid.out, options.grid.files);
  }
  if (!options.grid.at.empty()) throw Error("--at: a comparison is made on a grid", Error::Kind::usage);
  if (options.grid.spacing > 0 && !options.grid.like.empty()) {
    throw Error("--spacing and --grid exclude each other", Error::Kind::usage);
  }
  const MethodOptions first = parse_method(options.first, "--first");
  const MethodOptions second = parse_method(options.second, "--second");
  if (first.unit != second.unit) {
    throw Error(
        fmt::format("--first is in {} and --second in {}; a difference needs one unit", first.unit, second.unit),
        Error::Kind::usage);
  }
  // What is wrong with the options is said before any file is read; a cell of 1 stands for the file's.
  for (const MethodOptions* method : {&first, &second}) potential_options(*method, Cell{glm::dmat3(1.0)});
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  Comparison comparison(run, options);
  run.report.phase("read");
  comparison.add(first);
  comparison.add(second);
  run.report.memory(0, peak_memory(run.device));
  comparison.finish(unit_factor(first), first.unit);
  run.finish();
}

}  // namespace

void add_compute_compare(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(
      parent, "compare", "the potential by two methods: times, errors, and the map of the difference",
      "isolume compute compare protein.pqr --first direct --second \"msm --accuracy 1e-3\" --out difference.dx",
      [&commands, options] { run_compare(commands.common, *options); });
  add_grid_options(command, options->grid, "the second less the first: cube, dx, mrc, map or ccp4");
  command.add_option("--first", options->first, "a method with its options, as compute potential takes them (direct)");
  command.add_option("--second", options->second, "the other")->required();
  command.add_option("--repeats", options->repeats, "how often each is timed; the median counts (3)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--select", options->selection, "whose charges count");
}

}  // namespace isolume::cli
