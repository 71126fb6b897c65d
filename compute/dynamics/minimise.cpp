// Going downhill before a run: FIRE.
#include <algorithm>
#include <cmath>

#include "compute/dynamics/dynamics.h"

namespace isolume {

Minimised Dynamics::minimise(std::size_t steps, double enough, Job& job) {
  // All masses are 1: time in units in which 1 kcal/(mol angstrom) accelerates by 1 angstrom. The stiffest bonds
  // (k = 550, a spring of 1100) allow steps up to 2/sqrt(1100) = 0.06.
  constexpr double longest = 0.04, farthest = 0.1;
  constexpr double start_mixing = 0.1;
  const std::size_t atoms = host_masses_.size();
  const Device device = forces_->device();
  void* const stream = forces_->stream().handle();
  std::vector<glm::dvec3> x = positions_.copy_to_host();
  std::vector<glm::dvec3> v(atoms, glm::dvec3(0)), f(atoms);
  double step = longest / 8, mixing = start_mixing;
  int downhill = 0;
  Minimised result;
  const auto evaluate = [&] {
    copy_memory(positions_.data(), device, x.data(), Device::cpu(), atoms * sizeof(glm::dvec3), stream);
    compute_forces(true, job);
    result.after = energies_now().potential();
    copy_memory(f.data(), Device::cpu(), forces_now_.data(), device, atoms * sizeof(glm::dvec3), stream);
    double squares = 0;
    for (const glm::dvec3 force : f) squares += glm::dot(force, force);
    result.rms_force = std::sqrt(squares / static_cast<double>(atoms));
  };
  evaluate();
  result.before = result.after;
  for (; result.steps < steps && result.rms_force > enough; ++result.steps) {
    job.check();
    double power = 0, vv = 0, ff = 0;
    for (std::size_t i = 0; i < atoms; ++i) {
      power += glm::dot(f[i], v[i]);
      vv += glm::dot(v[i], v[i]);
      ff += glm::dot(f[i], f[i]);
    }
    if (power > 0) {
      const double turn = ff > 0 ? mixing * std::sqrt(vv / ff) : 0;
      for (std::size_t i = 0; i < atoms; ++i) v[i] = (1 - mixing) * v[i] + turn * f[i];
      if (++downhill > 5) {
        step = std::min(1.1 * step, longest);
        mixing *= 0.99;
      }
    } else {
      std::fill(v.begin(), v.end(), glm::dvec3(0));
      step *= 0.5;
      mixing = start_mixing;
      downhill = 0;
    }
    for (std::size_t i = 0; i < atoms; ++i) {
      v[i] += step * f[i];
      glm::dvec3 move = step * v[i];
      if (const double length = glm::length(move); length > farthest) {
        move *= farthest / length;
        v[i] *= farthest / length;
      }
      x[i] += move;
    }
    evaluate();
    job.progress(static_cast<double>(result.steps + 1) / static_cast<double>(steps), "minimisation");
  }
  return result;
}

}  // namespace isolume
