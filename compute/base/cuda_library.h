// Kernels that come as bytes at run time: the thin table that loading them goes through, so that a test can make it
// fail.
#pragma once

namespace isolume {

/// Every function returns CUDA's error code, 0 for success. A null function means that CUDA is not there.
struct CudaLibraryApi {
  /// From an image of machine code (cubin) in memory, for all devices.
  int (*load)(void** library, const void* image) = nullptr;
  /// A kernel by its name, as CudaApi::launch takes it.
  int (*kernel)(const void** kernel, void* library, const char* name) = nullptr;
  int (*unload)(void* library) = nullptr;
};

/// The table in use: CUDA's, an empty one in a build without CUDA, or a test's.
const CudaLibraryApi& cuda_library_api();

/// Puts a test's table in place; nullptr restores the program's own.
void set_cuda_library_api_for_test(const CudaLibraryApi* api);

}  // namespace isolume
