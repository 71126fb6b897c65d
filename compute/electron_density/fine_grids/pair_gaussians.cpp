// Pairs of primitives as Gaussians about one centre, with the density matrix of the orbitals.
#include "compute/electron_density/fine_grids/pair_gaussians.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/hermite_expansion.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {
namespace {

constexpr int most = max_angular_momentum + 2;  // powers of x, with those of derivatives
constexpr int most_order = 2 * max_angular_momentum + 2;

std::size_t functions_of(int l) {
  return static_cast<std::size_t>((l + 1) * (l + 2) / 2);
}

/// With the products of the derivatives of both functions.
class Expansion : public HermiteExpansion<most> {
 public:
  Expansion(int degree_a, int degree_b, double a, double b, double xa, double xb)
      : HermiteExpansion(degree_a, degree_b, a, b, xa, xb), a_(a), b_(b) {}
  double operator()(int i, int j, int t) const { return t > i + j ? 0 : at(i, j, t); }
  double slopes(int i, int j, int t) const {
    double value = 4 * a_ * b_ * (*this)(i + 1, j + 1, t);
    if (i > 0) value -= 2 * b_ * i * (*this)(i - 1, j + 1, t);
    if (j > 0) value -= 2 * a_ * j * (*this)(i + 1, j - 1, t);
    if (i > 0 && j > 0) value += i * j * (*this)(i - 1, j - 1, t);
    return value;
  }

 private:
  double a_, b_;
};

/// Shells of one centre that have a primitive of one exponent.
struct Term {
  double exponent = 0;
  int degree = 0;
  std::vector<std::pair<std::uint32_t, double>> shells;  // with the primitive's factor
};

struct Centre {
  glm::dvec3 at{0};
  std::vector<std::uint32_t> shells;
  std::vector<std::size_t> first;  // of each of the shells' functions, in those of the centre
  std::size_t functions = 0;
  std::vector<Term> terms;
};

std::vector<Centre> centres_of(const DensityFunctions& all) {
  std::vector<Centre> centres;
  for (std::uint32_t s = 0; s < all.shells.size(); ++s) {
    const DensityShell& shell = all.shells[s];
    auto centre = std::ranges::find(centres, shell.centre, &Centre::at);
    if (centre == centres.end()) {
      centres.push_back({});
      centre = centres.end() - 1;
      centre->at = shell.centre;
    }
    const auto place = static_cast<std::uint32_t>(centre->shells.size());
    centre->shells.push_back(s);
    centre->first.push_back(centre->functions);
    centre->functions += functions_of(shell.l);
    for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
      auto term = std::ranges::find(centre->terms, all.exponents[p], &Term::exponent);
      if (term == centre->terms.end()) {
        centre->terms.push_back({all.exponents[p], 0, {}});
        term = centre->terms.end() - 1;
      }
      term->degree = std::max(term->degree, shell.l);
      term->shells.emplace_back(place, all.factors[p]);
    }
  }
  return centres;
}

/// Where the coefficients of (t, u, 0) are, by t and u.
struct Places {
  std::array<std::array<int, most_order + 1>, most_order + 1> of{};
  explicit Places(int order) {
    int next = 0;
    for (int t = 0; t <= order; ++t) {
      for (int u = 0; t + u <= order; next += order - t - u + 1, ++u)
        of[static_cast<std::size_t>(t)][static_cast<std::size_t>(u)] = next;
    }
  }
  int operator()(int t, int u, int v) const { return of[static_cast<std::size_t>(t)][static_cast<std::size_t>(u)] + v; }
};

