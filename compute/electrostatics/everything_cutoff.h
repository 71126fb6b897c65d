// A cutoff sum that reaches from every charge to every point: the direct sum with a dielectric that depends on the
// distance.
#pragma once

#include <span>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/pairs/cutoff.h"

namespace isolume {

inline CutoffOptions cutoff_of_everything(std::span<const ChargedSphere> spheres, const Dielectric& dielectric,
                                          std::span<const glm::dvec3> points) {
  glm::dvec3 lower(1e300), upper(-1e300);
  const auto include = [&](glm::dvec3 p) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  };
  for (const ChargedSphere& s : spheres) include(glm::dvec3(s.position));
  for (const glm::dvec3& p : points) include(p);
  CutoffOptions options;
  options.form = CutoffForm::plain;
  options.cutoff = glm::length(upper - lower) + 1;
  options.dielectric = dielectric;
  return options;
}

}  // namespace isolume
