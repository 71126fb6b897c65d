// isolume compute energy: the electrostatic energy of a system and the forces on its atoms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/apbs_energy.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/electrostatics_options.h"
#include "app/cli/compute/npy.h"
#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/energy/binding_energy.h"
#include "app/cli/energy/energy_exclusions.h"
#include "app/cli/prepared_charges.h"
#include "app/cli/quantum/nuclei.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/hcp/dielectric_error.h"
#include "compute/electrostatics/molecule_charges.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/force_field/force_field.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::size_t frame = 0;
  ElectrostaticsChoice choice;
  BindingChoice binding;
  double spacing = -1;  // pb
  std::string exclusions = "auto";
  double one_four = -1;
  long samples = -1;
  std::string out, atoms_out;
  UsualCharges charges;
  std::string apbs;
};

bool is_pb(const Options& o) {
  return o.choice.method.method == "pb";
}

/// Solvation energies alone: pb and gb.
bool is_solvent(const Options& o) {
  return is_pb(o) || o.choice.method.method == "gb";
}

/// Throws Error (usage) for options that do not belong to the method.
void check_options(const Options& o) {
  check_electrostatics_choice(o.choice, MethodUse::energy);
  check_binding_choice(o.binding, potential_method(o.choice.method.method, MethodUse::energy), o.out);
  if (is_solvent(o)) {
    const std::string& name = o.choice.method.method;
    if (!o.out.empty() && !o.binding.given())
      throw Error(fmt::format("--out: --method {} computes no forces yet; --atoms has its energies", name),
                  Error::Kind::usage);
    if (!o.atoms_out.empty() && o.binding.given())
      throw Error("--atoms does not go with --binding; --residues has the shares of residues", Error::Kind::usage);
    if (!o.choice.method.pb.dielectric_of.empty() && o.binding.given())
      throw Error(
          "--dielectric-of does not go with --binding yet: Coulomb's energy between the partners is in one "
          "permittivity",
          Error::Kind::usage);
    if (o.one_four >= 0 || o.exclusions != "auto" || o.samples >= 0)
      throw Error(fmt::format("--exclusions, --one-four and --samples belong to other methods than {}", name),
                  Error::Kind::usage);
  }
  if (!is_pb(o) && o.spacing >= 0) {
    throw Error("--spacing belongs to --method pb, not to " + o.choice.method.method, Error::Kind::usage);
  }
  if (o.choice.method.tolerance > 0 && !is_pb(o))
    throw Error("--tolerance belongs to --method pb, not to " + o.choice.method.method, Error::Kind::usage);
  if (o.one_four >= 0 && o.exclusions == "none") {
    throw Error("--one-four needs exclusions, and --exclusions says none", Error::Kind::usage);
  }
  if (!o.out.empty() && !o.binding.given()) check_output(o.out, "npy");
  if (!o.atoms_out.empty()) check_output(o.atoms_out, "npy");
}

/// By Poisson-Boltzmann, of atoms that were moved so far along z.
void solvent_energy(Run& run, const Options& o, const Molecule& molecule, const Frame& frame, float moved,
                    PoissonBoltzmannOptions pb) {
  std::vector<ChargedSphere> atoms;
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < molecule.topology->atoms.size(); ++i) {
    const Atom& atom = molecule.topology->atoms[i];
    atoms.push_back({frame.positions[i], atom.charge, std::max(0.0f, atom.radius)});
    numbers.push_back(static_cast<std::uint32_t>(i));
  }
  set_dielectrics(o.choice.method.pb.dielectric_of, *molecule.topology, frame, numbers, atoms);
  if (pb.membrane) pb.membrane->centre += static_cast<double>(moved);
  poisson_boltzmann_energy(run, pb, std::move(atoms), o.spacing, o.choice.method.tolerance, o.atoms_out,
                           o.binding.residues, *molecule.topology);
  run.finish();
}

