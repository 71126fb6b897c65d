// isolume compute atomic-charges: charges of the atoms from the density or its potential.
#include <fmt/format.h>

#include <numeric>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/fitted_atomic_charges.h"
#include "app/cli/quantum/nuclei.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/electron_density/topology/bader.h"
#include "formats/bytes/text.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

std::vector<double> hirshfeld(Run& run, const ChargeProblem& problem) {
  const LaunchRecord record;
  const HirshfeldCharges result =
      hirshfeld_charges(*problem.orbitals, problem.elements, problem.nuclei, run.job(), run.device);
  run.report.kernels(record.entries());
  const double error = result.electrons - problem.orbitals->electron_count();
  run.report.method["free_atoms"] = "spin-restricted Hartree-Fock, spherical, in the file's basis";
  run.report.result["points"] = result.points;
  run.report.result["electrons_on_grid"] = result.electrons;
  run.report.error = {{"electrons", error}};
  run.say(fmt::format("{} points, {:.1e} electrons more than in the orbitals", result.points, error));
  return result.charges;
}

std::vector<double> iterative_hirshfeld(Run& run, const ChargeProblem& problem) {
  const IterativeCharges result =
      iterative_hirshfeld_charges(*problem.orbitals, problem.elements, problem.nuclei, run.job());
  const double error = result.hirshfeld.electrons - problem.orbitals->electron_count();
  run.report.method["free_atoms"] = "atoms and ions by spin-restricted Hartree-Fock, spherical, in the file's basis";
  run.report.result["points"] = result.hirshfeld.points;
  run.report.result["electrons_on_grid"] = result.hirshfeld.electrons;
  run.report.result["iterations"] = result.iterations;
  run.report.error = {{"electrons", error}, {"next_iteration", result.change}};
  run.say(fmt::format("{} points, {:.1e} electrons more than in the orbitals; {} iterations, the next changes {:.1e} e",
                      result.hirshfeld.points, error, result.iterations, result.change));
  return result.hirshfeld.charges;
}

/// Around the atoms; density further out belongs to the edge's basins.
Grid basin_grid(const AtomicChargeOptions& options, const ChargeProblem& problem) {
  constexpr double margin = 2.5;  // angstrom
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::dvec3 centre : problem.orbitals->centres) {
    lower = glm::min(lower, units::bohr_in_angstrom * centre);
    upper = glm::max(upper, units::bohr_in_angstrom * centre);
  }
  return Grid::covering(lower - margin, upper + margin, options.spacing > 0 ? options.spacing : 0.06);
}

std::vector<double> bader(Run& run, const AtomicChargeOptions& options, const ChargeProblem& problem,
                          std::vector<double>& volumes) {
  const Grid grid = basin_grid(options, problem);
  require_memory(bader_memory(grid), Device::cpu(), "Bader's basins");
  run.report.grid(grid);
  run.report.method["basins"] = "weight method of Yu and Trinkle";
  run.report.phase("plan");
  const BaderCharges result =
      bader_charges(*problem.orbitals, problem.elements, problem.nuclei, grid, run.device, run.job());
  const double error = result.electrons - problem.orbitals->electron_count();
  run.report.result["points"] = result.points;
  run.report.result["paths"] = result.traced;
  run.report.result["electrons_in_basins"] = result.electrons;
  run.report.result["volumes_bohr3"] = result.volumes;
  run.report.error = {{"electrons", error}, {"from_fewer_angles", result.change}};
  auto others = nlohmann::ordered_json::array();
  for (const BaderCharges::Basin& basin : result.others) {
    const glm::dvec3 at = units::bohr_in_angstrom * basin.maximum;
    others.push_back({{"position_angstrom", {at.x, at.y, at.z}}, {"electrons", basin.electrons}});
    run.say(fmt::format("a basin without a nucleus at {:.2f} {:.2f} {:.2f} angstrom holds {:.4f} electrons", at.x, at.y,
                        at.z, basin.electrons));
  }
  run.report.result["basins_without_nucleus"] = others;
  for (const std::size_t atom : result.no_maximum)
    run.say(
        fmt::format("atom {} has no maximum of the density on this grid: its electrons are in its neighbours' "
                    "basins",
                    atom + 1));
  run.say(
      fmt::format("{} points, {} of them by paths; {:.1e} electrons more than in the orbitals; charges change by "
                  "{:.4f} e at most from integrals over fewer angles",
                  result.points, result.traced, error, result.change));
  volumes = result.volumes;
  return result.charges;
}

void check_options(const AtomicChargeOptions& options) {
  const auto refuse = [&](bool when, const char* what) {
    if (when) throw Error(fmt::format("--kind {}: {}", options.kind, what), Error::Kind::usage);
  };
  const bool fits = options.kind == "resp" || options.kind == "mk" || options.kind == "chelpg";
  refuse(!fits && !options.at.empty(), "--at gives points to fitted charges");
  refuse(!fits && !options.equal.empty(), "--equal belongs to fitted charges");
  refuse(options.kind != "resp" && options.stages != 2, "--stages belongs to resp");
  refuse(options.kind != "bader" && options.spacing != 0, "--spacing belongs to bader");
  check_output(options.out, "csv pqr mol2");
}

