// isolume compute potential: the electrostatic potential of the charges of a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/compute/apbs_energy.h"
#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/compute/poisson_boltzmann_maps.h"
#include "app/cli/compute/potential_at_points.h"
#include "app/cli/compute/potential_average.h"
#include "app/cli/compute/potential_work.h"
#include "app/cli/compute/within_tolerance.h"
#include "app/cli/prepared_charges.h"
#include "app/cli/residue_charges.h"
#include "compute/base/host_values.h"
#include "compute/base/map_values.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/potential_map.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  MapGridOptions map;
  MethodOptions method;
  AverageOptions average;
  std::string selection = "all", cell;
  std::vector<std::string> templates;
  std::string apbs;
  UsualCharges charges;
  PoissonBoltzmannMapFiles further;
  bool field = false;  // with --at: the field's vectors too
  bool faces = false;
};

using Json = nlohmann::ordered_json;
using Work = PotentialWork;

// One map and its error, in volts.
struct Map {
  HostValues values;
  MapError error;
  PoissonBoltzmannFurtherMaps further;
};

// What the computation itself takes of the host's memory apart from the map.
std::size_t host_workspace(const Work& work, Grid grid, Device device) {
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&work.potential))
    return poisson_boltzmann_memory(work.charges.spheres, grid, *pb, Device::cpu());
  grid.counts.z = std::min(grid.counts.z, 1);
  return device.is_cuda() ? 0 : potential_memory(work.charges.spheres, grid, work.potential, device);
}

Map compute_map(Run& run, Work& work, const Grid& grid, const Options& options) {
  const std::vector<ChargedSphere>& charges = work.charges.spheres;
  const std::string& out = options.grid.out;
  run.report.phase("plan");
  const LaunchRecord record;
  const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&work.potential);
  const std::size_t predicted =
      pb != nullptr ? memory_with(charges, grid, *pb, run.device) + grid.size() * sizeof(float) : 0;
  Map map;
  const std::size_t workspace = host_workspace(work, grid, run.device) + further_maps_memory(grid, options.further);
  map.values = HostValues(grid.size(), workspace, out, "electrostatic potential");
  if (map.values.in_file())
    run.say(fmt::format("note: not enough memory; the {} map is kept in a temporary file",
                        bytes_in_words(grid.size() * sizeof(float))));
  run.report.result["map_in_file"] = map.values.in_file();
  if (options.further.any()) {
    map.further = PoissonBoltzmannFurtherMaps(run, work, grid, options.further, map.values.span());
    map.error = work.room.solved.error;
    run.report.phase("compute");
    return map;
  }
  const SlabReport slabs = potential_map_in_slabs(
      charges, grid, work.potential, run.devices_for(rough_map_seconds(charges.size(), grid, work.potential)),
      map.values.span(), run.job(), &work.room);
  run.worked(slabs.workers);
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(std::max(slabs.bytes, predicted), peak_memory(run.device));
  run.report.result["slabs"] = slabs.slabs;
  if (slabs.short_of_memory)
    run.say(fmt::format("note: not enough memory on {1}; the map is computed in {0} slabs", slabs.slabs,
                        to_string(run.device)));
  const Span<const float> values(map.values.span().data(), grid.size(), Device::cpu());
  map.error = measured_error(charges, grid, work.potential, values, run.job(), 2000, &work.room);
  run.report.phase("check");
  return map;
}

