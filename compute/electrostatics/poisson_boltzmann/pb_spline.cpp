// The dielectric as a product over the atoms: of splines about their spheres, or of Gaussians.
#include "compute/electrostatics/poisson_boltzmann/pb_spline.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

double spline(double distance, double radius, double width) {
  const double s = (distance - radius + width) / width;
  return s <= 0 ? 0 : s >= 2 ? 1 : s * s * (0.75 - 0.25 * s);
}

double spline7(double distance, double radius, double width) {
  const double t = (distance - radius + width) / (2 * width);
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * t * t * (35 + t * (-84 + t * (70 - 20 * t)));
}

/// The product of factor(atom, squared distance), each 1 from reach(atom) on.
template <class Reach, class Factor>
PbSpline product(std::span<const ChargedSphere> atoms, const PbProblem& p, Job& job, const Reach& reach_of,
                 const Factor& factor) {
  PbSpline shares;
  std::vector<float>* const fields[4] = {&shares.node, &shares.x, &shares.y, &shares.z};
  for (std::vector<float>* field : fields) field->assign(p.size(), 1.0f);
  // The atoms that reach a layer of nodes or the edges that leave it.
  std::vector<std::vector<std::uint32_t>> reaching(static_cast<std::size_t>(p.counts.z));
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double reach = reach_of(atoms[i]);
    if (!(reach > 0)) continue;
    const double at = (static_cast<double>(atoms[i].position.z) - p.origin.z) / p.step.z;
    const int from = std::max(0, static_cast<int>(std::floor(at - reach / p.step.z)));
    const int to = std::min(p.counts.z - 1, static_cast<int>(std::ceil(at + reach / p.step.z)));
    for (int k = from; k <= to; ++k) reaching[static_cast<std::size_t>(k)].push_back(static_cast<std::uint32_t>(i));
  }
  parallel_for(static_cast<std::size_t>(p.counts.z), job, "dielectric about the atoms", [&](std::size_t k) {
    for (const std::uint32_t number : reaching[k]) {
      const ChargedSphere& atom = atoms[number];
      const glm::dvec3 centre(atom.position);
      const double reach = reach_of(atom);
      const glm::ivec3 from = glm::max(glm::ivec3(0), glm::ivec3(glm::floor((centre - reach - p.origin) / p.step)));
      const glm::ivec3 to = glm::min(p.counts - 1, glm::ivec3(glm::ceil((centre + reach - p.origin) / p.step)));
      for (int j = from.y; j <= to.y; ++j) {
        for (int i = from.x; i <= to.x; ++i) {
          const std::size_t node = p.index({i, j, static_cast<int>(k)});
          const glm::dvec3 at = p.point(node) - centre;
          for (int field = 0; field < 4; ++field) {
            glm::dvec3 place = at;
            if (field > 0) place[field - 1] += 0.5 * p.step[field - 1];
            (*fields[field])[node] *= static_cast<float>(factor(atom, glm::dot(place, place)));
          }
        }
      }
    }
  });
  return shares;
}

}  // namespace

PbSpline pb_spline(std::span<const ChargedSphere> atoms, double width, int degree, const PbProblem& p, Job& job) {
  const auto reach = [width](const ChargedSphere& atom) {
    return atom.radius > 0 ? static_cast<double>(atom.radius) + width : 0.0;
  };
  const auto step = degree == 7 ? spline7 : spline;
  return product(atoms, p, job, reach, [width, step](const ChargedSphere& atom, double square) {
    return step(std::sqrt(square), static_cast<double>(atom.radius), width);
  });
}

PbSpline pb_gaussian(std::span<const ChargedSphere> atoms, double sigma, const PbProblem& p, Job& job) {
  const auto length = [sigma](const ChargedSphere& atom) {
    const double radius = static_cast<double>(atom.radius);
    return sigma * (atom.charge != 0 ? std::max(1.0, radius) : radius);
  };
  // Beyond that an atom's density is below 1e-6.
  const auto reach = [&](const ChargedSphere& atom) { return 3.8 * length(atom); };
  return product(atoms, p, job, reach, [&](const ChargedSphere& atom, double square) {
    return -std::expm1(-square / (length(atom) * length(atom)));
  });
}

}  // namespace isolume
