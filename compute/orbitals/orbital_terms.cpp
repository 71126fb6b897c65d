// An orbital as a sum of polynomials times Gaussians: how it is made from shells, and its bounds.
#include "compute/orbitals/orbital_terms.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "compute/parallel_for.h"
#include "molecule/error.h"
#include "molecule/solid_harmonics.h"
#include "molecule/units.h"

namespace isolume {

namespace {

using Polynomial = std::array<double, static_cast<std::size_t>(monomial_count(max_degree))>;

/// Place of x^i y^j z^k in a polynomial of a degree.
std::size_t place(int degree, int i, int j, int k) {
  int at = 0;
  for (int a = 0; a < i; ++a) at += (degree - a + 1) * (degree - a + 2) / 2;
  for (int b = 0; b < j; ++b) at += degree - i - b + 1;
  return static_cast<std::size_t>(at + k);
}

void check(const Orbitals& orbitals, std::size_t which) {
  if (which >= orbitals.count()) {
    throw Error(fmt::format("orbital {}: the file has {}", which + 1,
                            orbitals.count() == 0 ? "none" : fmt::format("1 to {}", orbitals.count())),
                Error::Kind::usage);
  }
  if (!orbitals.basis) throw Error("orbital: there is no basis");
  const Basis& basis = *orbitals.basis;
  if (orbitals.coefficients.size() != orbitals.count() * basis.function_count()) {
    throw Error(fmt::format("orbital: {} coefficients for {} orbitals over {} functions", orbitals.coefficients.size(),
                            orbitals.count(), basis.function_count()));
  }
  for (std::size_t s = 0; s < basis.shells.size(); ++s) {
    const Shell& shell = basis.shells[s];
    if (shell.centre >= orbitals.centres.size() || shell.l > max_degree ||
        shell.coefficients.size() != shell.exponents.size()) {
      throw Error(
          fmt::format("orbital: shell {} is on atom {} of {}, has l = {} (0 to {}), {} exponents and {} "
                      "coefficients",
                      s + 1, shell.centre + 1, orbitals.centres.size(), shell.l, max_degree, shell.exponents.size(),
                      shell.coefficients.size()));
    }
    for (const double exponent : shell.exponents) {
      if (!(exponent > 0)) throw Error(fmt::format("orbital: shell {} has the exponent {}", s + 1, exponent));
    }
  }
}

/// Coefficients of a shell's normalised Cartesian functions.
std::vector<double> cartesian(const Shell& shell, const double* coefficients) {
  const std::size_t cartesians = (shell.l + 1u) * (shell.l + 2u) / 2u;
  if (!shell.spherical) return {coefficients, coefficients + cartesians};
  const std::vector<double> matrix = solid_harmonic_matrix(shell.l);
  std::vector<double> result(cartesians, 0.0);
  for (std::size_t m = 0; m < shell.function_count(); ++m) {
    for (std::size_t c = 0; c < cartesians; ++c) result[c] += coefficients[m] * matrix[m * cartesians + c];
  }
  return result;
}

/// Largest value of r^degree exp(-a r^2) at `distance` or further.
double largest(int degree, double a, double distance) {
  const double r = std::max(distance, std::sqrt(0.5 * degree / a));
  return std::pow(r, degree) * std::exp(-a * r * r);
}

}  // namespace

OrbitalTerms orbital_terms(const Orbitals& orbitals, std::size_t which) {
  check(orbitals, which);
  const Basis& basis = *orbitals.basis;
  const std::span<const double> row = orbitals.row(which);
  struct Part {
    int degree = 0;
    Polynomial values{};  // at the largest degree
  };
  std::map<std::pair<std::uint32_t, double>, Part> parts;
  std::size_t function = 0;
  for (const Shell& shell : basis.shells) {
    const std::vector<double> c = cartesian(shell, row.data() + function);
    function += shell.function_count();
    if (std::all_of(c.begin(), c.end(), [](double value) { return value == 0; })) continue;
    const std::vector<glm::ivec3> powers = cartesian_powers(shell.l);
    for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
      Part& part = parts[{shell.centre, shell.exponents[p]}];
      part.degree = std::max<int>(part.degree, shell.l);
      for (std::size_t n = 0; n < c.size(); ++n) {
        const glm::ivec3 q = powers[n];
        part.values[place(max_degree, q.x, q.y, q.z)] +=
            c[n] * shell.coefficients[p] * cartesian_norm(shell.exponents[p], q.x, q.y, q.z);
      }
    }
  }
  OrbitalTerms result;
  result.terms.reserve(parts.size());
  for (const auto& [key, part] : parts) {
    OrbitalTerm term;
    const glm::dvec3 centre = orbitals.centres[key.first];
    for (int axis = 0; axis < 3; ++axis) term.centre[axis] = centre[axis];
    term.exponent = key.second;
    term.cutoff = std::numeric_limits<double>::infinity();
    term.first = static_cast<std::uint32_t>(result.coefficients.size());
    term.degree = part.degree;
    for (int i = 0; i <= part.degree; ++i) {
      for (int j = 0; i + j <= part.degree; ++j) {
        for (int k = 0; i + j + k <= part.degree; ++k) {
          result.coefficients.push_back(part.values[place(max_degree, i, j, k)]);
        }
      }
    }
    result.terms.push_back(term);
  }
  return result;
}

