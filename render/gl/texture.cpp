// A two-dimensional OpenGL texture that owns its name.
#include "render/gl/texture.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "molecule/base/error.h"

namespace isolume::gl {

Texture::Texture(unsigned format, int width, int height, bool linear, int levels) {
  while (glGetError() != GL_NO_ERROR) {
  }
  glCreateTextures(GL_TEXTURE_2D, 1, &name_);
  glTextureStorage2D(name_, levels, format, width, height);
  if (const unsigned error = glGetError(); error != GL_NO_ERROR) {
    release();
    throw Error(fmt::format("the graphics device made no picture of {} x {} pixels (OpenGL error {:#x})", width, height,
                            error));
  }
  glTextureParameteri(name_, GL_TEXTURE_MIN_FILTER,
                      levels > 1 ? GL_NEAREST_MIPMAP_NEAREST
                      : linear   ? GL_LINEAR
                                 : GL_NEAREST);
  glTextureParameteri(name_, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
  glTextureParameteri(name_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void Texture::bind(unsigned unit) const {
  glBindTextureUnit(unit, name_);
}

void Texture::release() {
  if (name_) glDeleteTextures(1, &name_);
  name_ = 0;
}

}  // namespace isolume::gl
