// isolume compute density: the electron or spin density of a file's orbitals, or a field of it.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/compute/surface_export.h"
#include "app/cli/quantum/density_average.h"
#include "app/cli/quantum/density_field.h"
#include "app/cli/quantum/density_formula.h"
#include "app/cli/quantum/nuclei.h"
#include "app/cli/quantum/promolecule_field.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "compute/schedule/layer_map.h"
#include "formats/file_patterns.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  std::string kind = "electron";
  double margin = 4;
  std::vector<std::string> orbitals;        ///< only these, one electron each
  std::vector<std::string> minus;           ///< a frame, or files
  std::vector<std::string> minus_orbitals;  ///< of the frame itself, or of what --minus names
  Spin spin = Spin::alpha;
  bool force = false;
  std::string unit;                ///< of the potential, empty for hartree/e
  std::vector<std::string> cores;  ///< "I:28"
  double temperature = 298.15;
  std::string method;    ///< of the potential on a grid, empty for "auto"
  double tolerance = 0;  ///< of a mesh, 0 for the usual one
  PromoleculeOptions promolecule;
  AverageOptions average;  ///< its frames are those of `promolecule`
};

bool is_density(const Options& options) {
  return options.kind == "electron" || options.kind == "spin";
}

/// Throws Error (usage) for a kind that is none, and for options that do not belong to it.
void check_kind(const Options& options) {
  const auto refuse = [&](bool when, const char* what) {
    if (when) throw Error(fmt::format("--kind {}: {}", options.kind, what), Error::Kind::usage);
  };
  const bool contacts = is_gradient_model(options.kind);
  refuse(!is_density(options) && !is_density_field(options.kind) && !contacts,
         fmt::format("there are {}, delta-g and delta-g-inter", density_field_names()).c_str());
  refuse(!is_density(options) && (!options.minus.empty() || !options.minus_orbitals.empty()),
         "differences are of electron and spin densities");
  const bool potential = options.kind == "potential" || options.kind == "field";
  refuse(!potential && !options.unit.empty(), "--unit belongs to --kind potential and field");
  refuse(!potential && !options.cores.empty(), "--cores belongs to --kind potential and field");
  const bool map = options.kind == "potential" && options.grid.at.empty();
  refuse(!map && !options.method.empty(),
         "--method belongs to --kind potential on a grid; points and fields are exact");
  refuse(options.tolerance > 0 && (!map || options.method == "exact"),
         "--tolerance belongs to --kind potential on a grid, with --method mesh or auto");
  refuse(potential && !options.orbitals.empty(), "the potential is that of all occupied orbitals and the nuclei");
  refuse(options.kind == "hessian" && options.grid.at.empty(), "a grid has one value a point; use --at");
  const PromoleculeOptions& promolecule = options.promolecule;
  if (contacts) return check_gradient_model(promolecule, options.grid, options.kind);
  refuse(promolecule.selection != "all" || !promolecule.between.empty() || !promolecule.signed_out.empty() ||
             !promolecule.scatter.empty() || !promolecule.cell.empty(),
         "--select, --between, --signed-density and --scatter belong to --promolecular and delta-g, --pbc to "
         "--promolecular");
  if (options.average.average) return;
  refuse(!promolecule.frames.empty() && options.grid.frame.has_value(), "--frame and --frames exclude each other");
  refuse(!promolecule.frames.empty() && !options.grid.at.empty(), "--frames are of grids, not of --at");
}

// The same for --average.
void check_average(const Options& options) {
  check_average_options(options.average, !options.grid.at.empty());
  if (!options.average.average) return;
  const auto refuse = [](bool when, const char* what) {
    if (when) throw Error(std::string("--average is of fields with one number a point") + what, Error::Kind::usage);
  };
  refuse(options.promolecule.wanted, " of orbitals, not of --promolecular");
  refuse(options.kind == "hessian" || (!is_density(options) && !find_density_measure(options.kind)),
         " that follow from the density and its derivatives, not of potential, field, hessian and delta-g");
  refuse(!options.minus.empty() || !options.minus_orbitals.empty(),
         ": take the mean of each with --partial, and subtract them with isolume merge --minus");
}

