// isolume compute dynamics: a short run of molecular dynamics, to show that forces are usable.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/dynamics_record.h"
#include "app/cli/compute/electrostatics_options.h"
#include "app/cli/compute/map_pull.h"
#include "app/cli/interrupt.h"
#include "compute/base/memory.h"
#include "compute/dynamics/dynamics.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::size_t frame = 0;
  ElectrostaticsChoice choice;
  std::string integrator = "langevin", velocities = "auto";
  double length = 1, step = 1, temperature = 300, friction = 1;
  std::uint64_t seed = 1;
  long minimise = -1, every = 0, near_every = 0, far_every = 0;
  double vdw_cutoff = -1, vdw_switch = -1;
  std::string out, energies;
  MapPullChoice pull;
};

/// Where Lennard-Jones pairs stop, by the boundary, unless it was given.
LennardJonesOptions lennard_jones_options(const Options& o, bool periodic) {
  LennardJonesOptions lj;
  lj.cutoff = o.vdw_cutoff > 0 ? o.vdw_cutoff : periodic ? 9 : 12;
  lj.switching = o.vdw_switch >= 0 ? o.vdw_switch : 0.85 * lj.cutoff;
  return lj;
}

/// Multiple time steps, and how often samples are taken.
void complete_steps(Options& o) {
  if (o.near_every == 0) o.near_every = 1;
  if (o.far_every == 0) o.far_every = o.near_every;
  if (o.every == 0) o.every = (50 + o.far_every - 1) / o.far_every * o.far_every;
  if (o.every % o.far_every == 0) return;
  throw Error(fmt::format("--every {}: samples are taken where all forces are evaluated, every {} steps; expected a "
                          "multiple of {}",
                          o.every, o.far_every, o.far_every),
              Error::Kind::usage);
}

void check_options(const Options& o) {
  check_electrostatics_choice(o.choice, MethodUse::forces);
  check_map_pull(o.pull);
  if (!o.out.empty()) {
    check_output(o.out, "dcd");
  }
  if (!o.energies.empty()) {
    check_output(o.energies, "csv");
  }
}

std::shared_ptr<const ForceField> needed_force_field(const Molecule& molecule) {
  if (molecule.force_field) return molecule.force_field;
  throw Error(fmt::format("dynamics needs the parameters of a force field, and {} has none; an AMBER topology (PRMTOP, "
                          "parm7) has them, and so has a PSF together with the parameter files of CHARMM (prm, str). "
                          "Give the coordinates too: topology, parameters and coordinates in one command",
                          molecule.format.empty() ? "the file" : "a file of format " + molecule.format),
              Error::Kind::usage);
}

/// Averages over the second half, when heat has spread.
void describe_samples(Json& result, std::span<const DynamicsSample> samples) {
  const auto late = samples.subspan(samples.size() / 2);
  double mean = 0, squares = 0;
  for (const DynamicsSample& s : late) mean += s.temperature / static_cast<double>(late.size());
  for (const DynamicsSample& s : late) squares += std::pow(s.temperature - mean, 2) / static_cast<double>(late.size());
  result["temperature"] = {
      {"mean", mean}, {"deviation", std::sqrt(squares)}, {"over", "the samples of the second half"}};
  Json table = Json::array();
  for (const DynamicsSample& s : samples) table.push_back({s.time, s.total(), s.energies.potential(), s.temperature});
  result["samples"] = {{"columns", {"time_ps", "total", "potential", "temperature_K"}}, {"rows", table}};
}