struct Tables {
  std::vector<Places> places;
  std::vector<std::vector<glm::ivec3>> powers;
  std::array<double, most_order + 1>
      derivative;  // the 16th of a Hermite function of order n and exponent 1, over 16!/8!
  Tables() {
    for (int order = 0; order <= most_order; ++order) places.emplace_back(order);
    for (int l = 0; l <= max_angular_momentum; ++l) powers.push_back(cartesian_powers(l));
    for (int n = 0; n <= most_order; ++n) {
      derivative[static_cast<std::size_t>(n)] =
          std::exp(std::lgamma(17.0 + n) - std::lgamma(9 + 0.5 * n) - std::lgamma(17.0) + std::lgamma(9.0));
    }
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

class Pairs {
 public:
  Pairs(const DensityFunctions& all, PairQuantity quantity, int derivatives, double left_out)
      : all_(all),
        tau_(quantity == PairQuantity::tau),
        derivatives_(derivatives),
        left_out_(left_out),
        centres_(centres_of(all)) {}

  std::size_t centres() const { return centres_.size(); }

  /// Those of centre `a` with itself and those before it.
  void add(std::size_t a, PairGaussians& to) const {
    for (std::size_t b = 0; b <= a; ++b) add(centres_[a], centres_[b], a == b, to);
  }

  /// Their number and that of their coefficients, at most.
  std::pair<std::size_t, std::size_t> count() const {
    std::size_t gaussians = 0, coefficients = 0;
    for (std::size_t a = 0; a < centres_.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        const double distance2 = square(centres_[a].at - centres_[b].at);
        for (const Term& s : centres_[a].terms) {
          for (const Term& t : centres_[b].terms) {
            if (s.exponent * t.exponent / (s.exponent + t.exponent) * distance2 > furthest) continue;
            ++gaussians;
            coefficients += static_cast<std::size_t>(pair_coefficients(s.degree + t.degree + (tau_ ? 2 : 0)));
          }
        }
      }
    }
    return {gaussians, coefficients};
  }

 private:
  static constexpr double furthest = 60;  // of the exponent of a pair's factor
  static double square(glm::dvec3 x) { return glm::dot(x, x); }

  /// sum_i w_i C_fi C_gi of the functions of two centres.
  std::vector<double> matrix(const Centre& a, const Centre& b) const {
    const std::size_t orbitals = all_.orbitals;
    std::vector<double> weighted(b.functions * orbitals), to(a.functions * b.functions);
    const auto rows = [&](const Centre& centre, const auto& use) {
      for (std::size_t s = 0; s < centre.shells.size(); ++s) {
        const DensityShell& shell = all_.shells[centre.shells[s]];
        for (std::size_t c = 0; c < functions_of(shell.l); ++c)
          use(centre.first[s] + c, all_.coefficients.data() + (shell.first_function + c) * orbitals);
      }
    };
    rows(b, [&](std::size_t g, const double* row) {
      for (std::size_t i = 0; i < orbitals; ++i) weighted[g * orbitals + i] = all_.weights[i] * row[i];
    });
    rows(a, [&](std::size_t f, const double* row) {
      for (std::size_t g = 0; g < b.functions; ++g) {
        const double* const other = weighted.data() + g * orbitals;
        double sums[4] = {};
        for (std::size_t i = 0; i < orbitals; i += 4) {
          for (std::size_t k = 0; k < 4; ++k) sums[k] += row[i + k] * other[i + k];
        }
        to[f * b.functions + g] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      }
    });
    return to;
  }

  void add(const Centre& a, const Centre& b, bool same, PairGaussians& to) const {
    const double distance2 = square(a.at - b.at);
    double softest = 1e300;
    for (const Term& s : a.terms) {
      for (const Term& t : b.terms) softest = std::min(softest, s.exponent * t.exponent / (s.exponent + t.exponent));
    }
    if (softest * distance2 > furthest) return;
    const std::vector<double> densities = matrix(a, b);
    for (std::size_t s = 0; s < a.terms.size(); ++s) {
      for (std::size_t t = 0; t < (same ? s + 1 : b.terms.size()); ++t)
        add(a, a.terms[s], b, b.terms[t], same && s == t ? 1 : 2, densities, distance2, to);
    }
  }

  void add(const Centre& a, const Term& s, const Centre& b, const Term& t, double twice,
           const std::vector<double>& densities, double distance2, PairGaussians& to) const {
    const double p = s.exponent + t.exponent, away = s.exponent * t.exponent / p * distance2;
    if (away > furthest) return;
    // Of each pair of degrees, the density matrix of their monomials.
    thread_local std::vector<double> blocks;
    const Tables& all = tables();
    const std::size_t width_b = functions_of(t.degree), block = functions_of(s.degree) * width_b;
    blocks.assign(static_cast<std::size_t>((s.degree + 1) * (t.degree + 1)) * block, 0.0);
    double largest = 0;
    for (const auto& [of_a, factor_a] : s.shells) {
      const int la = all_.shells[a.shells[of_a]].l;
      for (const auto& [of_b, factor_b] : t.shells) {
        const int lb = all_.shells[b.shells[of_b]].l;
        double* const into = blocks.data() + static_cast<std::size_t>(la * (t.degree + 1) + lb) * block;
        const double factor = twice * factor_a * factor_b;
        for (std::size_t i = 0; i < functions_of(la); ++i) {
          for (std::size_t j = 0; j < functions_of(lb); ++j) {
            double& density = into[i * width_b + j];
            density += factor * densities[(a.first[of_a] + i) * b.functions + b.first[of_b] + j];
            largest = std::max(largest, std::abs(density));
          }
        }
      }
    }
    // A rough bound before the work: powers of the distance, and derivatives.
    const int order = s.degree + t.degree + (tau_ ? 2 : 0);
    const double width = std::max({1.0, std::sqrt(distance2), 1 / std::sqrt(p)});
    if (largest * std::pow(width, s.degree + t.degree) * std::pow(4 * (p + 1), 0.5 * (order + derivatives_)) * 100 *
            std::exp(-away) <
        left_out_)
      return;
    const Expansion x(s.degree + tau_, t.degree + tau_, s.exponent, t.exponent, a.at.x, b.at.x);
    const Expansion y(s.degree + tau_, t.degree + tau_, s.exponent, t.exponent, a.at.y, b.at.y);
    const Expansion z(s.degree + tau_, t.degree + tau_, s.exponent, t.exponent, a.at.z, b.at.z);
    const Places& place = all.places[static_cast<std::size_t>(order)];
    const std::size_t first = to.coefficients.size();
    to.coefficients.resize(first + static_cast<std::size_t>(pair_coefficients(order)), 0.0);
    double* const sums = to.coefficients.data() + first;
    for (int la = 0; la <= s.degree; ++la) {
      for (int lb = 0; lb <= t.degree; ++lb) {
        const double* const from = blocks.data() + static_cast<std::size_t>(la * (t.degree + 1) + lb) * block;
        const std::vector<glm::ivec3>&of_a = all.powers[static_cast<std::size_t>(la)],
              &of_b = all.powers[static_cast<std::size_t>(lb)];
        for (std::size_t m = 0; m < of_a.size(); ++m) {
          for (std::size_t n = 0; n < of_b.size(); ++n) {
            const double density = from[m * width_b + n];
            if (density != 0) add_product(density, of_a[m], of_b[n], x, y, z, place, sums);
          }
        }
      }
    }
    PairGaussian gaussian;
    gaussian.centre = (s.exponent * a.at + t.exponent * b.at) / p;
    gaussian.exponent = p;
    gaussian.order = order;
    gaussian.first = static_cast<std::uint32_t>(first);
    finish(place, sums, gaussian);
    if (gaussian.reach > 0) {
      to.gaussians.push_back(gaussian);
    } else {
      to.coefficients.resize(first);
    }
  }

  void add_product(double density, glm::ivec3 i, glm::ivec3 j, const Expansion& x, const Expansion& y,
                   const Expansion& z, const Places& place, double* sums) const {
    const glm::ivec3 degree = i + j;
    if (!tau_) {
      for (int t = 0; t <= degree.x; ++t) {
        const double of_x = density * x(i.x, j.x, t);
        for (int u = 0; u <= degree.y; ++u) {
          const double of_xy = of_x * y(i.y, j.y, u);
          for (int v = 0; v <= degree.z; ++v) sums[place(t, u, v)] += of_xy * z(i.z, j.z, v);
        }
      }
      return;
    }
    for (int t = 0; t <= degree.x + 2; ++t) {
      const double ex = 0.5 * density * x(i.x, j.x, t), sx = 0.5 * density * x.slopes(i.x, j.x, t);
      for (int u = 0; u <= degree.y + (t > degree.x ? 0 : 2); ++u) {
        const double ey = y(i.y, j.y, u), sy = y.slopes(i.y, j.y, u);
        const double both = sx * ey + ex * sy;
        for (int v = 0; v <= degree.z + (t > degree.x || u > degree.y ? 0 : 2); ++v)
          sums[place(t, u, v)] += both * z(i.z, j.z, v) + ex * ey * z.slopes(i.z, j.z, v);
      }
    }
  }

  /// Turns Hermite functions, which are derivatives by the centre, into those by the point; its reach and sharpness.
  void finish(const Places& place, double* sums, PairGaussian& gaussian) const {
    std::array<double, most_order + 1> of_order{};
    for (int t = 0; t <= gaussian.order; ++t) {
      for (int u = 0; t + u <= gaussian.order; ++u) {
        for (int v = 0; t + u + v <= gaussian.order; ++v) {
          double& sum = sums[place(t, u, v)];
          of_order[static_cast<std::size_t>(t + u + v)] += std::abs(sum);
          if ((t + u + v) % 2 == 1) sum = -sum;
        }
      }
    }
    const double root = std::sqrt(gaussian.exponent);
    double power = 1;
    for (int n = 0; n <= gaussian.order; ++n, power *= root)
      gaussian.sharpness +=
          of_order[static_cast<std::size_t>(n)] * power * tables().derivative[static_cast<std::size_t>(n)];
    // |H_n(x)| <= (2 x + sqrt(2 n))^n.
    const auto most_at = [&](double r) {
      double bound = 0;
      for (int more = 0; more <= derivatives_; more += std::max(1, derivatives_)) {
        for (int n = 0; n <= gaussian.order; ++n) {
          const int degree = n + more;
          bound +=
              of_order[static_cast<std::size_t>(n)] * std::pow(root * (2 * root * r + std::sqrt(2.0 * degree)), degree);
        }
      }
      return bound;
    };
    double r = 0;
    for (int step = 0; step < 5; ++step) {
      const double bound = most_at(r);
      r = bound > left_out_ ? std::sqrt(std::log(bound / left_out_) / gaussian.exponent) : 0;
      if (r == 0) break;
    }
    gaussian.reach = r;
  }

  const DensityFunctions& all_;
  bool tau_;
  int derivatives_;
  double left_out_;
  std::vector<Centre> centres_;
};

}  // namespace