double OrbitalTerms::bound(const OrbitalTerm& term, double distance) const {
  // x^i y^j z^k is at most r^l sqrt((i/l)^i (j/l)^j (k/l)^k) on a sphere.
  const auto part = [](int power, int l) { return power == 0 ? 1.0 : std::pow(static_cast<double>(power) / l, power); };
  double by_degree[max_degree + 1] = {};
  const double* c = coefficients.data() + term.first;
  for (int i = 0; i <= term.degree; ++i) {
    for (int j = 0; i + j <= term.degree; ++j) {
      for (int k = 0; i + j + k <= term.degree; ++k) {
        const int l = i + j + k;
        by_degree[l] += std::abs(*c++) * std::sqrt(part(i, l) * part(j, l) * part(k, l));
      }
    }
  }
  double sum = 0;
  for (int l = 0; l <= term.degree; ++l) {
    if (by_degree[l] > 0) sum += by_degree[l] * largest(l, term.exponent, distance);
  }
  return sum;
}

double OrbitalTerms::at(glm::dvec3 point) const {
  double sum = 0;
  for (const OrbitalTerm& term : terms) {
    const glm::dvec3 d = point - glm::dvec3(term.centre[0], term.centre[1], term.centre[2]);
    const double e = std::exp(-term.exponent * glm::dot(d, d));
    if (e == 0) continue;
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
    if (bound(term, 0) <= tolerance) {
      term.cutoff = -1;
      continue;
    }
    // The bound falls with the distance: double it until it is small, then bisect, staying on the safe side.
    double upper = std::sqrt(1 / term.exponent);
    while (bound(term, upper) > tolerance && upper < 1e6) upper *= 2;
    double lower = 0;
    while (upper - lower > 1e-3 * upper) {
      const double middle = 0.5 * (lower + upper);
      (bound(term, middle) > tolerance ? lower : upper) = middle;
    }
    term.cutoff = upper;
  }
  std::erase_if(terms, [](const OrbitalTerm& term) { return term.cutoff < 0; });
}

double sampled_maximum(const OrbitalTerms& terms, const Grid& grid) {
  if (grid.size() == 0 || terms.terms.empty()) return 0;
  std::vector<glm::dvec3> points;
  // A coarse lattice of grid points, and the points nearest to centres.
  constexpr int along = 6;
  for (int n = 0; n < along * along * along; ++n) {
    const glm::ivec3 part(n % along, n / along % along, n / along / along);
    const glm::dvec3 at = glm::round((glm::dvec3(part) + 0.5) / double{along} * glm::dvec3(grid.counts - 1));
    points.push_back(grid.point(at.x, at.y, at.z));
  }
  if (std::abs(glm::determinant(grid.step)) > 0) {
    const std::size_t stride = std::max<std::size_t>(1, terms.terms.size() / 256);
    for (std::size_t t = 0; t < terms.terms.size(); t += stride) {
      const double* c = terms.terms[t].centre;
      const glm::dvec3 centre = units::bohr_in_angstrom * glm::dvec3(c[0], c[1], c[2]);
      const glm::dvec3 at =
          glm::clamp(glm::round(grid.coordinates(centre)), glm::dvec3(0), glm::dvec3(grid.counts - 1));
      const glm::dvec3 point = grid.point(at.x, at.y, at.z);
      if (points.back() != point) points.push_back(point);
    }
  }
  std::vector<double> values(points.size());
  Job job;
  parallel_for(points.size(), job, "orbital",
               [&](std::size_t i) { values[i] = std::abs(terms.at(units::angstrom_in_bohr * points[i])); });
  return *std::max_element(values.begin(), values.end());
}

}  // namespace isolume
