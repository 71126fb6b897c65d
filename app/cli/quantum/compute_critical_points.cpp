// isolume compute critical-points: where the density of the orbitals has no gradient, and its bond paths.
#include <fmt/format.h>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/nuclei.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/topology/critical_points.h"
#include "compute/electron_density/topology/interatomic_surfaces.h"
#include "compute/orbitals/electron_density.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  double least_density = 1e-9;
  std::string out, surfaces;
  bool force = false;
};

constexpr const char* kind_names[] = {"nucleus", "bond", "ring", "cage"};

std::string atom_text(int atom) {
  return atom < 0 ? "" : fmt::format("{}", atom + 1);
}

std::string table(const CriticalPoints& all) {
  std::string text =
      "number,type,x (angstrom),y (angstrom),z (angstrom),density (bohr^-3),laplacian (bohr^-5),gradient (bohr^-4),"
      "lambda1 (bohr^-5),lambda2 (bohr^-5),lambda3 (bohr^-5),ellipticity,atom 1,atom 2,path (angstrom)\n";
  for (std::size_t n = 0; n < all.points.size(); ++n) {
    const CriticalPoint& point = all.points[n];
    const glm::dvec3 at = units::bohr_in_angstrom * point.position;
    const bool bond = point.kind == CriticalKind::bond;
    text += fmt::format("{},{},{},{},{},{},{},{:.3e},{},{},{},{},{},{},{}\n", n + 1,
                        kind_names[static_cast<std::size_t>(point.kind)], at.x, at.y, at.z, point.values.density,
                        point.values.laplacian(), glm::length(point.values.gradient), point.eigenvalues[0],
                        point.eigenvalues[1], point.eigenvalues[2], bond ? fmt::format("{}", point.ellipticity()) : "",
                        atom_text(point.atoms[0]), atom_text(point.atoms[1]),
                        bond ? fmt::format("{:.6f}", units::bohr_in_angstrom * point.path) : "");
  }
  return text;
}

/// All surfaces between atoms as one mesh, out to the usual density.
Mesh surfaces_of(const DensityEvaluator& density, const CriticalPoints& all, Run& run) {
  constexpr double least = 1e-3;  // bohr^-3
  Mesh whole;
  for (const Mesh& part : interatomic_surfaces(density, all, least, run.job(), run.device)) {
    const auto first = static_cast<std::uint32_t>(whole.vertex_count());
    whole.positions.insert(whole.positions.end(), part.positions.begin(), part.positions.end());
    whole.normals.insert(whole.normals.end(), part.normals.begin(), part.normals.end());
    for (const glm::uvec3 triangle : part.triangles) whole.triangles.push_back(triangle + first);
  }
  return whole;
}

void run_critical_points(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  if (!options.surfaces.empty()) check_output(options.surfaces, "ply obj stl glb x3d");
  Run run(common);
  auto [molecule, frame, orbitals, warnings] =
      read_occupied(run, options.files, options.frame, options.force, "critical points");
  run.report.phase("read");
  const DensityEvaluator density(*orbitals, density_weights(*orbitals, DensityKind::electron));
  require_memory(density.memory(), run.device, "critical points");
  const LaunchRecord record;
  const CriticalPoints all = critical_points(density, orbitals->centres, run.job(), options.least_density, run.device);
  const Mesh surfaces = options.surfaces.empty() ? Mesh() : surfaces_of(density, all, run);
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(density.memory(), peak_memory(run.device));
  run.report.unit = "atomic units, lengths in angstrom";
  run.report.method = {
      {"name", "Newton"}, {"starts", all.starts}, {"least_density", options.least_density}, {"frame", frame}};
  double residual = 0;
  for (const CriticalPoint& point : all.points) {
    if (point.kind != CriticalKind::nucleus) residual = std::max(residual, glm::length(point.values.gradient));
  }
  run.report.error = {{"max_gradient", residual}};
  auto& result = run.report.result;
  for (int kind = 0; kind < 4; ++kind) result[kind_names[kind]] = all.count(static_cast<CriticalKind>(kind));
  result["poincare_hopf"] = all.poincare_hopf();
  if (!warnings.empty()) result["warnings"] = warnings;
  if (!options.surfaces.empty()) {
    write_mesh(options.surfaces, surfaces, "surfaces between atoms to a density of 0.001, computed by Isolume");
    result["surface_triangles"] = surfaces.triangles.size();
  }
  const std::string text = table(all);
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  run.say(fmt::format(
      "{}, {}, {} and {}; Poincare-Hopf sum {}{}, largest gradient beyond the nuclei {:.1e}",
      counted(all.count(CriticalKind::nucleus), "maximum point"), counted(all.count(CriticalKind::bond), "bond point"),
      counted(all.count(CriticalKind::ring), "ring point"), counted(all.count(CriticalKind::cage), "cage point"),
      all.poincare_hopf(), all.poincare_hopf() == 1 ? "" : " (1 where none is missing)", residual));
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_critical_points(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "critical-points",
                   "critical points of the electron density with its values there, and bond paths, as a table",
                   "isolume compute critical-points benzene.molden --out points.csv",
                   [&commands, options] { run_critical_points(commands.common, *options); });
  command.option("FILE", options->files, "a file with orbitals").required();
  command.option("--frame", options->frame, "which frame, from 0 (default: the first with orbitals)");
  command.option("--least-density", options->least_density, "bohr^-3; points below are left out").range(0.0, 1e3);
  command.flag("--force", options->force, "also of orbitals that fail the self-check of their file");
  command
      .option(
          "--surfaces", options->surfaces,
          "the surfaces between atoms, through which the density has no flux, out to 0.001 electrons per cubic bohr: "
          "ply, obj, stl, glb, x3d")
      .type_name("FILE")
      .writes();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
