// isolume compute map: a map made of others.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/maps/map_errors.h"
#include "app/cli/maps/map_model.h"
#include "app/documents/frames.h"
#include "compute/analysis/resample.h"
#include "compute/base/memory.h"
#include "compute/density_maps/map_calculation.h"
#include "compute/electrostatics/map_comparison.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using With = MapCalculation::With;

struct Options {
  std::string map, like, region, near, select = "all", out;
  std::string plus, minus, correlation;
  MapErrors errors;
  double spacing = 0, factor = 1, window = 4, distance = 0, dust = 0;
  std::optional<double> level;
  double resolution = 0;
  int step = 1;
  bool scaled = false, sigma = false, resample = false;
};

/// "x0,y0,z0,x1,y1,z1"
std::pair<glm::dvec3, glm::dvec3> parse_region(const std::string& text) {
  double numbers[6];
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 6; ++i) {
    const auto [next, fault] = std::from_chars(at, end, numbers[i]);
    const bool last = i == 5;
    if (fault != std::errc() || (last ? next != end : next == end || *next != ','))
      throw Error(fmt::format("--region {}: expected two corners in angstrom, x0,y0,z0,x1,y1,z1", text),
                  Error::Kind::usage);
    at = next + !last;
  }
  return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

std::shared_ptr<const Volume> read_volume(Run& run, const std::string& path) {
  run.report.input(path);
  const Molecule molecule = read_file(path);
  if (molecule.volumes.empty()) throw Error::in_file(path, 0, "holds no volume; a map is needed");
  return molecule.volumes.front();
}

std::string grid_words(const Grid& grid) {
  return fmt::format("{} x {} x {} points, {:.3g} x {:.3g} x {:.3g} A apart, from {:.3g} {:.3g} {:.3g}", grid.counts.x,
                     grid.counts.y, grid.counts.z, glm::length(grid.step[0]), glm::length(grid.step[1]),
                     glm::length(grid.step[2]), grid.origin.x, grid.origin.y, grid.origin.z);
}

/// Values between points are taken only where that is asked for.
void check_same_points(const Options& o, const Grid& own, const Grid& other, const std::string& path) {
  const bool asked = o.resample || !o.like.empty() || o.spacing > 0;
  if (asked || same_points(own, other)) return;
  throw Error(fmt::format("{} has {}; {} has {}. --resample interpolates it at the points of the first, --like and "
                          "--spacing put both on another grid",
                          o.map, grid_words(own), path, grid_words(other)),
              Error::Kind::usage);
}

void check(const Options& o) {
  const int others = !o.plus.empty() + !o.minus.empty() + !o.correlation.empty();
  const auto refuse = [](bool when, const char* what) {
    if (when) throw Error(what, Error::Kind::usage);
  };
  refuse(others > 1, "--plus, --minus and --local-correlation exclude each other; run the command twice");
  refuse(!o.like.empty() && o.spacing > 0, "--like and --spacing exclude each other");
  refuse(o.scaled && o.minus.empty(), "--scaled goes with --minus");
  refuse(o.scaled && o.factor != 1, "--scaled finds the factor; leave --factor out");
  refuse(o.factor != 1 && o.plus.empty() && o.minus.empty(), "--factor goes with --plus or --minus");
  refuse(o.near.empty() != !(o.distance > 0), "--near MODEL and --distance A go together");
  refuse(o.resample && (others == 0 || o.resolution > 0),
         "--resample interpolates the map of --plus, --minus or --local-correlation");
  refuse(o.dust > 0 && !o.level, "--dust needs --level: parts are of points above it");
  refuse(o.level && !(o.dust > 0), "--level goes with --dust");
  check_errors(o.errors, !o.minus.empty() && !o.scaled && o.factor == 1 && !(o.resolution > 0) && o.like.empty() &&
                             !(o.spacing > 0) && o.region.empty() && o.step == 1 && o.near.empty() && !(o.dust > 0) &&
                             !o.sigma);
}

/// The standard errors of a map at the points of another: not known next to where they are not known.
std::vector<float> errors_at(Run& run, const Options& o, const Grid& own, const std::string& path) {
  const auto volume = read_volume(run, path);
  check_same_points(o, own, volume->grid, path);
  if (same_points(own, volume->grid)) return volume->values;
  Volume known = *volume;
  for (float& error : known.values)
    if (error < 0) error = std::numeric_limits<float>::quiet_NaN();
  return resampled(known, own, run.job());
}

