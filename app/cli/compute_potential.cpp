// isolume compute potential: the electrostatic potential of the charges of a file.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/compute.h"
#include "app/cli/potential_options.h"
#include "app/session/frames.h"
#include "app/session/potential_map.h"
#include "app/session/potential_slabs.h"
#include "compute/memory.h"
#include "compute/timing.h"
#include "formats/write.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  MethodOptions method;
  std::string selection = "all";
  double padding = -1;  ///< angstrom, negative where not given
  std::string counts;   ///< "64,64,80" or "64"
};

using Json = nlohmann::ordered_json;

// The charges and what is to be done with them.
struct Work {
  FieldRequest request;
  std::vector<ChargedSphere> spheres;
  PotentialOptions potential;
  double factor = 1;  // volts into the unit
  double total = 0;   // charge, e

  bool periodic() const { return potential.msm.periodic[0] || potential.msm.periodic[1] || potential.msm.periodic[2]; }
};

// What has to be said of the zero and of a net charge where charges repeat.
std::string zero_of(const Work& work, double total) {
  const auto& axes = work.potential.msm.periodic;
  if (!work.periodic()) return "0 at infinity";
  if (axes[0] && axes[1] && axes[2])
    return std::abs(total) > 1e-3 ? "mean over the cell 0; the net charge is neutralised by a uniform background"
                                  : "mean over the cell 0";
  return (axes[0] ? 1 : 0) + (axes[1] ? 1 : 0) + (axes[2] ? 1 : 0) == 2
             ? "a layer of net charge has -2 pi C |z| / area far away; no background"
             : "a line of net charge has -2 C ln(distance / period) / period far away; no background";
}

Json method_json(const Options& options, const Work& work) {
  const PotentialOptions& p = work.potential;
  Json json{{"name", options.method.method}, {"selection", options.selection}, {"frame", options.grid.frame}};
  json["boundary"] = !work.periodic() ? "not periodic"
                                      : fmt::format("periodic along {}{}{} of the cell", p.msm.periodic[0] ? "a" : "",
                                                    p.msm.periodic[1] ? "b" : "", p.msm.periodic[2] ? "c" : "");
  if (p.method == PotentialMethod::debye_hueckel) {
    json["ionic_strength"] = p.debye_hueckel.ionic_strength;
    json["temperature"] = p.debye_hueckel.temperature;
    json["solvent_dielectric"] = p.debye_hueckel.permittivity;
    json["debye_length"] = 1 / p.debye_hueckel.inverse_debye_length();
    if (p.debye_hueckel.ionic_strength == 0) json["debye_length"] = nullptr;
    json["radii"] = options.method.radii.empty() ? "atoms" : options.method.radii;
  } else {
    const bool sigmoidal = p.dielectric.kind == Dielectric::Kind::sigmoidal;
    json["dielectric"] = sigmoidal ? "sigmoidal" : "constant";
    json["dielectric_constant"] = p.dielectric.bulk;
    if (sigmoidal) json["dielectric_slope"] = p.dielectric.slope;
  }
  if (p.method == PotentialMethod::cutoff) {
    json["cutoff"] = p.cutoff.cutoff;
    json["form"] = options.method.form.empty() ? "shifted" : options.method.form;
    if (p.cutoff.form == CutoffForm::switched) json["switching"] = p.cutoff.switching;
  }
  if (p.method == PotentialMethod::msm) {
    json["cutoff"] = p.msm.cutoff;
    json["lattice_spacing"] = p.msm.spacing;
    json["degree"] = p.msm.degree;
    json["smoothing"] = p.msm.smoothing;
    json["chosen_by"] = options.method.published ? "published" : chooses_msm(options.method) ? "accuracy" : "options";
  }
  json["zero"] = zero_of(work, work.total);
  return json;
}

void at_points(Run& run, const Options& options, const Work& work) {
  const std::vector<glm::dvec3> points = read_points(options.grid.at);
  run.report.input(options.grid.at);
  run.report.device(Device::cpu());
  run.report.phase("plan");
  std::vector<double> values(points.size());
  in_tiles(points.size(), run.job(), "potential at points", [&](std::size_t begin, std::size_t end) {
    potential_at(work.spheres, work.potential, std::span(points).subspan(begin, end - begin),
                 std::span(values).subspan(begin, end - begin));
  });
  for (double& value : values) value *= work.factor;
  run.report.phase("compute");
  run.report.unit = options.method.unit;
  run.report.result["points"] = points.size();
  write_values(options.grid.out, values);
}

// One map and its error, in volts.
struct Map {
  Volume volume;
  MapError error;
};

