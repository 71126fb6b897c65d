// Dashed lines in space.
#pragma once

#include <glm/glm.hpp>
#include <memory>

#include "render/view/scene_view.h"

namespace isolume {

/// Collects dashed lines of one width, each in a colour of its own.
class Dashes {
 public:
  /// `width` in pixels.
  explicit Dashes(float width = 2.0f) { lines_.width = width; }
  void segment(glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour);
  /// Dashes of 0.16 angstrom with gaps of 0.12; longer ones where there would be more than 200.
  void line(glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour);
  bool empty() const { return lines_.points.empty(); }
  std::shared_ptr<const DrawItem> item() &&;

 private:
  Lines lines_;
};

}  // namespace isolume