/// As CSV.
void write_charges(const AtomicChargeOptions& options, const ChargeProblem& problem, const std::vector<double>& charges,
                   const std::vector<double>& volumes) {
  const Topology& topology = *problem.molecule->topology;
  write_atomically(options.out, [&](std::ostream& out) {
    out << "atom,element,charge (e)" << (volumes.empty() ? "\n" : ",volume (bohr^3)\n");
    for (std::size_t i = 0; i < charges.size(); ++i) {
      out << fmt::format("{},{},{:.10f}", i + 1, element(topology.atoms[i].element).symbol, charges[i]);
      if (!volumes.empty()) out << fmt::format(",{:.4f}", volumes[i]);
      out << '\n';
    }
  });
}

/// As PQR or MOL2.
void write_charged(const AtomicChargeOptions& options, const ChargeProblem& problem,
                   const std::vector<double>& charges) {
  Molecule charged = *problem.molecule;
  Topology topology = *charged.topology;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    topology.atoms.change(i, [&](Atom& atom) { atom.charge = static_cast<float>(charges[i]); });
  }
  topology.has_charges = true;
  charged.topology = std::make_shared<const Topology>(std::move(topology));
  const auto writer = create_writer(options.out, charged);
  writer->add(frame_at(*problem.molecule, problem.frame));
  writer->finish();
}

void run_atomic_charges(const Common& common, const AtomicChargeOptions& options) {
  if (options.out.empty()) throw Error("--out is missing: where should the charges go?", Error::Kind::usage);
  check_options(options);
  const bool iterative = options.kind == "iterative-hirshfeld";
  Run run(common, !iterative);
  for (const std::string& file : options.files) run.report.input(file);
  ChargeProblem problem;
  problem.molecule = read_molecule(options.files);
  problem.frame = options.frame.value_or(first_frame_with_orbitals(*problem.molecule));
  problem.orbitals = orbitals_of(*problem.molecule, problem.frame);
  std::vector<std::string> warnings;
  check_reading(run, *problem.molecule, *problem.orbitals, true, options.force, warnings);
  if (problem.orbitals->electron_count() == 0)
    throw Error("atomic charges: no orbital of this frame is occupied", Error::Kind::usage);
  problem.nuclei = nuclear_charges(run, *problem.molecule, *problem.orbitals, options.cores);
  for (const Atom& atom : problem.molecule->topology->atoms) problem.elements.push_back(atom.element);
  problem.charge = run.report.result["total_charge"].get<double>();
  run.report.phase("read");
  run.report.unit = "e";
  run.report.method = {{"name", options.kind}, {"frame", problem.frame}};
  std::vector<double> volumes;
  const std::vector<double> charges = iterative                     ? iterative_hirshfeld(run, problem)
                                      : options.kind == "hirshfeld" ? hirshfeld(run, problem)
                                      : options.kind == "bader"     ? bader(run, options, problem, volumes)
                                                                    : fitted(run, options, problem);
  run.report.result["charges"] = charges;
  run.report.result["sum"] = std::accumulate(charges.begin(), charges.end(), 0.0);
  run.report.memory(hermite_memory(*problem.orbitals), peak_memory(run.device));
  run.report.phase("compute");
  if (options.out.ends_with(".csv")) {
    write_charges(options, problem, charges, volumes);
  } else {
    write_charged(options, problem, charges);
  }
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_atomic_charges(Commands& commands, Verb parent) {
  auto options = std::make_shared<AtomicChargeOptions>();
  const Verb command = commands.add(
      parent, "atomic-charges", "charges of the atoms from the density of the orbitals or its potential, as a table",
      "isolume compute atomic-charges formamide.molden --kind resp --out charges.csv\n"
      "  isolume compute atomic-charges formamide.molden --kind mk --equal 5=6 --out charged.pqr\n"
      "  isolume compute atomic-charges formamide.molden --kind hirshfeld --out charges.csv\n"
      "  isolume compute atomic-charges formamide.molden --kind bader --spacing 0.05 --out charges.csv",
      [&commands, options] { run_atomic_charges(commands.common, *options); });
  command.option("FILE", options->files, "a file with orbitals").required();
  command.option("--frame", options->frame, "which frame, from 0 (default: the first with orbitals)");
  command
      .option("--kind", options->kind, "resp, mk (Merz-Kollman), chelpg, hirshfeld, iterative-hirshfeld (CPU) or bader")
      .one_of({"resp", "mk", "chelpg", "hirshfeld", "iterative-hirshfeld", "bader"});
  command.option("--at", options->at, "fit to the potential at the points of a CSV file (lines x,y,z in angstrom)")
      .type_name("POINTS.csv");
  command.option("--equal", options->equal, "atoms (from 1) with one charge: 5=6,8=9=10").delimiter(',').repeated();
  command
      .option("--stages", options->stages,
              "of resp: 2 fits methyl and methylene groups again, their hydrogens alike; 1 does not")
      .one_of({1, 2});
  command.option("--restraint", options->restraint, "of resp's first stage, atomic units; twice that in the second")
      .range(0.0, 1.0);
  command.option("--spacing", options->spacing, "angstrom, of the grid of bader (default 0.06)").range(0.001, 10.0);
  add_cores_option(command, options->cores);
  command.flag("--force", options->force, "also of orbitals that fail the self-check of their file");
  command.option("--out", options->out, "csv, or pqr or mol2: the atoms with these charges").type_name("FILE").writes();
}

}  // namespace isolume::cli
