// A real fault of a CUDA device, for test programs alone.
#include <cuda_runtime.h>

#include "tests/support/null_read.h"

namespace isolume::test {
namespace {

__global__ void read_kernel(const volatile int* from, int* to) {
  const int value = *from;
  if (value == 12345 && to != nullptr) *to = value;  // so that the read is not left out
}

}  // namespace

int read_address_zero(int device) {
  int before = 0;
  if (const cudaError_t code = cudaGetDevice(&before)) return code;
  if (const cudaError_t code = cudaSetDevice(device)) return code;
  read_kernel<<<1, 1>>>(nullptr, nullptr);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t done = cudaDeviceSynchronize();
  cudaSetDevice(before);
  return launched != cudaSuccess ? launched : done;
}

}  // namespace isolume::test
