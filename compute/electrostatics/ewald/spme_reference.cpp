// The mesh part of SPME in double precision, with plain sums for the transforms.
#include <complex>

#include "compute/electrostatics/ewald/spme_plan.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using Mesh = std::vector<std::complex<double>>;

/// One axis of a discrete transform: sum over i of x[i] exp(sign 2 pi i m / n).
void transform(Mesh& mesh, glm::ivec3 n, int axis, double sign) {
  const int size = n[axis];
  std::vector<std::complex<double>> wave(static_cast<std::size_t>(size));
  for (int m = 0; m < size; ++m) {
    wave[static_cast<std::size_t>(m)] = std::polar(1.0, sign * 2 * units::pi * m / size);
  }
  const std::size_t step = axis == 0   ? 1
                           : axis == 1 ? static_cast<std::size_t>(n.x)
                                       : static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y);
  std::vector<std::complex<double>> line(static_cast<std::size_t>(size));
  for (std::size_t start = 0; start < mesh.size(); ++start) {
    if (start / step % static_cast<std::size_t>(size) != 0) continue;
    for (int i = 0; i < size; ++i) line[static_cast<std::size_t>(i)] = mesh[start + static_cast<std::size_t>(i) * step];
    for (int m = 0; m < size; ++m) {
      std::complex<double> sum = 0;
      int phase = 0;
      for (int i = 0; i < size; ++i) {
        sum += line[static_cast<std::size_t>(i)] * wave[static_cast<std::size_t>(phase)];
        phase += m;
        if (phase >= size) phase -= size;
      }
      mesh[start + static_cast<std::size_t>(m) * step] = sum;
    }
  }
}

template <int order>
ElectrostaticReference reference(const ElectrostaticProblem& problem, const SpmeOptions& options,
                                 std::span<const glm::dvec3> positions) {
  const SpmeTables tables(options, problem.cell);
  const glm::ivec3 n = options.mesh;
  const auto index = [&](int i, int j, int k) {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(n.x) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(n.y) * static_cast<std::size_t>(k));
  };
  Mesh mesh(index(0, 0, n.z));
  // Calls use(mesh point, weight, its gradient by mesh coordinates) for the points around an atom.
  const auto each_point = [&](std::size_t atom, const auto& use) {
    int first[3];
    double m[3][order];
    double slope[3][order];
    const glm::dvec3 f = tables.inverse * positions[atom];
    for (int a = 0; a < 3; ++a) {
      const double u = (f[a] - std::floor(f[a])) * n[a];
      first[a] = static_cast<int>(u);
      bspline<order>(u - first[a], m[a], slope[a]);
    }
    for (int k = 0; k < order; ++k) {
      for (int j = 0; j < order; ++j) {
        for (int i = 0; i < order; ++i) {
          use(index((first[0] + i) % n.x, (first[1] + j) % n.y, (first[2] + k) % n.z), m[0][i] * m[1][j] * m[2][k],
              glm::dvec3(slope[0][i] * m[1][j] * m[2][k], m[0][i] * slope[1][j] * m[2][k],
                         m[0][i] * m[1][j] * slope[2][k]));
        }
      }
    }
  };
  for (std::size_t i = 0; i < positions.size(); ++i) {
    each_point(i,
               [&](std::size_t at, double w, glm::dvec3) { mesh[at] += static_cast<double>(problem.charges[i]) * w; });
  }
  for (int axis = 0; axis < 3; ++axis) transform(mesh, n, axis, -1);
  ElectrostaticReference r;
  r.sums.has_virial = true;
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const double g = tables.influence.value(i, j, k);
        const double e = g / 2 * std::norm(mesh[index(i, j, k)]);
        mesh[index(i, j, k)] *= g;
        if (e == 0) continue;
        double w[3];
        tables.influence.wave(i, j, k, w);
        const double w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
        const double spread = 2 * (1 + tables.influence.exponent * w2) / w2;
        r.sums.long_range += e;
        for (std::size_t a = 0; a < 3; ++a) r.sums.virial[a] += e * (1 - spread * w[a] * w[a]);
        r.sums.virial[3] -= e * spread * w[0] * w[1];
        r.sums.virial[4] -= e * spread * w[0] * w[2];
        r.sums.virial[5] -= e * spread * w[1] * w[2];
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) transform(mesh, n, axis, 1);
  double gradient[9];
  tables.gradient(options, gradient);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    double potential = 0;
    glm::dvec3 g(0.0);
    each_point(i, [&](std::size_t at, double w, glm::dvec3 slope) {
      potential += w * mesh[at].real();
      g += slope * mesh[at].real();
    });
    const double q = static_cast<double>(problem.charges[i]);
    r.energies.push_back(q / 2 * potential);
    glm::dvec3 force;
    for (int c = 0; c < 3; ++c) force[c] = -q * (gradient[c] * g.x + gradient[3 + c] * g.y + gradient[6 + c] * g.z);
    r.forces.push_back(force);
  }
  return r;
}

}  // namespace

ElectrostaticReference spme_mesh_reference(const ElectrostaticProblem& problem, const SpmeOptions& options,
                                           std::span<const glm::dvec3> positions) {
  problem.check("SPME");
  const SpmeOptions complete = complete_spme(options, problem.cell);
  return with_order(complete.order, [&](auto p) { return reference<p.value>(problem, complete, positions); });
}

}  // namespace isolume
