// The few states of OpenGL that the passes of a picture change.
#pragma once

#include <epoxy/gl.h>

#include "render/gl/framebuffer.h"

namespace isolume {

constexpr int shadow_size = 2048;  // pixels of the light's picture

inline void depth_state(bool test, bool write) {
  if (test)
    glEnable(GL_DEPTH_TEST);
  else
    glDisable(GL_DEPTH_TEST);
  glDepthMask(write ? GL_TRUE : GL_FALSE);
  glDepthFunc(GL_LESS);
}

inline void clear_colour(const gl::Framebuffer& target, int attachment, float value) {
  const float values[4] = {value, value, value, value};
  glClearNamedFramebufferfv(target.name(), GL_COLOR, attachment, values);
}

inline void clear_ids(const gl::Framebuffer& target, int attachment) {
  const unsigned zeros[4] = {};
  glClearNamedFramebufferuiv(target.name(), GL_COLOR, attachment, zeros);
}

inline void clear_depth(const gl::Framebuffer& target, float value) {
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(target.name(), GL_DEPTH, 0, &value);
}

}  // namespace isolume
