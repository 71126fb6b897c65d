// Local frames of residues: their surroundings as seen from three of their atoms.
#include "compute/over_time/local_frames.h"

#include <fmt/format.h>

#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <set>

#include "molecule/base/error.h"

namespace isolume {
namespace {

std::optional<std::uint32_t> atom_named(const Topology& topology, const Residue& residue, const std::string& name) {
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
    if (topology.atoms[i].name == name) return i;
  return std::nullopt;
}

std::optional<FrameAtoms> by_names(const Topology& topology, const Residue& residue,
                                   const std::vector<std::string>& names) {
  FrameAtoms atoms{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto found = atom_named(topology, residue, names[i]);
    if (!found) return std::nullopt;
    atoms[i] = *found;
  }
  return atoms;
}

std::optional<FrameAtoms> first_three(const Residue& residue, const std::function<bool(std::uint32_t)>& counts) {
  FrameAtoms atoms{};
  std::size_t found = 0;
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count && found < 3; ++i)
    if (counts(i)) atoms[found++] = i;
  return found == 3 ? std::optional(atoms) : std::nullopt;
}

}  // namespace

RigidMotion local_frame(glm::dvec3 origin, glm::dvec3 along, glm::dvec3 aside) {
  const glm::dvec3 x = glm::normalize(along - origin), to = aside - origin;
  const glm::dvec3 across = to - glm::dot(to, x) * x;
  if (!(glm::length(along - origin) > 1e-6) || !(glm::length(across) > 1e-6))
    throw Error("the three atoms of a local frame are on a line", Error::Kind::input);
  const glm::dvec3 y = glm::normalize(across);
  const glm::dmat3 axes(x, y, glm::cross(x, y));
  RigidMotion motion;
  motion.rotation = glm::normalize(glm::quat_cast(glm::transpose(axes)));
  motion.translation = -(motion.rotation * origin);
  return motion;
}

std::vector<FrameAtoms> frame_atoms(const Topology& topology, const std::vector<std::uint32_t>& atoms,
                                    const std::vector<std::string>& names) {
  std::set<std::uint32_t> residues;
  for (const std::uint32_t atom : atoms) residues.insert(topology.atoms[atom].residue);
  std::vector<FrameAtoms> result;
  for (const std::uint32_t index : residues) {
    const Residue& residue = topology.residues[index];
    std::optional<FrameAtoms> found;
    if (!names.empty()) {
      found = by_names(topology, residue, names);
    } else {
      found = by_names(topology, residue, {"CA", "C", "N"});
      if (!found) found = first_three(residue, [&](std::uint32_t i) { return topology.atoms[i].element > 1; });
      if (!found) found = first_three(residue, [](std::uint32_t) { return true; });
    }
    if (!found)
      throw Error(fmt::format("residue {} {} has not the three atoms of a local frame{}", residue.name, residue.number,
                              names.empty() ? "" : fmt::format(": {}", fmt::join(names, ", "))),
                  Error::Kind::usage);
    result.push_back(*found);
  }
  return result;
}

}  // namespace isolume