/// The other map, at the points of any grid: a volume, or with --resolution the map of a model.
std::function<std::vector<float>(const Grid&, Job&)> other_map(Run& run, const Options& o, const Grid& own,
                                                               const std::string& path) {
  if (o.resolution > 0) {
    ModelOptions model;
    model.files = {path};
    model.resolution = o.resolution;
    const auto molecule = read_model(run, model);
    const Frame frame = frame_at(*molecule, 0);
    const auto chosen = model_atoms(model, *molecule->topology, frame);
    auto atoms = std::make_shared<std::vector<MapAtom>>(map_atoms(
        *molecule->topology, frame.positions, chosen, o.resolution, MapConvention::chimerax, MapWeights::electrons));
    return
        [atoms, positions = positions_of(frame, chosen), &run, resolution = o.resolution](const Grid& grid, Job& job) {
          if (!grid.axis_aligned()) throw Error("the map of a model needs a grid along x, y and z", Error::Kind::usage);
          check_resolution(resolution, grid, "the map");
          check_meeting(run, grid, positions, "the map");
          std::vector<float> values(grid.size());
          density_map(*atoms, grid, {values.data(), values.size(), Device::cpu()}, job);
          return values;
        };
  }
  const auto volume = read_volume(run, path);
  check_same_points(o, own, volume->grid, path);
  return [volume](const Grid& grid, Job& job) { return resampled(*volume, grid, job); };
}

void run_map(const Common& common, const Options& o) {
  check(o);
  check_output(o.out, "mrc map ccp4 dx cube cub vdb");
  Run run(common, false);
  const auto map = read_volume(run, o.map);
  MapCalculation c;
  if (!o.like.empty()) c.grid = read_volume(run, o.like)->grid;
  if (o.spacing > 0) c.grid = respaced(map->grid, o.spacing);
  if (!o.region.empty()) c.region = parse_region(o.region);
  c.step = o.step;
  c.factor = o.factor;
  c.scaled = o.scaled;
  c.window = o.window;
  const std::string& other = !o.plus.empty() ? o.plus : !o.minus.empty() ? o.minus : o.correlation;
  if (!other.empty()) {
    c.with = !o.plus.empty() ? With::plus : !o.minus.empty() ? With::minus : With::correlation;
    c.other = other_map(run, o, map->grid, other);
  }
  if (!o.near.empty()) {
    ModelOptions model;
    model.files = {o.near};
    model.selection = o.select;
    model.resolution = 1;  // of no use here
    const auto molecule = read_model(run, model);
    const Frame frame = frame_at(*molecule, 0);
    c.places = positions_of(frame, model_atoms(model, *molecule->topology, frame));
    c.distance = o.distance;
  }
  c.dust = o.dust;
  c.dust_level = o.level.value_or(0);
  c.normalised = o.sigma;
  const std::size_t bytes = calculated_map_memory(*map, c);
  require_memory(bytes, Device::cpu(), "map");
  run.report.phase("read");
  CalculatedMap made = calculated_map(*map, c, run.job());
  run.report.memory(bytes, peak_memory(Device::cpu()));
  run.report.phase("compute");
  made.volume.unit = c.with == With::correlation || o.sigma ? "" : map->unit;
  made.volume.name = c.with == With::minus         ? "difference"
                     : c.with == With::plus        ? "sum"
                     : c.with == With::correlation ? "local correlation"
                                                   : "map";
  run.report.grid(made.volume.grid);
  run.report.unit = made.volume.unit;
  run.report.method = {{"name", made.volume.name}, {"step", o.step}};
  if (c.grid) run.report.method["interpolation"] = "cubic B-splines";
  if (c.with != With::nothing) {
    run.report.method["other"] = other;
    if (c.with == With::correlation) {
      run.report.method["window"] = o.window;
    } else {
      run.report.method["factor"] = made.factor;
      run.report.method["constant"] = made.constant;
    }
  }
  run.report.result = range_of(made.volume.values);
  run.report.result["points_outside"] = made.outside;
  run.report.result["points_outside_other"] = made.other_outside;
  if (c.dust > 0) run.report.result["parts_removed"] = made.parts_removed;
  write_significance(run, o.errors, made.volume,
                     [&](const std::string& path) { return errors_at(run, o, made.volume.grid, path); });
  write_volume(o.out, made.volume, nullptr, 0, fmt::format("{}, computed by Isolume", made.volume.name));
  run.report.phase("write");
  if (made.outside > 0)
    run.say(
        fmt::format("note: {} of {} points are outside of {} and are 0", made.outside, made.volume.grid.size(), o.map));
  if (made.other_outside > 0)
    run.say(fmt::format("note: {} of {} points are outside of {}", made.other_outside, made.volume.grid.size(), other));
  std::string told;
  if (c.scaled) told += fmt::format(", {} taken {:.4g} times{:+.4g}", other, made.factor, made.constant);
  if (c.dust > 0) told += fmt::format(", {} removed", counted(made.parts_removed, "part"));
  run.say(fmt::format("{}: {}, {} x {} x {} points{}", o.out, made.volume.name, made.volume.grid.counts.x,
                      made.volume.grid.counts.y, made.volume.grid.counts.z, told));
  run.finish();
}

}  // namespace

