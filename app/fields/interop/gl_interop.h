// The thin table of CUDA's calls on OpenGL's buffers, so that a test can make any of them fail.
#pragma once

#include <cstddef>

namespace isolume {

/// CUDA on OpenGL's buffers without its types: resources are opaque, every function returns CUDA's error code.
struct GlInterop {
  /// The CUDA devices that drive the current OpenGL context.
  int (*devices)(unsigned* count, int* devices, unsigned most) = nullptr;
  int (*add)(void** resource, unsigned buffer) = nullptr;  ///< registers a buffer that CUDA writes whole
  int (*remove)(void* resource) = nullptr;
  int (*map)(int count, void** resources, void* stream) = nullptr;
  int (*unmap)(int count, void** resources, void* stream) = nullptr;
  int (*memory)(void** memory, std::size_t* bytes, void* resource) = nullptr;  ///< of a resource that is mapped
};

/// The table in use: CUDA's or a test's.
const GlInterop& gl_interop();
/// CUDA's own.
const GlInterop& built_in_gl_interop();
/// Puts a test's table in place; nullptr restores CUDA's. Not while anything computes.
void set_gl_interop_for_test(const GlInterop* table);

}  // namespace isolume
