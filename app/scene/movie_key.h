// A key frame of a movie: what the scene shows at a time of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "render/view/camera.h"
#include "render/view/clip_plane.h"

namespace isolume {

/// How a movie goes from a key frame to the next: evenly, slow at first, slow at the end, slow at both, or not at all
/// until the next one is there.
enum class Easing : std::uint8_t { linear, ease_in, ease_out, ease, hold };

/// What a key frame holds of a representation.
struct KeyedRepresentation {
  bool visible = true;
  float opacity = 1;
  glm::u8vec4 colour{0, 0, 0, 0};
  bool operator==(const KeyedRepresentation&) const = default;
};

/// What a key frame holds of a field.
struct KeyedField {
  bool visible = true;
  float opacity = 1;
  double isovalue = 0;      ///< as Field::isovalue
  double enclosed = 0;      ///< as Field::enclosed
  double slice_offset = 0;  ///< angstrom
  glm::u8vec4 colour{0, 114, 178, 255};
  glm::u8vec4 negative_colour{213, 94, 0, 255};
  bool operator==(const KeyedField&) const = default;
};

/// A state of the scene at a time of a movie. Entries of a list that a key frame does not have are as in the scene.
struct MovieKey {
  double time = 0;  ///< seconds from the beginning of the movie
  Easing easing = Easing::ease;
  std::int32_t turns = 0;  ///< about the vertical axis of the picture on the way to the next one; below 0 to the left
  Camera camera;
  std::size_t frame = 0;
  std::vector<KeyedRepresentation> representations{};
  std::vector<KeyedField> fields{};
  std::vector<ClipPlane> clip_planes{};
  bool operator==(const MovieKey&) const = default;
};

}  // namespace isolume
