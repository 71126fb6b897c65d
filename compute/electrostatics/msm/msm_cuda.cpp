// Multilevel summation on CUDA: the order of the steps, and the data kept from map to map.
#include "compute/electrostatics/msm/msm_cuda.h"
#include "compute/electrostatics/msm/msm_bodies.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "compute/base/kept_array.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/msm/msm_columns.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"

namespace isolume {

namespace {

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
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
  return a;
}

/// The lattices of a plan with what their sums need; what is kept from map to map is all of it.
struct Lattices {
  std::vector<std::shared_ptr<const MsmDeviceKernel>> kernels;
  std::vector<LevelArrays> levels;
  DeviceArray<std::complex<float>> spectrum;

  Lattices(const MsmPlan& plan, CudaFft& fft, Stream& stream, Job& job) {
    for (const MsmLevel& level : plan.levels) kernels.push_back(msm_kernel_cuda(plan, level, fft, stream, job));
    for (const MsmLevel& level : plan.levels) levels.push_back(make_level(level, stream));
  }
  std::size_t bytes() const {
    std::size_t sum = spectrum.size() * sizeof(std::complex<float>);
    for (const LevelArrays& level : levels) sum += (level.charges.size() + level.potentials.size()) * sizeof(float);
    return sum;
  }
};

/// Eqs. 13 to 16: the potentials of level 0. What is not `kept` for another time is given back as soon as it can be.
void sum_lattices(const MsmPlan& plan, const DeviceArray<RawCharge>& charges, double scale, Lattices& lattices,
                  bool kept, CudaFft& fft, Stream& stream, Job& job) {
  std::vector<LevelArrays>& levels = lattices.levels;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (!plan.levels[k].fft || plan.levels[k].padded == plan.levels[k].counts) continue;
    cuda_check(
        cuda_api().set_bytes(levels[k].charges.data(), 0, levels[k].charges.size() * sizeof(float), stream.handle()),
        "MSM: clearing a lattice");
  }
  msm_spread_cuda(plan, charges, scale, levels.front().q, stream);
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    msm_restrict_cuda(plan, plan.levels[k], levels[k].q, levels[k + 1].q, stream);
  }
  job.check();
  if (lattices.spectrum.empty()) {
    std::size_t largest = 0;
    for (const MsmLevel& level : plan.levels) {
      if (level.fft) largest = std::max(largest, fft_spectrum_size(level.padded));
    }
    lattices.spectrum = DeviceArray<std::complex<float>>(largest, stream, "MSM: spectrum");
  }
  DeviceArray<std::complex<float>>& spectrum = lattices.spectrum;
  for (std::size_t k = levels.size(); k-- > 0;) {
    const MsmLevel& level = plan.levels[k];
    const MsmDeviceKernel& kernel = *lattices.kernels[k];
    if (level.fft) {
      fft.forward(level.padded, levels[k].q.values, spectrum.data());
      msm_multiply_cuda(spectrum.data(), kernel.values.data(), fft_spectrum_size(level.padded), stream);
      fft.backward(level.padded, spectrum.data(), levels[k].e.values);
    } else {
      msm_direct_cuda(plan, levels[k].q, levels[k].e, kernel.values.data(), kernel.first, kernel.last, stream);
    }
    if (k + 1 < levels.size()) msm_prolong_cuda(plan, level, levels[k + 1].e, levels[k].e, stream);
    if (!kept) levels[k].charges = {};
  }
  if (kept) return;
  levels.resize(1);
  lattices.spectrum = {};
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
    lattices_.emplace(plan, *fft_, *stream_, job);
    constexpr std::size_t most = std::size_t{256} << 20;
    kept_ = lattices_->bytes() + raw_.size() * sizeof(RawCharge) <= most;
    sum_lattices(plan, raw_, function_.scale, *lattices_, kept_, *fft_, *stream_, job);
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

  bool can_renew() const override { return kept_; }

  bool renew(std::span<const PointCharge> charges, Job& job) override {
    if (!kept_) return false;
    const DeviceScope scope(stream_->device());
    stream_->synchronize("MSM");  // what is copied from is in use until then
    if (raw_.size() != charges.size()) raw_ = DeviceArray<RawCharge>(charges.size(), *stream_, "MSM: charges");
    RawCharge* const staging = staging_.room(charges.size(), stream_->device(), "MSM: charges");
    constexpr std::size_t block = std::size_t{1} << 13;
    parallel_for((charges.size() + block - 1) / block, job, "charges", [&](std::size_t b) {
      const std::size_t first = b * block;
      std::memcpy(staging + first, charges.data() + first, std::min(block, charges.size() - first) * sizeof(RawCharge));
    });
    cuda_check(cuda_api().copy(raw_.data(), staging, charges.size() * sizeof(RawCharge), CudaApi::host_to_device,
                               stream_->handle()),
               "MSM: charges");
    sum_lattices(plan_, raw_, function_.scale, *lattices_, true, *fft_, *stream_, job);
    return true;
  }

  Span<const PointCharge> charges_on_device() const override {
    return {reinterpret_cast<const PointCharge*>(raw_.data()), raw_.size(), stream_->device()};
  }

  void map(int first, int layers, Span<float> potential, Job& job) override {
    Stream& stream = *stream_;
    const DeviceScope scope(stream.device());
    Grid grid = plan_.grid;
    grid.origin = grid.point(0, 0, first);
    grid.counts.z = layers;
    const RowFrame frame(grid);
    const double cutoff = plan_.options.cutoff;
    const DeviceBins bins =
        bin_charges_cuda(raw_, grid, frame, cutoff, std::min(cutoff, 4.0), function_.scale, plan_.images, stream);
    if (first != columns_first_ || layers != columns_layers_) {
      columns_first_ = -1;
      columns_ = msm_columns(plan_, first, layers);
      column_first_ = send(columns_.first);
      column_weights_ = send(columns_.weights);
      columns_first_ = first;
      columns_layers_ = layers;
    }
    const MsmColumns& c = columns_;
    const MsmView nodes = lattices_->levels.front().e;
    const DeviceArray<float> values = plan_.separable
                                          ? msm_columns_cuda(plan_, nodes, tables_, c.z_first, c.layers, stream)
                                          : msm_points_cuda(plan_, nodes, c.z_first, c.layers, stream);
    NearColumn column;
    column.values = values.data();
    column.first = column_first_.data();
    column.weights = column_weights_.data();
    column.width = c.width;
    job.check();
    near_sum_cuda(bins, grid, frame, function_, column, potential.data, stream, "MSM: short range");
    stream.synchronize("MSM");
  }

  MsmHostLattice lattice() override {
    const LevelArrays& level = lattices_->levels.front();
    std::vector<float> padded(level.potentials.size());
    copy_memory(padded.data(), Device::cpu(), level.potentials.data(), stream_->device(), padded.size() * sizeof(float),
                stream_->handle());
    return {glm::ivec3(level.e.counts[0], level.e.counts[1], level.e.counts[2]),
            glm::ivec3(level.e.padded[0], level.e.padded[1], level.e.padded[2]), std::move(padded)};
  }
  MsmNodesView nodes() override {
    stream_->synchronize("MSM");
    const MsmView& view = lattices_->levels.front().e;
    return {view.values, glm::ivec3(view.counts[0], view.counts[1], view.counts[2]),
            glm::ivec3(view.padded[0], view.padded[1], view.padded[2])};
  }

 private:
  /// A small table, not waited for: it lives as long as this, or until map() has waited for the last that used it.
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
  DeviceArray<RawCharge> raw_;
  PinnedArray<RawCharge> staging_;
  std::optional<Lattices> lattices_;
  bool kept_ = false;  ///< what is small is, so that other charges find it
  std::vector<std::int32_t> nodes_;
  std::vector<float> weights_;
  DeviceArray<std::int32_t> node_array_;
  DeviceArray<float> weight_array_;
  MsmTables tables_;
  int columns_first_ = -1, columns_layers_ = -1;  ///< layers of the map that these are for
  MsmColumns columns_;
  DeviceArray<std::int32_t> column_first_;
  DeviceArray<float> column_weights_;
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
