// The mesh of a density's potential on CUDA: its order of work, and the kernels over all of its points and waves.
#include <cmath>
#include <complex>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electron_density/mesh/density_mesh_bodies.h"
#include "compute/electron_density/mesh/density_mesh_kernels.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"

namespace isolume {

namespace {

constexpr unsigned threads = 256;
constexpr double pi = 3.14159265358979323846;

struct MeshSizes {
  int n[3];
};

MeshSizes sizes_of(const DensityMeshPlan& plan) {
  return {{plan.padded.x, plan.padded.y, plan.padded.z}};
}

__device__ int least(int i, int n) {
  return i < n - i ? i : n - i;
}

__global__ void __launch_bounds__(threads) kernel_kernel(MeshSizes mesh, double step, double root, float* values) {
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= mesh.n[0]) return;
  const int k = static_cast<int>(blockIdx.z);
  const double x = step * least(i, mesh.n[0]), z = step * least(k, mesh.n[2]);
  for (int j = static_cast<int>(blockIdx.y); j < mesh.n[1]; j += static_cast<int>(gridDim.y)) {
    const double y = step * least(j, mesh.n[1]);
    const double r = sqrt(x * x + y * y + z * z), s = root * r;
    const double value = s > 6 ? 1 / r : s > 0 ? erf(s) / r : 2 * root / sqrt(pi);
    values[(static_cast<std::size_t>(k) * mesh.n[1] + j) * mesh.n[0] + i] = static_cast<float>(value);
  }
}

__global__ void __launch_bounds__(threads)
    factor_kernel(MeshSizes mesh, double scale, const double* spectra, const float2* kernel, float* factors) {
  const int half = mesh.n[0] / 2 + 1;
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= half) return;
  const int k = static_cast<int>(blockIdx.z);
  const double x = 2.0 * i / mesh.n[0], z = 2.0 * least(k, mesh.n[2]) / mesh.n[2];
  const double of_x = spectra[i], of_z = spectra[mesh.n[0] + mesh.n[1] + k];
  for (int j = static_cast<int>(blockIdx.y); j < mesh.n[1]; j += static_cast<int>(gridDim.y)) {
    const double y = 2.0 * least(j, mesh.n[1]) / mesh.n[1];
    const std::size_t at = (static_cast<std::size_t>(k) * mesh.n[1] + j) * half + i;
    const bool within = x * x + y * y + z * z < 1;
    factors[at] =
        within ? static_cast<float>(scale * static_cast<double>(kernel[at].x) / (of_x * spectra[mesh.n[0] + j] * of_z))
               : 0.0f;
  }
}

__global__ void __launch_bounds__(threads) multiply_kernel(std::size_t count, const float* factors, float2* waves) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= count) return;
  const float factor = factors[at];
  const float2 wave = waves[at];
  waves[at] = {factor * wave.x, factor * wave.y};
}

CudaDim rows_of(int length, const MeshSizes& mesh) {
  constexpr int most_rows = 32768;
  return {(static_cast<unsigned>(length) + threads - 1) / threads,
          static_cast<unsigned>(mesh.n[1] < most_rows ? mesh.n[1] : most_rows), static_cast<unsigned>(mesh.n[2])};
}

class DensityMeshCuda final : public DensityMeshBody {
 public:
  DensityMeshCuda(const HermiteDensity& density, DensityMeshPlan& plan, Device device, Job& job)
      : plan_(plan), stream_(device), tables_(site_tables_cuda(density, plan, stream_, job)) {
    const std::size_t points = static_cast<std::size_t>(plan.padded.x) * static_cast<std::size_t>(plan.padded.y) *
                               static_cast<std::size_t>(plan.padded.z);
    mesh_ = DeviceArray<float>(points, device, "mesh of the potential");
    CudaFft fft(stream_);
    DeviceArray<std::complex<float>> waves(fft_spectrum_size(plan.padded), stream_, "waves of the potential");
    DeviceArray<float> factors(waves.size(), stream_, "factors of waves");
    mesh_kernel_cuda(plan, mesh_.data(), stream_);
    fft.forward(plan.padded, mesh_.data(), waves.data());
    mesh_factors_cuda(plan, waves.data(), factors.data(), stream_);
    job.check();
    spread_density_cuda(plan, mesh_.data(), stream_, job);
    fft.forward(plan.padded, mesh_.data(), waves.data());
    multiply_waves_cuda(plan, factors.data(), waves.data(), stream_);
    fft.backward(plan.padded, waves.data(), mesh_.data());
    stream_.synchronize("potential of the density");
    job.check();
  }
  void on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const override {
    Stream stream(stream_.device());
    read_density_mesh_cuda(plan_, mesh_.data(), tables_, grid, factor, values, stream, job);
  }

 private:
  const DensityMeshPlan& plan_;
  DeviceArray<float> mesh_;  // freed after the stream has come to its end
  Stream stream_;
  SiteTablesCuda tables_;
};

}  // namespace

void mesh_kernel_cuda(const DensityMeshPlan& plan, float* mesh, Stream& stream) {
  launch("density mesh: kernel", stream, kernel_kernel, rows_of(plan.padded.x, sizes_of(plan)), {threads, 1, 1},
         sizes_of(plan), plan.step, std::sqrt(kernel_exponent(plan.exponent)), mesh);
}

void mesh_factors_cuda(const DensityMeshPlan& plan, const std::complex<float>* kernel, float* factors, Stream& stream) {
  std::vector<double> spectra;
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> of_axis = spline_spectrum(plan.padded[axis]);
    spectra.insert(spectra.end(), of_axis.begin(), of_axis.end());
  }
  const auto on_device = DeviceArray<double>::from_host(spectra, stream, "waves of splines");
  const double h = plan.step;
  const double points = static_cast<double>(plan.padded.x) * plan.padded.y * plan.padded.z;
  launch("density mesh: factors", stream, factor_kernel, rows_of(plan.padded.x / 2 + 1, sizes_of(plan)),
         {threads, 1, 1}, sizes_of(plan), h * h * h / points, on_device.data(), reinterpret_cast<const float2*>(kernel),
         factors);
}

void multiply_waves_cuda(const DensityMeshPlan& plan, const float* factors, std::complex<float>* waves,
                         Stream& stream) {
  const std::size_t count = fft_spectrum_size(plan.padded);
  launch("density mesh: waves", stream, multiply_kernel, blocks_for(count, threads), {threads, 1, 1}, count, factors,
         reinterpret_cast<float2*>(waves));
}

std::unique_ptr<DensityMeshBody> density_mesh_cuda(const HermiteDensity& density, DensityMeshPlan& plan, Device device,
                                                   Job& job) {
  return std::make_unique<DensityMeshCuda>(density, plan, device, job);
}

}  // namespace isolume
