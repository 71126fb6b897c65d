// isolume compute potential: the electrostatic potential of the charges of a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/compute/potential_work.h"
#include "app/cli/residue_charges.h"
#include "app/fields/host_values.h"
#include "app/fields/potential_map.h"
#include "app/fields/potential_points.h"
#include "app/fields/potential_slabs.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  MapGridOptions map;
  MethodOptions method;
  PoissonBoltzmannChoice poisson_boltzmann;
  std::string selection = "all", cell;
  std::vector<std::string> templates;
  bool field = false;  // with --at: the field's vectors too
  bool faces = false;
};

using Json = nlohmann::ordered_json;
using Work = PotentialWork;

// The methods that are sums in double precision at points have no error there.
bool approximates_points(const PotentialOptions& options) {
  return options.method != PotentialMethod::direct && options.method != PotentialMethod::debye_hueckel;
}

void at_points(Run& run, const Options& options, Work& work) {
  std::vector<glm::dvec3> points = read_points(options.grid.at);
  for (glm::dvec3& point : points) point -= work.origin;
  run.report.input(options.grid.at);
  if (chooses_parameters(options.method)) {
    Grid box{points.front(), glm::dmat3(1.0), glm::ivec3(1)};
    run.report.result["expected_relative_error"] =
        choose_parameters(chosen_accuracy(options.method), work.spheres, box, run.device, work.potential);
  }
  // The lattices of msm alone are summed on the device.
  const Device device = work.potential.method == PotentialMethod::msm ? run.device : Device::cpu();
  run.report.device(device);
  run.report.method = method_json(options.method, work);
  run.report.phase("plan");
  std::vector<double> values(points.size());
  std::vector<glm::dvec3> field(options.field ? points.size() : 0);
  potential_at(work.spheres, work.potential, points, values, field, device, run.job());
  run.report.phase("compute");
  if (approximates_points(work.potential)) {
    const MapError error = potential_points_error(work.spheres, work.potential, points, values, run.job());
    run.report.error = error_json(error, work);
    run.report.phase("check");
  }
  for (double& value : values) value *= work.factor;
  for (glm::dvec3& value : field) value *= work.factor;
  run.report.unit = options.method.unit;
  run.report.result["points"] = points.size();
  if (options.field) {
    run.report.result["columns"] = {"potential", "field x", "field y", "field z"};
    run.report.result["field_unit"] = options.method.unit + "/A";
    write_values_and_vectors(options.grid.out, values, field);
  } else {
    write_values(options.grid.out, values);
  }
}

// One map and its error, in volts.
struct Map {
  HostValues values;
  MapError error;
};

Grid layer_of(Grid grid) {
  grid.counts.z = std::min(grid.counts.z, 1);
  return grid;
}

Map compute_map(Run& run, const Work& work, const Grid& of_file, const std::string& out) {
  const Grid grid = seen_from(of_file, work.origin);
  run.report.phase("plan");
  const LaunchRecord record;
  Map map;
  // What the computation itself takes of the host's memory is asked for by it.
  const std::size_t beside =
      run.device.is_cuda() ? 0 : potential_map_memory(work.spheres, layer_of(grid), work.potential, run.device);
  map.values = HostValues(grid.size(), beside, out, "electrostatic potential");
  if (map.values.in_file())
    run.say(fmt::format("note: not enough memory; the {} map is kept in a temporary file",
                        bytes_in_words(grid.size() * sizeof(float))));
  run.report.result["map_in_file"] = map.values.in_file();
  const SlabReport slabs =
      potential_map_in_slabs(work.spheres, grid, work.potential, run.devices, map.values.span(), run.job());
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(slabs.bytes, peak_memory(run.device));
  run.report.result["slabs"] = slabs.slabs;
  if (slabs.short_of_memory)
    run.say(fmt::format("note: not enough memory on {1}; the map is computed in {0} slabs", slabs.slabs,
                        to_string(run.device)));
  map.error = potential_map_error(work.spheres, grid, work.potential,
                                  Span<const float>(map.values.span().data(), grid.size(), Device::cpu()), run.job());
  run.report.phase("check");
  return map;
}

