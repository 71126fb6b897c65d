// The measured error of forces.
#include "compute/electrostatics/energy/energy_error.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;

class Sampler {
 public:
  Sampler(const ElectrostaticProblem& problem, std::span<const glm::vec3> positions, std::size_t samples)
      : problem_(problem), positions_(positions) {
    const std::size_t count = std::min(samples, positions.size());
    for (std::size_t i = 0; i < count; ++i) atoms.push_back(i * positions.size() / count);
    exact.assign(count, glm::dvec3(0));
  }

  void open(Job& job) {
    each(job, [&](std::size_t i, std::size_t j) {
      const glm::dvec3 d = glm::dvec3(positions_[i]) - glm::dvec3(positions_[j]);
      const double r = glm::length(d);
      return r < coincidence ? glm::dvec3(0) : kept(i, j) * q(i) * q(j) / (r * r * r) * d;
    });
  }

  void periodic(Job& job) {
    const Cell& cell = problem_.cell;
    const glm::dmat3 inverse = glm::inverse(cell.vectors);
    const glm::dmat3 dual = glm::transpose(inverse);
    const double width = 1 / std::max({glm::length(dual[0]), glm::length(dual[1]), glm::length(dual[2])});
    constexpr double deep = 4.6;  // erfc(4.6) = 8e-11
    const double alpha = deep / (width / 2);
    each(job, [&](std::size_t i, std::size_t j) {
      glm::dvec3 f = inverse * (glm::dvec3(positions_[i]) - glm::dvec3(positions_[j]));
      // Within half of the least width the image nearest in fractions is the nearest.
      for (int a = 0; a < 3; ++a) f[a] -= std::round(f[a]);
      const glm::dvec3 d = cell.vectors * f;
      const double r = glm::length(d);
      const double keep = kept(i, j);
      const double qq = q(i) * q(j);
      if (r < coincidence) return glm::dvec3(0);
      glm::dvec3 force(0.0);
      if (r < width / 2) {
        const double x = alpha * r;
        force += qq * (std::erfc(x) / r + 2 * alpha / std::sqrt(pi) * std::exp(-x * x)) / (r * r) * d;
      }
      if (keep != 1) {
        glm::dvec3 nearest = r < width / 2 ? d : cell.minimum_image(d);
        const double n = glm::length(nearest);
        force += (keep - 1) * qq / (n * n * n) * nearest;
      }
      return force;
    });
    waves(alpha, deep, inverse, dual, job);
  }

  std::vector<std::size_t> atoms;
  std::vector<glm::dvec3> exact;

 private:
  double q(std::size_t i) const { return static_cast<double>(problem_.charges[i]); }
  double kept(std::size_t i, std::size_t j) const {
    const PairExclusions& x = problem_.exclusions;
    if (x.empty()) return 1;
    const auto begin = x.partners.begin() + x.offsets[i];
    const auto end = x.partners.begin() + x.offsets[i + 1];
    const auto at = std::lower_bound(begin, end, static_cast<std::uint32_t>(j));
    return at == end || *at != j ? 1 : static_cast<double>(x.kept[static_cast<std::size_t>(at - x.partners.begin())]);
  }

  template <class Pair>
  void each(Job& job, const Pair& pair) {
    parallel_for(atoms.size(), job, "forces in double precision", [&](std::size_t s) {
      for (std::size_t j = 0; j < positions_.size(); ++j) {
        if (j % 65536 == 0) job.check();
        if (j != atoms[s]) exact[s] += units::coulomb_kcal_angstrom * pair(atoms[s], j);
      }
    });
  }

