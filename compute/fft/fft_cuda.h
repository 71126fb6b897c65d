// Real Fourier transforms in three dimensions on CUDA, by cuFFT where it is installed.
#pragma once

#include <complex>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "compute/base/stream.h"

namespace isolume {

/// cuFFT is opened when first asked for, so that the program starts without it. False where it is not found.
bool cufft_present();
/// For tests: as if it were not found.
void hide_cufft_for_test(bool hidden);
/// One sentence: "cuFFT 12.0.0" or what was looked for.
std::string cufft_status();

/// Transforms in one stream, as fft_forward() and fft_backward() on the CPU: arrays on the stream's device, `real` with
/// rows of n.x numbers, `spectrum` with n.x/2 + 1; the backward transform overwrites its input. Plans (and their
/// workspaces) are kept by the process and used again; the destructor waits for the stream before it gives them back.
/// Without cuFFT the transforms are done on the host, with the copies there and back. Throws Error.
class CudaFft {
 public:
  explicit CudaFft(Stream& stream) : stream_(stream) {}
  ~CudaFft();
  CudaFft(const CudaFft&) = delete;
  CudaFft& operator=(const CudaFft&) = delete;
  /// `batch`: so many arrays, one behind the other.
  void forward(glm::ivec3 n, const float* real, std::complex<float>* spectrum, int batch = 1);
  void backward(glm::ivec3 n, std::complex<float>* spectrum, float* real, int batch = 1);

 private:
  struct Plan {
    glm::ivec3 n;
    int type;
    int batch;
    int device;
    int handle;
  };
  int plan(glm::ivec3 n, int type, int batch);
  static std::vector<Plan>& shelf();
  Stream& stream_;
  std::vector<Plan> plans_;
};

}  // namespace isolume
