// An orbital as a sum of polynomials times Gaussians: its terms and their bounds.
#include "compute/orbitals/orbital_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/orbitals/orbital_math.h"
#include "compute/orbitals/orbital_plan.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

const MonomialBounds& monomial_bounds() {
  static const MonomialBounds bounds;
  return bounds;
}

}  // namespace

OrbitalTerms orbital_terms(const Orbitals& orbitals, std::size_t which) {
  check_orbital(orbitals, which);
  const std::shared_ptr<const OrbitalPlan> plan = orbital_plan(orbitals.basis);
  OrbitalTerms result;
  result.coefficients.resize(plan->coefficient_count());
  plan->multiply(orbitals.row(which), result.coefficients.data());
  result.terms.reserve(plan->terms.size());
  for (const PlanTerm& term : plan->terms) {
    const glm::dvec3 c = orbitals.centres[term.centre];
    result.terms.push_back(
        {{c.x, c.y, c.z}, term.exponent, std::numeric_limits<double>::infinity(), term.first, term.degree});
  }
  return result;
}

double TermBound::beyond(double distance) const {
  double sum = 0;
  const double power = exponent * distance * distance;
  if (power >= 0.5 * degree) {
    // Beyond the maxima of all degrees: they share one exponential.
    if (power > 745) return 0;  // exp(-power) is 0
    for (int l = degree; l >= 0; --l) sum = sum * distance + by_degree[l];
    return sum * std::exp(-power);
  }
  for (int l = 0; l <= degree; ++l) {
    if (by_degree[l] > 0) sum += by_degree[l] * largest_radial(l, exponent, distance);
  }
  return sum;
}

TermBound OrbitalTerms::bound(const OrbitalTerm& term) const {
  TermBound bound;
  bounds_by_degree(monomial_bounds(), coefficients.data() + term.first, term.degree, bound.by_degree);
  bound.exponent = term.exponent;
  bound.degree = term.degree;
  return bound;
}

std::vector<TermBound> OrbitalTerms::bounds() const {
  std::vector<TermBound> all;
  all.reserve(terms.size());
  for (const OrbitalTerm& term : terms) all.push_back(bound(term));
  return all;
}

double OrbitalTerms::at(glm::dvec3 point) const {
  double sum = 0;
  for (const OrbitalTerm& term : terms) {
    const glm::dvec3 d = point - glm::dvec3(term.centre[0], term.centre[1], term.centre[2]);
    const double power = term.exponent * glm::dot(d, d);
    if (power > 746) continue;  // exp(-power) is 0
    const double e = std::exp(-power);
    const double* c = coefficients.data() + term.first;
    double value = 0;
    double x = 1;
    for (int i = 0; i <= term.degree; ++i, x *= d.x) {
      double xy = x;
      for (int j = 0; i + j <= term.degree; ++j, xy *= d.y) {
        double xyz = xy;
        for (int k = 0; i + j + k <= term.degree; ++k, xyz *= d.z) value += *c++ * xyz;
      }
    }
    sum += value * e;
  }
  return sum;
}

void OrbitalTerms::cut(double tolerance) {
  for (OrbitalTerm& term : terms) {
    double bounds[max_degree + 1];
    bounds_by_degree(monomial_bounds(), coefficients.data() + term.first, term.degree, bounds);
    term.cutoff = cut_distance(bounds, term.degree, term.exponent, tolerance);
  }
  std::erase_if(terms, [](const OrbitalTerm& term) { return term.cutoff < 0; });
}

std::vector<glm::dvec3> sample_points(std::span<const glm::dvec3> centres, const Grid& grid) {
  std::vector<glm::dvec3> points;
  if (grid.size() == 0) return points;
  // A coarse lattice of grid points, and the points nearest to centres.
  constexpr int along = 4;
  for (int n = 0; n < along * along * along; ++n) {
    const glm::ivec3 part(n % along, n / along % along, n / along / along);
    const glm::dvec3 at = glm::round((glm::dvec3(part) + 0.5) / double{along} * glm::dvec3(grid.counts - 1));
    points.push_back(grid.point(at.x, at.y, at.z));
  }
  if (std::abs(glm::determinant(grid.step)) > 0) {
    const glm::dmat3 inverse = glm::inverse(grid.step);
    const std::size_t stride = std::max<std::size_t>(1, centres.size() / 64);
    for (std::size_t i = 0; i < centres.size(); i += stride) {
      const glm::dvec3 exact = inverse * (units::bohr_in_angstrom * centres[i] - grid.origin);
      const glm::dvec3 at = glm::clamp(glm::round(exact), glm::dvec3(0), glm::dvec3(grid.counts - 1));
      points.push_back(grid.point(at.x, at.y, at.z));
    }
  }
  for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
  return points;
}

double sampled_maximum(const OrbitalTerms& terms, std::span<const glm::dvec3> points) {
  if (points.empty()) return 0;
  std::vector<double> values(points.size());
  Job job;
  parallel_for(points.size(), job, "orbital", [&](std::size_t i) { values[i] = std::abs(terms.at(points[i])); });
  return *std::max_element(values.begin(), values.end());
}

}  // namespace isolume
