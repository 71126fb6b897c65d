// A density as Hermite Gaussians: pairs of primitives, with the density matrix of the orbitals.
#include "compute/electron_density/hermite_density.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/hermite_expansion.h"
#include "compute/orbitals/orbital_plan.h"
#include "compute/orbitals/orbital_terms.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double left_out = 1e-12;  // hartree/e, of a pair
constexpr int most = max_degree + 1;

using Expansion = HermiteExpansion<most>;

/// Powers of a term's polynomial in its order: for i, for j, for k.
std::vector<glm::ivec3> polynomial_powers(int degree) {
  std::vector<glm::ivec3> powers;
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; i + j <= degree; ++j) {
      for (int k = 0; i + j + k <= degree; ++k) powers.emplace_back(i, j, k);
    }
  }
  return powers;
}

struct Tables {
  std::array<std::vector<glm::ivec3>, max_degree + 1> polynomials;
  std::vector<glm::ivec3> hermites = hermite_powers(2 * max_degree);
  std::array<std::size_t, static_cast<std::size_t>((2 * most) * (2 * most) * (2 * most))> place{};

  Tables() {
    for (int l = 0; l <= max_degree; ++l) polynomials[static_cast<std::size_t>(l)] = polynomial_powers(l);
    for (std::size_t n = 0; n < hermites.size(); ++n) place[key(hermites[n].x, hermites[n].y, hermites[n].z)] = n;
  }
  static std::size_t key(int t, int u, int v) { return static_cast<std::size_t>((t * 2 * most + u) * 2 * most + v); }
};

/// What pairs of one term give.
struct Part {
  std::vector<HermiteSource> sources;
  std::vector<double> coefficients;
};

class Builder {
 public:
  Builder(const Orbitals& orbitals, std::span<const double> weights)
      : centres_(orbitals.centres), plan_(orbital_plan(orbitals.basis)) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] != 0) weights_.push_back(weights[i]);
    }
    rows_.resize(plan_->coefficient_count() * weights_.size());
    std::vector<double> of_orbital(plan_->coefficient_count());
    std::size_t column = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0) continue;
      plan_->multiply(orbitals.row(i), of_orbital.data());
      for (std::size_t c = 0; c < of_orbital.size(); ++c) rows_[c * weights_.size() + column] = of_orbital[c];
      ++column;
    }
    norms_.resize(plan_->coefficient_count());
    for (std::size_t c = 0; c < norms_.size(); ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < weights_.size(); ++i) sum += std::abs(weights_[i]) * square(row(c)[i]);
      norms_[c] = std::sqrt(sum);
    }
    for (const PlanTerm& term : plan_->terms) {
      double largest = 0;
      for (std::size_t c = 0; c < count(term); ++c) largest = std::max(largest, norms_[term.first + c]);
      largest_.push_back(largest);
    }
  }

  std::size_t terms() const { return plan_->terms.size(); }

  /// All pairs (a, b) with b <= a.
  void pairs(std::size_t a, Part& part) const {
    for (std::size_t b = 0; b <= a; ++b) add(a, b, part);
  }

 private:
  static double square(double x) { return x * x; }
  static std::size_t count(const PlanTerm& term) { return static_cast<std::size_t>(monomial_count(term.degree)); }
  const double* row(std::size_t c) const { return rows_.data() + c * weights_.size(); }

  void add(std::size_t a, std::size_t b, Part& part) const {
    const PlanTerm &s = plan_->terms[a], &t = plan_->terms[b];
    const glm::dvec3 ra = centres_[s.centre], rb = centres_[t.centre];
    const double p = s.exponent + t.exponent;
    const double distance2 = glm::dot(ra - rb, ra - rb);
    const int order = s.degree + t.degree;
    const double reach =
        std::pow(std::max(1.0, std::sqrt(distance2)), order) * static_cast<double>(count(s) * count(t));
    const double twice = a == b ? 1 : 2;
    if (twice * 2 * units::pi / p * largest_[a] * largest_[b] * reach *
            std::exp(-s.exponent * t.exponent / p * distance2) <
        0.1 * left_out) {
      return;
    }
    static const Tables tables;
    const std::vector<glm::ivec3>&of_s = tables.polynomials[static_cast<std::size_t>(s.degree)],
          &of_t = tables.polynomials[static_cast<std::size_t>(t.degree)];
    thread_local std::vector<double> sums;
    sums.assign(static_cast<std::size_t>(hermite_count(order)), 0.0);
    const Expansion x(s.degree, t.degree, s.exponent, t.exponent, ra.x, rb.x);
    const Expansion y(s.degree, t.degree, s.exponent, t.exponent, ra.y, rb.y);
    const Expansion z(s.degree, t.degree, s.exponent, t.exponent, ra.z, rb.z);
    for (std::size_t m = 0; m < of_s.size(); ++m) {
      if (norms_[s.first + m] == 0) continue;
      for (std::size_t n = 0; n < of_t.size(); ++n) {
        if (norms_[t.first + n] == 0) continue;
        const double *c = row(s.first + m), *d = row(t.first + n);
        double density = 0;
        for (std::size_t i = 0; i < weights_.size(); ++i) density += weights_[i] * c[i] * d[i];
        const glm::ivec3 i = of_s[m], j = of_t[n];
        for (int tx = 0; tx <= i.x + j.x; ++tx) {
          const double of_x = density * x.at(i.x, j.x, tx);
          if (of_x == 0) continue;
          for (int ty = 0; ty <= i.y + j.y; ++ty) {
            const double of_xy = of_x * y.at(i.y, j.y, ty);
            if (of_xy == 0) continue;
            for (int tz = 0; tz <= i.z + j.z; ++tz)
              sums[tables.place[Tables::key(tx, ty, tz)]] += of_xy * z.at(i.z, j.z, tz);
          }
        }
      }
    }
    const double factor = -twice * 2 * units::pi / p;
    double bound = 0, of_order = 0;
    int kept = 0;
    for (std::size_t n = 0; n < sums.size(); ++n) {
      sums[n] *= factor;
      const int degree = tables.hermites[n].x + tables.hermites[n].y + tables.hermites[n].z;
      of_order = std::abs(sums[n]) * std::pow(2 * p, 0.5 * degree);
      if (of_order > 0.01 * left_out) kept = degree;
      bound += of_order;
    }
    if (bound < left_out) return;
    HermiteSource source;
    source.centre = (s.exponent * ra + t.exponent * rb) / p;
    source.exponent = p;
    source.order = kept;
    source.first = static_cast<std::uint32_t>(part.coefficients.size());
    part.sources.push_back(source);
    part.coefficients.insert(part.coefficients.end(), sums.begin(), sums.begin() + hermite_count(kept));
  }

  std::vector<glm::dvec3> centres_;
  std::shared_ptr<const OrbitalPlan> plan_;
  std::vector<double> weights_;
  std::vector<double> rows_;     // polynomial coefficients, those of all orbitals next to each other
  std::vector<double> norms_;    // by coefficient
  std::vector<double> largest_;  // by term
};

}  // namespace

