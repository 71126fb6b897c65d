// The integrators of motion on CUDA: one thread an atom.
#include "compute/base/launch.cuh"
#include "compute/dynamics/dynamics_bodies.h"

namespace isolume {

namespace {

static_assert(sizeof(Vector3) == sizeof(glm::dvec3));

const Vector3* plain(const glm::dvec3* p) {
  return reinterpret_cast<const Vector3*>(p);
}
Vector3* plain(glm::dvec3* p) {
  return reinterpret_cast<Vector3*>(p);
}

__global__ void before_kernel(IntegratorStep step, const double* masses, const Vector3* forces, std::uint32_t atoms,
                              Vector3* positions, Vector3* velocities) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  Vector3 x = positions[i], v = velocities[i];
  before_forces(step, i, masses[i], forces[i], x, v);
  positions[i] = x;
  velocities[i] = v;
}

__global__ void after_kernel(IntegratorStep step, const double* masses, const Vector3* forces, std::uint32_t atoms,
                             Vector3* velocities) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  Vector3 v = velocities[i];
  after_forces(step, masses[i], forces[i], v);
  velocities[i] = v;
}

__global__ void add_scaled_kernel(double weight, const Vector3* forces, std::uint32_t atoms, Vector3* to) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < atoms) to[i] = to[i] + weight * forces[i];
}

}  // namespace

void add_scaled_cuda(double weight, Span<const glm::dvec3> forces, Span<glm::dvec3> to, Stream& stream) {
  launch("dynamics: sum of forces", stream, add_scaled_kernel, blocks_for(to.size, 128), CudaDim{128, 1, 1}, weight,
         plain(forces.data), static_cast<std::uint32_t>(to.size), plain(to.data));
}

void integrate_before_cuda(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                           Span<glm::dvec3> positions, Span<glm::dvec3> velocities, Stream& stream) {
  launch("dynamics: before the forces", stream, before_kernel, blocks_for(positions.size, 128), CudaDim{128, 1, 1},
         step, masses.data, plain(forces.data), static_cast<std::uint32_t>(positions.size), plain(positions.data),
         plain(velocities.data));
}

void integrate_after_cuda(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                          Span<glm::dvec3> velocities, Stream& stream) {
  launch("dynamics: after the forces", stream, after_kernel, blocks_for(velocities.size, 128), CudaDim{128, 1, 1}, step,
         masses.data, plain(forces.data), static_cast<std::uint32_t>(velocities.size), plain(velocities.data));
}

}  // namespace isolume
