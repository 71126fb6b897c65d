// isolume compute states: excited states from amplitudes, and the orbitals and densities of one of them.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/nuclei.h"
#include "app/documents/frames.h"
#include "compute/base/memory.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/natural_transitions.h"
#include "compute/electron_density/states/charge_transfer.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "formats/orbitals/amplitudes.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string amplitudes;
  std::string out;
  std::size_t nto = 0;  ///< state, from 1
  std::size_t pair = 1;
  std::string part = "hole";
  std::vector<std::string> fragments;  ///< selections
  std::string at;                      ///< points
  std::string values;                  ///< of the part at the points
  std::string cube;                    ///< of the part on a grid
  double spacing = 0.2, margin = 4;
  bool force = false;
};

/// hc in hartree nm: 1e7 nm/cm over the hartree in cm^-1.
constexpr double nm_hartree = 1e7 / units::hartree_in_inverse_cm;

struct States {
  std::shared_ptr<const Molecule> molecule;
  std::shared_ptr<const Orbitals> orbitals;
  Excitations all;
  std::vector<int> elements;
};

/// Charge-transfer numbers between the fragments of --fragment.
struct Transfers {
  std::vector<std::string> names;
  std::optional<ChargeTransferNumbers> numbers;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();  ///< of the report
};

Transfers transfers_of(const Options& options, const States& states) {
  Transfers result;
  if (options.fragments.empty()) return result;
  std::vector<std::vector<std::uint8_t>> masks;
  const Frame frame = frame_at(*states.molecule, 0);
  for (const std::string& words : options.fragments)
    masks.push_back(Selection(words).mask(*states.molecule->topology, frame));
  const Fragments fragments = fragments_of(masks, options.fragments);
  result.names = fragments.labels;
  result.numbers.emplace(*states.orbitals, states.all, fragments.of_atom, fragments.count);
  return result;
}

std::string heading_of(const Transfers& transfers) {
  if (!transfers.numbers) return "";
  std::string text = ",charge transfer";
  for (const std::string& hole : transfers.names)
    for (const std::string& electron : transfers.names) text += fmt::format(",{} to {}", hole, electron);
  return text;
}

std::string columns_of(Transfers& transfers, const Excitation& state) {
  if (!transfers.numbers) return "";
  const ChargeTransfer found = transfers.numbers->of(state);
  std::string text = fmt::format(",{:.8f}", found.transferred);
  for (const double number : found.numbers) text += fmt::format(",{:.8f}", number);
  transfers.rows.push_back({{"transferred", found.transferred}, {"sum", found.sum}, {"numbers", found.numbers}});
  return text;
}

std::string table(Run& run, const States& states, Transfers& transfers) {
  std::string text =
      "state,approach,energy (hartree),energy (eV),wavelength (nm),oscillator strength,dipole x (a.u.),dipole y (a.u.),"
      "dipole z (a.u.),norm,detached,attached,NTO 1,NTO 2,participation,hole-electron distance (angstrom),overlap,"
      "integral of the transition density" +
      heading_of(transfers) + "\n";
  double worst = 0;
  for (std::size_t i = 0; i < states.all.states.size(); ++i) {
    const Excitation& state = states.all.states[i];
    const double n = static_cast<double>(states.all.states.size());
    run.progress.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n, "excited states");
    const StateMeasures m = state_measures(*states.orbitals, states.all, state, states.elements, run.job());
    const auto weights = natural_transitions(*states.orbitals, states.all, state).weights;
    worst = std::max({worst, std::abs(m.norm - 1), std::abs(m.detached - m.attached)});
    text += fmt::format(
        "{},{},{},{},{:.4f},{:.8f},{:.8f},{:.8f},{:.8f},{:.10f},{:.8f},{:.8f},{:.8f},{},{:.4f},{:.5f},"
        "{:.5f},{:.1e}{}\n",
        i + 1, state.approach, state.energy, state.energy * units::hartree_in_ev, nm_hartree / state.energy, m.strength,
        m.dipole.x, m.dipole.y, m.dipole.z, m.norm, m.detached, m.attached, weights[0],
        weights.size() > 1 ? fmt::format("{:.8f}", weights[1]) : "", m.participation,
        units::bohr_in_angstrom * m.distance, m.overlap, m.transition_charge, columns_of(transfers, state));
  }
  run.report.error = {{"norm", worst}};
  if (worst > 1e-4)
    run.say(
        fmt::format("warning: the amplitudes of a state miss their norm by {:.1e}: they are rounded, or of another "
                    "normalisation than sum X^2 - sum Y^2 = 1/2",
                    worst));
  return text;
}

