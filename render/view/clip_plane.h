// Clipping planes: one side of them is not drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>

namespace isolume {

/// A plane through `point`, moved by `offset` along `normal`: what is beyond it in the direction of the normal is cut
/// away. It stays where it is when the camera moves.
struct ClipPlane {
  enum class Cuts : std::uint8_t { everything, surfaces, atoms };  ///< surfaces of fields; representations
  glm::dvec3 point{0.0};                                           ///< angstrom
  glm::dvec3 normal{0.0, 0.0, 1.0};                                ///< of any length above 0
  double offset = 0;                                               ///< angstrom
  Cuts cuts = Cuts::everything;
  bool on = true;
  bool operator==(const ClipPlane&) const = default;

  /// Angstrom from the plane to a place, above 0 on the side that is cut away.
  double beyond(glm::dvec3 place) const {
    const double length = glm::length(normal);
    return length > 0 ? glm::dot(place - point, normal) / length - offset : -1;
  }
};

/// So many can be on at once: every fragment is compared with each.
constexpr std::size_t most_clip_planes = 6;

}  // namespace isolume
