// The look: lights, background and effects of a picture.
#pragma once

#include <glm/glm.hpp>

namespace isolume {

/// Everything about a picture that is neither geometry nor camera. A plain value; Scene stores it.
struct Look {
  glm::vec3 background{1.0f, 1.0f, 1.0f};         ///< sRGB 0..1, the top of the picture
  glm::vec3 background_bottom{1.0f, 1.0f, 1.0f};  ///< the bottom: equal to the top for a plain background
  bool ambient_occlusion = true;
  float ambient_occlusion_radius = 4.0f;  ///< angstrom
  float ambient_occlusion_strength = 1.0f;
  bool outlines = true;        ///< dark lines where depth jumps
  float outline_width = 1.0f;  ///< pixels at 1x
  float depth_cue = 0.35f;     ///< how much the far end fades into the background, 0 for not at all
  bool shadows = false;
  float ambient = 0.35f;
  float diffuse = 0.65f;
  float specular = 0.25f;
  float shininess = 40.0f;
  glm::vec3 light{-0.35f, 0.6f, 0.8f};  ///< direction towards the key light, in camera axes
  bool axes = false;                    ///< small axes in the corner

  bool operator==(const Look&) const = default;
};

}  // namespace isolume
