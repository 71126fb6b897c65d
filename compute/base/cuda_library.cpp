// Kernels that come as bytes at run time, by the functions of CUDA's runtime where the program has them.
#include "compute/base/cuda_library.h"

#ifdef ISOLUME_CUDA_LIBRARY
#include <cuda_runtime_api.h>
#endif

namespace isolume {

namespace {

const CudaLibraryApi* replaced = nullptr;

CudaLibraryApi make_api() {
  CudaLibraryApi api;
#ifdef ISOLUME_CUDA_LIBRARY
  api.load = [](void** library, const void* image) -> int {
    return cudaLibraryLoadData(reinterpret_cast<cudaLibrary_t*>(library), image, nullptr, nullptr, 0, nullptr, nullptr,
                               0);
  };
  api.kernel = [](const void** kernel, void* library, const char* name) -> int {
    cudaKernel_t found = nullptr;
    const cudaError_t error = cudaLibraryGetKernel(&found, static_cast<cudaLibrary_t>(library), name);
    *kernel = found;
    return error;
  };
  api.unload = [](void* library) -> int { return cudaLibraryUnload(static_cast<cudaLibrary_t>(library)); };
#endif
  return api;
}

}  // namespace

const CudaLibraryApi& cuda_library_api() {
  static const CudaLibraryApi own = make_api();
  return replaced ? *replaced : own;
}

void set_cuda_library_api_for_test(const CudaLibraryApi* api) {
  replaced = api;
}

}  // namespace isolume