PairGaussians pair_gaussians(const DensityFunctions& functions, PairQuantity quantity, int derivatives, double left_out,
                             Job& job) {
  const Pairs pairs(functions, quantity, derivatives, left_out);
  std::vector<PairGaussians> parts(pairs.centres());
  // The last centres have most pairs.
  parallel_for(parts.size(), job, "pairs of functions",
               [&](std::size_t n) { pairs.add(parts.size() - 1 - n, parts[parts.size() - 1 - n]); });
  PairGaussians whole;
  for (PairGaussians& part : parts) {
    const auto first = static_cast<std::uint32_t>(whole.coefficients.size());
    for (PairGaussian& gaussian : part.gaussians) gaussian.first += first;
    whole.gaussians.insert(whole.gaussians.end(), part.gaussians.begin(), part.gaussians.end());
    whole.coefficients.insert(whole.coefficients.end(), part.coefficients.begin(), part.coefficients.end());
    part = {};
  }
  return whole;
}

std::size_t pair_memory(const DensityFunctions& functions, PairQuantity quantity) {
  const auto [gaussians, coefficients] = Pairs(functions, quantity, 0, 0).count();
  return 2 * (gaussians * sizeof(PairGaussian) + coefficients * sizeof(double));  // the parts, and the whole
}

}  // namespace isolume
