// The discrete Poisson-Boltzmann problem from the depths below the surfaces.
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "molecule/base/units.h"

namespace isolume {
namespace {

/// An edge that the surface cuts.
struct Cut {
  std::uint32_t inside, outside;
  float coefficient;
  float share;  ///< of the edge that is in the solute
  signed char axis;
  signed char sign;  ///< of the direction from inside to outside
};

/// Reads the depth on a grid.
struct Depth {
  const float* values;
  glm::ivec3 counts;
  std::array<std::ptrdiff_t, 3> stride;

  double at(std::size_t node) const { return static_cast<double>(values[node]); }
  /// The share of the edge from `node` to the next along the axis up to where the depth is 0, by the parabola with the
  /// lesser second difference of the two at the ends.
  double crossing(std::size_t node, int place, int axis) const {
    const std::ptrdiff_t s = stride[static_cast<std::size_t>(axis)];
    const double a = at(node), b = at(node + static_cast<std::size_t>(s));
    double bend = 0;
    if (place > 0 && place + 2 < counts[axis]) {
      const double first = at(node - static_cast<std::size_t>(s)) - 2 * a + b;
      const double second = a - 2 * b + at(node + static_cast<std::size_t>(2 * s));
      if (first * second > 0) bend = std::abs(first) < std::abs(second) ? first : second;
    }
    // a + (b - a) t - bend/2 t (1 - t) = 0, by Newton's steps from the straight line.
    double t = a / (a - b);
    for (int i = 0; i < 4; ++i) {
      const double value = a + (b - a) * t - 0.5 * bend * t * (1 - t);
      const double slope = (b - a) - 0.5 * bend * (1 - 2 * t);
      if (slope * (b - a) <= 0) break;
      t = std::clamp(t - value / slope, 0.0, 1.0);
    }
    return std::clamp(t, 1e-3, 1 - 1e-3);
  }
};

/// Runs body(k) for layers on all threads.
template <class Body>
void layers(int count, const Body& body) {
  oneapi::tbb::parallel_for(0, count, body);
}

/// Its inverse goes over smoothly, so that an ion keeps its energy to first order in the width.
double smooth_permittivity(double depth, const PoissonBoltzmannOptions& o) {
  const double t = std::clamp(depth / o.width + 0.5, 0.0, 1.0);
  const double inside = t * t * (3 - 2 * t);
  return 1 / (inside / o.solute_permittivity + (1 - inside) / o.solvent_permittivity);
}

}  // namespace

void pb_discretise(std::span<const ChargedSphere> atoms, std::span<const float> depth, std::span<const float> ion_depth,
                   const PoissonBoltzmannOptions& o, PbProblem& p, Job& job) {
  const glm::ivec3 n = p.counts;
  const std::size_t size = p.size();
  const std::size_t nx = static_cast<std::size_t>(n.x), nxy = nx * static_cast<std::size_t>(n.y);
  const std::array<std::size_t, 3> stride{1, nx, nxy};
  const bool smooth = o.boundary == DielectricBoundary::smooth;
  const double ei = o.solute_permittivity, es = o.solvent_permittivity;
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(o.temperature);
  const double border = smooth ? o.width / 2 : 0.0;  // the depth at which the solute begins
  const glm::dvec3 weight(1.0, p.step.x * p.step.x / (p.step.y * p.step.y),
                          p.step.x * p.step.x / (p.step.z * p.step.z));
  const double kappa = o.inverse_debye_length();
  const double ionic = p.step.x * p.step.x * es * kappa * kappa;
  const Depth below{depth.data(), n, {1, static_cast<std::ptrdiff_t>(nx), static_cast<std::ptrdiff_t>(nxy)}};
  std::array<std::vector<float>*, 3> coefficients{&p.cx, &p.cy, &p.cz};
  for (auto* c : coefficients) c->assign(size, 0.0f);
  p.kappa.assign(size, 0.0f);
  p.source.assign(size, 0.0f);
  p.inside.assign(size, 0);
  const double cell = (p.step.x + p.step.y + p.step.z) / 3;
  layers(n.z, [&](int k) {
    for (std::size_t i = nxy * static_cast<std::size_t>(k); i < nxy * static_cast<std::size_t>(k + 1); ++i) {
      p.inside[i] = below.at(i) > border;
      if (p.inside[i] || ionic == 0) continue;
      const double open = std::clamp(0.5 - static_cast<double>(ion_depth[i]) / (1.25 * cell), 0.0, 1.0);
      p.kappa[i] = static_cast<float>(ionic * open);
    }
  });
  job.check();
  std::vector<std::vector<Cut>> found(static_cast<std::size_t>(n.z));
  layers(n.z, [&](int k) {
    auto& cuts = found[static_cast<std::size_t>(k)];
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const std::size_t node =
            static_cast<std::size_t>(i) + nx * static_cast<std::size_t>(j) + nxy * static_cast<std::size_t>(k);
        const glm::ivec3 place(i, j, k);
        for (int axis = 0; axis < 3; ++axis) {
          if (place[axis] + 1 >= n[axis]) continue;
          const std::size_t next = node + stride[static_cast<std::size_t>(axis)];
          float& c = (*coefficients[static_cast<std::size_t>(axis)])[node];
          const bool in = p.inside[node], in_next = p.inside[next];
          const double w = weight[axis];
          double share = 0;
          if (smooth) {
            const double a = below.at(node), b = below.at(next);
            double sum = 0;
            constexpr int parts = 8;
            for (int m = 0; m < parts; ++m) sum += 1 / smooth_permittivity(a + (b - a) * (m + 0.5) / parts, o);
            c = static_cast<float>(w * parts / sum);
          } else if (in == in_next) {
            c = static_cast<float>(w * (in ? ei : es));
          } else {
            share = below.crossing(node, place[axis], axis);
            if (!in) share = 1 - share;
            c = static_cast<float>(w / (share / ei + (1 - share) / es));
          }
          if (in == in_next) continue;
          Cut cut;
          cut.inside = static_cast<std::uint32_t>(in ? node : next);
          cut.outside = static_cast<std::uint32_t>(in ? next : node);
          cut.coefficient = c;
          cut.share = static_cast<float>(share);
          cut.axis = static_cast<signed char>(axis);
          cut.sign = in ? 1 : -1;
          cuts.push_back(cut);
        }
      }
    }
  });
  job.check();
  std::vector<Cut> cuts;
  for (auto& part : found) cuts.insert(cuts.end(), part.begin(), part.end());
  p.cuts = cuts.size();
  // Coulomb's potential where the surface cuts, or at both ends of the edge.
  std::vector<glm::dvec3> points;
  for (const Cut& cut : cuts) {
    const glm::dvec3 in = p.point(cut.inside), out = p.point(cut.outside);
    if (smooth) {
      points.push_back(in);
      points.push_back(out);
    } else {
      points.push_back(in + (out - in) * static_cast<double>(cut.share));
      points.push_back(0.5 * (in + out));
    }
  }
  std::vector<double> coulomb(points.size());
  std::vector<glm::dvec3> slopes(smooth ? 0 : points.size());
  pb_coulomb(atoms, points, coulomb, slopes, job);
  for (double& value : coulomb) value *= bjerrum / ei;
  for (glm::dvec3& value : slopes) value *= bjerrum / ei;
  for (std::size_t m = 0; m < cuts.size(); ++m) {
    const Cut& cut = cuts[m];
    const double c = static_cast<double>(cut.coefficient);
    if (smooth) {
      const double g_in = coulomb[2 * m], g_out = coulomb[2 * m + 1];
      p.source[cut.inside] -= static_cast<float>(c * g_in + weight[cut.axis] * ei * (g_out - g_in));
      p.source[cut.outside] += static_cast<float>(c * g_in);
      continue;
    }
    const double share = static_cast<double>(cut.share);
    const double h = p.step[cut.axis];
    const double to_in = -c * (1 - share) * h / es, to_out = -c * share * h / ei;
    const double jump = cut.sign * ei * slopes[2 * m][cut.axis];
    const double through = cut.sign * ei * slopes[2 * m + 1][cut.axis];
    const double value = coulomb[2 * m];
    p.source[cut.inside] += static_cast<float>(-c * value + to_in * jump);
    // What leaves the solute through the faces between the nodes is exactly what the charges send.
    p.source[cut.outside] += static_cast<float>(c * value + to_out * jump + h * weight[cut.axis] * (jump - through));
  }
  // The ions.
  p.nonlinear = o.nonlinear && ionic > 0;
  double strength = 0;
  for (const IonSpecies& ion : o.ions) strength += ion.concentration * ion.charge * ion.charge;
  p.ions = {};
  for (const IonSpecies& ion : o.ions) {
    if (ion.concentration == 0 || ion.charge == 0) continue;
    p.ions.charge[p.ions.count] = static_cast<float>(ion.charge);
    p.ions.share[p.ions.count++] = static_cast<float>(ion.concentration * ion.charge / strength);
  }
}

}  // namespace isolume
