// Reading the atoms around a probe.
#include "app/cli/sampling/probe_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "app/cli/cell_option.h"
#include "app/cli/prepared_charges.h"
#include "app/documents/frames.h"
#include "compute/analysis/superposition.h"
#include "compute/base/device_array.h"
#include "compute/electrostatics/molecule_charges.h"
#include "compute/schedule/layer_map.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"
#include "molecule/missing.h"
#include "molecule/residue_kinds.h"
#include "molecule/rigid_motion.h"

namespace isolume::cli {
namespace {

// Around which atoms the grid is put without --around.
std::string usual_region(const Topology& topology) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    const ResidueKind kind = residue_kind(topology, i);
    if (kind == ResidueKind::protein || kind == ResidueKind::nucleic) return "protein or nucleic";
  }
  return "all";
}

double unit_of(const std::string& unit, double temperature) {
  if (unit == "kT") return 1;
  return probe_kt(temperature) * (unit == "kJ/mol" ? units::calorie_in_joule : 1);
}

void refuse_missing(const LjAtoms& parameters, const std::vector<std::uint32_t>& atoms, const Topology& topology) {
  std::size_t without = 0;
  for (const std::uint32_t i : atoms) without += parameters.atoms[i].sigma == 0 && topology.atoms[i].element != 1;
  if (!parameters.built_in || parameters.missing_count == 0 || without == 0) return;
  throw Error(fmt::format("no Lennard-Jones parameters for {}: {}{}; load a PRMTOP, or a PSF with its "
                          "parameters, or leave them out",
                          counted(parameters.missing_count, "atom"), fmt::join(parameters.missing, ", "),
                          parameters.missing_count > parameters.missing.size() ? ", ..." : ""),
              Error::Kind::input);
}

}  // namespace

void add_probe_work_options(Verb command, ProbeWorkOptions& options) {
  command.option("FILE", options.files, "a structure with what belongs to it; a PRMTOP or PSF gives its parameters")
      .required();
  command.option("--mixing", options.mixing, "of sigma: lorentz-berthelot (mean) or geometric; epsilon: geometric mean")
      .one_of({"lorentz-berthelot", "geometric"});
  command.option("--cutoff", options.probing.cutoff, "angstrom, plain truncation").range(1.0, 100.0);
  command.option("--temperature", options.probing.temperature, "kelvin").range(1.0, 1e5);
  command.option("--unit", options.unit, "kcal/mol, kJ/mol or kT").one_of({"kcal/mol", "kJ/mol", "kT"});
  command.option("--spacing", options.spacing, "angstrom between grid points").range(0.01, 100.0);
  command.option("--padding", options.padding, "margin of the grid around the atoms of --around, angstrom")
      .range(0.0, 1e3);
  command.option("--around", options.around, "atoms that the grid surrounds (default: protein or nucleic)");
  command.option("--grid,--like", options.like, "compute on the grid of this volume file").type_name("FILE");
  command.option("--at", options.at, "compute at the points of a CSV file (lines x,y,z in angstrom) instead")
      .type_name("POINTS.csv");
  command.option("--align", options.align, "move every frame so that these atoms are as they are in frame 0");
  command.option("--select", options.selection, "atoms that the probe meets");
  add_cell_option(command, options.cell);
}