/// The orbitals of the density, and those subtracted.
struct Sources {
  std::shared_ptr<const Molecule> molecule;
  std::vector<glm::vec3> positions;  ///< angstrom, of the atoms in all frames asked for
  Orbitals plus;
  std::optional<Orbitals> minus;
  std::vector<glm::vec3> minus_positions;  ///< angstrom, of its atoms
  std::string minus_name;
  std::vector<std::string> warnings;
};

// Those that are named hold one electron, the others none.
Orbitals only(const Orbitals& orbitals, const std::vector<std::string>& names, Spin spin) {
  Orbitals result = orbitals;
  for (Orbital& orbital : result.orbitals) orbital.occupation = 0;
  for (const std::string& name : names) result.orbitals[orbitals.find(name, spin)].occupation = 1;
  return result;
}

bool is_frame(const std::vector<std::string>& minus) {
  return minus.size() == 1 && !minus[0].empty() && minus[0].find_first_not_of("0123456789") == std::string::npos;
}

Sources sources_of(Run& run, const Options& options, std::shared_ptr<const Molecule> molecule, std::size_t frame,
                   std::vector<std::string>& warnings) {
  Sources sources;
  sources.molecule = std::move(molecule);
  sources.warnings.swap(warnings);  // those of frames before are not said again
  const auto plus = orbitals_of(*sources.molecule, frame);
  check_reading(run, *sources.molecule, *plus, options.orbitals.empty(), options.force, sources.warnings);
  sources.plus = options.orbitals.empty() ? *plus : only(*plus, options.orbitals, options.spin);
  if (options.minus.empty() && options.minus_orbitals.empty()) return sources;
  auto other = sources.molecule;
  std::size_t other_frame = frame;
  if (is_frame(options.minus)) {
    other_frame = parse_frames(options.minus[0], other->orbitals.size()).front();
    sources.minus_name = fmt::format("frame {}", other_frame);
  } else if (!options.minus.empty()) {
    other = read_molecule(options.minus);
    other_frame = first_frame_with_orbitals(*other);
    sources.minus_name = fmt::format("{}", fmt::join(options.minus, " + "));
  }
  const auto minus = orbitals_of(*other, other_frame);
  check_reading(run, *other, *minus, options.minus_orbitals.empty(), options.force, sources.warnings);
  sources.minus = options.minus_orbitals.empty() ? *minus : only(*minus, options.minus_orbitals, options.spin);
  if (!options.minus_orbitals.empty())
    sources.minus_name +=
        fmt::format("{}{}", sources.minus_name.empty() ? "" : ", ", fmt::join(options.minus_orbitals, ", "));
  sources.minus_positions = frame_at(*other, other_frame).positions;
  return sources;
}

Grid grid_for(const Options& options, std::vector<glm::vec3> positions, const std::vector<glm::vec3>& others) {
  if (const auto like = grid_like(options.grid)) return *like;
  positions.insert(positions.end(), others.begin(), others.end());
  return density_grid(positions, options.margin, options.grid.spacing);
}

void at_points(Run& run, const Options& options, const DensityFormula& density,
               const std::optional<DensityFormula>& minus) {
  const std::vector<glm::dvec3> points = read_points(options.grid.at);
  run.report.input(options.grid.at);
  run.report.device(Device::cpu());
  std::vector<double> values(points.size());
  in_tiles(points.size(), run.job(), "density at points", [&](std::size_t begin, std::size_t end) {
    const auto part = std::span(points).subspan(begin, end - begin);
    const auto out = std::span(values).subspan(begin, end - begin);
    density(part, out);
    if (!minus) return;
    std::vector<double> other(part.size());
    (*minus)(part, other);
    for (std::size_t i = 0; i < other.size(); ++i) out[i] -= other[i];
  });
  run.report.phase("compute");
  run.report.result["points"] = points.size();
  write_values(options.grid.out, values);
}

