// Real Fourier transforms on CUDA: cuFFT, opened at run time.
#include "compute/fft/fft_cuda.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <atomic>
#include <mutex>

#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/fft/fft_cpu.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

// cuFFT's interface, as far as it is used; constants from its manual (docs.nvidia.com/cuda/cufft).
using Handle = int;
enum { real_to_complex = 0x2a, complex_to_real = 0x2c };

struct Cufft {
  int (*plan_3d)(Handle*, int, int, int, int) = nullptr;
  int (*plan_many)(Handle*, int, int*, int*, int, int, int*, int, int, int, int) = nullptr;
  int (*set_stream)(Handle, void*) = nullptr;
  int (*forward)(Handle, float*, std::complex<float>*) = nullptr;
  int (*backward)(Handle, std::complex<float>*, float*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*version)(int*) = nullptr;
  bool present = false;
};

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

const Cufft& cufft() {
  static const Cufft table = [] {
    Cufft t;
    void* library = nullptr;
    for (const char* name : {"libcufft.so.12", "libcufft.so.11", "libcufft.so", "/usr/local/cuda/lib64/libcufft.so.12",
                             "/usr/local/cuda/lib64/libcufft.so"}) {
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library) break;
    }
    if (!library) return t;
    t.present = find(library, "cufftPlan3d", t.plan_3d) && find(library, "cufftPlanMany", t.plan_many) &&
                find(library, "cufftSetStream", t.set_stream) && find(library, "cufftExecR2C", t.forward) &&
                find(library, "cufftExecC2R", t.backward) && find(library, "cufftDestroy", t.destroy) &&
                find(library, "cufftGetVersion", t.version);
    return t;
  }();
  return table;
}

void check(int code, const char* what) {
  if (code != 0) throw Error(fmt::format("cuFFT: {}: error {}", what, code));
}

std::size_t fft_points(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

std::atomic<bool> hidden{false};

std::mutex& shelf_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

bool cufft_present() {
  return cufft().present && !hidden;
}

void hide_cufft_for_test(bool hide) {
  hidden = hide;
}

std::string cufft_status() {
  if (!cufft().present) return "cuFFT (libcufft.so.12) is not installed";
  int version = 0;
  cufft().version(&version);
  return fmt::format("cuFFT {}.{}.{}", version / 1000, version / 100 % 10, version % 100);
}

std::vector<CudaFft::Plan>& CudaFft::shelf() {
  static std::vector<Plan> plans;
  return plans;
}

int CudaFft::plan(glm::ivec3 n, int type, int batch) {
  for (const Plan& p : plans_) {
    if (p.n == n && p.type == type && p.batch == batch) return p.handle;
  }
  if (!cufft().present) throw Error(cufft_status());
  Plan found{n, type, batch, stream_.device().index, -1};
  {
    const std::lock_guard lock(shelf_mutex());
    auto& kept = shelf();
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if (it->n != n || it->type != type || it->batch != batch || it->device != found.device) continue;
      found = *it;
      kept.erase(it);
      break;
    }
  }
  if (found.handle < 0) {
    Handle made = -1;
    int lengths[3] = {n.z, n.y, n.x};
    check(batch == 1 ? cufft().plan_3d(&made, n.z, n.y, n.x, type)
                     : cufft().plan_many(&made, 3, lengths, nullptr, 1, 0, nullptr, 1, 0, type, batch),
          "making a plan");
    found.handle = made;
  }
  plans_.push_back(found);
  check(cufft().set_stream(found.handle, stream_.handle()), "choosing a stream");
  return found.handle;
}

CudaFft::~CudaFft() {
  if (plans_.empty()) return;
  cuda_api().stream_synchronize(stream_.handle());
  const std::lock_guard lock(shelf_mutex());
  auto& kept = shelf();
  kept.insert(kept.end(), plans_.begin(), plans_.end());
  constexpr std::size_t most = 32;
  while (kept.size() > most) {
    cufft().destroy(kept.front().handle);
    kept.erase(kept.begin());
  }
}

void CudaFft::forward(glm::ivec3 n, const float* real, std::complex<float>* spectrum, int batch) {
  if (!cufft_present() && batch > 1) {
    const std::size_t points = fft_points(n), numbers = fft_spectrum_size(n);
    for (int k = 0; k < batch; ++k)
      forward(n, real + static_cast<std::size_t>(k) * points, spectrum + static_cast<std::size_t>(k) * numbers);
    return;
  }
  if (!cufft_present()) {
    const PhaseTimer timer("Fourier transform on the host");
    const Device device = stream_.device();
    std::vector<float> values(static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) *
                              static_cast<std::size_t>(n.z));
    std::vector<std::complex<float>> result(fft_spectrum_size(n));
    copy_memory(values.data(), Device::cpu(), real, device, values.size() * sizeof(float), stream_.handle());
    fft_forward(n, values.data(), result.data());
    copy_memory(spectrum, device, result.data(), Device::cpu(), result.size() * sizeof result[0], stream_.handle());
    return;
  }
  const int handle = plan(n, real_to_complex, batch);
  const LaunchTimer timer("Fourier transform", stream_.device().index, stream_.handle());
  // Out of place; the input is kept.
  check(cufft().forward(handle, const_cast<float*>(real), spectrum), "forward transform");
}

void CudaFft::backward(glm::ivec3 n, std::complex<float>* spectrum, float* real, int batch) {
  if (!cufft_present() && batch > 1) {
    const std::size_t points = fft_points(n), numbers = fft_spectrum_size(n);
    for (int k = 0; k < batch; ++k)
      backward(n, spectrum + static_cast<std::size_t>(k) * numbers, real + static_cast<std::size_t>(k) * points);
    return;
  }
  if (!cufft_present()) {
    const PhaseTimer timer("Fourier transform on the host");
    const Device device = stream_.device();
    std::vector<std::complex<float>> values(fft_spectrum_size(n));
    std::vector<float> result(static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) *
                              static_cast<std::size_t>(n.z));
    copy_memory(values.data(), Device::cpu(), spectrum, device, values.size() * sizeof values[0], stream_.handle());
    fft_backward(n, values.data(), result.data());
    copy_memory(real, device, result.data(), Device::cpu(), result.size() * sizeof(float), stream_.handle());
    return;
  }
  const int handle = plan(n, complex_to_real, batch);
  const LaunchTimer timer("Fourier transform back", stream_.device().index, stream_.handle());
  check(cufft().backward(handle, spectrum, real), "backward transform");
}

}  // namespace isolume
