// isolume compute surface-potential: the potential on a surface of the density, its extremes and areas by its sign.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/nuclei.h"
#include "compute/analysis/surface_values.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/surface/density_surface.h"
#include "compute/orbitals/electron_density.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  double level = 0.002, spacing = 0.1, radius = 0.6;
  std::string unit = "kcal/mol/e";
  std::vector<std::string> cores;
  std::string out, statistics, mesh;
  bool force = false;
};

double factor_of(const std::string& unit) {
  if (unit == "hartree/e") return 1;
  if (unit == "V") return units::hartree_in_ev;
  return units::hartree_in_ev * units::ev_in_kcal_per_mol;
}

/// "O2": the nucleus nearest to a place, angstrom.
std::string nearest_atom(const Molecule& molecule, const Orbitals& orbitals, glm::dvec3 at) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < orbitals.centres.size(); ++i)
    if (glm::distance(orbitals.centres[i], at * units::angstrom_in_bohr) <
        glm::distance(orbitals.centres[nearest], at * units::angstrom_in_bohr))
      nearest = i;
  const auto& atoms = molecule.topology->atoms;
  return fmt::format("{}{}", nearest < atoms.size() ? element(atoms[nearest].element).symbol : "", nearest + 1);
}

std::string extremes_table(const Molecule& molecule, const Orbitals& orbitals, const DensitySurface& surface,
                           const std::vector<SurfaceExtreme>& extremes, const Options& options) {
  std::string text =
      fmt::format("number,type,x (angstrom),y (angstrom),z (angstrom),potential ({}),nearest atom\n", options.unit);
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    const glm::dvec3 at(surface.mesh.positions[extremes[i].vertex]);
    text +=
        fmt::format("{},{},{:.4f},{:.4f},{:.4f},{:.4f},{}\n", i + 1, extremes[i].maximum ? "maximum" : "minimum", at.x,
                    at.y, at.z, factor_of(options.unit) * extremes[i].value, nearest_atom(molecule, orbitals, at));
  }
  return text;
}

using Rows = std::vector<std::tuple<std::string, double, std::string>>;

Rows statistics_of(const DensitySurface& surface, const Options& options) {
  const double factor = factor_of(options.unit), square = factor * factor;
  const SurfaceValues v = surface_values(surface.mesh, surface.potential);
  const std::string unit = options.unit, squared = fmt::format("({})^2", unit);
  return {{"area", v.area, "angstrom^2"},
          {"positive area", v.positive_area, "angstrom^2"},
          {"negative area", v.negative_area, "angstrom^2"},
          {"volume", enclosed_volume(surface.mesh), "angstrom^3"},
          {"maximum", factor * v.maximum, unit},
          {"minimum", factor * v.minimum, unit},
          {"average", factor * v.average, unit},
          {"positive average", factor * v.positive_average, unit},
          {"negative average", factor * v.negative_average, unit},
          {"average deviation", factor * v.deviation, unit},
          {"positive variance", square * v.positive_variance, squared},
          {"negative variance", square * v.negative_variance, squared},
          {"balance", v.balance, ""}};
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, [&](std::ostream& out) { out << text; });
  }
}

void run_surface_potential(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  if (!options.statistics.empty()) check_output(options.statistics, "csv");
  if (!options.mesh.empty()) check_output(options.mesh, "ply obj stl glb x3d");
  Run run(common);
  auto [molecule, frame, orbitals, warnings] =
      read_occupied(run, options.files, options.frame, options.force, "surface potential");
  const std::vector<double> charges = nuclear_charges(run, *molecule, *orbitals, options.cores);
  run.report.phase("read");
  const DensityPotential potential(*orbitals, density_weights(*orbitals, DensityKind::electron), charges, run.job());
  const LaunchRecord record;
  DensitySurface surface = density_surface(*orbitals, potential, options.level, options.spacing, run.job(), run.device);
  const auto extremes = surface_extremes(surface.mesh, surface.potential, options.radius, run.job());
  const Rows rows = statistics_of(surface, options);
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(potential.memory(), peak_memory(run.device));
  run.report.unit = options.unit;
  run.report.method = {{"name", "exact potential at the vertices of the density's surface"},
                       {"isovalue", options.level},
                       {"spacing", options.spacing},
                       {"radius", options.radius},
                       {"vertices", surface.mesh.vertex_count()},
                       {"frame", frame}};
  run.report.error = {{"density", surface.residual}};
  std::string table = "quantity,value,unit\n";
  for (const auto& [name, value, unit] : rows) {
    table += fmt::format("{},{:.6f},{}\n", name, value, unit);
    run.report.result[name] = value;
  }
  const auto maxima = std::count_if(extremes.begin(), extremes.end(), [](const auto& e) { return e.maximum; });
  run.report.result["maxima"] = maxima;
  run.report.result["minima"] = std::ssize(extremes) - maxima;
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  write_text(options.out, extremes_table(*molecule, *orbitals, surface, extremes, options));
  if (!options.statistics.empty() || options.out.empty()) write_text(options.statistics, table);
  if (!options.mesh.empty()) {
    MeshScalar& scalar = surface.mesh.scalars.emplace_back(MeshScalar{"potential", options.unit, {}});
    for (const double value : surface.potential)
      scalar.values.push_back(static_cast<float>(factor_of(options.unit) * value));
    write_mesh(options.mesh, surface.mesh,
               fmt::format("potential on the surface of the density {:g}, computed by Isolume", options.level));
  }
  const double factor = factor_of(options.unit);
  const auto [least, most] = std::minmax_element(surface.potential.begin(), surface.potential.end());
  run.say(fmt::format("potential on the surface of {:g} e/bohr^3: {:.2f} to {:.2f} {}, {} and {}", options.level,
                      factor * *least, factor * *most, options.unit,
                      counted(static_cast<std::size_t>(maxima), "maximum point"),
                      counted(extremes.size() - static_cast<std::size_t>(maxima), "minimum point")));
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_surface_potential(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "surface-potential",
      "the exact potential on a surface of the electron density: its maxima and minima, areas and means by its sign",
      "isolume compute surface-potential formamide.molden --out extremes.csv --statistics areas.csv\n"
      "  isolume compute surface-potential formamide.molden --isovalue 0.001 --unit V --mesh esp.ply --out "
      "extremes.csv",
      [&commands, options] { run_surface_potential(commands.common, *options); });
  command.option("FILE", options->files, "a file with orbitals").required();
  command.option("--frame", options->frame, "which frame, from 0 (default: the first with orbitals)");
  command.option("--isovalue", options->level, "of the density, electrons per cubic bohr").range(1e-5, 1.0);
  command.option("--spacing", options->spacing, "angstrom between grid points of the surface").range(0.01, 1.0);
  command
      .option("--radius", options->radius,
              "angstrom along the surface within which an extreme is beyond all other vertices")
      .range(0.0, 10.0);
  command.option("--unit", options->unit, "of the potential").one_of({"hartree/e", "V", "kcal/mol/e"});
  add_cores_option(command, options->cores);
  command.flag("--force", options->force, "also of orbitals that fail the self-check of their file");
  command.option("--statistics", options->statistics, "areas, means and variances: csv (default: stdout)")
      .type_name("FILE")
      .writes();
  command.option("--mesh", options->mesh, "the surface with the potential: ply, obj, stl, glb, x3d")
      .type_name("FILE")
      .writes();
  command.option("--out", options->out, "the extremes: csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
