// CUDA's calls on OpenGL's buffers that fail on purpose.
#include "tests/support/faulty_interop.h"

#include "app/fields/interop/gl_interop.h"
#include "tests/support/faulty_cuda.h"

namespace isolume::test {

void count_interop_calls() {
  static GlInterop table = built_in_gl_interop();
  table.devices = [](unsigned* count, int* devices, unsigned most) {
    constexpr int no_device = 100;
    return faulty_cuda_is_fake() ? no_device : built_in_gl_interop().devices(count, devices, most);
  };
  table.add = [](void** resource, unsigned buffer) {
    if (const int code = faulty_cuda_call("interop_add")) return code;
    return built_in_gl_interop().add(resource, buffer);
  };
  table.map = [](int count, void** resources, void* stream) {
    if (const int code = faulty_cuda_call("interop_map")) return code;
    return built_in_gl_interop().map(count, resources, stream);
  };
  table.unmap = [](int count, void** resources, void* stream) {
    // OpenGL has its buffers back in any case.
    const int done = built_in_gl_interop().unmap(count, resources, stream);
    const int code = faulty_cuda_call("interop_unmap");
    return code ? code : done;
  };
  table.memory = [](void** memory, std::size_t* bytes, void* resource) {
    if (const int code = faulty_cuda_call("interop_memory")) return code;
    return built_in_gl_interop().memory(memory, bytes, resource);
  };
  set_gl_interop_for_test(&table);
}

}  // namespace isolume::test
