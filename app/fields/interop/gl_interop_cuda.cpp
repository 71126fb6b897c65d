// CUDA's own calls on OpenGL's buffers; the only file that names them.
#include <epoxy/gl.h>
// cuda_gl_interop.h wants OpenGL's types first.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <atomic>

#include "app/fields/interop/gl_interop.h"

namespace isolume {
namespace {

std::atomic<const GlInterop*> test_table{nullptr};

cudaGraphicsResource_t* resources_of(void** resources) {
  return reinterpret_cast<cudaGraphicsResource_t*>(resources);
}

int devices(unsigned* count, int* list, unsigned most) {
  const cudaError_t code = cudaGLGetDevices(count, list, most, cudaGLDeviceListAll);
  if (code != cudaSuccess) (void)cudaGetLastError();  // an answer, which the next launch must not see
  return code;
}

int add(void** resource, unsigned buffer) {
  return cudaGraphicsGLRegisterBuffer(resources_of(resource), buffer, cudaGraphicsRegisterFlagsWriteDiscard);
}

int remove(void* resource) {
  return cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(resource));
}

int map(int count, void** resources, void* stream) {
  return cudaGraphicsMapResources(count, resources_of(resources), static_cast<cudaStream_t>(stream));
}

int unmap(int count, void** resources, void* stream) {
  return cudaGraphicsUnmapResources(count, resources_of(resources), static_cast<cudaStream_t>(stream));
}

int memory(void** data, std::size_t* bytes, void* resource) {
  return cudaGraphicsResourceGetMappedPointer(data, bytes, static_cast<cudaGraphicsResource_t>(resource));
}

}  // namespace

const GlInterop& built_in_gl_interop() {
  static const GlInterop table{devices, add, remove, map, unmap, memory};
  return table;
}

const GlInterop& gl_interop() {
  const GlInterop* table = test_table.load(std::memory_order_acquire);
  return table ? *table : built_in_gl_interop();
}

void set_gl_interop_for_test(const GlInterop* table) {
  test_table.store(table, std::memory_order_release);
}

}  // namespace isolume
