// Multilevel summation on CUDA: the order of the steps, and the kernels that are kept from one map to the next.
#include "compute/potential/msm_cuda.h"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"
#include "compute/potential/msm_columns.h"
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

/// Eqs. 13 to 16: the potentials of level 0. `kernels` keeps what is used until the stream has been waited for.
LevelArrays sum_lattices(const MsmPlan& plan, const DeviceArray<RawCharge>& charges, double scale, CudaFft& fft,
                         std::vector<SharedKernel>& kernels, Stream& stream, Job& job) {
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
  return std::move(levels.front());
}

/// Weights by tap: [m * count + i].
void by_tap(const MsmAxis& axis, int taps, std::vector<float>& out) {
  const std::size_t count = axis.first.size();
  const std::size_t begin = out.size();
  out.resize(begin + axis.weights.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t m = 0; m < static_cast<std::size_t>(taps); ++m) {
      out[begin + m * count + i] = axis.weights[i * static_cast<std::size_t>(taps) + m];
    }
  }
}

class MsmFieldCuda : public MsmFieldBody {
 public:
  MsmFieldCuda(std::span<const PointCharge> charges, const MsmPlan& plan, Device device, Job& job)
      : plan_(plan), function_(PairFunction::msm_short_range(plan.options.cutoff, plan.options.smoothing, true)) {
    stream_ = std::make_unique<Stream>(device);
    raw_ = DeviceArray<RawCharge>::from_host({reinterpret_cast<const RawCharge*>(charges.data()), charges.size()},
                                             *stream_, "MSM: charges");
    fft_ = std::make_unique<CudaFft>(*stream_);
    level_ = sum_lattices(plan, raw_, function_.scale, *fft_, kernels_, *stream_, job);
    job.check();
    job.progress(0.3, "MSM");
    if (!plan.separable) return;
    const std::size_t taps = static_cast<std::size_t>(plan.basis.taps());
    nodes_.insert(nodes_.end(), plan.axes[0].first.begin(), plan.axes[0].first.end());
    nodes_.insert(nodes_.end(), plan.axes[1].first.begin(), plan.axes[1].first.end());
    by_tap(plan.axes[0], static_cast<int>(taps), weights_);
    by_tap(plan.axes[1], static_cast<int>(taps), weights_);
    node_array_ = send(nodes_);
    weight_array_ = send(weights_);
    const std::size_t nx = plan.axes[0].first.size();
    tables_ = {{node_array_.data(), node_array_.data() + nx}, {weight_array_.data(), weight_array_.data() + taps * nx}};
  }
  ~MsmFieldCuda() override {
    // Nothing that is still in use is freed before the stream has come to its end.
    cuda_api().stream_synchronize(stream_->handle());
    fft_.reset();
  }

  void map(int first, int layers, Span<float> potential, Job& job) override {
    Stream& stream = *stream_;
    Grid grid = plan_.grid;
    grid.origin = grid.point(0, 0, first);
    grid.counts.z = layers;
    const RowFrame frame(grid);
    const double cutoff = plan_.options.cutoff;
    const DeviceBins bins =
        bin_charges_cuda(raw_, grid, frame, cutoff, std::min(cutoff, 4.0), function_.scale, plan_.images, stream);
    const MsmColumns c = msm_columns(plan_, first, layers);
    const DeviceArray<float> values = plan_.separable
                                          ? msm_columns_cuda(plan_, level_.e, tables_, c.z_first, c.layers, stream)
                                          : msm_points_cuda(plan_, level_.e, c.z_first, c.layers, stream);
    const auto first_array = send(c.first);
    const auto weight_array = send(c.weights);
    NearColumn column;
    column.values = values.data();
    column.first = first_array.data();
    column.weights = weight_array.data();
    column.width = c.width;
    job.check();
    near_sum_cuda(bins, grid, frame, function_, column, potential.data, stream, "MSM: short range");
    stream.synchronize("MSM");
  }

  MsmHostLattice lattice() override {
    std::vector<float> padded(level_.potentials.size());
    copy_memory(padded.data(), Device::cpu(), level_.potentials.data(), stream_->device(),
                padded.size() * sizeof(float), stream_->handle());
    return {glm::ivec3(level_.e.counts[0], level_.e.counts[1], level_.e.counts[2]),
            glm::ivec3(level_.e.padded[0], level_.e.padded[1], level_.e.padded[2]), std::move(padded)};
  }

 private:
  /// A small table, not waited for: it lives as long as this, or until map() has waited.
  template <class T>
  DeviceArray<T> send(const std::vector<T>& values) {
    DeviceArray<T> array(values.size(), *stream_, "MSM: map");
    if (values.empty()) return array;
    cuda_check(cuda_api().copy(array.data(), values.data(), values.size() * sizeof(T), CudaApi::host_to_device,
                               stream_->handle()),
               "MSM: map");
    return array;
  }

  const MsmPlan& plan_;
  PairFunction function_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<CudaFft> fft_;
  std::vector<SharedKernel> kernels_;
  DeviceArray<RawCharge> raw_;
  LevelArrays level_;
  std::vector<std::int32_t> nodes_;
  std::vector<float> weights_;
  DeviceArray<std::int32_t> node_array_;
  DeviceArray<float> weight_array_;
  MsmTables tables_;
};

}  // namespace

bool msm_fast_transforms() {
  return cufft_present();
}

void msm_hide_fast_transforms_for_test(bool hidden) {
  hide_cufft_for_test(hidden);
}

std::unique_ptr<MsmFieldBody> msm_field_cuda(std::span<const PointCharge> charges, const MsmPlan& plan, Device device,
                                             Job& job) {
  return std::make_unique<MsmFieldCuda>(charges, plan, device, job);
}

}  // namespace isolume
