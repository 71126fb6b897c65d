// What acts at a point under hierarchical charge partitioning, in plain double precision.
#include "compute/electrostatics/hcp/hcp_parts.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/charges/direct_math.h"

namespace isolume {

glm::dvec4 hcp_charge_at(glm::dvec3 from, double q, glm::dvec3 point, const Dielectric& dielectric) {
  const glm::dvec3 d = point - from;
  const double r = glm::length(d);
  if (r < coincidence) return glm::dvec4(0);
  const double eps = dielectric(r);
  double slope = 0;  // of eps
  if (dielectric.kind == Dielectric::Kind::sigmoidal) {
    const double x = r * dielectric.slope;
    slope = dielectric.slope * 0.5 * (dielectric.bulk - 1) * x * x * std::exp(-x);
  }
  const double along = q * (1 / (eps * r * r) + slope / (eps * eps * r));
  return {d / r * along, q / (eps * r)};
}

HcpParts::HcpParts(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpOptions& options)
    : atoms_(charges), charges_each_(options.charges) {
  options.check();
  hierarchy.check(charges.size());
  levels_ = hcp_levels(hierarchy, options);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::vector<std::uint32_t>& atom = levels_[level].atom;
    components_.emplace_back();
    for (std::size_t c = 0; c + 1 < atom.size(); ++c)
      components_.back().push_back(component(atom[c], atom[c + 1], options.thresholds[level]));
  }
}

HcpParts::Component HcpParts::component(std::uint32_t begin, std::uint32_t end, double threshold) const {
  Component result;
  glm::dvec3 weighted(0), plain(0);
  double weight = 0;
  for (std::uint32_t a = begin; a < end; ++a) {
    const double q = atoms_[a].charge;
    weight += std::abs(q);
    weighted += std::abs(q) * position(a);
    plain += position(a);
    if (q > 0) result.plus += q, result.plus_at += q * position(a);
    if (q < 0) result.minus -= q, result.minus_at -= q * position(a);
  }
  if (result.plus > 0) result.plus_at /= result.plus;
  if (result.minus > 0) result.minus_at /= result.minus;
  result.centre = weight > 0 ? weighted / weight : plain / static_cast<double>(end - begin);
  result.reach = threshold;
  for (std::uint32_t a = begin; a < end; ++a)
    result.reach = std::max(result.reach, glm::distance(position(a), result.centre) + hcp_margin);
  return result;
}

}  // namespace isolume
