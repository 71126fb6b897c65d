// The kernels of multilevel summation on CUDA.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>

#include "compute/base/device_array.h"
#include "compute/base/stream.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

/// A lattice on the device: nodes (x, y, z) of `counts` in an array of `padded` (rows of padded.x).
struct MsmView {
  float* values = nullptr;
  int counts[3] = {};
  int padded[3] = {};
};

/// The kernel of a level on a device: the transform's real part, or the stencil itself.
struct MsmDeviceKernel {
  DeviceArray<float> values;
  glm::ivec3 first{0};
  glm::ivec3 last{0};
};
class CudaFft;
/// Made, or one that the process has kept.
std::shared_ptr<const MsmDeviceKernel> msm_kernel_cuda(const MsmPlan& plan, const MsmLevel& level, CudaFft& fft,
                                                       Stream& stream, Job& job);

/// Eq. 12: charges (times `scale`) onto level 0. Every node of `nodes` is written.
void msm_spread_cuda(const MsmPlan& plan, const DeviceArray<RawCharge>& charges, double scale, MsmView nodes,
                     Stream& stream);

/// Eq. 13 and, for `add`, eq. 16: one level to the next and back.
void msm_restrict_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView fine, MsmView coarse, Stream& stream);
void msm_prolong_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView coarse, MsmView fine, Stream& stream);

/// kernel[(node + difference) mod padded] += stencil.
void msm_scatter_cuda(const MsmStencil& stencil, MsmView kernel, Stream& stream);
/// out[i] = Re spectrum[i] / nodes, with the smooth part of a periodic top kernel added where `plan` has one.
void msm_kernel_spectrum_cuda(const MsmPlan& plan, const MsmLevel& level, const std::complex<float>* spectrum,
                              float* out, Stream& stream);
void msm_multiply_cuda(std::complex<float>* spectrum, const float* kernel, std::size_t count, Stream& stream);
/// Eqs. 14 and 15 as they stand.
void msm_direct_cuda(const MsmPlan& plan, MsmView charges, MsmView potentials, const float* stencil, glm::ivec3 first,
                     glm::ivec3 last, Stream& stream);

/// The nodes and weights of the map's x and y on the device, by tap: weights[m * count + i].
struct MsmTables {
  const int* first[2] = {};
  const float* weights[2] = {};
};

/// Eq. 17 along x and y, for the lattice layers z_first ... z_first + layers: out[(layer * ny + j) * nx + i].
DeviceArray<float> msm_columns_cuda(const MsmPlan& plan, MsmView potentials, const MsmTables& tables, int z_first,
                                    int layers, Stream& stream);
/// Eq. 17 where the map's steps are not those of the lattice: `layers` of the map from `z_first` on (those beyond its
/// end are 0).
DeviceArray<float> msm_points_cuda(const MsmPlan& plan, MsmView potentials, int z_first, int layers, Stream& stream);

}  // namespace isolume
