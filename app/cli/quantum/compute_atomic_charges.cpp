// isolume compute atomic-charges: charges of the atoms from the density or its potential.
#include <fmt/format.h>

#include <numeric>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/nuclei.h"
#include "app/documents/frames.h"
#include "compute/base/memory.h"
#include "compute/electron_density/bader.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/fitted_charges.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/orbitals/electron_density.h"
#include "formats/bytes/text.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/bonds.h"
#include "molecule/elements.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  std::string kind = "resp";
  std::string at;  ///< points of the potential in place of those of the kind
  std::vector<std::string> equal;
  std::vector<std::string> cores;
  int stages = 2;
  double restraint = 0.0005;
  double spacing = 0;  ///< angstrom, of the grid of bader; 0 where it is not given
  std::string out;
  bool force = false;
};

struct Problem {
  std::shared_ptr<const Molecule> molecule;
  std::shared_ptr<const Orbitals> orbitals;
  std::size_t frame = 0;
  std::vector<int> elements;
  std::vector<double> nuclei;
  double charge = 0;
};

/// "2=3=4" as atoms from 0. Throws Error (usage).
std::vector<std::vector<std::uint32_t>> groups_of(const std::vector<std::string>& texts, std::size_t atoms) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (const std::string& text : texts) {
    std::vector<std::uint32_t> group;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('=', at), text.size());
      const auto number = parse_integer(text.substr(at, end - at));
      if (!number || *number < 1 || *number > static_cast<std::int64_t>(atoms))
        throw Error(fmt::format("--equal {}: expected atoms from 1 to {} such as 2=3=4", text, atoms),
                    Error::Kind::usage);
      group.push_back(static_cast<std::uint32_t>(*number - 1));
      at = end + 1;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<glm::dvec3> points_of(Run& run, const Options& options, const Problem& problem) {
  if (!options.at.empty()) {
    std::vector<glm::dvec3> points = read_points(options.at);
    run.report.input(options.at);
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    return points;
  }
  const bool grid = options.kind == "chelpg";
  std::vector<double> radii;
  for (const int z : problem.elements) radii.push_back(grid ? chelpg_radius(z) : merz_kollman_radius(z));
  run.report.method["radii"] = radii;
  if (grid) {
    run.report.method["spacing"] = 0.3;
    run.report.method["reach"] = 2.8;
    return chelpg_points(problem.orbitals->centres, radii, 0.3, 2.8);
  }
  constexpr double scales[] = {1.4, 1.6, 1.8, 2.0};
  run.report.method["shells"] = scales;
  run.report.method["points_per_square_angstrom"] = 2;
  return merz_kollman_points(problem.orbitals->centres, radii, scales, 2);
}

/// Groups of hydrogens on carbons with four neighbours, of which two or three are hydrogens, with their carbon first.
std::vector<std::vector<std::uint32_t>> methyls(const Problem& problem) {
  Topology topology = *problem.molecule->topology;
  if (!topology.has_bonds) topology.bonds = guess_bonds(topology, frame_at(*problem.molecule, problem.frame));
  const BondTable bonds = bond_table(topology);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t c = 0; c < problem.elements.size(); ++c) {
    if (problem.elements[c] != 6 || bonds.offsets[c + 1] - bonds.offsets[c] != 4) continue;
    std::vector<std::uint32_t> group{c};
    for (std::uint32_t n = bonds.offsets[c]; n < bonds.offsets[c + 1]; ++n) {
      if (problem.elements[bonds.items[n]] == 1) group.push_back(bonds.items[n]);
    }
    if (group.size() >= 3) groups.push_back(std::move(group));
  }
  return groups;
}

ChargeFit restrained(const Options& options, const Problem& problem, ChargeFitOptions fit,
                     std::span<const glm::dvec3> points, std::span<const double> potential, Run& run) {
  const auto& centres = problem.orbitals->centres;
  fit.restraint = options.restraint;
  for (const int z : problem.elements) fit.restrained.push_back(z != 1);
  run.report.method["restraint"] = fit.restraint;
  run.report.method["tightness"] = fit.tightness;
  const ChargeFit first = fit_charges(centres, points, potential, fit);
  const auto groups = methyls(problem);
  run.report.method["stages"] = options.stages == 2 && !groups.empty() ? 2 : 1;
  if (options.stages == 1 || groups.empty()) return first;
  // Methyl and methylene groups again, their hydrogens alike; the rest stays.
  fit.charges = first.charges;
  fit.fixed.assign(centres.size(), true);
  fit.restraint = 2 * options.restraint;
  for (const auto& group : groups) {
    for (const std::uint32_t atom : group) fit.fixed[atom] = false;
    fit.equal.emplace_back(group.begin() + 1, group.end());
  }
  return fit_charges(centres, points, potential, fit);
}