/// Charges, cell and exclusions; says `coincident` atoms.
ElectrostaticProblem problem_of(Run& run, const Options& o, const Molecule& molecule, const Frame& frame,
                                std::size_t coincident, std::string& exclusions) {
  ElectrostaticProblem problem;
  for (const Atom& atom : molecule.topology->atoms) problem.charges.push_back(atom.charge);
  if (std::none_of(problem.charges.begin(), problem.charges.end(), [](float q) { return q != 0; })) {
    throw Error(
        "all charges of the file are 0, and so would be the energy; formats with charges are PQR, PSF, PRMTOP, "
        "MOL2 and extended XYZ",
        Error::Kind::usage);
  }
  if (coincident > 0) {
    run.say(fmt::format("note: {} atoms are at the place of another; atoms within 1e-4 angstrom do not interact",
                        coincident));
  }
  problem.cell = frame.cell;
  problem.exclusions = choose_exclusions(o.exclusions, o.one_four, molecule, exclusions);
  return problem;
}

/// What is measured of a method's results.
struct MeasuredErrors {
  ForceError forces;
  EnergyError energy;  ///< of no atoms where there is no sum in double precision to compare with
};

/// The errors at some atoms, into the report too; none where that would take long. A periodic energy has none: its
/// terms converge together, and no atom has an exact share.
MeasuredErrors measured_errors(Run& run, const Options& o, const ElectrostaticProblem& problem,
                               const PotentialOptions& options, const Frame& frame,
                               const std::vector<glm::vec3>& forces, double energy,
                               const std::vector<float>& energies) {
  const bool periodic = is_periodic(options);
  const auto* const hcp = std::get_if<HcpMethod>(&options);
  const auto* const direct = std::get_if<DirectOptions>(&options);
  // The waves of the reference grow with the atoms: beyond this it is measured only where asked for.
  const std::size_t quick = periodic ? 30000 : 1000000;
  const long samples = o.samples >= 0 ? o.samples : problem.atoms() <= quick ? 50 : 0;
  MeasuredErrors found;
  if (samples <= 0) return found;
  const auto count = static_cast<std::size_t>(samples);
  const Dielectric dielectric = hcp != nullptr      ? hcp->hcp.dielectric
                                : direct != nullptr ? direct->dielectric
                                                    : Dielectric{};
  ForceError& error = found.forces;
  error = hcp != nullptr || dielectric != Dielectric{}
              ? dielectric_force_error(problem, dielectric, frame.positions, forces, count, run.job())
              : electrostatic_error(problem, frame.positions, forces, periodic, count, run.job());
  run.report.error = {{"rms", error.rms},
                      {"max", error.max},
                      {"relative", error.relative},
                      {"points", error.atoms},
                      {"reference", error.reference},
                      {"of", "forces, kcal/(mol A)"}};
  if (periodic) return found;
  found.energy = dielectric_energy_error(problem, dielectric, frame.positions, energy, energies,
                                         std::max(count, quick_energy_samples(problem.atoms())), run.job());
  run.report.error["energy"] = {{"error", found.energy.error},       {"standard_error", found.energy.standard_error},
                                {"relative", found.energy.relative}, {"rms", found.energy.rms},
                                {"atoms", found.energy.atoms},       {"of", "energy, kcal/mol"}};
  return found;
}

/// ", energy error -1.3 kcal/mol (2.0e-04 relative), force error ...".
std::string quality_text(const MeasuredErrors& errors, std::size_t atoms) {
  std::string text;
  const EnergyError& energy = errors.energy;
  if (energy.atoms > 0) {
    text = fmt::format(", energy error {:.1e} kcal/mol ({:.1e} relative", energy.error, energy.relative);
    text += energy.atoms < atoms ? fmt::format(", by {} atoms with a standard error of {:.1e} kcal/mol)", energy.atoms,
                                               energy.standard_error)
                                 : std::string(")");
  }
  if (errors.forces.atoms > 0)
    text += fmt::format(", force error {:.1e} kcal/(mol A) rms ({:.1e} relative)", errors.forces.rms,
                        errors.forces.relative);
  return text;
}