  void waves(double alpha, double deep, const glm::dmat3& inverse, const glm::dmat3& dual, Job& job) {
    glm::ivec3 most;
    for (int a = 0; a < 3; ++a) {
      most[a] = static_cast<int>(std::ceil(deep * alpha / pi * glm::length(problem_.cell.vectors[a])));
    }
    struct Column {
      int a, b;
    };
    std::vector<Column> columns;
    for (int a = 0; a <= most.x; ++a) {
      for (int b = a == 0 ? 0 : -most.y; b <= most.y; ++b) columns.push_back({a, b});
    }
    std::vector<glm::dvec3> fractions(positions_.size());
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      fractions[i] = inverse * glm::dvec3(positions_[i]);
      fractions[i] -= glm::floor(fractions[i]);
    }
    std::vector<std::vector<glm::dvec3>> parts(columns.size());
    parallel_for(columns.size(), job, "waves in double precision", [&](std::size_t c) {
      const auto [a, b] = columns[c];
      const auto size = static_cast<std::size_t>(2 * most.z + 1);
      std::vector<std::complex<double>> structure(size);
      const auto wave = [&](int z) { return 2 * pi * (dual * glm::dvec3(a, b, z)); };
      // The waves of this column that count: k^2 <= (2 alpha deep)^2.
      int low = most.z + 1;
      int high = -low;
      for (int z = -most.z; z <= most.z; ++z) {
        const glm::dvec3 k = wave(z);
        if (glm::dot(k, k) > 4 * alpha * alpha * deep * deep || (a == 0 && b == 0 && z <= 0)) continue;
        low = std::min(low, z);
        high = std::max(high, z);
      }
      if (low > high) return;
      for (std::size_t i = 0; i < fractions.size(); ++i) {
        if (i % 65536 == 0) job.check();
        const glm::dvec3 f = fractions[i];
        std::complex<double> phase = q(i) * std::polar(1.0, 2 * pi * (f.x * a + f.y * b + f.z * low));
        const std::complex<double> step = std::polar(1.0, 2 * pi * f.z);
        for (int z = low; z <= high; ++z) {
          structure[static_cast<std::size_t>(z + most.z)] += phase;
          phase *= step;
        }
      }
      parts[c].assign(atoms.size(), glm::dvec3(0));
      for (int z = low; z <= high; ++z) {
        const glm::dvec3 k = wave(z);
        const double k2 = glm::dot(k, k);
        const double green = 8 * pi / (problem_.cell.volume() * k2) * std::exp(-k2 / (4 * alpha * alpha));
        const std::complex<double> s = structure[static_cast<std::size_t>(z + most.z)];
        for (std::size_t n = 0; n < atoms.size(); ++n) {
          const glm::dvec3 f = fractions[atoms[n]];
          const std::complex<double> own = q(atoms[n]) * std::polar(1.0, 2 * pi * (f.x * a + f.y * b + f.z * z));
          parts[c][n] += green * (s.real() * own.imag() - s.imag() * own.real()) * k;
        }
      }
    });
    for (const auto& part : parts) {
      for (std::size_t n = 0; n < part.size(); ++n) exact[n] += units::coulomb_kcal_angstrom * part[n];
    }
  }

  const ElectrostaticProblem& problem_;
  std::span<const glm::vec3> positions_;
};

}  // namespace

ForceError electrostatic_error(const ElectrostaticProblem& problem, std::span<const glm::vec3> positions,
                               std::span<const glm::vec3> forces, bool periodic, std::size_t samples, Job& job) {
  problem.check("forces");
  if (positions.size() != problem.atoms() || forces.size() != problem.atoms()) {
    throw Error("forces: as many positions and forces as charges are needed", Error::Kind::usage);
  }
  if (periodic && !problem.cell.exists()) throw Error("Ewald sum: there is no cell", Error::Kind::usage);
  Sampler sampler(problem, positions, samples);
  periodic ? sampler.periodic(job) : sampler.open(job);
  ForceError error;
  error.atoms = sampler.atoms.size();
  error.reference = periodic ? "Ewald sum in double precision" : "direct sum in double precision";
  double squares = 0;
  double scale = 0;
  for (std::size_t n = 0; n < sampler.atoms.size(); ++n) {
    const glm::dvec3 d = glm::dvec3(forces[sampler.atoms[n]]) - sampler.exact[n];
    squares += glm::dot(d, d);
    scale += glm::dot(sampler.exact[n], sampler.exact[n]);
    error.max = std::max(error.max, glm::length(d));
  }
  error.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, error.atoms)));
  error.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  return error;
}

}  // namespace isolume
