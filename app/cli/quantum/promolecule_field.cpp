// What `isolume compute density` makes of contacts: fields of the sum of free atoms' densities, and delta-g of
// orbitals.
#include "app/cli/quantum/promolecule_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "app/cli/cell_option.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/compute/surface_export.h"
#include "app/cli/quantum/nuclei.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/host_copy.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electron_density/atomic_density.h"
#include "compute/electron_density/gradient_model.h"
#include "compute/electron_density/promolecule.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

constexpr std::size_t checked_points = 500;

/// The atoms of one frame that count.
struct Atoms {
  std::vector<glm::dvec3> positions;  ///< bohr
  std::vector<glm::vec3> angstrom;
  std::vector<int> elements;
  std::vector<std::uint8_t> parts;
};

/// `whole`: atoms in neither selection are among them, in part 0.
Atoms atoms_of(const PromoleculeOptions& options, const Molecule& molecule, std::size_t frame, bool whole = false) {
  const Frame& at = frame_at(molecule, frame);
  const Topology& topology = *molecule.topology;
  const std::vector<std::uint8_t> first = Selection(options.selection).mask(topology, at);
  std::vector<std::uint8_t> second(first.size(), 0);
  if (!options.between.empty()) second = Selection(options.between).mask(topology, at);
  Atoms atoms;
  bool both[2] = {false, false};
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] && second[i])
      throw Error(fmt::format("--select and --between share atom {}: delta-g is between two parts", i + 1),
                  Error::Kind::usage);
    const bool counts = first[i] || second[i];
    if (!counts && !whole) continue;
    if (counts) both[first[i] ? 0 : 1] = true;
    atoms.angstrom.push_back(at.positions[i]);
    atoms.positions.push_back(units::angstrom_in_bohr * glm::dvec3(at.positions[i]));
    atoms.elements.push_back(topology.atoms[i].element);
    if (!options.between.empty() || whole) atoms.parts.push_back(first[i] ? 1 : second[i] ? 2 : 0);
  }
  if (!both[0])
    throw Error(fmt::format("--select \"{}\": no atoms are selected", options.selection), Error::Kind::usage);
  if (!options.between.empty() && !both[1])
    throw Error(fmt::format("--between \"{}\": no atoms are selected", options.between), Error::Kind::usage);
  return atoms;
}

Grid grid_of(const GridOptions& options, const Atoms& atoms, double margin) {
  if (const auto like = grid_like(options)) return *like;
  glm::dvec3 lower(1e300), upper(-1e300);
  for (std::size_t i = 0; i < atoms.angstrom.size(); ++i) {
    if (!atoms.parts.empty() && atoms.parts[i] == 0) continue;
    lower = glm::min(lower, glm::dvec3(atoms.angstrom[i]));
    upper = glm::max(upper, glm::dvec3(atoms.angstrom[i]));
  }
  const glm::dvec3 edges = upper - lower + 2 * margin;
  const double spacing =
      options.spacing > 0 ? options.spacing : std::ceil(std::cbrt(edges.x * edges.y * edges.z / 1e6) * 100) / 100;
  return Grid::covering(lower - margin, upper + margin, spacing);
}

void write_scatter(const std::string& path, const PromoleculeFieldInfo& info, std::span<const float> signed_density,
                   std::span<const float> values) {
  write_atomically(path, [&](std::ostream& out) {
    out << fmt::format("sign(lambda2) rho (bohr^-3),{} ({})\n", info.name, info.unit);
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Where nothing is, and within atoms, there are no contacts.
      if (std::abs(signed_density[i]) > 0.07f || std::abs(signed_density[i]) < 1e-5f) continue;
      out << fmt::format("{:.6g},{:.6g}\n", signed_density[i], values[i]);
    }
  });
}

std::size_t memory_of(const Promolecule&, Device, const Grid&) {
  return 0;
}
std::size_t memory_of(const HirshfeldGradientModel& model, Device device, const Grid& grid) {
  return model.memory(device, grid);
}

template <class Model>
nlohmann::ordered_json measured_error(const PromoleculeFieldInfo& info, const Model& model, const Grid& grid,
                                      std::span<const float> values, const Atoms& atoms, Job& job) {
  const auto chosen = sample_points(grid, atoms.angstrom, checked_points);
  std::vector<double> exact(chosen.size());
  parallel_for(chosen.size(), job, "error of the map", [&](std::size_t k) {
    const PromoleculePoint point = model.reference(units::angstrom_in_bohr * point_of(grid, chosen[k]));
    exact[k] = map_value(info.field, point);
  });
  return sampled_error(grid, values, chosen, exact, "the formula in double precision at sampled points");
}