// One map; or with a tolerance, msm or spme again with finer parameters until the measured error is within.
Map to_tolerance(Run& run, const Options& options, Work& work, const Grid& of_file) {
  const Grid grid = seen_from(of_file, work.charges.origin);
  const double tolerance = options.method.tolerance;
  const bool chooses = chooses_parameters(options.method);
  double accuracy = options.method.accuracy > 0 ? options.method.accuracy : tolerance > 0 ? tolerance : usual_accuracy;
  if (tolerance > 0) accuracy = std::clamp(accuracy, finest_accuracy, 0.1);
  const double expected =
      chooses ? choose_parameters(accuracy, work.charges.spheres, grid, run.device, work.potential) : 0;
  Json tries = Json::array();
  Map map;
  const auto compute = [&](const AccuracyTry& attempt) {
    if (attempt.number > 1)
      run.say(fmt::format("{}: relative error {:.2g}; once more, finer", tries.back()["parameters"].get<std::string>(),
                          attempt.before.relative));
    if (chooses) run.report.result["expected_relative_error"] = attempt.number > 1 ? attempt.expected_error : expected;
    map = {};
    map = compute_map(run, work, grid, options);
    tries.push_back({{"parameters", describe(work.potential)}, {"relative", map.error.relative}});
    return map.error;
  };
  constexpr int any = 100;  // a third of the accuracy each time: the finest is met before
  const MapError error = to_accuracy(tolerance, accuracy, tolerance > 0 && chooses ? any : 1, work.charges.spheres,
                                     grid, run.device, work.potential, compute);
  if (tolerance > 0) run.report.result["tries"] = tries;
  if (tolerance <= 0 || error.relative <= tolerance) return map;
  throw Error(fmt::format("--tolerance {:g} cannot be met: the relative error of the {} is {:.2g}{}", tolerance,
                          describe(work.potential), error.relative,
                          chooses                        ? ", with the finest parameters that there are"
                          : has_accuracy(work.potential) ? "; without its parameters, finer ones would be tried"
                                                         : ""));
}

// One map of Poisson-Boltzmann on the grid; or with a tolerance again with shorter steps until the error estimated by
// steps twice as long is within. The grid becomes that of the map.
Map by_shorter_steps(Run& run, const Options& options, Work& work, Grid& grid) {
  Map map;
  SteppedRun what;
  what.tolerance = options.method.tolerance;
  what.fixed = options.grid.spacing > 0 || work.like || !options.map.counts.empty();
  what.fixed_by = "--spacing, --counts and --like";
  what.atoms = work.charges.spheres;
  what.options = &std::get<PoissonBoltzmannOptions>(work.potential);
  what.further = sizeof(float);
  what.grid_of = [&](double step) {
    GridOptions shorter = options.grid;
    shorter.spacing = step;
    return potential_grid_of(options.map, shorter, work, work.potential);
  };
  what.solve = [&](const Grid& with) {
    map = {};  // its memory is free for the next
    map = compute_map(run, work, seen_from(with, work.charges.origin), options);
    return map.error.relative;
  };
  within_tolerance(run, what, grid);
  return map;
}

// The error of a map in words: of the comment that the file has, and of the line that is printed.
std::pair<std::string, std::string> quality_of(const Work& work, const MapError& error, const std::string& unit) {
  const double rms = error.rms * work.factor, most = error.max * work.factor;
  if (std::holds_alternative<PoissonBoltzmannOptions>(work.potential)) {
    const std::string text = fmt::format(
        "estimated error in the solvent {:.2g} {} rms, {:.2g} at most, by steps twice as long", rms, unit, most);
    const PoissonBoltzmannResult& solved = work.room.solved;
    return {text, fmt::format("{}; solvation energy {:.3f} kcal/mol, estimated error {:.2g}", text,
                              solved.solvation_energy, solved.solvation_error)};
  }
  // Of a screened sum it says nothing of the model.
  const char* const what = std::holds_alternative<DebyeHueckelOptions>(work.potential) ? "arithmetic error" : "error";
  return {fmt::format("rel. {} {:.1e} (rms {:.1e}, max {:.1e} {} at {} points)", what, error.relative, rms, most, unit,
                      error.points),
          fmt::format("{} {:.2g} {} rms, {:.2g} at most ({:.1e} relative{})", what, rms, unit, most, error.relative,
                      error.near_points > 0 ? fmt::format(", {:.1e} near charges", error.near_relative) : "")};
}

