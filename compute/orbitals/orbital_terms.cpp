// An orbital as a sum of polynomials times Gaussians: how it is made from shells, and its bounds.
#include "compute/orbitals/orbital_terms.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "compute/parallel_for.h"
#include "molecule/error.h"
#include "molecule/solid_harmonics.h"
#include "molecule/units.h"

namespace isolume {

namespace {

/// Place of x^i y^j z^k in a polynomial of a degree.
std::uint32_t place(int degree, glm::ivec3 power) {
  int at = 0;
  for (int a = 0; a < power.x; ++a) at += (degree - a + 1) * (degree - a + 2) / 2;
  for (int b = 0; b < power.y; ++b) at += degree - power.x - b + 1;
  return static_cast<std::uint32_t>(at + power.z);
}

/// What shells of one angular momentum share.
struct ShellForm {
  std::vector<glm::ivec3> powers;
  std::vector<double> norms;                          ///< of each Cartesian function, but for its exponent
  std::vector<double> harmonics;                      ///< solid_harmonic_matrix(), where a shell asks for it
  std::vector<std::uint32_t> places[max_degree + 1];  ///< of the functions in a polynomial of a degree
};

/// Forms made on first use.
class ShellForms {
 public:
  const ShellForm& operator()(const Shell& shell) {
    ShellForm& form = forms_[shell.l];
    if (form.powers.empty()) {
      form.powers = cartesian_powers(shell.l);
      // (2a/pi)^(3/4) (4a)^(l/2) is 1 for the exponent pi/2 but for the power of 2 pi.
      const double power = std::pow(2 * units::pi, 0.5 * shell.l);
      for (const glm::ivec3 q : form.powers) {
        form.norms.push_back(cartesian_norm(0.5 * units::pi, q.x, q.y, q.z) / power);
      }
      for (int degree = shell.l; degree <= max_degree; ++degree) {
        for (const glm::ivec3 q : form.powers) form.places[degree].push_back(place(degree, q));
      }
    }
    if (shell.spherical && form.harmonics.empty()) form.harmonics = solid_harmonic_matrix(shell.l);
    return form;
  }

