// The places of some atoms in many frames, in memory.
#include "compute/trajectory/frame_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {

FrameSet read_frames(const Molecule& molecule, std::span<const std::size_t> frames, const std::string& selection,
                     Job& job) {
  if (!molecule.topology || molecule.frame_count() == 0)
    throw Error("the molecule has no atoms with positions", Error::Kind::usage);
  if (frames.empty()) throw Error("no frames are chosen", Error::Kind::usage);
  const Topology& topology = *molecule.topology;
  const Frame first = molecule.trajectory->frame(frames.front());
  FrameSet set;
  set.selection = selection.empty() ? "polymer and name CA P" : selection;
  set.atoms = Selection(set.selection).atoms(topology, first);
  if (set.atoms.empty() && selection.empty()) {
    set.selection = "all";
    set.atoms = Selection(set.selection).atoms(topology, first);
  }
  if (set.atoms.empty())
    throw Error(fmt::format("the selection '{}' holds no atoms", set.selection), Error::Kind::usage);
  set.frames.assign(frames.begin(), frames.end());
  require_memory(set.frames.size() * set.atoms.size() * sizeof(glm::dvec3), Device::cpu(), "positions of the frames");
  set.places.resize(set.frames.size() * set.atoms.size());
  set.times.assign(set.frames.size(), 0);
  set.cells.resize(set.frames.size());
  std::vector<std::uint8_t> timed(set.frames.size(), 0);
  const std::size_t last = *std::max_element(set.atoms.begin(), set.atoms.end()) + std::size_t{1};
  parallel_for(set.frames.size(), job, "reading frames", [&](std::size_t row) {
    const Frame frame = molecule.trajectory->leading_frame(set.frames[row], last);
    if (frame.positions.size() < last || molecule.trajectory->atom_count() != topology.atoms.size())
      throw Error(fmt::format("frame {} has {} positions for {} atoms", set.frames[row], frame.positions.size(),
                              topology.atoms.size()),
                  Error::Kind::input);
    const bool precise = frame.precise_positions.size() == frame.positions.size();
    const auto places = set.frame(row);
    for (std::size_t i = 0; i < set.atoms.size(); ++i)
      places[i] = precise ? frame.precise_positions[set.atoms[i]] : glm::dvec3(frame.positions[set.atoms[i]]);
    set.times[row] = frame.time;
    timed[row] = frame.has_time;
    set.cells[row] = frame.cell;
  });
  for (const std::uint8_t has : timed)
    if (!has) {
      set.times.clear();
      break;
    }
  return set;
}

void centre_frames(FrameSet& set, std::span<const double> weights) {
  for (std::size_t row = 0; row < set.frames.size(); ++row) {
    glm::dvec3 sum(0);
    double all = 0;
    const auto places = set.frame(row);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      sum += weight * places[i];
      all += weight;
    }
    for (glm::dvec3& place : places) place -= sum / all;
  }
}

}  // namespace isolume
