// Molecules that move along a normal mode, or have the orbitals of an excited state.
#include "app/documents/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/documents/held_molecules.h"
#include "app/documents/localised.h"
#include "app/scene/path_part.h"
#include "compute/analysis/superposition.h"
#include "compute/electron_density/natural_transitions.h"
#include "formats/orbitals/amplitudes.h"
#include "formats/orbitals/vibrations.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/frames.h"
#include "molecule/mode_frames.h"

namespace isolume {
namespace {

constexpr double same_geometry = 0.05;  ///< angstrom, rmsd

std::vector<glm::dvec3> positions_of(const Frame& frame) {
  if (!frame.precise_positions.empty()) return frame.precise_positions;
  return {frame.positions.begin(), frame.positions.end()};
}

void move_along(Molecule& molecule, const PathPart& part) {
  const Vibrations vibrations = read_vibrations(part.file);
  const auto count = static_cast<int>(vibrations.modes.size());
  if (part.number > count)
    throw Error::in_file(part.file, 0, fmt::format("mode {}: there are 1 to {}", part.number, count));
  // Modes belong to the last geometry of an optimisation.
  const std::size_t last = std::max<std::size_t>(1, molecule.frame_count()) - 1;
  const Frame rest = frame_at(molecule, last);
  const VibrationalMode mode = mode_on(vibrations, static_cast<std::size_t>(part.number - 1), rest, part.file);
  auto frames = mode_frames(mode, rest, part.amplitude, static_cast<std::size_t>(part.frames));
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  if (!molecule.orbitals.empty()) molecule.orbitals = {molecule.orbitals[std::min(last, molecule.orbitals.size() - 1)]};
  molecule.title = fmt::format("mode {}, {:.1f} cm^-1", part.number, mode.frequency);
}

/// Pairs of a state as orbitals of the ground state.
Orbitals pairs_of(const Orbitals& orbitals, const Excitations& all, const Excitation& state) {
  const NaturalTransitions pairs = natural_transitions(orbitals, all, state);
  Orbitals result;
  result.basis = orbitals.basis;
  result.centres = orbitals.centres;
  result.convention = natural_transition_convention;
  const auto add = [&](const Orbitals& from, std::size_t k, double occupation, const char* what) {
    result.orbitals.push_back({0, occupation, Spin::alpha, fmt::format("{} {:.3f}", what, pairs.weights[k])});
    const auto row = from.row(k);
    result.coefficients.insert(result.coefficients.end(), row.begin(), row.end());
  };
  for (std::size_t k = pairs.weights.size(); k-- > 0;) add(pairs.holes, k, 2, "hole");
  for (std::size_t k = 0; k < pairs.weights.size(); ++k) add(pairs.particles, k, 0, "particle");
  result.norm_residual = orbitals.norm_residual < 0 ? -1 : orthonormality_residual(result);
  return result;
}

void excite(Molecule& molecule, const PathPart& part) {
  const std::size_t frame = first_frame_with_orbitals(molecule);
  const auto orbitals = orbitals_of(molecule, frame);
  const Excitations all = read_amplitudes(part.file);
  check_amplitudes(*orbitals, all);
  const auto count = static_cast<int>(all.states.size());
  if (part.number > count)
    throw Error::in_file(part.file, 0, fmt::format("state {}: there are 1 to {}", part.number, count));
  const Excitation& state = all.states[static_cast<std::size_t>(part.number - 1)];
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame_at(molecule, frame)});
  molecule.orbitals = {std::make_shared<const Orbitals>(pairs_of(*orbitals, all, state))};
  molecule.title = fmt::format("state {}, {:.4f} eV", part.number, state.energy * units::hartree_in_ev);
}

}  // namespace

VibrationalMode mode_on(const Vibrations& vibrations, std::size_t index, const Frame& rest, const std::string& file) {
  VibrationalMode mode = vibrations.modes.at(index);
  const std::vector<glm::dvec3> wanted = positions_of(rest);
  if (mode.displacement.size() != wanted.size())
    throw Error::in_file(
        file, 0, fmt::format("its modes have {} atoms, the molecule {}", mode.displacement.size(), wanted.size()));
  std::vector<glm::dvec3> own;
  for (const glm::dvec3& position : vibrations.positions) own.push_back(position * units::bohr_in_angstrom);
  if (own.empty() || rmsd(own, wanted) < 1e-3) return mode;
  const Superposition fit = superpose(own, wanted);
  if (fit.rmsd > same_geometry)
    throw Error::in_file(
        file, 0,
        fmt::format("its modes belong to another geometry: {:.2f} angstrom away after superposition", fit.rmsd));
  for (glm::dvec3& d : mode.displacement) d = fit.motion.rotation * d;
  return mode;
}

std::vector<Molecule> read_with_parts(const std::vector<std::string>& paths) {
  if (!has_parts(paths)) return read_files(paths);
  for (const std::string& path : paths)
    if (const auto held = held_molecule(path)) return {*held};
  std::vector<std::string> files;
  for (const std::string& path : paths)
    if (path_part(path).kind == PathPart::Kind::file) files.push_back(path);
  if (files.empty())
    throw Error(paths.front() + ": the file of the molecule itself comes before a mode or state", Error::Kind::usage);
  std::vector<Molecule> molecules = read_files(files);
  if (molecules.size() != 1)
    throw Error(fmt::format("{} files make {} molecules; a mode, a state or a stream belongs to one", files.size(),
                            molecules.size()),
                Error::Kind::usage);
  Molecule& molecule = molecules.front();
  if (molecule.paths.empty()) molecule.paths = files;
  for (const std::string& path : paths) {
    const PathPart part = path_part(path);
    if (part.kind == PathPart::Kind::mode) move_along(molecule, part);
    if (part.kind == PathPart::Kind::state) excite(molecule, part);
    if (part.kind == PathPart::Kind::localised) {
      Job job;
      localise(molecule, localisation_of(part), job);
    }
    if (part.kind == PathPart::Kind::average)
      molecule.warnings.emplace_back("its maps were means over frames, which are not kept with a session; export them");
    if (part.kind == PathPart::Kind::fit)
      molecule.warnings.emplace_back(
          "its frames were those of a flexible fit, which are not kept with a session; export them");
    if (part.kind == PathPart::Kind::stream)
      molecule.warnings.push_back(
          fmt::format("its frames came from a simulation at {}, which is not connected; they are "
                      "those of the files now",
                      part.peer));
  }
  return molecules;
}

}  // namespace isolume
