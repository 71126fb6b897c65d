// A two-dimensional OpenGL texture that owns its name.
#pragma once

#include <utility>

namespace isolume::gl {

/// Move-only; no repetition. `format` is a sized internal format (GL_RGBA8, ...).
class Texture {
 public:
  Texture() = default;
  /// Throws Error where the memory cannot be had.
  Texture(unsigned format, int width, int height, bool linear = false, int levels = 1);
  ~Texture() { release(); }
  Texture(Texture&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Texture& operator=(Texture&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  unsigned name() const { return name_; }
  /// Makes it the texture of a unit (layout(binding = unit) in the shader).
  void bind(unsigned unit) const;

 private:
  void release();
  unsigned name_ = 0;
};

}  // namespace isolume::gl
