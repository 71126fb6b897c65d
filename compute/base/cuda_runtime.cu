// CUDA's own functions behind the thin table; the only file that calls the runtime by name.
#include <cuda_runtime.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "compute/base/cuda_api.h"

static_assert(CUB_VERSION >= 300000, "CUB of CUDA 13 is needed; an older one comes first in the include path");

namespace isolume {

namespace {

__global__ void probe_kernel() {}

cudaStream_t stream_of(void* stream) {
  return static_cast<cudaStream_t>(stream);
}

int device_count(int* count) {
  *count = 0;
  return cudaGetDeviceCount(count);
}

int properties(int device, CudaProperties* out) {
  cudaDeviceProp p{};
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device)) return error;
  out->name = p.name;
  out->major = p.major;
  out->minor = p.minor;
  out->multiprocessors = p.multiProcessorCount;
  out->memory_total = p.totalGlobalMem;
  int before = 0;
  if (const cudaError_t error = cudaGetDevice(&before)) return error;
  if (const cudaError_t error = cudaSetDevice(device)) return error;
  cudaFuncAttributes attributes{};
  out->has_code = cudaFuncGetAttributes(&attributes, probe_kernel) == cudaSuccess;
  (void)cudaGetLastError();
  return cudaSetDevice(before);
}

int versions(int* driver, int* runtime) {
  if (const cudaError_t error = cudaDriverGetVersion(driver)) return error;
  return cudaRuntimeGetVersion(runtime);
}

/// True where the device has memory pools; they are then told to keep what is freed for the next allocation.
bool has_pools(int device) {
  static std::mutex mutex;
  static signed char known[64] = {};  // 0 not asked, 1 yes, -1 no
  if (device < 0 || device >= 64) return false;
  const std::lock_guard lock(mutex);
  if (known[device] == 0) {
    int supported = 0;
    if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device) != cudaSuccess) supported = 0;
    cudaMemPool_t pool = nullptr;
    if (supported && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) {
      unsigned long long keep = ~0ull;
      supported = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess;
    } else {
      supported = 0;
    }
    (void)cudaGetLastError();
    known[device] = supported ? 1 : -1;
  }
  return known[device] > 0;
}

int allocate(void** memory, std::size_t bytes, void* stream) {
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  const cudaError_t error =
      has_pools(device) ? cudaMallocAsync(memory, bytes, stream_of(stream)) : cudaMalloc(memory, bytes);
  if (error == cudaErrorMemoryAllocation) (void)cudaGetLastError();  // not sticky: the next launch must not see it
  return error;
}

int release(void* memory, void* stream) {
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  return has_pools(device) ? cudaFreeAsync(memory, stream_of(stream)) : cudaFree(memory);
}

int trim(int device) {
  if (!has_pools(device)) return cudaSuccess;
  cudaMemPool_t pool = nullptr;
  if (const cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, device)) return error;
  return cudaMemPoolTrimTo(pool, 0);
}

int copy(void* to, const void* from, std::size_t bytes, CudaApi::Direction direction, void* stream) {
  return cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(direction), stream_of(stream));
}

int set_bytes(void* to, int value, std::size_t bytes, void* stream) {
  return cudaMemsetAsync(to, value, bytes, stream_of(stream));
}

/// Streams that nobody uses, by device: making one takes as long as a small computation.
struct IdleStreams {
  std::mutex mutex;
  std::vector<cudaStream_t> of[64];
  std::map<void*, int> device;  ///< of every stream that was made here
};

IdleStreams& idle_streams() {
  static auto* streams = new IdleStreams;  // outlives the driver's own end
  return *streams;
}

int stream_create(void** stream) {
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  IdleStreams& idle = idle_streams();
  if (device >= 0 && device < 64) {
    const std::lock_guard lock(idle.mutex);
    if (!idle.of[device].empty()) {
      *stream = idle.of[device].back();
      idle.of[device].pop_back();
      return cudaSuccess;
    }
  }
  cudaStream_t made = nullptr;
  if (const cudaError_t error = cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)) return error;
  *stream = made;
  const std::lock_guard lock(idle.mutex);
  idle.device[made] = device;
  return cudaSuccess;
}

