// An OpenGL framebuffer over textures.
#include "render/gl/framebuffer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <vector>

#include "molecule/base/error.h"

namespace isolume::gl {

Framebuffer::Framebuffer(std::initializer_list<const Texture*> colours, const Texture* depth) {
  glCreateFramebuffers(1, &name_);
  std::vector<GLenum> outputs;
  for (const Texture* colour : colours) {
    const GLenum attachment = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(outputs.size());
    glNamedFramebufferTexture(name_, attachment, colour->name(), 0);
    outputs.push_back(attachment);
  }
  if (depth) glNamedFramebufferTexture(name_, GL_DEPTH_ATTACHMENT, depth->name(), 0);
  if (outputs.empty())
    glNamedFramebufferDrawBuffer(name_, GL_NONE);
  else
    glNamedFramebufferDrawBuffers(name_, static_cast<GLsizei>(outputs.size()), outputs.data());
  if (const GLenum status = glCheckNamedFramebufferStatus(name_, GL_FRAMEBUFFER); status != GL_FRAMEBUFFER_COMPLETE) {
    release();
    throw Error(
        fmt::format("the graphics driver cannot draw into a framebuffer it should support (status {:#x})", status));
  }
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name_);
}

void Framebuffer::release() {
  if (name_) glDeleteFramebuffers(1, &name_);
  name_ = 0;
}

}  // namespace isolume::gl
