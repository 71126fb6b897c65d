// Hierarchical charge partitioning in plain double precision, straight from its definition.
#include <cmath>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/hcp/hcp_components.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// What one charge adds at a point: (E, V) in e/angstrom^2 and e/angstrom.
glm::dvec4 of_charge(glm::dvec3 from, double q, glm::dvec3 point, const Dielectric& dielectric) {
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

/// What stands for a component.
struct Component {
  glm::dvec3 centre, plus_at{0}, minus_at{0};
  double reach, plus = 0, minus = 0;
};

struct Walker {
  std::span<const PointCharge> atoms;
  const std::vector<HcpLevel>& levels;
  const HcpOptions& options;
  std::vector<std::vector<Component>> components;

  Walker(std::span<const PointCharge> charges, const std::vector<HcpLevel>& of, const HcpOptions& how)
      : atoms(charges), levels(of), options(how) {
    for (std::size_t level = 0; level < levels.size(); ++level) {
      components.emplace_back();
      for (std::size_t c = 0; c + 1 < levels[level].atom.size(); ++c)
        components.back().push_back(
            component(levels[level].atom[c], levels[level].atom[c + 1], options.thresholds[level]));
    }
  }

  glm::dvec3 position(std::uint32_t atom) const { return glm::dvec3(atoms[atom].position); }

  Component component(std::uint32_t begin, std::uint32_t end, double threshold) const {
    Component result;
    glm::dvec3 weighted(0), plain(0);
    double weight = 0;
    for (std::uint32_t a = begin; a < end; ++a) {
      const double q = atoms[a].charge;
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

  /// Component c of level l (0: an atom) at a point.
  glm::dvec4 value(std::size_t level, std::uint32_t c, glm::dvec3 point) const {
    const Dielectric& dielectric = options.dielectric;
    if (level == 0) return of_charge(position(c), atoms[c].charge, point, dielectric);
    const Component& own = components[level - 1][c];
    if (glm::distance(point, own.centre) > own.reach) {
      if (options.charges == 1) return of_charge(own.centre, own.plus - own.minus, point, dielectric);
      return of_charge(own.plus_at, own.plus, point, dielectric) +
             of_charge(own.minus_at, -own.minus, point, dielectric);
    }
    glm::dvec4 sum(0);
    const std::vector<std::uint32_t>& first = levels[level - 1].first;
    for (std::uint32_t child = first[c]; child < first[c + 1]; ++child) sum += value(level - 1, child, point);
    return sum;
  }
};

}  // namespace

void hcp_reference(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy,
                   std::span<const glm::dvec3> points, const HcpOptions& options, std::span<glm::dvec4> values) {
  if (points.size() != values.size()) throw Error("potential: as many values as points are needed");
  options.check();
  hierarchy.check(charges.size());
  const std::vector<HcpLevel> levels = hcp_levels(hierarchy, options);
  const Walker walker(charges, levels, options);
  const std::size_t top = levels.empty() ? charges.size() : levels.back().first.size() - 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    glm::dvec4 sum(0);
    for (std::size_t c = 0; c < top; ++c) sum += walker.value(levels.size(), static_cast<std::uint32_t>(c), points[i]);
    values[i] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
