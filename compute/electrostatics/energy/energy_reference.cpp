// Coulomb energies and forces in plain double precision: every pair, and Ewald's sum to convergence.
#include <algorithm>
#include <cmath>
#include <complex>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;

/// Sums without Coulomb's constant, scaled at the end.
struct Collector {
  ElectrostaticReference r;
  const ElectrostaticProblem& problem;

  explicit Collector(const ElectrostaticProblem& p, std::size_t positions) : problem(p) {
    p.check("reference");
    if (positions != p.atoms()) throw Error("reference: as many positions as charges are needed");
    r.forces.assign(p.atoms(), glm::dvec3(0));
    r.energies.assign(p.atoms(), 0);
    r.sums.has_virial = true;
  }
  double q(std::size_t i) const { return static_cast<double>(problem.charges[i]); }

  void virial(glm::dvec3 d, glm::dvec3 f) {
    auto& w = r.sums.virial;
    const double parts[6] = {d.x * f.x, d.y * f.y, d.z * f.z, d.x * f.y, d.x * f.z, d.y * f.z};
    for (std::size_t k = 0; k < 6; ++k) w[k] += parts[k];
  }
  /// A pair at difference d = r_i - r_j with energy e and force f d on i.
  void pair(std::size_t i, std::size_t j, glm::dvec3 d, double e, double f, double& part) {
    part += e;
    r.energies[i] += e / 2;
    r.energies[j] += e / 2;
    r.forces[i] += f * d;
    r.forces[j] -= f * d;
    virial(d, f * d);
  }
  ElectrostaticReference finish() {
    constexpr double scale = units::coulomb_kcal_angstrom;
    for (auto& f : r.forces) f *= scale;
    for (auto& e : r.energies) e *= scale;
    for (auto& w : r.sums.virial) w *= scale;
    for (double* part : {&r.sums.pairs, &r.sums.long_range, &r.sums.self, &r.sums.background, &r.sums.exclusions}) {
      *part *= scale;
    }
    return std::move(r);
  }
  /// Calls use(i, j, kept) once for every excluded or scaled pair.
  template <class Use>
  void each_exclusion(const Use& use) const {
    const PairExclusions& x = problem.exclusions;
    if (x.empty()) return;
    for (std::size_t i = 0; i < problem.atoms(); ++i) {
      for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
        if (x.partners[k] > i) use(i, static_cast<std::size_t>(x.partners[k]), static_cast<double>(x.kept[k]));
      }
    }
  }
};

}  // namespace

ElectrostaticReference direct_energy_reference(const ElectrostaticProblem& problem,
                                               std::span<const glm::dvec3> positions) {
  Collector c(problem, positions.size());
  const auto coulomb = [&](std::size_t i, std::size_t j, double share, double& part) {
    const glm::dvec3 d = positions[i] - positions[j];
    const double r = glm::length(d);
    if (r < coincidence) return;
    const double e = share * c.q(i) * c.q(j) / r;
    c.pair(i, j, d, e, e / (r * r), part);
  };
  std::vector<char> excluded(problem.atoms(), 0);
  const PairExclusions& x = problem.exclusions;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto mark = [&](char value) {
      if (x.empty()) return;
      for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) excluded[x.partners[k]] = value;
    };
    mark(1);
    for (std::size_t j = i + 1; j < positions.size(); ++j) {
      if (!excluded[j]) coulomb(i, j, 1, c.r.sums.pairs);
    }
    mark(0);
  }
  c.each_exclusion([&](std::size_t i, std::size_t j, double kept) { coulomb(i, j, kept, c.r.sums.exclusions); });
  return c.finish();
}

