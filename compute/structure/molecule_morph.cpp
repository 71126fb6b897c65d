// Morphing molecules: matched atoms of two conformations, and whole frames in between.
#include "compute/structure/molecule_morph.h"

#include <algorithm>
#include <utility>

#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

Frame frame_of(const MorphEnd& end) {
  if (!end.molecule->topology || end.molecule->frame_count() == 0)
    throw Error(missing_positions(*end.molecule), Error::Kind::usage);
  return end.molecule->trajectory->frame(std::min(end.frame, end.molecule->frame_count() - 1));
}

std::vector<std::uint32_t> atoms_of(const MorphEnd& end, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection(end.selection).atoms(*end.molecule->topology, frame);
  if (atoms.empty()) throw Error(empty_selection(end.selection, *end.molecule->topology), Error::Kind::usage);
  return atoms;
}

glm::dvec3 place(const Frame& frame, std::uint32_t atom) {
  return frame.precise_positions.empty() ? glm::dvec3(frame.positions[atom]) : frame.precise_positions[atom];
}

}  // namespace

MoleculeMorph::MoleculeMorph(const MorphEnd& from, const MorphEnd& to, AtomMatching matching,
                             const MorphOptions& options, Job& job)
    : molecule_(*from.molecule), start_(frame_of(from)) {
  molecule_.assemblies.clear();
  const Frame last = frame_of(to);
  const Topology& topology = *from.molecule->topology;
  const MatchedAtoms matched =
      match_atoms(topology, atoms_of(from, start_), *to.molecule->topology, atoms_of(to, last), matching, job);
  matched_ = matched.how;
  std::vector<glm::dvec3> start, end;
  std::vector<std::uint32_t> residues, place_of(topology.atoms.size(), ~0u);
  for (const auto& [a, b] : matched.pairs) {
    place_of[a] = static_cast<std::uint32_t>(atoms_.size());
    atoms_.push_back(a);
    residues.push_back(topology.atoms[a].residue);
    start.push_back(place(start_, a));
    end.push_back(place(last, b));
  }
  require_memory(atoms_.size() * 400, Device::cpu(), "morph");
  std::vector<std::uint32_t> trace;
  for (const std::uint32_t atom : trace_atoms(topology))
    if (place_of[atom] != ~0u) trace.push_back(place_of[atom]);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;
  for (const Bond& bond : topology.bonds)
    if (place_of[bond.a] != ~0u && place_of[bond.b] != ~0u) bonds.emplace_back(place_of[bond.a], place_of[bond.b]);
  morph_ =
      std::make_unique<const Morph>(std::move(start), std::move(end), std::move(trace), bonds, residues, options, job);
  start_.velocities.clear();
  start_.forces.clear();
  start_.has_time = false;
}

Frame MoleculeMorph::frame(double t, double& bond_error, Job& job) const {
  const MorphFrame made = morph_->at(t, job);
  bond_error = std::max(bond_error, made.bond_error);
  Frame frame = start_;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    frame.positions[atoms_[i]] = glm::vec3(made.places[i]);
    if (!frame.precise_positions.empty()) frame.precise_positions[atoms_[i]] = made.places[i];
  }
  return frame;
}

}  // namespace isolume
