// An OpenGL buffer that owns its name.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace isolume::gl {

/// Move-only. Made by the first upload; needs a context of one share group current wherever it is used or destroyed.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept : name_(std::exchange(other.name_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  /// Replaces the content. Throws Error where the memory cannot be had.
  void upload(const void* data, std::size_t bytes);
  template <class T>
  void upload(const std::vector<T>& values) {
    upload(values.data(), values.size() * sizeof(T));
  }
  /// Room for so many bytes, all 0.
  void reserve(std::size_t bytes);
  /// Makes `bytes` of it from `first` on the storage of a binding of the shaders.
  void bind_storage(unsigned binding, std::size_t first, std::size_t bytes) const;
  void bind_storage(unsigned binding) const { bind_storage(binding, 0, bytes_); }
  unsigned name() const { return name_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void release();
  unsigned name_ = 0;
  std::size_t bytes_ = 0;
};

/// The arrays that a draw reads, by attribute.
class VertexArray {
 public:
  VertexArray() = default;
  ~VertexArray() { release(); }
  VertexArray(VertexArray&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  VertexArray& operator=(VertexArray&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }

  /// `count` floats per element from `buffer`; an element is a vertex, or an instance where `per_instance`.
  void floats(unsigned attribute, unsigned buffer, int count, std::size_t offset, int stride,
              bool per_instance = false);
  /// Four bytes per element, seen as 0..1.
  void colours(unsigned attribute, unsigned buffer, std::size_t offset, int stride, bool per_instance = false);
  void indices(unsigned buffer);
  void bind();

 private:
  void create();
  void release();
  unsigned name_ = 0;
};

}  // namespace isolume::gl
