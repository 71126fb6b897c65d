// The thin table that every CUDA call goes through, so that a test can make any of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compute/base/device.h"

namespace isolume {

/// Queries of a CUDA device before it is used.
struct CudaProperties {
  std::string name;
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  std::size_t memory_total = 0;
  bool has_code = false;  ///< this program has kernels that run on it
};

/// Sizes of a launch.
struct CudaDim {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

/// CUDA as Isolume uses it, without CUDA's types: streams and events are opaque, every function returns CUDA's error
/// code, 0 for success. A null function means that CUDA is not there.
struct CudaApi {
  enum Direction { host_to_device = 1, device_to_host = 2, device_to_device = 3 };

  int (*device_count)(int* count) = nullptr;
  int (*properties)(int device, CudaProperties* out) = nullptr;
  int (*versions)(int* driver, int* runtime) = nullptr;  ///< 13020 for 13.2
  int (*memory_info)(std::size_t* free, std::size_t* total) = nullptr;
  int (*get_device)(int* device) = nullptr;
  int (*set_device)(int device) = nullptr;
  int (*allocate)(void** memory, std::size_t bytes, void* stream) = nullptr;
  int (*release)(void* memory, void* stream) = nullptr;
  int (*trim)(int device) = nullptr;  ///< gives cached memory back to the driver
  /// Host memory that stays where it is: copies from it run at full speed, and kernels read and write it in place.
  int (*allocate_host)(void** memory, std::size_t bytes) = nullptr;
  int (*release_host)(void* memory) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, Direction direction, void* stream) = nullptr;
  int (*set_bytes)(void* to, int value, std::size_t bytes, void* stream) = nullptr;
  int (*stream_create)(void** stream) = nullptr;
  int (*stream_destroy)(void* stream) = nullptr;
  int (*stream_synchronize)(void* stream) = nullptr;
  int (*event_create)(void** event) = nullptr;
  int (*event_destroy)(void* event) = nullptr;
  int (*event_record)(void* event, void* stream) = nullptr;
  int (*event_seconds)(double* seconds, void* begin, void* end) = nullptr;  ///< waits for `end`
  int (*launch)(const void* kernel, CudaDim grid, CudaDim block, void** arguments, std::size_t shared_bytes,
                void* stream) = nullptr;
  /// out[i] = in[0] + ... + in[i-1]. With temporary == nullptr only *temporary_bytes is set. CUB's.
  int (*exclusive_sum)(void* temporary, std::size_t* temporary_bytes, const std::uint32_t* in, std::uint32_t* out,
                       std::size_t count, void* stream) = nullptr;
  /// Stable sort of (key, value) by the lowest `bits` bits of the key; same protocol. CUB's.
  int (*sort_pairs)(void* temporary, std::size_t* temporary_bytes, const std::uint32_t* keys_in,
                    std::uint32_t* keys_out, const std::uint32_t* values_in, std::uint32_t* values_out,
                    std::size_t count, int bits, void* stream) = nullptr;
  const char* (*error_text)(int code) = nullptr;
  int out_of_memory = 2;  ///< the code that means so
};

/// The table in use: CUDA's, an empty one in a build without CUDA, or a test's.
const CudaApi& cuda_api();

/// Puts a test's table in place; nullptr restores the program's own. Not while anything computes.
void set_cuda_api_for_test(const CudaApi* api);

/// The program's own table (from cuda_runtime.cu, or the empty one of cuda_absent.cpp).
const CudaApi& built_in_cuda_api();

/// Throws Error, "<what>: <CUDA's words>", for a code other than 0.
void cuda_check(int code, const char* what);

/// Makes a CUDA device current for the calling thread as long as it lives; does nothing for the CPU.
class DeviceScope {
 public:
  explicit DeviceScope(Device device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = -1;
};

}  // namespace isolume
