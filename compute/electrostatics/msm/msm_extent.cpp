// MsmExtent: how far the finest lattice of a multilevel summation has to reach.
#include "compute/electrostatics/msm/msm_extent.h"

#include <algorithm>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/charge_box.h"

namespace isolume {

namespace {

/// Smallest and largest lattice coordinates of the charges.
void charge_bounds(const MsmPlan& plan, std::span<const PointCharge> charges, glm::dvec3& lower, glm::dvec3& upper) {
  struct Bounds {
    glm::dvec3 lower{std::numeric_limits<double>::infinity()};
    glm::dvec3 upper{-std::numeric_limits<double>::infinity()};
  };
  const glm::dmat3 to = plan.inverse * plan.frame.turn;
  const double off = std::abs(to[0].y) + std::abs(to[0].z) + std::abs(to[1].x) + std::abs(to[1].z) + std::abs(to[2].x) +
                     std::abs(to[2].y);
  if (off == 0 && !charges.empty()) {
    // Coordinates go up with the lattice's own: the corners of the box are enough.
    const ChargeBox box = charge_box(charges);
    const glm::dvec3 a = to * (glm::dvec3(box.lower) - plan.frame.origin);
    const glm::dvec3 b = to * (glm::dvec3(box.upper) - plan.frame.origin);
    lower = glm::min(lower, glm::min(a, b));
    upper = glm::max(upper, glm::max(a, b));
    return;
  }
  const std::size_t part = 65536;
  std::vector<Bounds> parts((charges.size() + part - 1) / part);
  const glm::dmat3 to_lattice = plan.inverse * plan.frame.turn;
  const glm::dvec3 origin = plan.frame.origin;
  Job job;
  parallel_for(parts.size(), job, "extent of the charges", [&](std::size_t n) {
    Bounds b;
    for (std::size_t i = n * part; i < std::min(charges.size(), (n + 1) * part); ++i) {
      const glm::dvec3 u = to_lattice * (glm::dvec3(charges[i].position) - origin);
      b.lower = glm::min(b.lower, u);
      b.upper = glm::max(b.upper, u);
    }
    parts[n] = b;
  });
  for (const Bounds& b : parts) {
    lower = glm::min(lower, b.lower);
    upper = glm::max(upper, b.upper);
  }
}

}  // namespace

MsmExtent::MsmExtent(const MsmPlan& plan, std::span<const PointCharge> charges) {
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p =
        plan.map_step * glm::dvec3((corner & 1) ? plan.grid.counts.x - 1 : 0, (corner & 2) ? plan.grid.counts.y - 1 : 0,
                                   (corner & 4) ? plan.grid.counts.z - 1 : 0);
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  if (!plan.periodic_top()) charge_bounds(plan, charges, lower, upper);
}

}  // namespace isolume