void add_compute_map(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "map", "a map made of others: on another grid, a part, a sum or difference, near atoms, without dust",
      "isolume compute map emd.mrc --minus model.mrc --scaled --resample --out difference.mrc\n"
      "  isolume compute map emd.mrc --minus model.pdb --resolution 4 --scaled --out difference.mrc\n"
      "  isolume compute map emd.mrc --local-correlation model.pdb --resolution 4 --window 5 --out local.mrc\n"
      "  isolume compute map large.mrc --step 2 --region 0,0,0,80,80,80 --out part.mrc\n"
      "  isolume compute map emd.mrc --near model.pdb --distance 4 --dust 5 --level 0.03 --out clean.mrc",
      [&commands, o] { run_map(commands.common, *o); });
  command.option("FILE", o->map, "the map: mrc, map, ccp4, dx or cube").required();
  command.option("--grid,--like", o->like, "on the grid of this map, by cubic B-splines").type_name("FILE");
  command.option("--spacing", o->spacing, "on cubic cells of this side, by cubic B-splines, angstrom")
      .range(1e-3, 1e3)
      .type_name("A");
  command.option("--region", o->region, "only a box: two corners in angstrom, x0,y0,z0,x1,y1,z1");
  command.option("--step", o->step, "every n-th point along each axis").range(1, 1000);
  command.option("--plus", o->plus, "add this map").type_name("FILE");
  command.option("--minus", o->minus, "subtract this map; with --resolution a model").type_name("FILE");
  command.option("--factor", o->factor, "times which the other map is added or subtracted").range(-1e12, 1e12);
  command.option("--error", o->errors.own, "standard error of the map, for --error-out and --faded-out")
      .type_name("FILE");
  command.option("--minus-error", o->errors.other, "standard error of the map of --minus").type_name("FILE");
  command.option("--error-out", o->errors.error_out, "the standard error of the difference: the root of both squares")
      .type_name("FILE")
      .writes();
  command
      .option("--faded-out", o->errors.faded_out,
              "the difference where it is significant, 0 where it is within 2 standard errors")
      .type_name("FILE")
      .writes();
  command.flag("--scaled", o->scaled, "subtract a factor times the other map and a constant, by least squares");
  command
      .option("--local-correlation", o->correlation,
              "correlation with this map (with --resolution a model) in a box around each point")
      .type_name("FILE");
  command.flag("--resample", o->resample, "interpolate the other map where its points are not those of FILE");
  command.option("--window", o->window, "angstrom of that box to each side").range(1e-3, 1e3).type_name("A");
  command.option("--resolution", o->resolution, "FILE of --plus, --minus or --local-correlation is a model; angstrom")
      .range(0.1, 1000.0)
      .type_name("A");
  command.option("--near", o->near, "0 where farther than --distance from the atoms of this model").type_name("FILE");
  command.option("--select", o->select, "atoms of --near");
  command.option("--distance", o->distance, "angstrom, of --near").range(1e-3, 1e3).type_name("A");
  command.option("--dust", o->dust, "0 in connected parts above --level that are smaller than this, angstrom")
      .range(1e-3, 1e5)
      .type_name("A");
  command.option("--level", o->level, "of --dust, in the unit of the map");
  command.flag("--sigma", o->sigma, "last: less the mean, over the standard deviation");
  command.option("--out", o->out, "mrc, map, ccp4, dx, cube or vdb").type_name("FILE").required().writes();
}

}  // namespace isolume::cli
