// Frames moved onto a reference frame by the atoms of a selection.
#include "compute/over_time/frame_alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/analysis/superposition.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::vector<glm::dvec3> places_of(const Frame& frame, const std::vector<std::uint32_t>& atoms) {
  std::vector<glm::dvec3> places;
  places.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) places.push_back(precise_position(frame, atom));
  return places;
}

}  // namespace

FrameAlignment::FrameAlignment(const Molecule& molecule, const std::string& selection, std::size_t reference)
    : selection_(selection), reference_(reference) {
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  if (reference >= molecule.frame_count())
    throw Error(
        fmt::format("the reference frame {} is not there: there are {}, from 0", reference, molecule.frame_count()),
        Error::Kind::usage);
  if (selection.empty()) return;
  const Frame frame = whole_frame(molecule, reference);
  atoms_ = Selection(selection).atoms(*molecule.topology, frame);
  if (atoms_.empty()) throw Error(empty_selection(selection, *molecule.topology), Error::Kind::usage);
  if (atoms_.size() < 3)
    throw Error(fmt::format("--align {}: {} of the atoms are selected, and a superposition takes three or more",
                            selection, atoms_.size()),
                Error::Kind::usage);
  places_ = places_of(frame, atoms_);
}

FrameMotion FrameAlignment::motion(const Frame& frame, std::size_t index) const {
  if (atoms_.empty() || index == reference_) return {};
  const Superposition found = superpose(places_of(frame, atoms_), places_);
  return {found.motion, found.rmsd};
}

std::string FrameAlignment::text() const {
  if (atoms_.empty()) return "frames as they are";
  return fmt::format("frames superposed on frame {} by {} atoms ({})", reference_, atoms_.size(), selection_);
}

Frame whole_frame(const Molecule& molecule, std::size_t index) {
  Frame frame = molecule.trajectory->frame(index);
  if (frame.positions.size() != molecule.atom_count())
    throw Error(fmt::format("frame {} has positions of {} atoms, and the molecule has {}", index,
                            frame.positions.size(), molecule.atom_count()),
                Error::Kind::input);
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    const glm::vec3 p = frame.positions[i];
    if (!std::isfinite(p.x + p.y + p.z))
      throw Error(fmt::format("atom {} has no finite position in frame {}", i, index), Error::Kind::input);
  }
  return frame;
}

glm::dvec3 middle_of(const Frame& frame, const std::vector<std::uint32_t>& atoms) {
  glm::dvec3 sum(0);
  for (const std::uint32_t atom : atoms) sum += precise_position(frame, atom);
  return sum / static_cast<double>(std::max<std::size_t>(1, atoms.size()));
}

void gather_residues(Frame& frame, const Topology& topology, const std::vector<std::uint32_t>& residues,
                     glm::dvec3 centre) {
  if (!frame.cell.exists()) return;
  const bool precise = has_precise_positions(frame);
  for (const std::uint32_t index : residues) {
    const Residue& residue = topology.residues[index];
    const glm::dvec3 from = precise_position(frame, residue.first_atom) - centre;
    const glm::dvec3 shift = frame.cell.minimum_image(from) - from;
    if (glm::dot(shift, shift) < 1e-6) continue;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const glm::dvec3 place = precise_position(frame, i) + shift;
      if (precise) frame.precise_positions[i] = place;
      frame.positions[i] = glm::vec3(place);
    }
  }
}

void move_positions(Frame& frame, const RigidMotion& motion) {
  frame.velocities.clear();
  frame.forces.clear();
  if (motion.none()) return;
  const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
  const bool precise = has_precise_positions(frame);
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    const glm::dvec3 place = turn * precise_position(frame, i) + motion.translation;
    if (precise) frame.precise_positions[i] = place;
    frame.positions[i] = glm::vec3(place);
  }
  frame.cell.vectors = turn * frame.cell.vectors;
}

}  // namespace isolume