// One map; or with a tolerance, msm or spme again with finer parameters until the measured error is within.
Map within_tolerance(Run& run, const Options& options, Work& work, const Grid& grid) {
  constexpr double finest = 2e-5;  // what plan_msm() can be asked for
  const double tolerance = options.method.tolerance;
  const bool chooses = chooses_parameters(options.method);
  double accuracy = options.method.accuracy > 0 ? options.method.accuracy : tolerance > 0 ? tolerance : usual_accuracy;
  if (tolerance > 0) accuracy = std::clamp(accuracy, finest, 0.1);
  Json tries = Json::array();
  for (;;) {
    if (chooses) {
      const double expected =
          choose_parameters(accuracy, work.spheres, seen_from(grid, work.origin), run.device, work.potential);
      run.report.result["expected_relative_error"] = expected;
    }
    Map map = compute_map(run, work, grid, options.grid.out);
    tries.push_back({{"parameters", describe(work.potential)}, {"relative", map.error.relative}});
    if (tolerance > 0) run.report.result["tries"] = tries;
    if (tolerance <= 0 || map.error.relative <= tolerance) return map;
    if (!chooses || accuracy <= finest)
      throw Error(fmt::format("--tolerance {:g} cannot be met: the relative error of the {} is {:.2g}{}", tolerance,
                              describe(work.potential), map.error.relative,
                              chooses ? ", with the finest parameters that there are"
                              : has_accuracy(work.potential.method)
                                  ? "; without its parameters, finer ones would be tried"
                                  : ""));
    run.say(fmt::format("{}: relative error {:.2g}; once more, finer", describe(work.potential), map.error.relative));
    accuracy = std::max(finest, accuracy / 3);
  }
}

void on_grid(Run& run, const Options& options, Work& work) {
  const Grid grid = potential_grid_of(options.map, options.grid, work);
  run.report.grid(grid);
  if (options.faces) {
    run.report.method = method_json(options.method, work);
    return write_potential_faces(run, grid, options.grid.out, work, options.method.unit);
  }
  Map map = within_tolerance(run, options, work, grid);
  run.report.method = method_json(options.method, work);
  const MapError& error = map.error;
  run.report.unit = options.method.unit;
  run.report.error = error_json(error, work);
  for (float& value : map.values.span()) value = static_cast<float>(value * work.factor);
  run.report.result.update(range_of(map.values.span()));
  run.report.phase("compute");
  const std::string unit = options.method.unit;
  write_volume(options.grid.out, VolumeView(grid, map.values.span(), "electrostatic potential", unit),
               work.request.molecule.get(), options.grid.frame.value_or(0),
               fmt::format("potential in {}, rel. error {:.1e} (rms {:.1e}, max {:.1e} {} at {} points), total charge "
                           "{:.4g} e, {}, {}, by Isolume",
                           unit, error.relative, error.rms * work.factor, error.max * work.factor, unit, error.points,
                           work.total, describe_zero(work.potential, work.total), describe(work.potential)));
  run.say(fmt::format(
      "{}: potential of {} charges (total {:.4g} e), {} x {} x {} points on {}, {}, error {:.2g} {} rms, "
      "{:.2g} at most "
      "({:.1e} relative{})",
      options.grid.out, work.spheres.size(), work.total, grid.counts.x, grid.counts.y, grid.counts.z,
      to_string(run.device), describe(work.potential), error.rms * work.factor, unit, error.max * work.factor,
      error.relative, error.near_points > 0 ? fmt::format(", {:.1e} near charges", error.near_relative) : ""));
}