void on_grid(Run& run, const Options& options, Work& work) {
  Grid grid = potential_grid_of(options.map, options.grid, work, work.potential);
  const bool pb = std::holds_alternative<PoissonBoltzmannOptions>(work.potential);
  run.report.grid(grid);
  if (options.faces) {
    run.report.method = method_json(options.method, work);
    return write_potential_faces(run, grid, options.grid.out, work, options.method.unit);
  }
  Map map = pb ? by_shorter_steps(run, options, work, grid) : to_tolerance(run, options, work, grid);
  run.report.grid(grid);
  run.report.method = method_json(options.method, work);
  run.report.unit = options.method.unit;
  run.report.error = error_json(map.error, work);
  if (pb) put_solvation_energy(run, work.room.solved, work.charges.spheres);
  scale_values(map.values.span(), work.factor);
  run.report.result.update(range_of(map.values.span()));
  run.report.phase("compute");
  const std::string unit = options.method.unit;
  const double total = work.charges.total;
  const auto [comment, line] = quality_of(work, map.error, unit);
  const std::string zero = pb ? "" : describe_zero(work.potential, total) + ", ";
  write_volume(options.grid.out, VolumeView(grid, map.values.span(), "electrostatic potential", unit),
               work.molecule.get(), options.grid.frame.value_or(0),
               fmt::format("potential in {}, {}, total charge {:.4g} e, {}{}, by Isolume", unit, comment, total, zero,
                           describe(work.potential)));
  run.say(fmt::format("{}: potential of {} charges (total {:.4g} e), {} x {} x {} points on {}, {}, {}",
                      options.grid.out, work.charges.spheres.size(), total, grid.counts.x, grid.counts.y, grid.counts.z,
                      to_string(run.device), describe(work.potential), line));
  if (options.further.any()) map.further.write(run, work, grid, options.further, unit);
}

