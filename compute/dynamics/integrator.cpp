// The integrators of motion: the choice of the body, and that of the CPU.
#include "compute/dynamics/integrator.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/dynamics/dynamics_bodies.h"

namespace isolume {

IntegratorStep IntegratorStep::verlet(double step_length) {
  IntegratorStep s;
  s.step_length = step_length;
  return s;
}

IntegratorStep IntegratorStep::langevin_baoab(double step_length, double friction, double temperature,
                                              std::uint64_t seed) {
  IntegratorStep s;
  s.step_length = step_length;
  s.langevin = true;
  s.keep = std::exp(-friction * step_length);
  s.thermal = -std::expm1(-2 * friction * step_length) * boltzmann_kcal * temperature * acceleration_unit;
  s.seed = seed;
  return s;
}

namespace {

Vector3 plain(glm::dvec3 v) {
  return {v.x, v.y, v.z};
}

glm::dvec3 vec(Vector3 v) {
  return {v.x, v.y, v.z};
}

template <class Body>
void each_atom(std::size_t atoms, const Body& body) {
  constexpr std::size_t chunk = 2048;
  Job job;  // some microseconds: the forces are what is cancelled
  parallel_for((atoms + chunk - 1) / chunk, job, "integration", [&](std::size_t part) {
    for (std::size_t i = part * chunk; i < std::min(atoms, (part + 1) * chunk); ++i) body(i);
  });
}

}  // namespace

void integrate_before(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                      Span<glm::dvec3> positions, Span<glm::dvec3> velocities, Stream& stream) {
  if (positions.device.is_cuda()) {
    integrate_before_cuda(step, masses, forces, positions, velocities, stream);
    return;
  }
  each_atom(positions.size, [&](std::size_t i) {
    Vector3 x = plain(positions.data[i]), v = plain(velocities.data[i]);
    before_forces(step, static_cast<std::uint32_t>(i), masses.data[i], plain(forces.data[i]), x, v);
    positions.data[i] = vec(x);
    velocities.data[i] = vec(v);
  });
}

void add_scaled(double weight, Span<const glm::dvec3> forces, Span<glm::dvec3> to, Stream& stream) {
  if (to.device.is_cuda()) {
    add_scaled_cuda(weight, forces, to, stream);
    return;
  }
  each_atom(to.size, [&](std::size_t i) { to.data[i] += weight * forces.data[i]; });
}

void integrate_after(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                     Span<glm::dvec3> velocities, Stream& stream) {
  if (velocities.device.is_cuda()) {
    integrate_after_cuda(step, masses, forces, velocities, stream);
    return;
  }
  each_atom(velocities.size, [&](std::size_t i) {
    Vector3 v = plain(velocities.data[i]);
    after_forces(step, masses.data[i], plain(forces.data[i]), v);
    velocities.data[i] = vec(v);
  });
}

}  // namespace isolume