std::string run_steps(Run& run, const Options& o, Dynamics& dynamics, DynamicsRecord& record, std::size_t steps) {
  const auto begin = std::chrono::steady_clock::now();
  std::exception_ptr stopped;
  // What there is of a run that is stopped is written.
  Interrupt::allow(std::chrono::seconds(10));
  try {
    record.add(dynamics.sample(run.job()), dynamics, run.job());
    while (dynamics.step() < steps) {
      dynamics.advance(std::min<std::size_t>(static_cast<std::size_t>(o.every), steps - dynamics.step()), run.job());
      record.add(dynamics.sample(run.job()), dynamics, run.job());
      run.job().progress(static_cast<double>(dynamics.step()) / static_cast<double>(steps), "dynamics");
    }
  } catch (const Error&) {
    stopped = std::current_exception();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.report.phase("compute");
  // Of a run that was stopped, or that failed, the frames so far are kept.
  record.finish();
  if (stopped) std::rethrow_exception(stopped);
  const std::size_t atoms = dynamics.forces().atoms();
  const EnergyDrift drift = energy_drift(record.samples, atoms);
  Json& result = run.report.result;
  result["atoms"] = atoms;
  result["steps"] = dynamics.step();
  result["frames"] = record.samples.size();
  result["first"] = energies_of(record.samples.front());
  result["last"] = energies_of(record.samples.back());
  result["energy"] = record.samples.back().energies.potential();
  if (o.integrator == "verlet") {
    result["drift"] = {{"per_atom_and_ns", drift.per_atom_and_ns},
                       {"rms", drift.rms},
                       {"rms_per_atom", drift.rms / static_cast<double>(atoms)},
                       {"ps", drift.span},
                       {"from_ps", drift.from},
                       {"unit", "kcal/(mol ns) per atom; kcal/mol"}};
  }
  describe_samples(result, record.samples);
  if (record.measures())
    result["correlation"] = {{"first", record.correlations.front()}, {"last", record.correlations.back()}};
  result["list_builds"] = dynamics.forces().list_builds();
  result["seconds_per_step"] = seconds / static_cast<double>(std::max<std::size_t>(1, steps));
  result["ns_per_day"] = dynamics.step() * o.step * 1e-6 * 86400 / std::max(seconds, 1e-9);
  std::string text = fmt::format(
      "{} atoms, {:.6g} ps, {:.3g} ms a step ({:.3g} ns a day), temperature {:.0f} +- {:.0f} K", atoms,
      static_cast<double>(steps) * o.step * 1e-3, 1e3 * seconds / static_cast<double>(std::max<std::size_t>(1, steps)),
      result["ns_per_day"].get<double>(), result["temperature"]["mean"].get<double>(),
      result["temperature"]["deviation"].get<double>());
  if (record.measures())
    text += fmt::format(", correlation {:.4f} to {:.4f}", record.correlations.front(), record.correlations.back());
  if (o.integrator == "verlet") {
    text += fmt::format(
        ", energy drift {:.3g} kcal/mol per atom and ns from {:.4g} ps on (RMS about the line {:.3g} "
        "kcal/mol)",
        drift.per_atom_and_ns, drift.from, drift.rms);
  }
  return text;
}

void run_dynamics(const Common& common, Options o) {
  check_options(o);
  complete_steps(o);
  Run run(common);
  warn_of_cold(run, o.temperature);
  for (const std::string& file : o.files) run.report.input(file);
  const std::shared_ptr<const Molecule> molecule = read_molecule(o.files, {}, {CellTreatment::Mode::as_is});
  std::shared_ptr<const ForceField> field = needed_force_field(*molecule);
  const std::size_t frames = molecule->frame_count();
  if (o.frame >= frames) {
    throw Error(frames == 0 ? std::string("dynamics needs coordinates: name a restart or trajectory file as well")
                            : fmt::format("frame {}: the file has {} (from 0)", o.frame, frames),
                Error::Kind::usage);
  }
  Frame frame = molecule->trajectory->frame(o.frame);
  frame.cell = given_cell(o.choice, frame.cell);
  if (o.velocities == "file" && frame.velocities.empty()) {
    throw Error("--velocities file: the frame has no velocities", Error::Kind::usage);
  }
  Json map_facts;
  std::optional<MapPull> pull = make_map_pull(run, o.pull, *molecule, frame, map_facts);
  if (pull) field = pull->restrained(*field);
  if (pull && o.pull.resolution > 0) pull->measure(o.pull.resolution, run.device);
  run.report.phase("read");

  DynamicsOptions options;
  options.langevin = o.integrator == "langevin";
  options.time_step = o.step * 1e-3;
  options.temperature = o.temperature;
  options.friction = o.friction;
  options.seed = o.seed;
  options.near_every = static_cast<std::size_t>(o.near_every);
  options.far_every = static_cast<std::size_t>(o.far_every);
  check_dynamics(options, *field);
  // Whole cycles of multiple time steps.
  const auto cycles = static_cast<std::size_t>(std::ceil(std::round(o.length * 1000 / o.step) / o.far_every));
  const std::size_t steps = cycles * options.far_every;
  const ElectrostaticProblem problem = force_field_problem(*field, frame.cell);
  Json method{{"name", o.choice.method.method}, {"frame", o.frame}};
  auto [chosen, electrostatics] =
      make_electrostatics(run, o.choice, MethodUse::forces, problem, *molecule->topology, method);
  const bool periodic = is_periodic(chosen);
  const LennardJonesOptions lj = lennard_jones_options(o, periodic);
  method["electrostatics"] = electrostatics->describe();
  method["force_field"] = field->source;
  method["van_der_waals"] = {{"cutoff", lj.cutoff}, {"switched_from", lj.switching}, {"beyond", "left out"}};
  method["integrator"] = options.langevin ? "Langevin, BAOAB" : "velocity Verlet";
  method["time_step_fs"] = o.step;
  method["steps"] = steps;
  if (o.far_every > 1) {
    method["multiple_time_steps"] = {{"integrator", "r-RESPA"},
                                     {"bonded_fs", o.step},
                                     {"short_range_fs", o.step * static_cast<double>(o.near_every)},
                                     {"long_range_fs", o.step * static_cast<double>(o.far_every)}};
  }
  if (options.langevin) method["friction"] = o.friction;
  method["temperature"] = o.temperature;
  method["seed"] = o.seed;
  method["rigid_bonds"] = false;
  if (pull) method["map"] = map_facts;
  auto forces = MolecularForces::create(field, std::move(electrostatics), periodic ? frame.cell : Cell(), lj);
  std::vector<glm::dvec3> positions = precise(frame.positions);
  if (frame.precise_positions.size() == positions.size()) positions = frame.precise_positions;
  Dynamics dynamics(std::move(forces), positions, options);
  if (pull) pull->apply(dynamics);
  run.report.phase("plan");

  // Velocities of a file belong to its positions; a structure without them has atoms that are too near each other.
  const bool keep = o.velocities != "random" && frame.velocities.size() == positions.size();
  const long wanted = o.minimise >= 0 ? o.minimise : keep ? 0 : 200;
  if (wanted > 0) {
    const Minimised m = dynamics.minimise(static_cast<std::size_t>(wanted), 1.0, run.job());
    run.report.result["minimisation"] = {
        {"method", "FIRE"}, {"steps", m.steps}, {"before", m.before}, {"after", m.after}, {"rms_force", m.rms_force}};
    run.say(fmt::format("minimised in {} steps from {:.6g} to {:.6g} kcal/mol", m.steps, m.before, m.after));
  }
  keep ? dynamics.set_velocities(frame.velocities) : dynamics.draw_velocities();
  method["velocities"] = keep ? "the file's" : "drawn";
  run.report.method = method;
  run.report.unit = "kcal/mol";

  DynamicsRecord record(o.out, o.energies, *molecule);
  if (pull) record.measure = &*pull;
  std::string text;
  try {
    text = run_steps(run, o, dynamics, record, steps);
  } catch (const Error&) {
    if (!o.out.empty() && !record.samples.empty()) {
      run.say(fmt::format("{} keeps the {} frames up to {:.6g} ps", o.out, record.samples.size(),
                          record.samples.back().time));
    }
    throw;
  }
  run.report.memory(dynamics.forces().memory(), peak_memory(run.device));
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", record.samples.back().energies.potential());
  run.say(text);
  run.finish();
}

}  // namespace