/// By the methods of charges alone.
void charges_energy(Run& run, const Options& o, const Molecule& molecule, const Frame& frame) {
  const std::size_t coincident = coincident_atoms(frame.positions);
  std::string exclusions;
  const ElectrostaticProblem problem = problem_of(run, o, molecule, frame, coincident, exclusions);
  const double total = problem.total_charge();
  const std::size_t pairs = problem.exclusions.pairs();
  const std::size_t atoms = problem.atoms();

  Json method{
      {"name", o.choice.method.method}, {"frame", o.frame}, {"exclusions", exclusions}, {"excluded_pairs", pairs}};
  const auto [options, body] =
      make_electrostatics(run, o.choice, MethodUse::energy, problem, *molecule.topology, method);
  run.report.method = method;
  run.report.phase("plan");

  const auto positions = DeviceArray<glm::vec3>::from_host(frame.positions, run.device, "positions");
  DeviceArray<glm::vec3> forces(atoms, run.device, "forces");
  DeviceArray<float> energies(atoms, run.device, "energies");
  run.report.phase("transfer");
  ElectrostaticSums sums;
  {
    const LaunchRecord record;
    sums = body->evaluate(positions.span(), {forces.span(), energies.span(), true}, run.job());
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(body->memory() + atoms * 28, peak_memory(run.device));
  const std::vector<glm::vec3> host = forces.copy_to_host();
  const std::vector<float> own = energies.copy_to_host();
  run.report.phase("transfer");

  const MeasuredErrors errors = measured_errors(run, o, problem, options, frame, host, sums.energy(), own);
  run.report.phase("check");

  glm::dvec3 net(0.0);
  double squares = 0;
  for (const glm::vec3 f : host) {
    net += glm::dvec3(f);
    squares += glm::dot(glm::dvec3(f), glm::dvec3(f));
  }
  run.report.unit = "kcal/mol";
  Json& result = run.report.result;
  result["energy"] = sums.energy();
  result["parts"] = {{"pairs", sums.pairs},
                     {"long_range", sums.long_range},
                     {"self", sums.self},
                     {"background", sums.background},
                     {"excluded_and_scaled_pairs", sums.exclusions}};
  if (sums.has_virial) result["virial"] = sums.virial;
  result["atoms"] = atoms;
  if (coincident > 0) result["coincident_atoms"] = coincident;
  result["total_charge"] = total;
  result["rms_force"] = std::sqrt(squares / static_cast<double>(atoms));
  result["sum_of_forces"] = {net.x, net.y, net.z};
  if (!o.out.empty()) write_npy(o.out, host);
  if (!o.atoms_out.empty()) write_npy(o.atoms_out, own);
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", sums.energy());
  run.say(fmt::format("{} atoms (total charge {:.4g} e), {}: {}{}", atoms, total, to_string(run.device),
                      body->describe(), quality_text(errors, atoms)));
  run.finish();
}

void run_energy(const Common& common, const Options& o) {
  if (!o.apbs.empty()) {
    if (!o.files.empty() || !o.out.empty() || !o.atoms_out.empty() || o.binding.given() ||
        o.choice.method.method != "direct")
      throw Error(
          "--apbs: the file names the molecules and the method; FILE, --method, --binding, --out and --atoms cannot be "
          "used with it",
          Error::Kind::usage);
    return apbs_energy(common, o.apbs);
  }
  if (o.files.empty()) throw Error("FILE is required, or --apbs", Error::Kind::usage);
  check_options(o);
  Run run(common);
  for (const std::string& file : o.files) run.report.input(file);
  // Energies of a periodic system are those of the file's positions; without a cell molecules must be whole.
  std::shared_ptr<const Molecule> molecule = read_molecule(o.files, {}, {CellTreatment::Mode::as_is});
  const std::size_t frames = molecule->trajectory ? molecule->trajectory->frame_count() : 0;
  if (frames == 0) throw Error(missing_positions(*molecule), Error::Kind::usage);
  std::size_t number = o.frame;
  if (number < frames) molecule = with_usual_charges(run, molecule, o.charges, number);
  require_charges(*molecule);
  if (o.frame >= frames) {
    throw Error(fmt::format("frame {}: the file has {} (from 0)", o.frame, frames), Error::Kind::usage);
  }
  Frame frame = molecule->trajectory->frame(number);
  const Cell cell = given_cell(o.choice, frame.cell);
  const PotentialOptions usual = potential_options(o.choice.method, cell, MethodUse::energy);
  const auto model = o.choice.method.gb_model == "neck2" ? GeneralisedBornModel::neck2 : GeneralisedBornModel::obc;
  if (model == GeneralisedBornModel::neck2) on_cpu_alone(run, common, "GB-neck2");
  if (!is_periodic(usual)) frame = treated(molecule, {})->trajectory->frame(number);
  frame.cell = cell;
  if (o.binding.given()) {
    run.report.phase("read");
    BindingChoice binding = o.binding;
    binding.tolerance = o.choice.method.tolerance;
    return binding_energy(run, treated(molecule, {}), binding, usual, model, o.spacing, number, o.out);
  }
  if (const std::string coarse = coarse_positions_text(frame); !coarse.empty()) run.say("note: " + coarse);
  const float height = frame.positions.empty() ? 0.0f : frame.positions.front().z;
  move_to_origin(frame);
  run.report.phase("read");

  if (const auto* const born = std::get_if<GeneralisedBornOptions>(&usual))
    return generalised_born_energy(run, *born, model, *molecule->topology, frame, o.atoms_out, o.binding.residues);
  if (is_pb(o))
    return solvent_energy(run, o, *molecule, frame, frame.positions.front().z - height,
                          std::get<PoissonBoltzmannOptions>(usual));
  charges_energy(run, o, *molecule, frame);
}

}  // namespace