// On the run's device, or in layers on all that it may use where it is worth it: 10^12 products of a function and an
// orbital at a point a second on one GPU, of which a hundredth count.
std::vector<float> density_map(Run& run, const Sources& sources, DensityKind kind, const Grid& grid,
                               const DensityFormula& density, const std::optional<DensityFormula>& minus) {
  LayerMap map;
  map.what = "density";
  map.grid = grid;
  map.make = [&](const Grid& layers, Span<float> out, Job& job) {
    if (!sources.minus) return electron_density(sources.plus, kind, layers, out, job);
    density_difference(sources.plus, density_weights(sources.plus, kind), *sources.minus,
                       density_weights(*sources.minus, kind), layers, out, job);
  };
  const double products =
      static_cast<double>(sources.plus.basis->function_count()) * static_cast<double>(sources.plus.orbitals.size());
  const std::vector<Device> devices = run.devices_for(0.01 * static_cast<double>(grid.size()) * products / 1e12);
  if (devices.size() == 1) {
    DeviceArray<float> values(grid.size(), run.device, "values of the density");
    map.make(grid, values.span(), run.job());
    return values.copy_to_host();
  }
  map.exact = [&](glm::dvec3 point) {
    double value = 0, other = 0;
    density(std::span(&point, 1), std::span(&value, 1));
    if (minus) (*minus)(std::span(&point, 1), std::span(&other, 1));
    return value - other;
  };
  map.floor = 1e-4;  // bohr^-3, where there is almost nothing
  std::vector<float> values(grid.size());
  run.worked(map_in_layers(map, devices, values, run.job()).workers);
  return values;
}

void on_grid(Run& run, const Options& options, const Sources& sources, DensityKind kind, std::size_t frame) {
  const Frame atoms = frame_at(*sources.molecule, frame);
  Volume volume;
  volume.grid = grid_for(options, sources.positions, sources.minus_positions);
  volume.name = options.kind + " density" + (sources.minus ? " difference" : "");
  volume.unit = "bohr^-3";
  run.report.grid(volume.grid);
  std::size_t bytes = volume.grid.size() * sizeof(float) + density_memory(sources.plus);
  if (sources.minus) bytes += density_memory(*sources.minus);
  require_memory(bytes, run.device, volume.name);
  run.report.phase("plan");
  const DensityFormula density(sources.plus, kind);
  std::optional<DensityFormula> minus;
  if (sources.minus) minus.emplace(*sources.minus, kind);
  const LaunchRecord record;
  volume.values = density_map(run, sources, kind, volume.grid, density, minus);
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(run.device));
  run.report.phase("compute");
  run.report.error = error_by_formula(density, minus, volume, atoms);
  run.report.phase("check");
  double sum = 0;
  for (const float value : volume.values) sum += value;
  const double cell = std::abs(glm::determinant(volume.grid.step)) * std::pow(units::angstrom_in_bohr, 3);
  run.report.result["electrons_on_grid"] = sum * cell;
  run.report.result.update(range_of(volume.values));
  run.report.phase("compute");
  write_volume(options.grid.out, volume, sources.molecule.get(), frame,
               fmt::format("{}, bohr^-3, computed by Isolume", volume.name));
  run.say(fmt::format("{}: {}, {} x {} x {} points on {}", options.grid.out, volume.name, volume.grid.counts.x,
                      volume.grid.counts.y, volume.grid.counts.z, to_string(run.device)));
}