std::vector<double> fitted(Run& run, const Options& options, const Problem& problem) {
  const std::vector<glm::dvec3> points = points_of(run, options, problem);
  require_memory(hermite_memory(*problem.orbitals), Device::cpu(), "pairs of functions");
  const DensityPotential potential(*problem.orbitals, density_weights(*problem.orbitals, DensityKind::electron),
                                   problem.nuclei, run.job());
  run.report.phase("plan");
  std::vector<double> values(points.size());
  potential.at(points, values, {}, run.job(), run.device);
  run.report.phase("compute");
  ChargeFitOptions fit;
  fit.total_charge = problem.charge;
  fit.equal = groups_of(options.equal, problem.elements.size());
  const ChargeFit result = options.kind == "resp" ? restrained(options, problem, fit, points, values, run)
                                                  : fit_charges(problem.orbitals->centres, points, values, fit);
  run.report.result["points"] = points.size();
  run.report.result["rms_hartree_per_e"] = result.rms;
  run.report.result["relative_rms"] = result.relative;
  run.say(fmt::format("{} points, rms of the fit {:.2e} hartree/e ({:.1f} % of the potential)", points.size(),
                      result.rms, 100 * result.relative));
  return result.charges;
}

std::vector<double> hirshfeld(Run& run, const Problem& problem) {
  const HirshfeldCharges result = hirshfeld_charges(*problem.orbitals, problem.elements, problem.nuclei, run.job());
  const double error = result.electrons - problem.orbitals->electron_count();
  run.report.method["free_atoms"] = "spin-restricted Hartree-Fock, spherical, in the file's basis";
  run.report.result["points"] = result.points;
  run.report.result["electrons_on_grid"] = result.electrons;
  run.report.error = {{"electrons", error}};
  run.say(fmt::format("{} points, {:.1e} electrons more than in the orbitals", result.points, error));
  return result.charges;
}

/// Around the atoms; what is further out belongs to the edge's basins.
Grid basin_grid(const Options& options, const Problem& problem) {
  constexpr double margin = 2.5;  // angstrom
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::dvec3 centre : problem.orbitals->centres) {
    lower = glm::min(lower, units::bohr_in_angstrom * centre);
    upper = glm::max(upper, units::bohr_in_angstrom * centre);
  }
  return Grid::covering(lower - margin, upper + margin, options.spacing > 0 ? options.spacing : 0.06);
}

std::vector<double> bader(Run& run, const Options& options, const Problem& problem, std::vector<double>& volumes) {
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

void check_options(const Options& options) {
  const auto refuse = [&](bool when, const char* what) {
    if (when) throw Error(fmt::format("--kind {}: {}", options.kind, what), Error::Kind::usage);
  };
  const bool fits = options.kind != "hirshfeld" && options.kind != "bader";
  refuse(!fits && !options.at.empty(), "--at gives points to fitted charges");
  refuse(!fits && !options.equal.empty(), "--equal belongs to fitted charges");
  refuse(options.kind != "resp" && options.stages != 2, "--stages belongs to resp");
  refuse(options.kind != "bader" && options.spacing != 0, "--spacing belongs to bader");
  check_output(options.out, "csv pqr mol2");
}

/// As CSV.
void write_charges(const Options& options, const Problem& problem, const std::vector<double>& charges,
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
void write_charged(const Options& options, const Problem& problem, const std::vector<double>& charges) {
  Molecule charged = *problem.molecule;
  Topology topology = *charged.topology;
  for (std::size_t i = 0; i < charges.size(); ++i) topology.atoms[i].charge = static_cast<float>(charges[i]);
  topology.has_charges = true;
  charged.topology = std::make_shared<const Topology>(std::move(topology));
  const auto writer = create_writer(options.out, charged);
  writer->add(frame_at(*problem.molecule, problem.frame));
  writer->finish();
}

void run_atomic_charges(const Common& common, const Options& options) {
  if (options.out.empty()) throw Error("--out is missing: where should the charges go?", Error::Kind::usage);
  check_options(options);
  Run run(common);
  if (options.kind == "hirshfeld") on_cpu_alone(run, common, "atomic charges");
  for (const std::string& file : options.files) run.report.input(file);
  Problem problem;
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
  const std::vector<double> charges = options.kind == "hirshfeld" ? hirshfeld(run, problem)
                                      : options.kind == "bader"   ? bader(run, options, problem, volumes)
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
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "atomic-charges", "charges of the atoms from the density of the orbitals or its potential, as a table",
      "isolume compute atomic-charges formamide.molden --kind resp --out charges.csv\n"
      "  isolume compute atomic-charges formamide.molden --kind mk --equal 5=6 --out charged.pqr\n"
      "  isolume compute atomic-charges formamide.molden --kind hirshfeld --out charges.csv\n"
      "  isolume compute atomic-charges formamide.molden --kind bader --spacing 0.05 --out charges.csv",
      [&commands, options] { run_atomic_charges(commands.common, *options); });
  command.option("FILE", options->files, "a file with orbitals").required();
  command.option("--frame", options->frame, "which frame, from 0 (default: the first with orbitals)");
  command.option("--kind", options->kind, "resp, mk (Merz-Kollman), chelpg, hirshfeld or bader")
      .one_of({"resp", "mk", "chelpg", "hirshfeld", "bader"});
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
