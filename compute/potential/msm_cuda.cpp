// Multilevel summation on CUDA: the order of the steps, and the kernels that are kept from one map to the next.
#include "compute/potential/msm_cuda.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"
#include "compute/potential/potential_bodies.h"

namespace isolume {

namespace {

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

/// The kernel of a level on a device: the transform's real part, or the stencil itself.
struct DeviceKernel {
  DeviceArray<float> values;
  glm::ivec3 first{0};
  glm::ivec3 last{0};
};
using SharedKernel = std::shared_ptr<const DeviceKernel>;

SharedKernel make_kernel(const MsmPlan& plan, const MsmLevel& level, CudaFft& fft, Stream& stream, Job& job) {
  const MsmStencil stencil = msm_stencil(plan, level, job);
  auto kernel = std::make_shared<DeviceKernel>();
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

SharedKernel kernel_of(const MsmPlan& plan, const MsmLevel& level, CudaFft& fft, Stream& stream, Job& job) {
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

/// A level's charges and potentials.
struct LevelArrays {
  DeviceArray<float> charges;
  DeviceArray<float> potentials;
  MsmView q, e;
};

LevelArrays make_level(const MsmLevel& level, const Stream& stream) {
  LevelArrays a;
  const glm::ivec3 shape = level.fft ? level.padded : level.counts;
  a.charges = DeviceArray<float>(product(shape), stream, "MSM: charges of a lattice");
  a.potentials = DeviceArray<float>(product(shape), stream, "MSM: potentials of a lattice");
  for (int i = 0; i < 3; ++i) {
    a.q.counts[i] = a.e.counts[i] = level.counts[i];
    a.q.padded[i] = a.e.padded[i] = shape[i];
  }
  a.q.values = a.charges.data();
  a.e.values = a.potentials.data();
  if (shape != level.counts) {
    cuda_check(cuda_api().set_bytes(a.charges.data(), 0, a.charges.size() * sizeof(float), stream.handle()),
               "MSM: clearing a lattice");
  }
  return a;
}

/// Eqs. 13 to 16: the potentials of level 0.
LevelArrays sum_lattices(const MsmPlan& plan, const DeviceArray<RawCharge>& charges, double scale, CudaFft& fft,
                         Stream& stream, Job& job) {
  std::vector<SharedKernel> kernels;
  for (const MsmLevel& level : plan.levels) kernels.push_back(kernel_of(plan, level, fft, stream, job));
  std::vector<LevelArrays> levels;
  for (const MsmLevel& level : plan.levels) levels.push_back(make_level(level, stream));
  msm_spread_cuda(plan, charges, scale, levels.front().q, stream);
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    msm_restrict_cuda(plan, plan.levels[k], levels[k].q, levels[k + 1].q, stream);
  }
  job.check();
  std::size_t largest = 0;
  for (const MsmLevel& level : plan.levels) {
    if (level.fft) largest = std::max(largest, fft_spectrum_size(level.padded));
  }
  DeviceArray<std::complex<float>> spectrum(largest, stream, "MSM: spectrum");
  for (std::size_t k = levels.size(); k-- > 0;) {
    const MsmLevel& level = plan.levels[k];
    const DeviceKernel& kernel = *kernels[k];
    if (level.fft) {
      fft.forward(level.padded, levels[k].q.values, spectrum.data());
      msm_multiply_cuda(spectrum.data(), kernel.values.data(), fft_spectrum_size(level.padded), stream);
      fft.backward(level.padded, spectrum.data(), levels[k].e.values);
    } else {
      msm_direct_cuda(plan, levels[k].q, levels[k].e, kernel.values.data(), kernel.first, kernel.last, stream);
    }
    if (k + 1 < levels.size()) msm_prolong_cuda(plan, level, levels[k + 1].e, levels[k].e, stream);
    levels[k].charges = {};
  }
  // The kernels may be dropped by others before the work is done.
  stream.synchronize("MSM: lattices");
  return std::move(levels.front());
}

}  // namespace

void msm_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, const MsmPlan& plan,
                        Span<float> potential, Job& job) {
  const PairFunction function = PairFunction::msm_short_range(plan.options.cutoff, plan.options.smoothing, true);
  Stream stream(potential.device);
  CudaFft fft(stream);
  const auto raw = DeviceArray<RawCharge>::from_host(
      {reinterpret_cast<const RawCharge*>(charges.data()), charges.size()}, stream, "MSM: charges");
  const LevelArrays level = sum_lattices(plan, raw, function.scale, fft, stream, job);
  job.check();
  job.progress(0.3, "MSM");
  const DeviceBins bins = bin_charges_cuda(raw, grid, plan.frame, plan.options.cutoff,
                                           std::min(plan.options.cutoff, 4.0), function.scale, plan.images, stream);
  constexpr int group = NearColumn::group;
  const int groups = (grid.counts.z + group - 1) / group;
  std::vector<std::int32_t> first(static_cast<std::size_t>(groups));
  std::vector<float> weights;
  NearColumn column;
  DeviceArray<float> columns;
  if (plan.separable) {
    // For each group of points along z: all lattice layers that any of them needs, with weights that are mostly zero.
    const MsmAxis& z = plan.axes[2];
    const int taps = plan.basis.taps();
    const int z_first = z.first.front();
    const int layers = z.first.back() + taps - z_first;
    for (int g = 0; g < groups; ++g) {
      const int last = std::min(g * group + group, grid.counts.z) - 1;
      column.width = std::max(
          column.width, z.first[static_cast<std::size_t>(last)] + taps - z.first[static_cast<std::size_t>(g * group)]);
    }
    weights.resize(static_cast<std::size_t>(groups) * static_cast<std::size_t>(column.width) * group);
    for (int g = 0; g < groups; ++g) {
      // The window must end within the layers.
      const int start = std::min(z.first[static_cast<std::size_t>(g * group)] - z_first, layers - column.width);
      first[static_cast<std::size_t>(g)] = start;
      for (int i = 0; i < group && g * group + i < grid.counts.z; ++i) {
        const auto k = static_cast<std::size_t>(g * group + i);
        for (int m = 0; m < taps; ++m) {
          const int n = z.first[k] - z_first + m - start;
          weights[(static_cast<std::size_t>(g) * static_cast<std::size_t>(column.width) + static_cast<std::size_t>(n)) *
                      group +
                  static_cast<std::size_t>(i)] =
              z.weights[k * static_cast<std::size_t>(taps) + static_cast<std::size_t>(m)];
        }
      }
    }
    columns = msm_columns_cuda(plan, level.e, z_first, layers, stream);
  } else {
    column.width = group;
    weights.resize(static_cast<std::size_t>(groups) * group * group);
    for (int g = 0; g < groups; ++g) {
      first[static_cast<std::size_t>(g)] = g * group;
      for (int i = 0; i < group; ++i) weights[static_cast<std::size_t>((g * group + i) * group + i)] = 1;
    }
    columns = msm_points_cuda(plan, level.e, groups * group, stream);
  }
  const auto first_array = DeviceArray<std::int32_t>::from_host(first, stream, "MSM: map");
  const auto weight_array = DeviceArray<float>::from_host(weights, stream, "MSM: map");
  column.values = columns.data();
  column.first = first_array.data();
  column.weights = weight_array.data();
  job.check();
  near_sum_cuda(bins, grid, plan.frame, function, column, potential.data, stream, "MSM: short range");
  stream.synchronize("MSM");
  job.progress(1, "MSM");
}

}  // namespace isolume