Map compute_map(Run& run, const Work& work, const Grid& grid) {
  run.report.phase("plan");
  const LaunchRecord record;
  Map map;
  map.volume = {grid, std::vector<float>(grid.size()), "electrostatic potential", "V"};
  const SlabReport slabs =
      potential_map_in_slabs(work.spheres, grid, work.potential, run.devices, map.volume.values, run.job());
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(slabs.bytes, peak_memory(run.device));
  run.report.result["slabs"] = slabs.slabs;
  if (slabs.slabs > static_cast<int>(run.devices.size()))
    run.say(
        fmt::format("note: the map is made in {} slabs, for want of memory on {}", slabs.slabs, to_string(run.device)));
  map.error = potential_map_error(work.spheres, grid, work.potential, map.volume.values, run.job());
  run.report.phase("compute");
  return map;
}

// One map; or with a tolerance, multilevel summation again with finer parameters until the measured error is within.
Map within_tolerance(Run& run, const Options& options, Work& work, const Grid& grid) {
  constexpr double finest = 2e-5;  // what plan_msm() can be asked for
  const double tolerance = options.method.tolerance;
  const bool chooses = chooses_msm(options.method);
  double accuracy = options.method.accuracy > 0 ? options.method.accuracy : tolerance > 0 ? tolerance : 2.5e-3;
  if (tolerance > 0) accuracy = std::clamp(accuracy, finest, 0.1);
  Json tries = Json::array();
  for (;;) {
    if (chooses) {
      const double expected = choose_msm(accuracy, work.spheres, grid, run.device, work.potential);
      run.report.result["expected_relative_error"] = expected;
    }
    Map map = compute_map(run, work, grid);
    tries.push_back({{"parameters", describe(work.potential)}, {"relative", map.error.relative}});
    if (tolerance > 0) run.report.result["tries"] = tries;
    if (tolerance <= 0 || map.error.relative <= tolerance) return map;
    if (!chooses || accuracy <= finest)
      throw Error(fmt::format("--tolerance {:g} cannot be met: the relative error of the {} is {:.2g}{}", tolerance,
                              describe(work.potential), map.error.relative,
                              chooses                          ? ", with the finest parameters that there are"
                              : options.method.method == "msm" ? "; without its parameters, finer ones would be tried"
                                                               : ""));
    run.say(fmt::format("{}: relative error {:.2g}; once more, finer", describe(work.potential), map.error.relative));
    accuracy = std::max(finest, accuracy / 3);
  }
}

// "64,64,80", or "64" for all three.
glm::ivec3 counts_of(const std::string& text) {
  glm::ivec3 counts(0);
  int found = 0;
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find_first_of(",xX", at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, counts[found]);
    if (fault != std::errc() || next != text.data() + end || counts[found] < 1) break;
    ++found;
    at = end + 1;
    if (end == text.size()) break;
  }
  if (found == 1) counts = glm::ivec3(counts.x);
  if ((found != 1 && found != 3) || counts.x < 1)
    throw Error(fmt::format("--counts {}: expected one number of points, or three as in 64,64,80", text),
                Error::Kind::usage);
  const double points = double(counts.x) * double(counts.y) * double(counts.z);
  if (!(points < 4294967296.0))
    throw Error(fmt::format("--counts {}: {:.3g} points are more than 2^32", text, points), Error::Kind::usage);
  return counts;
}

// The grid that the options name: as another file's, the cell, or a box around the charges.
Grid grid_of(const Options& options, const Work& work) {
  const bool given = options.padding >= 0 || !options.counts.empty();
  if (!given) return potential_map_grid(work.request, work.spheres, work.potential);
  const auto& axes = work.potential.msm.periodic;
  Grid grid;
  if (work.periodic() && axes[0] && axes[1] && axes[2]) {
    if (options.padding >= 0)
      throw Error("--padding: the grid of a periodic map is the cell; give --counts or --spacing", Error::Kind::usage);
    grid.counts = counts_of(options.counts);
    for (int i = 0; i < 3; ++i) grid.step[i] = work.potential.msm.cell.vectors[i] / double(grid.counts[i]);
    return grid;
  }
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& sphere : work.spheres) {
    lower = glm::min(lower, glm::dvec3(sphere.position));
    upper = glm::max(upper, glm::dvec3(sphere.position));
  }
  const double padding = options.padding >= 0 ? options.padding : 12;
  lower -= padding;
  upper += padding;
  const glm::dvec3 edges = upper - lower;
  if (options.counts.empty()) {
    double spacing = options.grid.spacing;
    if (spacing <= 0) {
      const glm::dvec3 wide = glm::max(edges, glm::dvec3(0.2));
      spacing = std::ceil(std::clamp(std::cbrt(wide.x * wide.y * wide.z / 2.5e5), 0.2, 4.0) * 100) / 100;
    }
    return Grid::covering(lower, upper, spacing);
  }
  grid.counts = counts_of(options.counts);
  grid.origin = lower;
  for (int i = 0; i < 3; ++i) {
    if (grid.counts[i] == 1) grid.origin[i] = 0.5 * (lower[i] + upper[i]);
    const double step = edges[i] / std::max(1, grid.counts[i] - 1);
    grid.step[i] = glm::dvec3(0);
    grid.step[i][i] = step > 0 ? step : 1;
  }
  return grid;
}

