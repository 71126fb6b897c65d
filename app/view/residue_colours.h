// The colours that residues have in the picture.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// One colour per residue of a molecule in `frame`: that of its C-alpha, its C4' or else its first atom in the first
/// visible representation that shows it, ribbons and tubes before all others; alpha 0 where none does. Throws Error as
/// colours_of().
std::vector<glm::u8vec4> residue_colours(const Scene& scene, std::uint32_t molecule, const Topology& topology,
                                         const Frame& frame, Documents& documents);

}  // namespace isolume