ElectrostaticReference ewald_energy_reference(const ElectrostaticProblem& problem,
                                              std::span<const glm::dvec3> positions) {
  Collector c(problem, positions.size());
  if (!problem.cell.exists()) throw Error("Ewald sum: there is no cell", Error::Kind::usage);
  constexpr double deep = 6.0;  // erfc(6) = 2e-17
  const glm::dmat3 cell = problem.cell.vectors;
  const glm::dmat3 reciprocal = glm::transpose(glm::inverse(cell));  // columns: the dual basis
  const double volume = problem.cell.volume();
  const std::size_t n = positions.size();
  // Real space costs n^2 / alpha^3, waves n alpha^3.
  const double alpha =
      std::sqrt(pi) * std::pow(std::max<double>(static_cast<double>(n), 8.0) / 8, 1.0 / 6) / std::cbrt(volume);
  const double reach = deep / alpha;
  glm::ivec3 images;
  glm::ivec3 waves;
  for (int i = 0; i < 3; ++i) {
    images[i] = static_cast<int>(std::ceil(reach * glm::length(reciprocal[i]) + 0.5));
    waves[i] = static_cast<int>(std::ceil(deep * alpha / pi * glm::length(cell[i])));
  }
  const auto nearest = [&](glm::dvec3 d) {
    for (int i = 0; i < 3; ++i) d -= cell[i] * std::round(glm::dot(reciprocal[i], d));
    return d;
  };

  // Pairs, images of an atom itself included; excluded ones too, since each_exclusion() takes 1/r off again.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const double qq = c.q(i) * c.q(j);
      if (qq == 0) continue;
      const glm::dvec3 base = nearest(positions[i] - positions[j]);
      for (int a = -images.x; a <= images.x; ++a) {
        for (int b = -images.y; b <= images.y; ++b) {
          for (int z = -images.z; z <= images.z; ++z) {
            const glm::dvec3 d = base + cell * glm::dvec3(a, b, z);
            const double r = glm::length(d);
            if (r > reach || (i == j && r < coincidence)) continue;
            const double share = i == j ? 0.5 : 1;
            if (r < coincidence) {
              // Its 1/r is left out, what the waves hold of it is not part of the energy.
              c.pair(i, j, d, -share * qq * 2 * alpha / std::sqrt(pi), 0, c.r.sums.pairs);
              continue;
            }
            const double e = qq * std::erfc(alpha * r) / r;
            const double f = e / (r * r) + qq * 2 * alpha / std::sqrt(pi) * std::exp(-alpha * alpha * r * r) / (r * r);
            c.pair(i, j, d, share * e, share * f, c.r.sums.pairs);
          }
        }
      }
    }
  }

  // Waves: one of each pair k, -k.
  std::vector<double> cosine(n);
  std::vector<double> sine(n);
  for (int a = 0; a <= waves.x; ++a) {
    for (int b = a == 0 ? 0 : -waves.y; b <= waves.y; ++b) {
      for (int z = a == 0 && b == 0 ? 1 : -waves.z; z <= waves.z; ++z) {
        const glm::dvec3 k = 2 * pi * (reciprocal * glm::dvec3(a, b, z));
        const double k2 = glm::dot(k, k);
        const double decay = k2 / (4 * alpha * alpha);
        if (decay > deep * deep) continue;
        double re = 0;
        double im = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double phase = glm::dot(k, positions[i]);
          cosine[i] = c.q(i) * std::cos(phase);
          sine[i] = c.q(i) * std::sin(phase);
          re += cosine[i];
          im += sine[i];
        }
        const double green = 4 * pi / (volume * k2) * std::exp(-decay);
        const double energy = green * (re * re + im * im);
        c.r.sums.long_range += energy;
        for (std::size_t i = 0; i < n; ++i) {
          c.r.energies[i] += green * (re * cosine[i] + im * sine[i]);
          c.r.forces[i] += 2 * green * (re * sine[i] - im * cosine[i]) * k;
        }
        const double spread = 2 * (1 + decay) / k2;
        auto& w = c.r.sums.virial;
        w[0] += energy * (1 - spread * k.x * k.x);
        w[1] += energy * (1 - spread * k.y * k.y);
        w[2] += energy * (1 - spread * k.z * k.z);
        w[3] -= energy * spread * k.x * k.y;
        w[4] -= energy * spread * k.x * k.z;
        w[5] -= energy * spread * k.y * k.z;
      }
    }
  }

  const double total = problem.total_charge();
  const double background = -pi / (2 * alpha * alpha * volume);
  c.r.sums.background = background * total * total;
  for (std::size_t k = 0; k < 3; ++k) c.r.sums.virial[k] += c.r.sums.background;
  for (std::size_t i = 0; i < n; ++i) {
    const double self = -alpha / std::sqrt(pi) * c.q(i) * c.q(i);
    c.r.sums.self += self;
    c.r.energies[i] += self + background * total * c.q(i);
  }
  c.each_exclusion([&](std::size_t i, std::size_t j, double kept) {
    glm::dvec3 d = problem.cell.minimum_image(positions[i] - positions[j]);
    const double r = glm::length(d);
    if (r < coincidence) return;
    const double e = (kept - 1) * c.q(i) * c.q(j) / r;
    c.pair(i, j, d, e, e / (r * r), c.r.sums.exclusions);
  });
  return c.finish();
}

}  // namespace isolume
