// The farthest depth of what is drawn, in blocks of 2, 4, 8 ... pixels.
#pragma once

#include <glm/glm.hpp>

#include "render/gl/program.h"
#include "render/gl/texture.h"

namespace isolume {

/// Hierarchical Z (Greene, Kass and Miller 1993): what is farther than a block's depth is hidden where it covers that
/// block alone.
class DepthPyramid {
 public:
  /// Of the lower left `size` pixels of `depth`, as all commands before have left it.
  void build(gl::ProgramCache& programs, const gl::Texture& depth, glm::ivec2 size);
  /// Its level l has blocks of 2^(l + 1) pixels.
  const gl::Texture& texture() const { return texture_; }

 private:
  gl::Texture texture_;
  glm::ivec2 room_{0};  // of its first level
};

}  // namespace isolume