void on_grid(Run& run, const Options& options, Work& work) {
  const Grid grid = grid_of(options, work);
  run.report.grid(grid);
  Map map = within_tolerance(run, options, work, grid);
  run.report.method = method_json(options, work);
  const MapError& error = map.error;
  run.report.unit = options.method.unit;
  run.report.error = {{"rms", error.rms * work.factor},
                      {"max", error.max * work.factor},
                      {"relative", error.relative},
                      {"points", error.points},
                      {"reference", exact_name(work.potential)}};
  for (float& value : map.volume.values) value = static_cast<float>(value * work.factor);
  map.volume.unit = options.method.unit;
  run.report.result.update(range_of(map.volume.values));
  run.report.phase("compute");
  const std::string unit = options.method.unit;
  write_volume(options.grid.out, map.volume, work.request.molecule.get(), options.grid.frame,
               fmt::format("potential in {}, rel. error {:.1e} (rms {:.1e}, max {:.1e} {} at {} points), total charge "
                           "{:.4g} e, {}, {}, by Isolume",
                           unit, error.relative, error.rms * work.factor, error.max * work.factor, unit, error.points,
                           work.total, zero_of(work, work.total), describe(work.potential)));
  run.say(
      fmt::format("{}: potential of {} charges (total {:.4g} e), {} x {} x {} points on {}, {}, error {:.2g} {} rms, "
                  "{:.2g} at most "
                  "({:.1e} relative)",
                  options.grid.out, work.spheres.size(), work.total, grid.counts.x, grid.counts.y, grid.counts.z,
                  to_string(run.device), describe(work.potential), error.rms * work.factor, unit,
                  error.max * work.factor, error.relative));
}

void run_potential(const Common& common, const Options& options) {
  check_grid_options(options.grid);
  // What is wrong with the options is said before any file is read; a cell of 1 stands for the file's.
  potential_options(options.method, Cell{glm::dmat3(1.0)});
  if (!options.grid.at.empty() && options.method.method == "msm")
    throw Error("--at: msm computes maps; direct, cutoff and debye-hueckel compute at points", Error::Kind::usage);
  if (!options.counts.empty()) {
    counts_of(options.counts);
    if (options.grid.spacing > 0) throw Error("--counts and --spacing exclude each other", Error::Kind::usage);
  }
  if ((options.padding >= 0 || !options.counts.empty()) && (!options.grid.like.empty() || !options.grid.at.empty()))
    throw Error("--padding and --counts make a grid; --like names one, and --at points", Error::Kind::usage);
  if (!options.grid.at.empty() && options.method.tolerance > 0)
    throw Error("--at evaluates in double precision; --tolerance is for maps", Error::Kind::usage);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  Work work;
  FieldRequest& request = work.request;
  request.molecule = read_molecule(options.grid.files);
  const std::size_t frames = request.molecule->frame_count();
  if (options.grid.frame >= std::max<std::size_t>(1, frames))
    throw Error(fmt::format("frame {}: there are 0 to {}", options.grid.frame, frames == 0 ? 0 : frames - 1),
                Error::Kind::usage);
  request.field.kind = Field::Kind::potential;
  request.field.selection = options.selection;
  request.field.spacing = options.grid.spacing;
  request.frame = options.grid.frame;
  request.device = run.device;
  request.grid = grid_like(options.grid);
  work.spheres = charged_spheres(request);
  work.potential = potential_options(options.method, frame_at(*request.molecule, request.frame).cell);
  work.factor = unit_factor(options.method);
  set_radii(work.spheres, options.method);
  run.report.phase("read");
  for (const ChargedSphere& sphere : work.spheres) work.total += static_cast<double>(sphere.charge);
  const double total = work.total;
  run.report.method = method_json(options, work);
  run.report.result = {{"charges", work.spheres.size()}, {"total_charge", total}};
  if (work.periodic() && std::abs(total) > 1e-3)
    run.say(fmt::format("note: the total charge is {:.4g} e; a uniform background neutralises it", total));
  if (options.grid.at.empty()) {
    on_grid(run, options, work);
  } else {
    at_points(run, options, work);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_potential(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      commands.add(parent, "potential", "electrostatic potential of partial charges, with its measured error",
                   "isolume compute potential protein.pqr --method msm --spacing 1 --out phi.dx\n"
                   "  isolume compute potential salt.pqr --method msm --periodic xyz --tolerance 1e-4 --out phi.dx",
                   [&commands, options] { run_potential(commands.common, *options); });
  add_grid_options(command, options->grid, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)");
  add_method_options(command, options->method);
  command.add_option("--counts", options->counts, "points along the grid's axes instead of --spacing")
      ->type_name("N or X,Y,Z");
  command.add_option("--padding", options->padding, "room around the charges (12, or by size)")
      ->check(CLI::Range(0.0, 1e4))
      ->type_name("A");
  command.add_option("--select", options->selection, "whose charges count");
}

}  // namespace isolume::cli