// Wrong options are reported before any file is read; a cell of 1 stands for the file's.
void check(const Options& options) {
  GridOptions grid = options.grid;
  if (!grid.at.empty() && options.method.method == "pb") grid.spacing = 0;  // it has a grid even then
  const bool part_alone = options.average.average && !options.average.partial.empty() && grid.out.empty() &&
                          grid.at.empty() && !(grid.spacing > 0 && !grid.like.empty());
  if (!part_alone) check_grid_options(grid, options.faces ? "csv txt dat" : "cube cub dx mrc map ccp4 vdb");
  const PotentialMethod method = method_of(potential_options(options.method, Cell{glm::dmat3(1.0)}));
  const auto refuse = [](bool wrong, const char* text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  const bool at_points = !options.grid.at.empty(), tolerance = options.method.tolerance > 0;
  refuse(options.faces && method != PotentialMethod::debye_hueckel, "--faces belongs to --method debye-hueckel");
  refuse(options.faces && (at_points || tolerance),
         "--faces takes the box of a grid: neither --at nor --tolerance belongs to it");
  refuse(options.field && !at_points, "--field belongs to --at: vectors are computed at points");
  if (!options.map.counts.empty()) counts_of(options.map.counts);
  refuse(!options.map.counts.empty() && options.grid.spacing > 0, "--counts and --spacing exclude each other");
  refuse(options.map.given() && (!options.grid.like.empty() || at_points),
         "--padding and --counts make a grid; --like names one, and --at points");
  refuse(at_points && tolerance && method != PotentialMethod::pb,
         "--tolerance is for maps, and with --at for pb; with --at, --accuracy chooses the parameters of msm and spme");
  refuse(options.further.any() && method != PotentialMethod::pb,
         "--reaction-out, --field-out and --ions-out belong to --method pb");
  refuse(options.further.any() && (at_points || options.average.average),
         "--reaction-out, --field-out and --ions-out are maps of one frame: neither --at nor --average goes with them");
  check_poisson_boltzmann_maps(options.further, options.grid.files, options.grid.out);
  check_average_options(options.average, at_points);
  refuse(options.average.average && (tolerance || options.field || options.faces),
         "--average takes a method as it is: neither --tolerance nor --field nor --faces belongs to it");
  refuse(options.average.average &&
             (!options.templates.empty() || !options.charges.set.empty() || options.charges.build_missing),
         "--average needs files with charges: --templates and --force-field make them for one frame alone");
  refuse(!options.templates.empty() && options.charges.build_missing,
         "--build-missing goes with --force-field; --templates completes residues by those of its files");
}

void run_potential(const Common& common, const Options& options) {
  if (!options.apbs.empty()) {
    if (!options.grid.files.empty() || !options.grid.out.empty() || !options.grid.at.empty() ||
        !options.grid.like.empty() || options.map.given())
      throw Error(
          "--apbs: the file names the molecules, grids and maps; FILE, --out, --at and grid options cannot be used "
          "with it",
          Error::Kind::usage);
    return apbs_maps(common, options.apbs);
  }
  if (options.grid.files.empty()) throw Error("FILE is required, or --apbs", Error::Kind::usage);
  check(options);
  Run run(common);
  warn_of_cold(run, options.method.temperature);
  for (const std::string& file : options.grid.files) run.report.input(file);
  Work work = read_charges(run, options.grid, options.selection, options.templates, cell_treatment(options.cell),
                           options.charges);
  if (const std::string coarse = coarse_positions_text(frame_at(*work.molecule, work.frame)); !coarse.empty())
    run.say("note: " + coarse);
  work.potential = potential_of(work, options.method);
  work.factor = unit_factor(options.method);
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&work.potential)) say_of_ions(run, *pb);
  set_radii(work.charges.spheres, options.method);
  set_dielectrics(options.method.pb.dielectric_of, *work.molecule->topology, frame_at(*work.molecule, work.frame),
                  work.charges.atoms, work.charges.spheres);
  run.report.phase("read");
  const double total = work.charges.total;
  run.report.result["charges"] = work.charges.spheres.size();
  run.report.result["total_charge"] = total;
  if (is_fully_periodic(work.potential) && std::abs(total) > 1e-3)
    run.say(fmt::format("note: the total charge is {:.4g} e; a uniform background neutralises it", total));
  if (options.average.average) {
    average_potential(run, {options.grid, options.map, options.method, options.average}, work);
  } else if (options.grid.at.empty()) {
    on_grid(run, options, work);
  } else {
    potential_at_points(run, options.grid, options.method, options.field, work);
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
                   "  isolume compute potential salt.pqr --method msm --periodic xyz --tolerance 1e-4 --out phi.dx\n"
                   "  isolume compute potential a.psf a.dcd --average --align 'name CA' --out mean.dx --error-out e.dx",
                   [&commands, options] { run_potential(commands.common, *options); });
  add_grid_options(command, options->grid,
                   "cube, dx, mrc, map or ccp4; csv with --faces, and with --at (default there: stdout)", false);
  add_method_options(command, options->method);
  command
      .option(
          "--apbs", options->apbs,
          "an input file of APBS in place of FILE: its ELEC blocks are solved (pb), and the maps that it writes are")
      .type_name("FILE.in");
  command.option("--counts", options->map.counts, "points along the grid's axes instead of --spacing")
      .type_name("N or X,Y,Z");
  command.option("--padding", options->map.padding, "margin around the charges (12, or by size)")
      .range(0.0, 1e4)
      .type_name("A");
  command.flag("--field", options->field,
               "with --at: lines V,Ex,Ey,Ez, the field E = -grad V in the unit per angstrom");
  command.flag("--faces", options->faces,
               "debye-hueckel: on the six faces of the grid's box alone, as lines x,y,z,V (csv)");
  add_poisson_boltzmann_map_options(command, options->further);
  command.option("--select", options->selection, "atoms whose charges count");
  add_average_options(command, options->average);
  add_cell_option(command, options->cell);
  add_template_option(command, options->templates);
  add_charge_set_option(command, options->charges);
}

}  // namespace isolume::cli