/// The orbitals of the part with their weights; an amplitude is the first one alone.
struct Part {
  Orbitals orbitals;
  bool amplitude = false;
};

Part part_of(const Options& options, const States& states) {
  const Excitation& state = states.all.states[options.nto - 1];
  if (options.part == "attachment") return {attachment(*states.orbitals, states.all, state), false};
  if (options.part == "detachment") return {detachment(*states.orbitals, states.all, state), false};
  if (options.part == "transition") return {transition(*states.orbitals, states.all, state), false};
  const NaturalTransitions pairs = natural_transitions(*states.orbitals, states.all, state);
  if (options.pair > pairs.weights.size())
    throw Error(fmt::format("--pair {}: the state has 1 to {}", options.pair, pairs.weights.size()),
                Error::Kind::usage);
  return {options.part == "hole" ? pairs.holes : pairs.particles, true};
}

std::vector<double> weights_of(const Orbitals& orbitals) {
  std::vector<double> weights;
  for (const Orbital& orbital : orbitals.orbitals) weights.push_back(orbital.occupation);
  return weights;
}

void write_at_points(Run& run, const Options& options, const Part& part) {
  std::vector<glm::dvec3> points = read_points(options.at);
  run.report.input(options.at);
  std::vector<double> values(points.size());
  if (part.amplitude) {
    in_tiles(points.size(), run.job(), "orbital at points", [&](std::size_t begin, std::size_t end) {
      orbital_reference(part.orbitals, options.pair - 1, std::span(points).subspan(begin, end - begin),
                        std::span(values).subspan(begin, end - begin));
    });
  } else {
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    const DensityEvaluator density(part.orbitals, weights_of(part.orbitals));
    const auto all = density.at(points, DensityOrder::value, run.job());
    for (std::size_t i = 0; i < all.size(); ++i) values[i] = all[i].density;
  }
  write_values(options.values, values);
}

void write_cube(Run& run, const Options& options, const States& states, const Part& part) {
  const Frame frame = frame_at(*states.molecule, 0);
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::vec3& position : frame.positions) {
    lower = glm::min(lower, glm::dvec3(position));
    upper = glm::max(upper, glm::dvec3(position));
  }
  Volume volume;
  volume.grid = Grid::covering(lower - options.margin, upper + options.margin, options.spacing);
  require_memory(volume.grid.size() * sizeof(float), Device::cpu(), "state on a grid");
  volume.values.resize(volume.grid.size());
  volume.name = part.amplitude ? fmt::format("state {}, {} {}", options.nto, options.part, options.pair)
                               : fmt::format("state {}, {} density", options.nto, options.part);
  volume.unit = part.amplitude ? "bohr^-3/2" : "bohr^-3";
  run.report.grid(volume.grid);
  const Span<float> out{volume.values.data(), volume.values.size(), Device::cpu()};
  if (part.amplitude) {
    orbital(part.orbitals, options.pair - 1, volume.grid, out, run.job());
  } else {
    weighted_density(part.orbitals, weights_of(part.orbitals), volume.grid, out, run.job());
  }
  write_volume(options.cube, volume, states.molecule.get(), 0,
               fmt::format("{}, {}, by Isolume", volume.name, volume.unit));
}

void check_options(const Options& options) {
  const auto refuse = [](bool when, const char* what) {
    if (when) throw Error(what, Error::Kind::usage);
  };
  const bool wants = !options.at.empty() || !options.cube.empty();
  refuse(options.amplitudes.empty(),
         "--amplitudes is missing: a JSON file with X (and Y) of the states, or an output with them");
  refuse(wants && options.nto == 0, "--at and --cube show a part of one state: name it with --nto");
  refuse(options.at.empty() != options.values.empty(), "--at and --values belong together");
  if (!options.out.empty()) check_output(options.out, "csv");
  if (!options.values.empty()) check_output(options.values, "csv txt dat");
  if (!options.cube.empty()) check_output(options.cube, "cube cub dx mrc map ccp4 vdb");
}

