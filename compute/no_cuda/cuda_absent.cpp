// Stubs of CUDA for a build without it: an empty table, and bodies that report it.
#include <atomic>

#include "compute/base/cuda_api.h"
#include "compute/base/cuda_graph.h"
#include "compute/density/gaussian_density_bodies.h"
#include "compute/electrostatics/direct/direct_bodies.h"
#include "compute/fft/fft_cuda.h"
#include "compute/isosurface/marching_cubes_body.h"
#include "compute/orbitals/density_bodies.h"
#include "compute/orbitals/orbital_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {
[[noreturn]] void absent() {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}
}  // namespace

const CudaApi& built_in_cuda_api() {
  static const CudaApi empty;
  return empty;
}

namespace {
std::atomic<const CudaGraphApi*> test_graphs{nullptr};
}  // namespace

const CudaGraphApi& cuda_graph_api() {
  if (const CudaGraphApi* replaced = test_graphs.load(std::memory_order_acquire)) return *replaced;
  static const CudaGraphApi empty;
  return empty;
}

void set_cuda_graph_api_for_test(const CudaGraphApi* api) {
  test_graphs.store(api, std::memory_order_release);
}

CudaFft::~CudaFft() = default;

void CudaFft::forward(glm::ivec3, const float*, std::complex<float>*, int) {
  absent();
}

void CudaFft::backward(glm::ivec3, std::complex<float>*, float*, int) {
  absent();
}

void direct_potential_cuda(std::span<const PointCharge>, const Grid&, Span<float>, Job&) {
  absent();
}

void start_gaussian_density_cuda(const DensityTask&, Stream&, Job&, DensityWorkspace::Memory&) {
  absent();
}

void finish_gaussian_density_cuda(DensityWorkspace::Memory&) {
  absent();
}

std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Storage, Device) {
  absent();
}

void orbital_cuda(const Orbitals&, std::size_t, const Grid&, Span<float>, Stream&, bool, Job&, const OrbitalOptions&) {
  absent();
}

std::vector<DensityValue> density_at_points_cuda(std::span<const DensityFunctions>, std::span<const glm::dvec3>,
                                                 Device) {
  absent();
}

void density_cuda(std::span<const DensityFunctions>, const Grid&, Span<float>, Job&) {
  absent();
}

void amplitudes_cuda(const DensityFunctions&, std::size_t, const Grid&, Span<float>, Job&) {
  absent();
}

std::vector<float> amplitudes_at_points_cuda(const DensityFunctions&, std::size_t, std::span<const glm::dvec3>,
                                             Device) {
  absent();
}

}  // namespace isolume
