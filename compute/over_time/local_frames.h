// Local frames of residues: their surroundings as seen from three of their atoms.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/rigid_motion.h"
#include "molecule/topology.h"

namespace isolume {

/// The motion that puts the first point at the origin, the second on the positive x axis and the third into the xy
/// plane with positive y. Throws Error (input) where the three are on a line.
RigidMotion local_frame(glm::dvec3 origin, glm::dvec3 along, glm::dvec3 aside);

/// The atoms of a residue that make its frame: origin, along, aside.
using FrameAtoms = std::array<std::uint32_t, 3>;

/// Those of every residue that holds one of `atoms`, by their names; empty names: CA, C and N, where a residue has not
/// these its first three atoms that are no hydrogens, or its first three. Throws Error (usage) that names the residue
/// which lacks one.
std::vector<FrameAtoms> frame_atoms(const Topology& topology, const std::vector<std::uint32_t>& atoms,
                                    const std::vector<std::string>& names);

}  // namespace isolume
