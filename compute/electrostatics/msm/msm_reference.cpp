// Multilevel summation in plain double precision: equations 12 to 17 as they stand.
#include <cmath>
#include <vector>

#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// A lattice of numbers; along periodic axes any index is meant modulo the size.
struct Nodes {
  glm::ivec3 counts;
  const bool* periodic;
  std::vector<double> values;
  Nodes(glm::ivec3 counts_, const bool* periodic_)
      : counts(counts_),
        periodic(periodic_),
        values(static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) *
               static_cast<std::size_t>(counts.z)) {}
  double& at(glm::ivec3 i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic[axis]) i[axis] = ((i[axis] % counts[axis]) + counts[axis]) % counts[axis];
    }
    return values.at(
        (static_cast<std::size_t>(i.z) * static_cast<std::size_t>(counts.y) + static_cast<std::size_t>(i.y)) *
            static_cast<std::size_t>(counts.x) +
        static_cast<std::size_t>(i.x));
  }
};

/// Calls use(node, weight) for the nodes around lattice coordinates u.
template <class Use>
void around(const MsmBasis& basis, glm::dvec3 u, const Use& use) {
  const glm::dvec3 base = glm::floor(u + 1e-9);
  const glm::dvec3 t = glm::max(u - base, glm::dvec3(0));
  const int p = basis.degree;
  for (int c = 0; c <= p; ++c) {
    for (int b = 0; b <= p; ++b) {
      for (int a = 0; a <= p; ++a) {
        const double w = basis.weight(a, t.x) * basis.weight(b, t.y) * basis.weight(c, t.z);
        if (w != 0) use(glm::ivec3(base) + glm::ivec3(a, b, c) - basis.below, w);
      }
    }
  }
}

/// Calls use(coarse node, weight) for the nodes of the next lattice that a node of this one gives to and takes from.
template <class Use>
void around_coarse(const MsmBasis& basis, const MsmLevel& level, glm::ivec3 fine, const Use& use) {
  const int p = basis.degree;
  const glm::ivec3 base = glm::ivec3(glm::floor(0.5 * glm::dvec3(fine))) + level.shift - basis.below;
  for (int c = 0; c <= p; ++c) {
    for (int b = 0; b <= p; ++b) {
      for (int a = 0; a <= p; ++a) {
        const glm::ivec3 coarse = base + glm::ivec3(a, b, c);
        const glm::ivec3 t = fine - 2 * (coarse - level.shift);
        const double w = basis.refine(t.x) * basis.refine(t.y) * basis.refine(t.z);
        if (w != 0) use(coarse, w);
      }
    }
  }
}

template <class Use>
void each_node(glm::ivec3 counts, const Use& use) {
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) use(glm::ivec3(i, j, k));
    }
  }
}

/// e = sum over nodes of kernel times charge (eqs. 14, 15).
void sum_lattice(const MsmPlan& plan, const MsmLevel& level, Nodes& q, Nodes& e) {
  const glm::ivec3 radius = level.top ? level.counts - 1 : level.radius;
  glm::ivec3 least = -radius;
  glm::ivec3 most = radius;
  for (int axis = 0; axis < 3; ++axis) {
    // The top kernel holds all images already.
    if (!level.top || !plan.periodic[axis]) continue;
    least[axis] = 0;
    most[axis] = level.counts[axis] - 1;
  }
  Job job;
  const bool never[3] = {};
  Nodes table(most - least + 1, never);
  table.values = msm_kernel_values(plan, level, least, most, job);
  const glm::ivec3 n = level.counts;
  each_node(n, [&](glm::ivec3 i) {
    double sum = 0;
    glm::ivec3 first;
    glm::ivec3 last;
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = plan.periodic[axis] ? least[axis] : std::max(least[axis], -i[axis]);
      last[axis] = plan.periodic[axis] ? most[axis] : std::min(most[axis], n[axis] - 1 - i[axis]);
    }
    for (int c = first.z; c <= last.z; ++c) {
      for (int b = first.y; b <= last.y; ++b) {
        for (int a = first.x; a <= last.x; ++a) {
          const glm::ivec3 d(a, b, c);
          sum += table.at(d - least) * q.at(i + d);
        }
      }
    }
    e.at(i) = sum;
  });
}

}  // namespace

void msm_potential_reference(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                             std::span<const glm::dvec3> points, std::span<double> potential) {
  if (points.size() != potential.size()) throw Error("MSM: as many values as points are needed");
  const MsmPlan plan(charges, solid_grid(grid, "MSM"), options, Device::cpu());
  std::vector<Nodes> q;
  std::vector<Nodes> e;
  for (const MsmLevel& level : plan.levels) {
    q.emplace_back(level.counts, plan.periodic);
    e.emplace_back(level.counts, plan.periodic);
  }
  for (const PointCharge& c : charges) {
    around(plan.basis, plan.coordinates(c.position),
           [&](glm::ivec3 node, double w) { q[0].at(node) += w * static_cast<double>(c.charge); });
  }
  for (std::size_t k = 0; k + 1 < plan.levels.size(); ++k) {
    each_node(plan.levels[k].counts, [&](glm::ivec3 i) {
      around_coarse(plan.basis, plan.levels[k], i,
                    [&](glm::ivec3 node, double w) { q[k + 1].at(node) += w * q[k].at(i); });
    });
  }
  for (std::size_t k = plan.levels.size(); k-- > 0;) {
    sum_lattice(plan, plan.levels[k], q[k], e[k]);
    if (k + 1 == plan.levels.size()) continue;
    each_node(plan.levels[k].counts, [&](glm::ivec3 i) {
      around_coarse(plan.basis, plan.levels[k], i,
                    [&](glm::ivec3 node, double w) { e[k].at(i) += w * e[k + 1].at(node); });
    });
  }

  const double a = plan.options.cutoff;
  const TaylorGamma gamma(plan.options.smoothing);
  for (std::size_t n = 0; n < points.size(); ++n) {
    const glm::dvec3 p = plan.frame.to_frame(points[n]);
    double sum = 0;
    around(plan.basis, plan.inverse * (p - plan.origin), [&](glm::ivec3 node, double w) { sum += w * e[0].at(node); });
    for (const PointCharge& c : charges) {
      for_images(plan.frame.to_frame(c.position), plan.images, p, p, a, [&](glm::dvec3 image) {
        const double r = glm::distance(image, p);
        if (r >= a) return;
        sum += static_cast<double>(c.charge) * ((r < coincidence ? 0 : 1 / r) - gamma(r * r / (a * a)) / a);
      });
    }
    potential[n] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