void run_potential(const Common& common, const Options& options) {
  check_grid_options(options.grid, options.faces ? "csv txt dat" : "cube cub dx mrc map ccp4 vdb");
  // What is wrong with the options is said before any file is read; a cell of 1 stands for the file's.
  const bool poisson_boltzmann = options.method.method == "pb";
  if (poisson_boltzmann) {
    check_poisson_boltzmann(options.method, options.poisson_boltzmann);
    if (!options.grid.at.empty() || options.method.tolerance > 0)
      throw Error("--method pb makes maps: neither --at nor --tolerance belongs to it", Error::Kind::usage);
  } else {
    potential_options(options.method, Cell{glm::dmat3(1.0)});
    if (const std::string other = options.poisson_boltzmann.given(); !other.empty())
      throw Error(other + " belongs to --method pb", Error::Kind::usage);
  }
  if (options.faces) {
    if (options.method.method != "debye-hueckel")
      throw Error("--faces belongs to --method debye-hueckel", Error::Kind::usage);
    if (!options.grid.at.empty() || options.method.tolerance > 0)
      throw Error("--faces takes the box of a grid: neither --at nor --tolerance belongs to it", Error::Kind::usage);
  }
  if (options.field && options.grid.at.empty())
    throw Error("--field belongs to --at: vectors are computed at points", Error::Kind::usage);
  if (!options.map.counts.empty()) {
    counts_of(options.map.counts);
    if (options.grid.spacing > 0) throw Error("--counts and --spacing exclude each other", Error::Kind::usage);
  }
  if (options.map.given() && (!options.grid.like.empty() || !options.grid.at.empty()))
    throw Error("--padding and --counts make a grid; --like names one, and --at points", Error::Kind::usage);
  if (!options.grid.at.empty() && options.method.tolerance > 0)
    throw Error("--tolerance is for maps; with --at, --accuracy chooses the parameters of msm and spme",
                Error::Kind::usage);
  Run run(common);
  warn_of_cold(run, options.method.temperature);
  for (const std::string& file : options.grid.files) run.report.input(file);
  Work work;
  work.request =
      potential_request(run, options.grid, options.selection, options.templates, cell_treatment(options.cell));
  work.spheres = charged_spheres(work.request);
  work.origin = charge_origin(work.request);
  if (!poisson_boltzmann) work.potential = potential_of(work.request, options.method);
  work.factor = unit_factor(options.method);
  set_radii(work.spheres, options.method);
  run.report.phase("read");
  for (const ChargedSphere& sphere : work.spheres) work.total += static_cast<double>(sphere.charge);
  const double total = work.total;
  run.report.result["charges"] = work.spheres.size();
  run.report.result["total_charge"] = total;
  if (is_fully_periodic(work.potential) && std::abs(total) > 1e-3)
    run.say(fmt::format("note: the total charge is {:.4g} e; a uniform background neutralises it", total));
  if (poisson_boltzmann) {
    poisson_boltzmann_map(run, options.grid, options.map, options.method, options.poisson_boltzmann, work);
  } else if (options.grid.at.empty()) {
    on_grid(run, options, work);
  } else {
    at_points(run, options, work);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_potential(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "potential", "electrostatic potential of partial charges, with its measured error",
                   "isolume compute potential protein.pqr --method msm --spacing 1 --out phi.dx\n"
                   "  isolume compute potential protein.pqr --method hcp --at points.csv --field --out values.csv\n"
                   "  isolume compute potential protein.pqr --method pb --spacing 0.5 --unit kT/e --out phi.dx\n"
                   "  isolume compute potential salt.pqr --method msm --periodic xyz --tolerance 1e-4 --out phi.dx",
                   [&commands, options] { run_potential(commands.common, *options); });
  add_grid_options(command, options->grid,
                   "cube, dx, mrc, map or ccp4; csv with --faces, and with --at (default there: stdout)");
  add_method_options(command, options->method);
  add_poisson_boltzmann_options(command, options->poisson_boltzmann);
  command.option("--counts", options->map.counts, "points along the grid's axes instead of --spacing")
      .type_name("N or X,Y,Z");
  command.option("--padding", options->map.padding, "room around the charges (12, or by size)")
      .range(0.0, 1e4)
      .type_name("A");
  command.flag("--field", options->field,
               "with --at: lines V,Ex,Ey,Ez, the field E = -grad V in the unit per angstrom");
  command.flag("--faces", options->faces,
               "debye-hueckel: on the six faces of the grid's box alone, as lines x,y,z,V (csv)");
  command.option("--select", options->selection, "whose charges count");
  add_cell_option(command, options->cell);
  add_template_option(command, options->templates);
}

}  // namespace isolume::cli
