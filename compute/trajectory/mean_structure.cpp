// The mean structure of a trajectory, and a principal component as a motion.
#include "compute/trajectory/mean_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "compute/analysis/fluctuation.h"
#include "compute/analysis/superposition.h"
#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/trajectory/principal_components.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr const char* traces = "polymer and name CA P";

std::vector<std::uint32_t> atoms_of(const std::string& words, const Topology& topology, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection(words).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(words, topology), Error::Kind::usage);
  return atoms;
}

std::vector<glm::dvec3> places_of(const Frame& frame, const std::vector<std::uint32_t>& atoms) {
  std::vector<glm::dvec3> places;
  places.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) places.push_back(precise_position(frame, atom));
  return places;
}

void check_frames(const std::shared_ptr<const Molecule>& molecule, const std::vector<std::size_t>& frames) {
  if (!molecule || !molecule->topology || molecule->frame_count() == 0)
    throw Error(molecule ? missing_positions(*molecule) : std::string("there is no molecule"), Error::Kind::usage);
  if (frames.empty()) throw Error("there are no frames", Error::Kind::usage);
}

/// The atoms of a molecule for a writer, without what belongs to frames and crystals.
Molecule atoms_alone(const Molecule& molecule, Topology topology) {
  Molecule alone;
  alone.paths = molecule.paths;
  alone.topology = std::make_shared<const Topology>(std::move(topology));
  return alone;
}

/// A frame that has these atoms at these places, and the others where `rest` has them.
Frame frame_with(const Frame& rest, const std::vector<std::uint32_t>& atoms, const std::vector<glm::dvec3>& places) {
  Frame frame;
  frame.positions = rest.positions;
  for (std::size_t i = 0; i < atoms.size(); ++i) frame.positions[atoms[i]] = glm::vec3(places[i]);
  return frame;
}

}  // namespace

MeanStructure mean_structure(const MeanStructureRequest& request, Job& job) {
  check_frames(request.molecule, request.frames);
  const Topology& topology = *request.molecule->topology;
  const Frame first = frame_at(*request.molecule, request.frames.front());
  MeanStructure mean;
  mean.atoms = atoms_of(request.selection, topology, first);
  std::vector<std::uint32_t> fitted;
  if (request.superpose) {
    mean.fit = request.fit;
    if (mean.fit.empty()) mean.fit = Selection(traces).atoms(topology, first).size() >= 3 ? traces : request.selection;
    fitted = atoms_of(mean.fit, topology, first);
    if (fitted.size() < 3)
      throw Error(
          fmt::format("mean structure: '{}' holds {} atoms; superposing takes at least 3", mean.fit, fitted.size()),
          Error::Kind::usage);
  }
  const auto read = [&](std::size_t index, FluctuationFrame& points) {
    const Frame frame = frame_at(*request.molecule, request.frames[index]);
    points.points = places_of(frame, mean.atoms);
    points.fitted = places_of(frame, fitted);
  };
  JobPart rounds(job, 0, 0.8);
  const Fluctuations found = fluctuations(request.frames.size(), read, rounds);
  mean.rounds = found.rounds;
  mean.frame = frame_with(first, mean.atoms, found.mean);

  JobPart rest(job, 0.8, 1);
  mean.nearest_rmsd = std::numeric_limits<double>::infinity();
  std::mutex mutex;
  parallel_for(request.frames.size(), rest, "the nearest frame", [&](std::size_t row) {
    const std::vector<glm::dvec3> places = places_of(frame_at(*request.molecule, request.frames[row]), mean.atoms);
    const double apart =
        request.superpose && places.size() >= 3 ? superpose(places, found.mean).rmsd : rmsd(places, found.mean);
    const std::lock_guard lock(mutex);
    const std::size_t frame = request.frames[row];
    if (apart < mean.nearest_rmsd || (apart == mean.nearest_rmsd && frame < mean.nearest_frame))
      mean.nearest_rmsd = apart, mean.nearest_frame = frame;
  });

  Topology written = topology;
  for (std::size_t i = 0; i < mean.atoms.size(); ++i) {
    mean.fluctuations.push_back(std::sqrt(found.squares[i]));
    const auto value = static_cast<float>(b_factor(found.squares[i]));
    written.atoms.change(mean.atoms[i], [&](Atom& atom) { atom.b_factor = value; });
  }
  mean.molecule = atoms_alone(*request.molecule, std::move(written));
  return mean;
}

ComponentMotion component_motion(const ComponentMotionRequest& request, Job& job) {
  check_frames(request.molecule, request.frames);
  if (request.steps < 2) throw Error("a motion takes at least two frames", Error::Kind::usage);
  JobPart reading(job, 0, 0.4), computing(job, 0.4, 1);
  FrameSet set = read_frames(*request.molecule, request.frames, request.selection, reading);
  const PrincipalComponents found = principal_components(set, request.component + 1, true, computing);
  if (request.component >= found.variances.size())
    throw Error(fmt::format("component {}: there are {}", request.component + 1, found.variances.size()),
                Error::Kind::usage);
  ComponentMotion motion;
  motion.atoms = set.atoms;
  motion.amplitude = request.amplitude > 0 ? request.amplitude : 2 * std::sqrt(found.variances[request.component]);
  motion.part = found.total > 0 ? found.variances[request.component] / found.total : 0;
  for (std::size_t i = 0; i < set.atoms.size(); ++i)
    motion.largest =
        std::max(motion.largest, motion.amplitude * glm::length(found.modes[request.component * set.atoms.size() + i]));
  const Frame rest = frame_at(*request.molecule, request.frames.front());
  for (const auto& places : mode_frames(found, request.component, motion.amplitude, request.steps))
    motion.frames.push_back(frame_with(rest, set.atoms, places));
  motion.molecule = atoms_alone(*request.molecule, *request.molecule->topology);
  return motion;
}

}  // namespace isolume
