// How colours look to eyes that tell fewer of them apart.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace isolume {

enum class ColourVision : std::uint8_t { full, protanopia, deuteranopia, tritanopia, grey };

/// By what linear RGB is multiplied: the matrices of dichromats of G. M. Machado, M. M. Oliveira and L. A. F.
/// Fernandes, IEEE Trans. Vis. Comput. Graph. 15 (2009) 1291, at severity 1; for grey the luminance of sRGB. Columns as
/// in GLM.
glm::mat3 vision_matrix(ColourVision vision);

/// A colour of straight sRGB (0 to 1) as it is seen.
glm::vec3 seen_colour(glm::vec3 colour, ColourVision vision);

}  // namespace isolume
