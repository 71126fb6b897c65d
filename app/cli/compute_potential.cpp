// isolume compute potential: the electrostatic potential of the charges of a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute.h"
#include "app/cli/potential_options.h"
#include "app/session/frames.h"
#include "app/session/potential_map.h"
#include "compute/device_array.h"
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
};

using Json = nlohmann::ordered_json;

// The charges and what is to be done with them.
struct Work {
  FieldRequest request;
  std::vector<ChargedSphere> spheres;
  PotentialOptions potential;
  double factor = 1;  // volts into the unit

  bool periodic() const { return potential.msm.periodic[0] || potential.msm.periodic[1] || potential.msm.periodic[2]; }
};

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
    if (work.periodic()) json["zero"] = "mean over the cell 0, neutralising background (three axes)";
  }
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
  const std::size_t bytes = potential_map_memory(work.spheres, grid, work.potential, run.device);
  require_memory(bytes, run.device, "electrostatic potential");
  run.report.phase("plan");
  const LaunchRecord record;
  Map map;
  DeviceArray<float> values(grid.size(), run.device, "potential map");
  potential_map(work.spheres, grid, work.potential, values.span(), run.job());
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(bytes, peak_memory(run.device));
  map.volume = {grid, values.copy_to_host(), "electrostatic potential", "V"};
  run.report.phase("transfer");
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

void on_grid(Run& run, const Options& options, Work& work) {
  const Grid grid = potential_map_grid(work.request, work.spheres, work.potential);
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
  const double total = run.report.result["total_charge"].get<double>();
  write_volume(options.grid.out, map.volume, work.request.molecule.get(), options.grid.frame,
               fmt::format("potential in {}, {}, total charge {:.4g} e, rel. error {:.1e} by Isolume",
                           options.method.unit, describe(work.potential), total, error.relative));
  run.say(fmt::format(
      "{}: potential of {} charges (total {:.4g} e), {} x {} x {} points on {}, {}, error {:.2g} {} rms ({:.1e} "
      "relative)",
      options.grid.out, work.spheres.size(), total, grid.counts.x, grid.counts.y, grid.counts.z, to_string(run.device),
      describe(work.potential), error.rms * work.factor, options.method.unit, error.relative));
}

void run_potential(const Common& common, const Options& options) {
  check_grid_options(options.grid);
  // What is wrong with the options is said before any file is read; a cell of 1 stands for the file's.
  potential_options(options.method, Cell{glm::dmat3(1.0)});
  if (!options.grid.at.empty() && options.method.method == "msm")
    throw Error("--at: msm computes maps; direct, cutoff and debye-hueckel compute at points", Error::Kind::usage);
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
  double total = 0;
  for (const ChargedSphere& sphere : work.spheres) total += static_cast<double>(sphere.charge);
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
  command.add_option("--select", options->selection, "whose charges count");
}

}  // namespace isolume::cli
