// The look: lights, background and effects of a picture.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace isolume {

/// How a surface answers the light. Its colour stays that of the item.
enum class Material : std::uint8_t {
  standard,  ///< as Look says
  matt,      ///< no highlight
  glossy,    ///< a bright, small highlight
  metal,     ///< a highlight in the colour of the surface, which mirrors a bright sky
  toon,      ///< three steps of light
  glass      ///< clear where it is seen from the front, dense at the rim
};

/// The line around one thing, where it is in front of what is farther away.
struct Outline {
  enum class Mode : std::uint8_t { scene, off, on };
  Mode mode = Mode::scene;           ///< as Look::outlines says; none; or one of its own:
  float width = 2.0f;                ///< pixels at 1x
  glm::u8vec4 colour{0, 0, 0, 255};  ///< sRGB
  bool operator==(const Outline&) const = default;
};

/// A bar that says how long things are, in this unit.
enum class ScaleBar : std::uint8_t { none, angstrom, nanometre };

/// Everything about a picture that is neither geometry nor camera. A plain value; Scene stores it.
struct Look {
  glm::vec3 background{1.0f, 1.0f, 1.0f};         ///< sRGB 0..1, the top of the picture
  glm::vec3 background_bottom{1.0f, 1.0f, 1.0f};  ///< the bottom: equal to the top for a plain background
  bool ambient_occlusion = true;
  float ambient_occlusion_radius = 4.0f;  ///< angstrom
  float ambient_occlusion_strength = 1.0f;
  bool outlines = true;        ///< dark lines where depth jumps
  float outline_width = 1.0f;  ///< pixels at 1x; Outline for a thing by itself
  float depth_cue = 0.35f;     ///< how much the far end fades into the background, 0 for not at all
  bool shadows = false;
  float ambient = 0.35f;
  float diffuse = 0.65f;
  float specular = 0.25f;
  float shininess = 40.0f;
  glm::vec3 light{-0.35f, 0.6f, 0.8f};  ///< direction towards the key light, in camera axes
  bool axes = false;                    ///< small axes in the corner
  ScaleBar scale_bar = ScaleBar::none;  ///< in the lower right corner
  float text_points = 0;                ///< letters of labels, legends, rulers and the scale bar; 0: by the picture
  bool caps = true;                     ///< closed surfaces are filled where clipping planes cut them
  /// Blur of what is one radius of the scene before or behind the sharp plane, parts of the picture's height; 0: all
  /// is sharp.
  float depth_of_field = 0.0f;
  float focus = 0.0f;  ///< the sharp plane, angstrom from the camera's centre towards the viewer

  bool operator==(const Look&) const = default;
};

}  // namespace isolume