ProbeWork probe_work(Run& run, const ProbeWorkOptions& options) {
  for (const std::string& path : options.files) run.report.input(path);
  auto molecule = read_molecule(options.files, {}, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  const std::vector<std::size_t> frames = parse_frames(options.frames, molecule->frame_count());
  if (options.buckingham.empty() && !molecule->force_field && frames.size() == 1)
    molecule = with_usual_charges(run, molecule, {}, frames.front());
  for (const std::string& path : {options.buckingham, options.at})
    if (!path.empty()) run.report.input(path);
  return probe_work_of(std::move(molecule), frames, options, [&](const std::string& text) { run.say(text); });
}

ProbeWork probe_work_of(std::shared_ptr<const Molecule> molecule, std::vector<std::size_t> frames,
                        const ProbeWorkOptions& options, const std::function<void(const std::string&)>& note) {
  ProbeWork work;
  work.molecule = std::move(molecule);
  work.frames = std::move(frames);
  const bool lennard_jones = options.buckingham.empty();
  const Topology& topology = *work.molecule->topology;
  const Frame first = frame_at(*work.molecule, 0);
  if (options.probing.charges) require_charges(*work.molecule);
  work.atoms = chosen_atoms(options.selection, topology, first);
  if (lennard_jones) {
    work.parameters = lennard_jones_atoms(*work.molecule, first);
    refuse_missing(work.parameters, work.atoms, topology);
  } else {
    work.laws = read_buckingham_table(options.buckingham, topology, work.atoms);
  }
  if (work.parameters.built_in)
    note(fmt::format("note: no force field was loaded: Lennard-Jones of the {}", work.parameters.source));
  if (std::none_of(topology.atoms.begin(), topology.atoms.end(), [](const Atom& a) { return a.element == 1; }))
    note("note: the file has no hydrogens; the probe meets the other atoms alone");
  if (!options.align.empty()) {
    work.aligned = chosen_atoms(options.align, topology, first);
    if (work.aligned.size() < 3)
      throw Error(fmt::format("{}: at least three atoms are needed to superpose frames", options.align),
                  Error::Kind::usage);
    for (const std::uint32_t i : work.aligned) work.fixed.push_back(precise_position(first, i));
  }
  work.factor = unit_of(options.unit, options.probing.temperature);
  if (!options.at.empty()) {
    work.points = read_points(options.at);
    return work;
  }
  GridOptions like;
  like.like = options.like;
  if (const std::optional<Grid> grid = grid_like(like)) {
    work.grid = *grid;
    return work;
  }
  const std::string region = options.around.empty() ? usual_region(topology) : options.around;
  glm::dvec3 lower(1e300), upper(-1e300);
  const std::vector<ProbedAtom> placed = probed_frame(work, work.frames.front()).atoms;
  std::vector<std::uint8_t> inside(topology.atoms.size(), 0);
  for (const std::uint32_t i : chosen_atoms(region, topology, first)) inside[i] = 1;
  for (std::size_t n = 0; n < placed.size(); ++n) {
    if (inside[work.atoms[n]] == 0) continue;
    lower = glm::min(lower, placed[n].position);
    upper = glm::max(upper, placed[n].position);
  }
  if (lower.x > upper.x)
    throw Error("the atoms that the grid surrounds are none of those that the probe meets", Error::Kind::usage);
  work.grid = Grid::covering(lower - options.padding, upper + options.padding, options.spacing);
  return work;
}

ProbedFrame probed_frame(const ProbeWork& work, std::size_t number) {
  Frame frame = frame_at(*work.molecule, number);
  RigidMotion motion;
  if (!work.aligned.empty() && number != 0) {
    std::vector<glm::dvec3> moving;
    for (const std::uint32_t i : work.aligned) moving.push_back(precise_position(frame, i));
    motion = superpose(moving, work.fixed).motion;
  }
  ProbedFrame result;
  result.cell = frame.cell;
  if (frame.cell.exists())
    for (int edge = 0; edge < 3; ++edge) result.cell.vectors[edge] = motion.rotation * frame.cell.vectors[edge];
  const Topology& topology = *work.molecule->topology;
  for (const std::uint32_t i : work.atoms) {
    const LjParameters p = work.laws.pairs.empty() ? work.parameters.atoms[i] : LjParameters{};
    result.atoms.push_back({motion(precise_position(frame, i)), p.sigma, p.epsilon,
                            topology.has_charges ? static_cast<double>(topology.atoms[i].charge) : 0.0,
                            work.laws.pairs.empty() ? 0 : work.laws.kind_of_atom[i]});
  }
  return result;
}

Probe probe_of(Run& run, const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) run.report.input(name);
  return probe_of(name);
}

Probe probe_of(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) return built_in_probe(name);
  const Molecule molecule = read_file(name);
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  const Topology& topology = *molecule.topology;
  if (topology.atoms.empty() || topology.atoms.size() > 100)
    throw Error(fmt::format("--probe {}: a probe has 1 to 100 atoms, the file has {}", name, topology.atoms.size()),
                Error::Kind::usage);
  const Frame frame = molecule.trajectory->frame(0);
  const LjAtoms parameters = lennard_jones_atoms(molecule, frame);
  if (parameters.missing_count > 0)
    throw Error(
        fmt::format("--probe {}: no Lennard-Jones parameters for {}", name, fmt::join(parameters.missing, ", ")),
        Error::Kind::input);
  glm::dvec3 middle(0);
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) middle += precise_position(frame, i);
  middle /= static_cast<double>(topology.atoms.size());
  Probe probe{name, parameters.source, {}};
  for (std::size_t i = 0; i < topology.atoms.size(); ++i)
    probe.sites.push_back({precise_position(frame, i) - middle, parameters.atoms[i].sigma, parameters.atoms[i].epsilon,
                           topology.has_charges ? static_cast<double>(topology.atoms[i].charge) : 0.0});
  return probe;
}