void run_states(const Common& common, const Options& options) {
  check_options(options);
  Run run(common);
  on_cpu_alone(run, common, "excited states");
  for (const std::string& file : options.files) run.report.input(file);
  run.report.input(options.amplitudes);
  States states;
  states.molecule = read_molecule(options.files);
  states.orbitals = orbitals_of(*states.molecule, first_frame_with_orbitals(*states.molecule));
  std::vector<std::string> warnings;
  check_reading(run, *states.molecule, *states.orbitals, false, options.force, warnings);
  states.all = read_amplitudes(options.amplitudes);
  check_amplitudes(*states.orbitals, states.all);
  if (options.nto > states.all.states.size())
    throw Error(fmt::format("--nto {}: there are states 1 to {}", options.nto, states.all.states.size()),
                Error::Kind::usage);
  for (const Atom& atom : states.molecule->topology->atoms) states.elements.push_back(atom.element);
  run.report.phase("read");
  run.report.method = {{"name", "natural transition orbitals"}, {"integrals", "atomic grids"}};
  run.report.result = {
      {"states", states.all.states.size()}, {"occupied", states.all.occupied}, {"virtual", states.all.virtuals}};
  Transfers transfers = transfers_of(options, states);
  const std::string text = table(run, states, transfers);
  if (transfers.numbers) {
    run.report.method["charge_transfer"] = "Loewdin orthogonalised functions";
    run.report.result["fragments"] = transfers.names;
    run.report.result["charge_transfer"] = transfers.rows;
  }
  if (options.nto > 0) {
    const auto weights = natural_transitions(*states.orbitals, states.all, states.all.states[options.nto - 1]).weights;
    run.report.result["nto_weights"] = weights;
    run.report.result["nto_sum"] = std::accumulate(weights.begin(), weights.end(), 0.0);
    const Part part = part_of(options, states);
    run.report.phase("compute");
    if (!options.values.empty()) write_at_points(run, options, part);
    if (!options.cube.empty()) write_cube(run, options, states, part);
  }
  run.report.phase("compute");
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_states(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "states", "excited states from amplitudes as a table, and natural transition orbitals of one of them",
      "isolume compute states formaldehyde.molden --amplitudes excited.json --out states.csv\n"
      "  isolume compute states dimer.molden --amplitudes excited.json --fragment 'index 0 to 3'\n"
      "  isolume compute states formaldehyde.molden --amplitudes excited.json --nto 2 --part particle --cube p.cube",
      [&commands, options] { run_states(commands.common, *options); });
  command.option("FILE", options->files, "a file with orbitals, virtual ones too").required();
  command.option("--amplitudes", options->amplitudes, "JSON with n_occ, n_virt and X (and Y) of each state")
      .type_name("FILE");
  command
      .option("--fragment", options->fragments,
              "atoms of a fragment; may be repeated, the other atoms are one more: adds the charge-transfer numbers "
              "between them, hole on one and electron on the other, to the table")
      .repeated()
      .type_name("SELECTION");
  command.option("--nto", options->nto, "a state, from 1").range(std::size_t{1}, std::size_t{100'000});
  command.option("--part", options->part, "of the state --nto: hole, particle, transition, attachment or detachment")
      .one_of({"hole", "particle", "transition", "attachment", "detachment"});
  command.option("--pair", options->pair, "which hole or particle, from 1").range(std::size_t{1}, std::size_t{100'000});
  command.option("--at", options->at, "points for --values (lines x,y,z in angstrom)").type_name("POINTS.csv");
  command.option("--values", options->values, "the part at the points: csv").type_name("FILE").writes();
  command.option("--cube", options->cube, "the part on a grid: cube, dx, mrc, map or ccp4").type_name("FILE").writes();
  command.option("--spacing", options->spacing, "angstrom between grid points").range(1e-3, 1e3);
  command.option("--margin", options->margin, "angstrom of the grid around the atoms").range(0.0, 1000.0);
  command.flag("--force", options->force, "also of orbitals that fail the self-check of their file");
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
