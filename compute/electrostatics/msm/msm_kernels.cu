// Multilevel summation on CUDA: the transforms of the lattices' kernels.
#include <cmath>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/msm/msm_view.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

__global__ void scatter_kernel(const float* stencil, int3 first, int3 size, MsmView kernel) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= size.x * size.y * size.z) return;
  const int x = wrap(first.x + n % size.x, kernel.padded[0]);
  const int y = wrap(first.y + n / size.x % size.y, kernel.padded[1]);
  const int z = wrap(first.z + n / size.x / size.y, kernel.padded[2]);
  if (stencil[n] != 0) atomicAdd(kernel.values + at(kernel, x, y, z), stencil[n]);
}

struct FarPart {
  bool present;
  double reciprocal[3][3];  // 2 pi times the dual basis: [axis][component]
  double factor;            // 4 pi nodes / volume
  double inverse_4a2;       // 1/(4 alpha^2)
  double constant;          // nodes * constant
  double phi[4];            // B-splines at nodes
  int splines;              // how many of them; 1 for the nodal basis
};

/// sum_n Phi(n) exp(i n angle) at the angle 2 pi m / n.
__device__ double basis_transform(const FarPart& far, int m, int n) {
  double sum = far.phi[0];
  for (int i = 1; i < far.splines; ++i) sum += 2 * far.phi[i] * cospi(2.0 * i * m / n);
  return sum;
}

__global__ void kernel_spectrum_kernel(const float2* spectrum, int3 n, double norm, FarPart far, float* out) {
  const int half = n.x / 2 + 1;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<std::size_t>(half) * n.y * n.z) return;
  double value = static_cast<double>(spectrum[i].x);
  if (far.present) {
    const int x = static_cast<int>(i % half);
    int y = static_cast<int>(i / half % n.y);
    int z = static_cast<int>(i / half / n.y);
    if (y > n.y / 2) y -= n.y;
    if (z > n.z / 2) z -= n.z;
    if (x == 0 && y == 0 && z == 0) {
      value += far.constant;
    } else {
      double k2 = 0;
      for (int c = 0; c < 3; ++c) {
        const double k = x * far.reciprocal[0][c] + y * far.reciprocal[1][c] + z * far.reciprocal[2][c];
        k2 += k * k;
      }
      double filter = 1;
      if (far.splines > 1) {
        filter = basis_transform(far, x, n.x) * basis_transform(far, y, n.y) * basis_transform(far, z, n.z);
      }
      value += far.factor / k2 * exp(-k2 * far.inverse_4a2) / (filter * filter);
    }
  }
  out[i] = static_cast<float>(value * norm);
}

}  // namespace

void msm_scatter_cuda(const MsmStencil& stencil, MsmView kernel, Stream& stream) {
  const auto values = DeviceArray<float>::from_host(stencil.values, stream, "MSM: kernel");
  const glm::ivec3 size = stencil.size();
  launch("MSM: kernel", stream, scatter_kernel, blocks_for(stencil.values.size()), {256, 1, 1}, values.data(),
         make_int3(stencil.first.x, stencil.first.y, stencil.first.z), make_int3(size.x, size.y, size.z), kernel);
}

void msm_kernel_spectrum_cuda(const MsmPlan& plan, const MsmLevel& level, const std::complex<float>* spectrum,
                              float* out, Stream& stream) {
  const double nodes = static_cast<double>(level.padded.x) * level.padded.y * level.padded.z;
  FarPart far{};
  if (level.top && plan.periodic_top()) {
    const MsmPlan::Split split = plan.top_split();
    const double volume = std::abs(glm::determinant(plan.images.vectors));
    far.present = true;
    for (int axis = 0; axis < 3; ++axis) {
      for (int c = 0; c < 3; ++c) far.reciprocal[axis][c] = 2 * units::pi * plan.images.inverse[c][axis];
    }
    far.factor = 4 * units::pi * nodes / volume;
    far.inverse_4a2 = 1 / (4 * split.alpha * split.alpha);
    far.constant = nodes * split.constant;
    far.splines = plan.basis.kind == MsmBasisKind::bspline ? plan.basis.below + 1 : 1;
    for (int i = 0; i < far.splines; ++i) far.phi[i] = plan.basis.phi(i);
  }
  const std::size_t count = static_cast<std::size_t>(level.padded.x / 2 + 1) * level.padded.y * level.padded.z;
  launch("MSM: kernel", stream, kernel_spectrum_kernel, blocks_for(count), {256, 1, 1},
         reinterpret_cast<const float2*>(spectrum), make_int3(level.padded.x, level.padded.y, level.padded.z),
         1 / nodes, far, out);
}

}  // namespace isolume