 private:
  std::array<ShellForm, max_degree + 1> forms_;
};

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

/// Appends the coefficients of a shell's normalised Cartesian functions.
void add_cartesian(const Shell& shell, const ShellForm& form, const double* coefficients, std::vector<double>& to) {
  const std::size_t cartesians = form.powers.size();
  if (!shell.spherical) {
    to.insert(to.end(), coefficients, coefficients + cartesians);
    return;
  }
  const std::size_t first = to.size();
  to.resize(first + cartesians, 0.0);
  for (std::size_t m = 0; m < shell.function_count(); ++m) {
    for (std::size_t c = 0; c < cartesians; ++c) to[first + c] += coefficients[m] * form.harmonics[m * cartesians + c];
  }
}

/// One primitive of a shell that the orbital has a part in.
struct Primitive {
  std::uint32_t centre;
  double exponent;
  std::uint32_t shell, number;
  std::size_t first;  ///< of the shell's Cartesian coefficients
};

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
  ShellForms forms;
  std::vector<double> cartesian;
  std::vector<Primitive> primitives;
  primitives.reserve(basis.primitive_count());
  std::size_t function = 0;
  for (std::uint32_t s = 0; s < basis.shells.size(); ++s) {
    const Shell& shell = basis.shells[s];
    const std::span<const double> c = row.subspan(function, shell.function_count());
    function += c.size();
    if (std::all_of(c.begin(), c.end(), [](double value) { return value == 0; })) continue;
    const std::size_t first = cartesian.size();
    add_cartesian(shell, forms(shell), c.data(), cartesian);
    for (std::uint32_t p = 0; p < shell.exponents.size(); ++p) {
      primitives.push_back({shell.centre, shell.exponents[p], s, p, first});
    }
  }
  // What has one centre and one exponent becomes neighbours; ties stay in the order of the shells.
  std::sort(primitives.begin(), primitives.end(), [](const Primitive& a, const Primitive& b) {
    return std::tie(a.centre, a.exponent, a.shell, a.number) < std::tie(b.centre, b.exponent, b.shell, b.number);
  });
  OrbitalTerms result;
  for (auto begin = primitives.begin(); begin != primitives.end();) {
    OrbitalTerm term{};
    auto end = begin;
    for (; end != primitives.end() && end->centre == begin->centre && end->exponent == begin->exponent; ++end) {
      term.degree = std::max<int>(term.degree, basis.shells[end->shell].l);
    }
    const glm::dvec3 centre = orbitals.centres[begin->centre];
    for (int axis = 0; axis < 3; ++axis) term.centre[axis] = centre[axis];
    term.exponent = begin->exponent;
    term.cutoff = std::numeric_limits<double>::infinity();
    term.first = static_cast<std::uint32_t>(result.coefficients.size());
    result.coefficients.resize(result.coefficients.size() + static_cast<std::size_t>(monomial_count(term.degree)), 0.0);
    double* to = result.coefficients.data() + term.first;
    const double root = std::sqrt(2 * term.exponent / units::pi);
    const double s_norm = root * std::sqrt(root);
    const double per_degree = 2 * std::sqrt(term.exponent);
    for (; begin != end; ++begin) {
      const Shell& shell = basis.shells[begin->shell];
      const ShellForm& form = forms(shell);
      double scale = shell.coefficients[begin->number] * s_norm;
      for (int l = 0; l < shell.l; ++l) scale *= per_degree;
      const std::vector<std::uint32_t>& places = form.places[term.degree];
      for (std::size_t n = 0; n < places.size(); ++n) {
        to[places[n]] += scale * form.norms[n] * cartesian[begin->first + n];
      }
    }
    result.terms.push_back(term);
  }
  return result;
}

/// bounds[l] r^l bounds the polynomial's part of degree l at distance r.
void OrbitalTerms::bounds_by_degree(const OrbitalTerm& term, double (&bounds)[max_degree + 1]) const {
  // x^i y^j z^k is at most r^l sqrt((i/l)^i (j/l)^j (k/l)^k) on a sphere.
  static const auto largest_of = [] {
    std::array<std::array<double, max_degree + 1>, max_degree + 1> part{};  // sqrt((i/l)^i): [l][i]
    for (int l = 0; l <= max_degree; ++l) {
      for (int i = 0; i <= l; ++i) part[l][i] = i == 0 ? 1.0 : std::sqrt(std::pow(static_cast<double>(i) / l, i));
    }
    return part;
  }();
  for (double& bound : bounds) bound = 0;
  const double* c = coefficients.data() + term.first;
  for (int i = 0; i <= term.degree; ++i) {
    for (int j = 0; i + j <= term.degree; ++j) {
      for (int k = 0; i + j + k <= term.degree; ++k) {
        const auto& part = largest_of[static_cast<std::size_t>(i + j + k)];
        bounds[i + j + k] += std::abs(*c++) * part[i] * part[j] * part[k];
      }
    }
  }
}

double OrbitalTerms::bound(const OrbitalTerm& term, double distance) const {
  double bounds[max_degree + 1];
  bounds_by_degree(term, bounds);
  double sum = 0;
  for (int l = 0; l <= term.degree; ++l) {
    if (bounds[l] > 0) sum += bounds[l] * largest(l, term.exponent, distance);
  }
  return sum;
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
    bounds_by_degree(term, bounds);
    double peak = 0;
    for (int l = 0; l <= term.degree; ++l) {
      if (bounds[l] > 0) peak += bounds[l] * (l == 0 ? 1.0 : largest(l, term.exponent, 0));
    }
    if (peak <= tolerance) {
      term.cutoff = -1;
      continue;
    }
    if (!(tolerance > 0)) continue;
    // Beyond the maxima of all its parts the bound is P(r) exp(-a r^2), with P the polynomial of the bounds. It is at
    // the tolerance where r = next(r) = sqrt(log(P(r) / tolerance) / a). As next() rises, what lies beyond that r
    // stays beyond it and comes closer at every step.
    const auto next = [&](double r) {
      double value = bounds[term.degree];
      for (int l = term.degree - 1; l >= 0; --l) value = value * r + bounds[l];
      return std::sqrt(std::max(0.0, std::log(value / tolerance) / term.exponent));
    };
    const double maxima = std::sqrt(0.5 * term.degree / term.exponent);
    double r = std::max(maxima, std::sqrt(16 / term.exponent));
    while (next(r) > r && r < 1e6) r *= 1.5;
    for (int step = 0; step < 20; ++step) {
      const double closer = std::max(maxima, next(r));
      const bool done = closer > 0.999 * r;
      r = std::min(r, closer);
      if (done) break;
    }
    term.cutoff = r * (1 + 1e-12);
  }
  std::erase_if(terms, [](const OrbitalTerm& term) { return term.cutoff < 0; });
}

double sampled_maximum(const OrbitalTerms& terms, const Grid& grid) {
  if (grid.size() == 0 || terms.terms.empty()) return 0;
  std::vector<glm::dvec3> points;
  // A coarse lattice of grid points, and the points nearest to centres.
  constexpr int along = 4;
  for (int n = 0; n < along * along * along; ++n) {
    const glm::ivec3 part(n % along, n / along % along, n / along / along);
    const glm::dvec3 at = glm::round((glm::dvec3(part) + 0.5) / double{along} * glm::dvec3(grid.counts - 1));
    points.push_back(grid.point(at.x, at.y, at.z));
  }
  if (std::abs(glm::determinant(grid.step)) > 0) {
    const std::size_t stride = std::max<std::size_t>(1, terms.terms.size() / 128);
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
