// An OpenGL framebuffer over textures.
#pragma once

#include <initializer_list>
#include <utility>

#include "render/gl/texture.h"

namespace isolume::gl {

/// Move-only; the textures stay with their owner.
class Framebuffer {
 public:
  Framebuffer() = default;
  /// Colour attachments in order, and a depth texture or null. Throws Error where the driver cannot draw into them.
  Framebuffer(std::initializer_list<const Texture*> colours, const Texture* depth);
  ~Framebuffer() { release(); }
  Framebuffer(Framebuffer&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Framebuffer& operator=(Framebuffer&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  unsigned name() const { return name_; }
  void bind() const;

 private:
  void release();
  unsigned name_ = 0;
};

}  // namespace isolume::gl
