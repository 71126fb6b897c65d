// How the coefficients over a basis become those of an orbital's terms: a sparse matrix, the same for all orbitals.
#include "compute/orbitals/orbital_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>
#include <tuple>

#include "compute/orbitals/orbital_terms.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/quantum/solid_harmonics.h"

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

/// One primitive of a shell.
struct Primitive {
  std::uint32_t centre;
  double exponent;
  std::uint32_t shell, number, function;
};

void check_shells(const Basis& basis) {
  for (std::size_t s = 0; s < basis.shells.size(); ++s) {
    const Shell& shell = basis.shells[s];
    if (shell.l > max_degree || shell.coefficients.size() != shell.exponents.size()) {
      throw Error(fmt::format("orbital: shell {} has l = {} (0 to {}), {} exponents and {} coefficients", s + 1,
                              shell.l, max_degree, shell.exponents.size(), shell.coefficients.size()));
    }
    for (const double exponent : shell.exponents) {
      if (!(exponent > 0)) throw Error(fmt::format("orbital: shell {} has the exponent {}", s + 1, exponent));
    }
  }
}

/// What one function adds to one coefficient of a polynomial.
struct Entry {
  std::uint32_t row, column;
  double value;
};

OrbitalPlan make_plan(const Basis& basis) {
  check_shells(basis);
  std::vector<Primitive> primitives;
  primitives.reserve(basis.primitive_count());
  std::uint32_t function = 0;
  for (std::uint32_t s = 0; s < basis.shells.size(); ++s) {
    const Shell& shell = basis.shells[s];
    for (std::uint32_t p = 0; p < shell.exponents.size(); ++p) {
      primitives.push_back({shell.centre, shell.exponents[p], s, p, function});
    }
    function += static_cast<std::uint32_t>(shell.function_count());
  }
  // What has one centre and one exponent becomes neighbours; ties stay in the order of the shells.
  std::sort(primitives.begin(), primitives.end(), [](const Primitive& a, const Primitive& b) {
    return std::tie(a.centre, a.exponent, a.shell, a.number) < std::tie(b.centre, b.exponent, b.shell, b.number);
  });
  ShellForms forms;
  OrbitalPlan plan;
  std::vector<Entry> entries;
  std::uint32_t count = 0;
  for (auto begin = primitives.begin(); begin != primitives.end();) {
    PlanTerm term;
    auto end = begin;
    for (; end != primitives.end() && end->centre == begin->centre && end->exponent == begin->exponent; ++end) {
      term.degree = std::max<int>(term.degree, basis.shells[end->shell].l);
    }
    term.exponent = begin->exponent;
    term.centre = begin->centre;
    term.first = count;
    term.row = plan.rows;
    const double root = std::sqrt(2 * term.exponent / units::pi);
    const double s_norm = root * std::sqrt(root);
    const double per_degree = 2 * std::sqrt(term.exponent);
    for (; begin != end; ++begin) {
      const Shell& shell = basis.shells[begin->shell];
      const ShellForm& form = forms(shell);
      double scale = shell.coefficients[begin->number] * s_norm;
      for (int l = 0; l < shell.l; ++l) scale *= per_degree;
      const std::vector<std::uint32_t>& places = form.places[term.degree];
      for (std::uint32_t f = 0; f < shell.function_count(); ++f) {
        for (std::size_t n = 0; n < places.size(); ++n) {
          const double part = shell.spherical ? form.harmonics[f * places.size() + n] : n == f ? 1.0 : 0.0;
          if (part != 0) entries.push_back({count + places[n], begin->function + f, scale * form.norms[n] * part});
        }
      }
    }
    for (int j = 0; j <= term.degree; ++j) {
      for (int k = 0; j + k <= term.degree; ++k) {
        for (int i = 0; i + j + k <= term.degree; ++i) plan.yzx.push_back(count + place(term.degree, {i, j, k}));
      }
    }
    count += static_cast<std::uint32_t>(monomial_count(term.degree));
    plan.rows += static_cast<std::uint32_t>(term.degree) + 1;
    plan.max_degree = std::max(plan.max_degree, term.degree);
    plan.terms.push_back(term);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
  plan.begin.assign(std::size_t{count} + 1, 0);
  for (const Entry& entry : entries) {
    ++plan.begin[entry.row + 1];
    plan.columns.push_back(entry.column);
    plan.values.push_back(entry.value);
  }
  for (std::size_t row = 0; row < count; ++row) plan.begin[row + 1] += plan.begin[row];
  return plan;
}

bool equal(const Basis& a, const Basis& b) {
  return a.shells.size() == b.shells.size() &&
         std::equal(a.shells.begin(), a.shells.end(), b.shells.begin(), [](const Shell& s, const Shell& t) {
           return s.centre == t.centre && s.l == t.l && s.spherical == t.spherical && s.exponents == t.exponents &&
                  s.coefficients == t.coefficients;
         });
}

/// A plan and the basis that it was made of.
struct Kept {
  std::shared_ptr<const Basis> basis;
  std::shared_ptr<const OrbitalPlan> plan;
};

}  // namespace

void OrbitalPlan::multiply(std::span<const double> orbital, double* coefficients) const {
  for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
    double sum = 0;
    for (std::uint32_t n = begin[row]; n < begin[row + 1]; ++n) sum += values[n] * orbital[columns[n]];
    coefficients[row] = sum;
  }
}

std::size_t orbital_table_bytes(const OrbitalPlan& plan, const Grid& grid) {
  constexpr std::size_t most = std::size_t{512} << 20;
  if (!grid.axis_aligned()) return 0;
  std::size_t points = 0;
  for (int axis = 0; axis < 3; ++axis) points += static_cast<std::size_t>(grid.counts[axis] + 15) / 16 * 16;
  const std::size_t bytes = plan.rows * points * (sizeof(double) + sizeof(float));
  return bytes <= most ? bytes : 0;
}

std::shared_ptr<const OrbitalPlan> orbital_plan(const std::shared_ptr<const Basis>& basis) {
  static std::mutex mutex;
  static std::list<Kept> kept;
  constexpr std::size_t most = 8;
  const std::lock_guard lock(mutex);
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (it->basis != basis && !equal(*it->basis, *basis)) continue;
    it->basis = basis;  // the next frame has the same one, or this pointer again
    kept.splice(kept.begin(), kept, it);
    return it->plan;
  }
  auto plan = std::make_shared<const OrbitalPlan>(make_plan(*basis));
  kept.push_front({basis, plan});
  if (kept.size() > most) kept.pop_back();
  return plan;
}

void check_orbital(const Orbitals& orbitals, std::size_t which) {
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
    if (basis.shells[s].centre >= orbitals.centres.size()) {
      throw Error(fmt::format("orbital: shell {} is on atom {} of {}", s + 1, basis.shells[s].centre + 1,
                              orbitals.centres.size()));
    }
  }
}

}  // namespace isolume
