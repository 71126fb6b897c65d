// The values that every shader has of the picture in progress.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <vector>

#include "render/view/scene_view.h"

namespace isolume {

/// A rectangle of a picture, pixels from its left and bottom.
struct Region {
  int x = 0, y = 0, width = 0, height = 0;
};

/// How one sub-pixel sample of a region is made.
struct Shot {
  glm::ivec2 picture{0};        ///< the whole picture, pixels
  Region region;                ///< what is drawn of it
  glm::dvec2 shift{0.0};        ///< of the sample in its pixel, -0.5 to 0.5
  int sample = 0, samples = 1;  ///< its number, and how many there are
  double pixel_scale = 1;       ///< pixels per logical pixel
  bool fast = false;
};

/// The uniform block of shaders/common/frame.glsl, member by member (std140).
struct FrameBlock {
  glm::mat4 view, projection, shadow;
  glm::vec4 unproject, depth_terms, region, size, light, lighting, fog, occlusion, background, background_bottom,
      outline, lens;
  std::array<glm::vec4, most_clip_planes> planes;
};

/// The planes of a view that cut something now, at most most_clip_planes.
std::vector<ClipPlane> cutting_planes(const SceneView& view);

FrameBlock frame_block(const SceneView& view, const Shot& shot);

/// The block for the light's view of the scene (orthographic, the whole scene), and the matrix from the eye space of
/// `seen` to its texture coordinates and depth.
FrameBlock light_block(const SceneView& view, int size, glm::mat4& from_eye);

/// The widest outline of a view, pixels at 1x; 0 where there is none.
float widest_outline(const SceneView& view);

/// Pixels around a region within which the passes over the picture look: tiles are drawn with so much more.
int pass_margin(const SceneView& view, glm::ivec2 picture, double pixel_scale);

}  // namespace isolume
