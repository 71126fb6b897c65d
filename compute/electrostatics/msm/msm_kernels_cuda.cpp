// The kernels of multilevel summation's lattices on CUDA, of which the process keeps the last few.
#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include "compute/electrostatics/msm/msm_cuda.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"

namespace isolume {

namespace {

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

using SharedKernel = std::shared_ptr<const MsmDeviceKernel>;

SharedKernel make_kernel(const MsmPlan& plan, const MsmLevel& level, CudaFft& fft, Stream& stream, Job& job) {
  const MsmStencil stencil = msm_stencil(plan, level, job);
  auto kernel = std::make_shared<MsmDeviceKernel>();
  kernel->first = stencil.first;
  kernel->last = stencil.last;
  if (!level.fft) {
    kernel->values = DeviceArray<float>::from_host(stencil.values, stream.device(), "MSM: kernel");
    return kernel;
  }
  const std::size_t spectrum_size = fft_spectrum_size(level.padded);
  kernel->values = DeviceArray<float>(spectrum_size, stream.device(), "MSM: kernel");
  DeviceArray<float> values(product(level.padded), stream, "MSM: kernel");
  cuda_check(cuda_api().set_bytes(values.data(), 0, values.size() * sizeof(float), stream.handle()), "MSM: kernel");
  MsmView view{values.data(), {}, {}};
  for (int i = 0; i < 3; ++i) view.counts[i] = view.padded[i] = level.padded[i];
  msm_scatter_cuda(stencil, view, stream);
  DeviceArray<std::complex<float>> spectrum(spectrum_size, stream, "MSM: kernel");
  fft.forward(level.padded, values.data(), spectrum.data());
  msm_kernel_spectrum_cuda(plan, level, spectrum.data(), kernel->values.data(), stream);
  // Others may use it from their own streams.
  stream.synchronize("MSM: kernel");
  return kernel;
}

}  // namespace

SharedKernel msm_kernel_cuda(const MsmPlan& plan, const MsmLevel& level, CudaFft& fft, Stream& stream, Job& job) {
  struct Kept {
    MsmKernelKey key;
    int device;
    SharedKernel kernel;
  };
  static std::mutex mutex;
  static std::list<Kept> kept;
  constexpr std::size_t most_bytes = std::size_t{1} << 29;
  const MsmKernelKey key = msm_kernel_key(plan, level);
  const int device = stream.device().index;
  {
    const std::lock_guard lock(mutex);
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if (it->device != device || !(it->key == key)) continue;
      kept.splice(kept.begin(), kept, it);
      return kept.front().kernel;
    }
  }
  SharedKernel made = make_kernel(plan, level, fft, stream, job);
  const std::lock_guard lock(mutex);
  kept.push_front({key, device, made});
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (auto it = kept.begin(); it != kept.end();) {
    bytes += it->kernel->values.size() * sizeof(float);
    if (++count > 1 && (count > 24 || bytes > most_bytes)) {
      it = kept.erase(it);
    } else {
      ++it;
    }
  }
  return made;
}

}  // namespace isolume
