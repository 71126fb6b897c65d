// The farthest depth of what is drawn, in blocks of pixels.
#include "render/draw/depth_pyramid.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>

namespace isolume {

void DepthPyramid::build(gl::ProgramCache& programs, const gl::Texture& depth, glm::ivec2 size) {
  const auto power = [](int length) {
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(length, 2)))) / 2;
  };
  const glm::ivec2 needed(power(size.x), power(size.y));
  if (needed.x > room_.x || needed.y > room_.y) {
    room_ = glm::max(room_, needed);
    const int levels = std::bit_width(static_cast<unsigned>(std::max(room_.x, room_.y)));
    texture_ = gl::Texture(GL_R32F, room_.x, room_.y, false, levels);
  }
  gl::Program& shader = programs.get_compute("halve_depth.comp");
  shader.use();
  glTextureBarrier();  // what is drawn into is read
  glm::ivec2 finer = size;
  for (int level = 0; finer.x > 1 || finer.y > 1; ++level) {
    const glm::ivec2 coarser = (finer + 1) / 2;
    (level == 0 ? depth : texture_).bind(0);
    shader.set("level", std::max(level - 1, 0));
    shader.set("finer_size", glm::vec2(finer));
    shader.set("coarser_size", glm::vec2(coarser));
    glBindImageTexture(0, texture_.name(), level, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    glDispatchCompute(static_cast<unsigned>(coarser.x + 7) / 8, static_cast<unsigned>(coarser.y + 7) / 8, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    finer = coarser;
  }
}

}  // namespace isolume