/// The file of one frame.
void make_one(Run& run, const Options& options, const Sources& sources, std::size_t frame) {
  if (!is_density(options)) {
    run.report.phase("read");
    run.report.result = {{"electrons_of_file", sources.plus.electron_count()}};
    if (is_gradient_model(options.kind)) {
      return run_gradient_model(run, options.promolecule, options.grid, options.kind, options.margin, *sources.molecule,
                                sources.plus, frame);
    }
    DensityField field{options.grid, options.kind, options.unit, options.cores, options.temperature};
    if (!options.method.empty()) field.method = options.method;
    if (options.tolerance > 0) field.tolerance = options.tolerance;
    const bool at_points = !options.grid.at.empty();
    run_density_field(run, field, *sources.molecule, sources.plus,
                      at_points ? Grid() : grid_for(options, sources.positions, {}), frame);
    if (at_points) run.report.input(options.grid.at);
    return;
  }
  const DensityKind kind = density_kind(options.kind);
  if (kind == DensityKind::spin && !sources.plus.unrestricted)
    run.say("note: the file has no beta orbitals of their own, so the spin density is that of its unpaired electrons");
  run.report.phase("read");
  run.report.unit = "bohr^-3";
  run.report.method = {{"name", options.kind + " density"}, {"precision", "double"}, {"frame", frame}};
  run.report.result = {{"electrons_of_file", sources.plus.electron_count()}};
  if (sources.minus) {
    run.report.method["minus"] = sources.minus_name;
    run.report.result["electrons_subtracted"] = sources.minus->electron_count();
  }
  if (!options.grid.at.empty()) {
    std::optional<DensityFormula> minus;
    if (sources.minus) minus.emplace(*sources.minus, kind);
    at_points(run, options, DensityFormula(sources.plus, kind), minus);
  } else {
    on_grid(run, options, sources, kind, frame);
  }
}

void run_average(Run& run, const Options& options, const Molecule& molecule) {
  std::vector<std::string> warnings;
  std::string name = options.kind + " density";
  if (!options.orbitals.empty()) {
    name = fmt::format("{}density of {} ({})", options.kind == "spin" ? "spin " : "", fmt::join(options.orbitals, ", "),
                       options.spin == Spin::alpha ? "alpha" : "beta");
  }
  AverageOptions average = options.average;
  average.frames = options.promolecule.frames;
  const auto orbitals = [&](std::size_t frame) {
    const auto found = orbitals_of(molecule, frame);
    check_reading(run, molecule, *found, options.orbitals.empty(), options.force, warnings);
    return options.orbitals.empty() ? *found : only(*found, options.orbitals, options.spin);
  };
  const DensityMeasureInfo* const measure = is_density(options) ? nullptr : find_density_measure(options.kind);
  if (measure)
    name = options.orbitals.empty() ? measure->title
                                    : fmt::format("{} of {}", measure->title, fmt::join(options.orbitals, ", "));
  const DensityKind kind = measure ? DensityKind::electron : density_kind(options.kind);
  average_density(run, {options.grid, average, measure, kind, name, options.margin, orbitals}, molecule);
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  run.finish();
}

void run_density(const Common& common, Options options) {
  options.grid.files = expand_paths(options.grid.files);
  if (!is_frame(options.minus)) options.minus = expand_paths(options.minus);
  check_average(options);
  const bool part_alone = !options.average.partial.empty() && options.grid.out.empty() && options.grid.at.empty();
  if (!part_alone) check_grid_options(options.grid);
  if (options.promolecule.wanted) {
    Run run(common);
    return run_promolecule(run, options.promolecule, options.grid, options.kind, options.margin);
  }
  check_kind(options);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  for (const std::string& file : options.minus) {
    if (!is_frame(options.minus)) run.report.input(file);
  }
  const std::shared_ptr<const Molecule> molecule = read_molecule(options.grid.files);
  if (options.average.average) return run_average(run, options, *molecule);
  std::vector<std::size_t> frames{options.grid.frame.value_or(0)};
  if (!options.promolecule.frames.empty()) frames = parse_frames(options.promolecule.frames, molecule->frame_count());
  // One grid for all frames, so that their maps can be compared and shown in turn.
  std::vector<glm::vec3> positions;
  for (const std::size_t frame : frames) {
    check_frame(*molecule, frame);
    const Frame atoms = frame_at(*molecule, frame);
    positions.insert(positions.end(), atoms.positions.begin(), atoms.positions.end());
  }
  std::vector<std::string> warnings;
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const std::size_t frame : frames) {
    Options one = options;
    if (frames.size() > 1) one.grid.out = numbered_name(options.grid.out, frame, true);
    Sources sources = sources_of(run, one, molecule, frame, warnings);
    sources.positions = positions;
    make_one(run, one, sources, frame);
    warnings = std::move(sources.warnings);
    run.report.phase("write");
    if (frames.size() == 1) continue;
    entries.push_back({{"frame", frame}, {"file", one.grid.out}, {"error", run.report.error}});
    entries.back().update(run.report.result);
  }
  if (frames.size() > 1) run.report.result = {{"frames", entries}};
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  run.finish();
}

}  // namespace