void add_compute_dynamics(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "dynamics", "a short run of molecular dynamics: a check of the forces",
      "isolume compute dynamics t4l.prmtop t4l.inpcrd --method hcp --dielectric sigmoidal --time 2 --out run.dcd",
      [&commands, o] { run_dynamics(commands.common, *o); });
  command
      .option("FILE", o->files,
              "a topology with a force field (PRMTOP, or PSF and CHARMM's parameter files), and its coordinates")
      .required();
  command.option("--frame", o->frame, "the frame to start from, from 0");
  add_electrostatics_options(command, o->choice, MethodUse::forces);
  command
      .option("--integrator", o->integrator,
              "langevin (BAOAB, constant temperature) or verlet (velocity Verlet, constant energy)")
      .one_of({"langevin", "verlet"});
  command.option("--time", o->length, "length of the run (1)").type_name("PS").range(0.0, 1e6);
  command.option("--time-step", o->step, "one step (1)").type_name("FS");
  command
      .option("--short-range-every", o->near_every,
              "multiple time steps (r-RESPA): steps between evaluations of pairs within the cutoffs; bonded terms are "
              "evaluated in every step (1)")
      .type_name("N")
      .range(1, 1000);
  command
      .option("--long-range-every", o->far_every,
              "the same for what spme and msm sum on a mesh or lattices; a multiple of --short-range-every (the same)")
      .type_name("N")
      .range(1, 1000);
  command.option("--temperature", o->temperature, "of the bath, and of random velocities (300)").type_name("K");
  command.option("--friction", o->friction, "langevin: friction of the bath (1)").type_name("1/PS");
  command.option("--seed", o->seed, "seed of random numbers: the same seed gives the same run (1)");
  command.option("--velocities", o->velocities, "auto (the file's where it has some, else random), file, random")
      .one_of({"auto", "file", "random"});
  command.option("--minimise", o->minimise, "steps of minimisation before (200; 0 with the file's velocities)")
      .range(0, 1000000);
  command
      .option("--every", o->every,
              "steps between frames and samples of energies (50, or the next multiple of --long-range-every)")
      .range(1, 1000000);
  command.option("--vdw-cutoff", o->vdw_cutoff, "of Lennard-Jones pairs (12; periodic: 9)").type_name("A").positive();
  command.option("--vdw-switch", o->vdw_switch, "start of the switching of Lennard-Jones pairs (0.85 of the cutoff)")
      .type_name("A")
      .non_negative();
  add_map_pull_options(command, o->pull);
  command.option("--out", o->out, "the trajectory; it grows during the run").type_name("F.dcd").writes();
  command.option("--energies", o->energies, "energies of all samples as a table").type_name("F.csv").writes();
}

}  // namespace isolume::cli