LjMixing mixing_of(const std::string& word) {
  return word == "geometric" ? LjMixing::geometric : LjMixing::lorentz_berthelot;
}

std::vector<float> probe_map(Run& run, const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                             const std::vector<glm::dquat>& orientations, const ProbeOptions& options) {
  // Pairs of sites with the atoms around a point, 10^12 a second on one GPU, 0.1 atoms in a cubic angstrom.
  const double sites = static_cast<double>(orientations.size() * probe.sites.size());
  const double around = std::min(static_cast<double>(frame.atoms.size()), 0.42 * std::pow(options.cutoff, 3));
  const double seconds = static_cast<double>(work.grid.size()) * sites * around / 1e12;
  const std::vector<Device> devices = run.devices_for(seconds);
  const auto make = [&](const Grid& layers, Span<float> out, Job& job) {
    probe_free_energy(frame.atoms, frame.cell, probe, orientations, layers, options, out, job);
  };
  if (devices.size() == 1) return probe_map_on(run.device, frame, probe, orientations, work.grid, options, run.job());
  std::vector<float> values(work.grid.size());
  LayerMap map;
  map.what = "map of the probe";
  map.grid = work.grid;
  map.make = make;
  run.worked(map_in_layers(map, devices, values, run.job()).workers);
  return values;
}

std::vector<float> probe_map_on(Device device, const ProbedFrame& frame, const Probe& probe,
                                const std::vector<glm::dquat>& orientations, const Grid& grid,
                                const ProbeOptions& options, Job& job) {
  DeviceArray<float> map(grid.size(), device, "free energy of the probe");
  probe_free_energy(frame.atoms, frame.cell, probe, orientations, grid, options, map.span(), job);
  return map.copy_to_host();
}

std::string nearest_residue(const ProbeWork& work, const ProbedFrame& frame, glm::dvec3 place) {
  double least = 1e300;
  std::uint32_t residue = 0;
  const Topology& topology = *work.molecule->topology;
  for (std::size_t n = 0; n < frame.atoms.size(); ++n) {
    const Atom& atom = topology.atoms[work.atoms[n]];
    const glm::dvec3 d = frame.atoms[n].position - place;
    if (atom.element == 1 || glm::dot(d, d) >= least) continue;
    least = glm::dot(d, d);
    residue = atom.residue;
  }
  const Residue& r = topology.residues[residue];
  const std::string& chain = topology.chains[r.chain].id;
  return plain(fmt::format("{}{}{}{}", chain, chain.empty() ? "" : "/", r.name, r.number));
}

nlohmann::ordered_json probe_error(const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                                   std::span<const glm::dquat> orientations, const ProbeOptions& options,
                                   std::span<const float> map, Job& job) {
  std::vector<glm::dvec3> points;
  std::vector<double> found;
  std::mt19937_64 random(7);
  for (int n = 0; n < 20000 && points.size() < 200 && !map.empty(); ++n) {
    const auto i = static_cast<std::size_t>(random() % map.size());
    if (map[i] >= 20) continue;
    points.push_back(point_of(work.grid, i));
    found.push_back(static_cast<double>(map[i]));
  }
  std::vector<double> energies(points.size() * orientations.size());
  probe_energies(frame.atoms, frame.cell, probe, orientations, points, options, energies, job);
  double squares = 0, most = 0, size = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double exact =
        mean_free_energy(std::span<const double>(energies).subspan(p * orientations.size(), orientations.size()));
    squares += (found[p] - exact) * (found[p] - exact);
    size += exact * exact;
    most = std::max(most, std::abs(found[p] - exact));
  }
  const double n = std::max<double>(1, static_cast<double>(points.size()));
  return {{"rms", std::sqrt(squares / n) * work.factor},
          {"max", most * work.factor},
          {"relative", size > 0 ? std::sqrt(squares / size) : 0.0},
          {"points", points.size()},
          {"reference", "sums in double precision, last frame, below 20 kT"}};
}

}  // namespace isolume::cli
