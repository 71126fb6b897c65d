// MeshConvolution: a real periodic mesh whose waves are each multiplied by a real number, on the CPU.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <functional>
#include <glm/glm.hpp>

#include "compute/base/job.h"
#include "compute/base/large_vector.h"
#include "compute/fft/fft_plan.h"

namespace isolume {

/// Forth and back in one go: 16 lines at a time in the lanes of vectors, along z both ways and the product in between
/// while a line is in the first cache. Two lanes of complex numbers as long as the half spectrum are its memory.
class MeshConvolution {
 public:
  /// Even n.x of 16 and more, and factors 2, 3, 5 and 7 alone.
  static bool supports(glm::ivec3 n);
  explicit MeshConvolution(glm::ivec3 n);

  /// Sets what wave (i, j, k), i = 0 ... n.x/2, is multiplied by.
  void set(const std::function<double(int i, int j, int k)>& factor, Job& job);

  /// Lines of waves (i, j0 ... j0 + count - 1, k = 0 ... n.z - 1) before the product: of wave (i, j0 + lane, k) the
  /// real part is spectrum[32 k + lane], the imaginary one spectrum[32 k + 16 + lane], both twice as large as the
  /// transform sum_x value exp(-2 pi i ...), and factors[16 k + lane] half the number set for it.
  struct Lines {
    int i, j0, count;
    const float* spectrum;
    const float* factors;
  };
  using Look = std::function<void(const Lines&)>;

  /// Replaces the mesh (x fastest, rows `stride` apart, a multiple of 16 and at least n.x + 8, the first at an address
  /// that is a multiple of 64) by the sum over its waves times their factors, without a normalisation. Before, the
  /// first 8 numbers behind a row are added to its beginning; afterwards, they are those from its beginning on. `look`,
  /// if any, is called by several threads.
  void run(float* values, int stride, const Look& look, Job& job);

  std::size_t bytes() const { return (planes_.size() + spectrum_.size() + factors_.size()) * sizeof(float); }

  /// What the passes read; lanes of planes are z, those of the spectrum y.
  struct View {
    glm::ivec3 n;
    int half;                   ///< n.x / 2
    std::size_t slabs, blocks;  ///< of 16 along z and y
    float* planes;              ///< by slab, y, i: real and imaginary parts
    float* spectrum;            ///< by i, block of y, z
    const float* factors;       ///< the same order
    const FftPlan *along_x, *along_y, *along_z;
    const float* turns;  ///< exp(-2 pi i k / n.x), k = 0 ... half / 2

    float* plane(std::size_t slab, std::size_t y) const {
      return planes + (slab * static_cast<std::size_t>(n.y) + y) * static_cast<std::size_t>(half + 1) * 2 * fft_lanes;
    }
    std::size_t line(std::size_t i, std::size_t block) const {
      return (i * blocks + block) * static_cast<std::size_t>(n.z);
    }
  };

 private:
  glm::ivec3 n_;
  FftPlan along_x_, along_y_, along_z_;
  LargeVector<float> planes_, spectrum_, factors_, turns_;
  View view_;
  oneapi::tbb::enumerable_thread_specific<LargeVector<float>> rooms_;
};

}  // namespace isolume
