// An OpenGL buffer that owns its name.
#include "render/gl/buffer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "molecule/base/error.h"

namespace isolume::gl {

void Buffer::upload(const void* data, std::size_t bytes) {
  if (!name_) glCreateBuffers(1, &name_);
  while (glGetError() != GL_NO_ERROR) {
  }
  // A buffer of no bytes cannot be bound as storage on every driver.
  glNamedBufferData(name_, static_cast<GLsizeiptr>(bytes ? bytes : 16), bytes ? data : nullptr, GL_STATIC_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw Error(fmt::format("the graphics device has no room for {} MB of geometry", bytes / 1000000));
  bytes_ = bytes;
}

void Buffer::reserve(std::size_t bytes) {
  upload(nullptr, bytes);
  const unsigned zero = 0;
  glClearNamedBufferData(name_, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

void Buffer::bind_storage(unsigned binding, std::size_t first, std::size_t bytes) const {
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, name_, static_cast<GLintptr>(first),
                    static_cast<GLsizeiptr>(bytes));
}

void Buffer::release() {
  if (name_) glDeleteBuffers(1, &name_);
  name_ = 0;
}

void VertexArray::create() {
  if (!name_) glCreateVertexArrays(1, &name_);
}

void VertexArray::floats(unsigned attribute, unsigned buffer, int count, std::size_t offset, int stride,
                         bool per_instance) {
  create();
  glVertexArrayVertexBuffer(name_, attribute, buffer, static_cast<GLintptr>(offset), stride);
  glVertexArrayAttribFormat(name_, attribute, count, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(name_, attribute, attribute);
  glVertexArrayBindingDivisor(name_, attribute, per_instance ? 1 : 0);
  glEnableVertexArrayAttrib(name_, attribute);
}

void VertexArray::colours(unsigned attribute, unsigned buffer, std::size_t offset, int stride, bool per_instance) {
  create();
  glVertexArrayVertexBuffer(name_, attribute, buffer, static_cast<GLintptr>(offset), stride);
  glVertexArrayAttribFormat(name_, attribute, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0);
  glVertexArrayAttribBinding(name_, attribute, attribute);
  glVertexArrayBindingDivisor(name_, attribute, per_instance ? 1 : 0);
  glEnableVertexArrayAttrib(name_, attribute);
}

void VertexArray::indices(unsigned buffer) {
  create();
  glVertexArrayElementBuffer(name_, buffer);
}

void VertexArray::bind() {
  create();
  glBindVertexArray(name_);
}

void VertexArray::release() {
  if (name_) glDeleteVertexArrays(1, &name_);
  name_ = 0;
}

}  // namespace isolume::gl
