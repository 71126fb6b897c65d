// A field's values less those of another one, on CUDA.
#include "compute/base/launch.cuh"
#include "compute/over_time/difference.h"

namespace isolume {
namespace {

__global__ void take_off_kernel(float* __restrict__ values, const float* __restrict__ others, double factor,
                                std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = static_cast<float>(static_cast<double>(values[i]) - factor * static_cast<double>(others[i]));
}

}  // namespace

void take_off_cuda(Span<float> values, Span<const float> others, double factor) {
  const char* what = "difference of fields";
  Stream stream(values.device);
  launch(what, stream, take_off_kernel, blocks_for(values.size), {256, 1, 1}, values.data, others.data, factor,
         std::uint64_t{values.size});
  stream.synchronize(what);
}

}  // namespace isolume