void add_compute_density(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "density",
      "density of the orbitals, a difference of two, its derivatives, ELF, LOL, reduced gradient or potential",
      "isolume compute density water.molden --spacing 0.2 --out density.cube\n"
      "  isolume compute density water.molden --kind elf --spacing 0.1 --out elf.cube\n"
      "  isolume compute density water.molden --kind potential --unit V --at points.csv --out values.csv\n"
      "  isolume compute density 'frame_*.molden' --frame 18 --minus 0 --out difference.cube\n"
      "  isolume compute density 'mode_*.molden' --frames : --kind elf --spacing 0.1 --out elf.cube\n"
      "  isolume compute density 'md_*.molden' --average --align all --out mean.cube --error-out error.cube\n"
      "  isolume compute density water.molden --orbitals lumo --minus-orbitals homo --out excitation.cube\n"
      "  isolume compute density complex.pdb --promolecular --kind rdg --select 'resname LIG or within 6 of resname "
      "LIG' "
      "--signed-density sign.cube --out rdg.cube",
      [&commands, options] { run_density(commands.common, *options); });
  add_grid_options(command, options->grid, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)");
  command.option("--kind", options->kind, density_field_names() + ", delta-g or delta-g-inter, in atomic units")
      .default_text("electron");
  command.option("--unit", options->unit, "of the potential: hartree/e (default), V, kT/e or kcal/mol/e")
      .one_of({"hartree/e", "V", "kT/e", "kcal/mol/e"});
  command
      .option("--method", options->method,
              "of the potential on a grid: exact sums, a mesh with its error measured, or auto (default): exact where "
              "that takes 5 s or less")
      .one_of({"auto", "exact", "mesh"});
  command.option("--tolerance", options->tolerance, "relative error that the mesh is held to (default: 1e-4)")
      .range(1e-9, 0.1);
  command.option("--temperature", options->temperature, "kelvin, of kT/e").range(1.0, 1e5);
  add_cores_option(command, options->cores);
  add_promolecule_options(command, options->promolecule);
  command.flag(
      "--average", options->average.average,
      "the mean of a density, ELF or another field over --frames, with its standard error by blocks of frames");
  add_average_outputs(command, options->average);
  command.option("--margin", options->margin, "angstrom of the grid around the atoms").range(0.0, 1000.0);
  command.option("--orbitals", options->orbitals, "only these orbitals, one electron each: homo,lumo,5")
      .delimiter(',')
      .repeated();
  command.flag("--force", options->force, "also of orbitals that fail the self-check of their file");
  command.spin(options->spin, "alpha or beta (of --orbitals and --minus-orbitals)");
  command.option("--minus", options->minus, "subtract the density of this frame of the same files, or of another file")
      .repeated()
      .type_name("FRAME|FILE");
  command
      .option("--minus-orbitals", options->minus_orbitals,
              "subtract these orbitals, one electron each, instead of the occupied ones")
      .delimiter(',')
      .repeated();
}

}  // namespace isolume::cli