std::vector<glm::ivec3> hermite_powers(int order) {
  std::vector<glm::ivec3> powers;
  for (int total = 0; total <= order; ++total) {
    for (int t = total; t >= 0; --t) {
      for (int u = total - t; u >= 0; --u) powers.emplace_back(t, u, total - t - u);
    }
  }
  return powers;
}

HermiteDensity hermite_density(const Orbitals& orbitals, std::span<const double> weights, Job& job) {
  if (weights.size() != orbitals.count()) {
    throw Error(fmt::format("density: {} weights for {} orbitals", weights.size(), orbitals.count()),
                Error::Kind::usage);
  }
  if (!orbitals.basis) throw Error("density: there is no basis");
  const Builder builder(orbitals, weights);
  std::vector<Part> parts(builder.terms());
  parallel_for(parts.size(), job, "pairs of functions", [&](std::size_t a) { builder.pairs(a, parts[a]); });
  HermiteDensity density;
  for (int order = 0; order <= 2 * max_degree; ++order) {
    for (const Part& part : parts) {
      for (HermiteSource source : part.sources) {
        if (source.order != order) continue;
        const auto from = part.coefficients.begin() + source.first;
        source.first = static_cast<std::uint32_t>(density.coefficients.size());
        density.coefficients.insert(density.coefficients.end(), from, from + hermite_count(order));
        density.sources.push_back(source);
      }
    }
  }
  return density;
}

std::size_t hermite_memory(const Orbitals& orbitals) {
  std::vector<double> terms(max_degree + 1, 0.0);
  for (const PlanTerm& term : orbital_plan(orbitals.basis)->terms) terms[static_cast<std::size_t>(term.degree)] += 1;
  double bytes = 0;
  for (int a = 0; a <= max_degree; ++a) {
    for (int b = 0; b <= max_degree; ++b) {
      bytes += 0.5 * terms[static_cast<std::size_t>(a)] * terms[static_cast<std::size_t>(b)] *
               (sizeof(HermiteSource) + sizeof(double) * static_cast<double>(hermite_count(a + b)));
    }
  }
  return static_cast<std::size_t>(2 * bytes);  // the parts, and the whole
}

}  // namespace isolume