template <class Model>
void at_points(Run& run, const GridOptions& options, const PromoleculeFieldInfo& info, const Model& model) {
  std::vector<glm::dvec3> points = read_points(options.at);
  run.report.input(options.at);
  std::vector<double> values;
  for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
  run.report.device(run.device);
  for (const PromoleculePoint& point : model.at(points, run.job(), run.device))
    values.push_back(field_value(info.field, point));
  run.report.result["points"] = points.size();
  run.report.phase("compute");
  write_values(options.out, values);
}

template <class Model>
void on_grid(Run& run, const PromoleculeOptions& options, const GridOptions& grid_options,
             const PromoleculeFieldInfo& info, const char* title, const Model& model, const Molecule& molecule,
             const Atoms& atoms, double margin, std::size_t frame, bool several) {
  const Grid grid = grid_of(grid_options, atoms, margin);
  const bool with_sign = !options.signed_out.empty() || !options.scatter.empty();
  const Device device = run.device;
  const std::size_t bytes = (with_sign ? 2 : 1) * grid.size() * sizeof(float) + memory_of(model, device, grid);
  require_memory(bytes, device, title);
  run.report.grid(grid);
  run.report.device(device);
  const bool free = std::is_same_v<Model, Promolecule>;
  Volume volume{grid, {}, title, info.unit};
  Volume sign{grid, {}, free ? "promolecular sign(lambda2) rho" : "sign(lambda2) rho", "bohr^-3"};
  run.report.phase("plan");
  DeviceArray<float> values(grid.size(), device, "values"), signs(with_sign ? grid.size() : 0, device, "values");
  const LaunchRecord record;
  if (with_sign) {
    model.on_grid(info.field, PromoleculeField::sign_lambda2, grid, values.span(), signs.span(), run.job());
  } else {
    model.on_grid(info.field, grid, values.span(), run.job());
  }
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(device));
  run.report.phase("compute");
  volume.values = host_copy(values);
  sign.values = host_copy(signs);
  run.report.phase("transfer");
  run.report.error = measured_error(info, model, grid, volume.values, atoms, run.job());
  run.report.phase("check");
  run.report.result.update(range_of(volume.values));
  const auto write = [&](const std::string& path, const Volume& what) {
    const std::string name = numbered_name(path, frame, several);
    write_volume(name, what, &molecule, frame, fmt::format("{}, {}, computed by Isolume", what.name, what.unit));
    run.say(fmt::format("{}: {} ({}), {} x {} x {} points on {}", name, what.name, what.unit, grid.counts.x,
                        grid.counts.y, grid.counts.z, to_string(device)));
  };
  write(grid_options.out, volume);
  if (!options.signed_out.empty()) write(options.signed_out, sign);
  if (!options.scatter.empty())
    write_scatter(numbered_name(options.scatter, frame, several), info, sign.values, volume.values);
  run.report.phase("write");
}

void check_contacts(const PromoleculeOptions& options, const GridOptions& grid, const PromoleculeFieldInfo& info) {
  const bool inter = info.field == PromoleculeField::delta_g_inter;
  if (inter == options.between.empty())
    throw Error(inter ? "--kind delta-g-inter needs two selections: --select A --between B"
                      : "--between belongs to --kind delta-g-inter",
                Error::Kind::usage);
  if (!grid.at.empty() && (!options.scatter.empty() || !options.signed_out.empty() || !options.frames.empty()))
    throw Error("--scatter, --signed-density and --frames are of grids, not of --at", Error::Kind::usage);
  if (!options.scatter.empty()) check_output(options.scatter, "csv");
  if (!options.signed_out.empty()) check_output(options.signed_out, "cube cub dx mrc map ccp4 vdb");
}

}  // namespace

bool is_gradient_model(const std::string& kind) {
  return kind == "delta-g" || kind == "delta-g-inter";
}

void check_gradient_model(const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind) {
  check_contacts(options, grid, *find_promolecule_field(kind));
  if (!options.frames.empty() || !options.cell.empty())
    throw Error("--frames and --pbc belong to --promolecular; of delta-g of orbitals, --frame names one",
                Error::Kind::usage);
}

