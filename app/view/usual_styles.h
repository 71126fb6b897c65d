// Styles that suit the atoms of a molecule: ribbons for polymers, sticks, spheres and lines for the rest.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"
#include "molecule/residue_kinds.h"

namespace isolume::usual {

using Counts = std::array<std::size_t, 8>;  ///< atoms by ResidueKind
using Kinds = std::vector<ResidueKind>;     ///< of every residue: names are looked up once
using Mask = std::vector<std::uint8_t>;     ///< one byte per atom; empty: all

/// Of ligands: thin sticks of the usual grey are nearly black.
constexpr glm::u8vec4 light_carbon{178, 178, 172, 255};

Kinds kinds_of(const Topology& topology);
/// Protein or nucleic acid.
bool is_polymer(ResidueKind kind);
Counts count_kinds(const Topology& topology, const Kinds& kinds, const Mask& mask);

/// Atoms of every residue kind by a style that suits it, of those of `selection`, whose mask this is.
std::vector<Representation> representations_of(std::uint32_t molecule, const Molecule& loaded, const Kinds& kinds,
                                               const std::string& selection, const Mask& mask,
                                               const std::vector<glm::vec3>& positions);

/// Whether representations_of() made it of water.
bool is_of_water(const Representation& representation);

}  // namespace isolume::usual