void add_compute_energy(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "energy", "the electrostatic energy and the forces on the atoms, or the solvation energy (pb)",
      "isolume compute energy dhfr.prmtop dhfr.inpcrd --method spme --out forces.npy",
      [&commands, o] { run_energy(commands.common, *o); });
  command.option("FILE", o->files,
                 "a structure with charges, with what belongs to it (a PSF: coordinates, parameters)");
  command
      .option("--apbs", o->apbs,
              "an input file of APBS in place of FILE: its ELEC blocks are solved (pb), potentials written, energies "
              "printed")
      .type_name("FILE.in");
  command.option("--frame", o->frame, "which frame, from 0");
  add_charge_set_option(command, o->charges);
  add_electrostatics_options(command, o->choice, MethodUse::energy);
  command.option("--spacing", o->spacing, "pb: of the grid (0.5, wider for large molecules)").type_name("A").positive();
  command
      .option(
          "--tolerance", o->choice.method.tolerance,
          "pb: target relative error of the solvation energy, estimated by steps twice as long, or with --binding of "
          "the polar part in the first frame; the steps are shortened until it is met")
      .range(1e-9, 1.0);
  command
      .option("--exclusions", o->exclusions,
              "auto (the force field's, else by the file's bonds, else none), force-field, bonds, none")
      .one_of({"auto", "force-field", "bonds", "none"});
  command.option("--one-four", o->one_four, "factor of 1-4 pairs found by bonds (1; AMBER has 0.8333)").range(0.0, 1.0);
  command.option("--samples", o->samples, "atoms at which the error is measured (50; 0 for none)").range(0, 100000);
  add_binding_options(command, o->binding);
  command.option("--out", o->out, "forces in kcal/(mol A), N x 3 float32; with --binding a table of the frames (csv)")
      .type_name("FILE")
      .writes();
  command.option("--atoms", o->atoms_out, "energies of the atoms in kcal/mol").type_name("F.npy").writes();
}

}  // namespace isolume::cli