void run_gradient_model(Run& run, const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind,
                        double margin, const Molecule& molecule, const Orbitals& orbitals, std::size_t frame) {
  const PromoleculeFieldInfo& info = *find_promolecule_field(kind);
  const bool inter = info.field == PromoleculeField::delta_g_inter;
  const char* title = inter ? "delta-g between two selections, by Hirshfeld atoms" : "delta-g, by Hirshfeld atoms";
  const Atoms atoms = atoms_of(options, molecule, frame, true);
  run.report.unit = info.unit;
  run.report.method = {{"name", title},
                       {"weights", "free atoms: spin-restricted Hartree-Fock, spherical, tabulated"},
                       {"precision", "double"},
                       {"frame", frame}};
  const HirshfeldGradientModel model(orbitals, atoms.elements, atoms.parts);
  if (!grid.at.empty()) {
    at_points(run, grid, info, model);
  } else {
    on_grid(run, options, grid, info, title, model, molecule, atoms, margin, frame, false);
  }
  run.report.result["atoms"] = std::ranges::count_if(atoms.parts, [](std::uint8_t part) { return part != 0; });
}

void add_promolecule_options(Verb command, PromoleculeOptions& options) {
  command.flag("--promolecular", options.wanted,
               "of the sum of free atoms' densities: no orbitals are needed; --kind electron, gradient, laplacian, "
               "lambda2, rdg, sign-lambda2, delta-g or delta-g-inter");
  command.option("--select", options.selection, "of --promolecular, delta-g and delta-g-inter: the atoms that count")
      .default_text("all");
  command.option("--between", options.between, "of delta-g-inter: the atoms of the second part");
  command
      .option("--signed-density", options.signed_out,
              "of --promolecular and delta-g: also sign(lambda2) rho on the same grid, which colours the surface of "
              "rdg or delta-g")
      .type_name("FILE")
      .writes();
  command
      .option("--scatter", options.scatter,
              "of --promolecular and delta-g: a table of the field against sign(lambda2) rho, where that is below 0.07")
      .type_name("FILE.csv")
      .writes();
  command.option("--frames", options.frames,
                 "A:B:STEP (B excluded), of --average too (all); several make numbered files on one grid, with "
                 "--promolecular each on its own");
  add_cell_option(command, options.cell);
}

void run_promolecule(Run& run, const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind,
                     double margin) {
  const PromoleculeFieldInfo* info = find_promolecule_field(kind);
  if (!info) {
    std::string names;
    for (const PromoleculeFieldInfo& field : promolecule_fields())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
    throw Error(fmt::format("--promolecular --kind {}: there are {}", kind, names), Error::Kind::usage);
  }
  check_contacts(options, grid, *info);
  if (!options.frames.empty() && grid.frame) throw Error("--frame and --frames exclude each other", Error::Kind::usage);
  for (const std::string& file : grid.files) run.report.input(file);
  const std::shared_ptr<const Molecule> molecule = read_molecule(grid.files, {}, cell_treatment(options.cell));
  run.report.phase("read");
  std::vector<std::size_t> frames{grid.frame.value_or(0)};
  if (!options.frames.empty()) frames = parse_frames(options.frames, molecule->frame_count());
  run.report.unit = info->unit;
  run.report.method = {{"name", info->title},
                       {"atoms", "spin-restricted Hartree-Fock, spherical, tabulated"},
                       {"precision", "single"},
                       {"frames", frames}};
  double worst = 0;
  std::size_t count = 0;
  for (const std::size_t frame : frames) {
    const Atoms atoms = atoms_of(options, *molecule, frame);
    count = atoms.elements.size();
    for (const int element : atoms.elements) worst = std::max(worst, AtomicDensity::of(element).contact_error());
    if (!grid.at.empty()) {
      at_points(run, grid, *info, Promolecule(atoms.positions, atoms.elements, atoms.parts));
    } else {
      on_grid(run, options, grid, *info, info->title, Promolecule(atoms.positions, atoms.elements, atoms.parts),
              *molecule, atoms, margin, frame, frames.size() > 1);
    }
  }
  run.report.result["atoms"] = count;
  run.report.method["table_error"] = worst;
  run.report.phase("write");
  run.finish();
}

}  // namespace isolume::cli