/// Keeps a stream for the next one who wants it; all work in it is done.
int stream_destroy(void* stream) {
  IdleStreams& idle = idle_streams();
  const std::lock_guard lock(idle.mutex);
  const auto found = idle.device.find(stream);
  if (found == idle.device.end()) return cudaErrorInvalidValue;
  if (found->second >= 0 && found->second < 64 && idle.of[found->second].size() < 16) {
    idle.of[found->second].push_back(stream_of(stream));
    return cudaSuccess;
  }
  idle.device.erase(found);
  return cudaStreamDestroy(stream_of(stream));
}

int stream_synchronize(void* stream) {
  return cudaStreamSynchronize(stream_of(stream));
}

int event_create(void** event) {
  return cudaEventCreate(reinterpret_cast<cudaEvent_t*>(event));
}

int event_destroy(void* event) {
  return cudaEventDestroy(static_cast<cudaEvent_t>(event));
}

int event_record(void* event, void* stream) {
  return cudaEventRecord(static_cast<cudaEvent_t>(event), stream_of(stream));
}

int event_seconds(double* seconds, void* begin, void* end) {
  float milliseconds = 0;
  if (const cudaError_t error = cudaEventSynchronize(static_cast<cudaEvent_t>(end))) return error;
  const cudaError_t error =
      cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(begin), static_cast<cudaEvent_t>(end));
  *seconds = static_cast<double>(milliseconds) * 1e-3;
  return error;
}

int launch(const void* kernel, CudaDim grid, CudaDim block, void** arguments, std::size_t shared_bytes, void* stream) {
  if (shared_bytes > 0) {
    // More than 48 KiB have to be asked for, and so has the room for several such blocks in a multiprocessor.
    const std::pair<cudaFuncAttribute, int> wanted[] = {
        {cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)},
        {cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared}};
    for (const auto& [attribute, value] : wanted) {
      if (const cudaError_t refused = cudaFuncSetAttribute(kernel, attribute, value)) {
        (void)cudaGetLastError();
        return refused;
      }
    }
  }
  const cudaError_t error = cudaLaunchKernel(kernel, dim3(grid.x, grid.y, grid.z), dim3(block.x, block.y, block.z),
                                             arguments, shared_bytes, stream_of(stream));
  const cudaError_t last = cudaGetLastError();
  return error != cudaSuccess ? error : last;
}

int exclusive_sum(void* temporary, std::size_t* temporary_bytes, const std::uint32_t* in, std::uint32_t* out,
                  std::size_t count, void* stream) {
  return cub::DeviceScan::ExclusiveSum(temporary, *temporary_bytes, in, out, static_cast<std::int64_t>(count),
                                       stream_of(stream));
}

int sort_pairs(void* temporary, std::size_t* temporary_bytes, const std::uint32_t* keys_in, std::uint32_t* keys_out,
               const std::uint32_t* values_in, std::uint32_t* values_out, std::size_t count, int bits, void* stream) {
  return cub::DeviceRadixSort::SortPairs(temporary, *temporary_bytes, keys_in, keys_out, values_in, values_out,
                                         static_cast<std::int64_t>(count), 0, bits, stream_of(stream));
}

const char* error_text(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}

CudaApi make_api() {
  CudaApi api;
  api.device_count = device_count;
  api.properties = properties;
  api.versions = versions;
  api.memory_info = [](std::size_t* free, std::size_t* total) -> int { return cudaMemGetInfo(free, total); };
  api.get_device = [](int* device) -> int { return cudaGetDevice(device); };
  api.set_device = [](int device) -> int { return cudaSetDevice(device); };
  api.allocate = allocate;
  api.release = release;
  api.trim = trim;
  api.allocate_host = [](void** memory, std::size_t bytes) -> int {
    const cudaError_t error = cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
    if (error != cudaSuccess) (void)cudaGetLastError();  // not sticky: there is a way without
    return error;
  };
  api.release_host = [](void* memory) -> int { return cudaFreeHost(memory); };
  api.copy = copy;
  api.set_bytes = set_bytes;
  api.stream_create = stream_create;
  api.stream_destroy = stream_destroy;
  api.stream_synchronize = stream_synchronize;
  api.event_create = event_create;
  api.event_destroy = event_destroy;
  api.event_record = event_record;
  api.event_seconds = event_seconds;
  api.launch = launch;
  api.exclusive_sum = exclusive_sum;
  api.sort_pairs = sort_pairs;
  api.error_text = error_text;
  api.out_of_memory = cudaErrorMemoryAllocation;
  return api;
}

}  // namespace

const CudaApi& built_in_cuda_api() {
  static const CudaApi api = make_api();
  return api;
}

}  // namespace isolume
