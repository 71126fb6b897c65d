// The discrete Poisson-Boltzmann problem from the depths below the surfaces.
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_depth.h"
#include "compute/electrostatics/poisson_boltzmann/pb_spline.h"
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

/// Runs body(k) for layers on all threads.
template <class Body>
void layers(int count, const Body& body) {
  oneapi::tbb::parallel_for(0, count, body);
}

}  // namespace

void pb_discretise(std::span<const ChargedSphere> atoms, std::span<const float> depth, std::span<const float> ion_depth,
                   const PoissonBoltzmannOptions& o, PbProblem& p, Job& job) {
  const glm::ivec3 n = p.counts;
  const std::size_t size = p.size();
  const std::size_t nx = static_cast<std::size_t>(n.x), nxy = nx * static_cast<std::size_t>(n.y);
  const std::array<std::size_t, 3> stride{1, nx, nxy};
  const bool spline = o.boundary == DielectricBoundary::spline;
  const bool smooth = spline || o.boundary == DielectricBoundary::smooth;  // no jump: both ends of an edge matter
  const double ei = o.solute_permittivity, es = o.solvent_permittivity;
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(o.temperature);
  const PbSpline shares = spline ? pb_spline(atoms, o.width, p, job) : PbSpline();
  const std::array<const std::vector<float>*, 3> middles{&shares.x, &shares.y, &shares.z};
  const double border = smooth ? o.width / 2 : 0.0;  // the depth at which the solute begins
  const glm::dvec3 weight(1.0, p.step.x * p.step.x / (p.step.y * p.step.y),
                          p.step.x * p.step.x / (p.step.z * p.step.z));
  const double kappa = o.inverse_debye_length();
  const double ionic = p.step.x * p.step.x * es * kappa * kappa;
  const auto below = [&](std::size_t node) { return static_cast<double>(depth[node]); };
  std::array<std::vector<float>*, 3> coefficients{&p.cx, &p.cy, &p.cz};
  for (auto* c : coefficients) c->assign(size, 0.0f);
  p.kappa.assign(size, 0.0f);
  p.source.assign(size, 0.0f);
  p.inside.assign(size, 0);
  const double cell = (p.step.x + p.step.y + p.step.z) / 3;
  layers(n.z, [&](int k) {
    for (std::size_t i = nxy * static_cast<std::size_t>(k); i < nxy * static_cast<std::size_t>(k + 1); ++i) {
      p.inside[i] = spline ? shares.node[i] == 0 : below(i) > border;
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
          if (spline) {
            const double solvent = static_cast<double>((*middles[static_cast<std::size_t>(axis)])[node]);
            c = static_cast<float>(w * (in && in_next ? ei : ei + (es - ei) * solvent));
          } else if (smooth) {
            c = static_cast<float>(w * pb_smooth_edge(below(node), below(next), o.width, ei, es));
          } else if (in == in_next) {
            c = static_cast<float>(w * (in ? ei : es));
          } else {
            share = pb_crossing(depth.data(), node, stride[static_cast<std::size_t>(axis)], place[axis], n[axis]);
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
    const PbJump at{c,
                    static_cast<double>(cut.share),
                    p.step[cut.axis],
                    weight[cut.axis],
                    coulomb[2 * m],
                    cut.sign * ei * slopes[2 * m][cut.axis],
                    cut.sign * ei * slopes[2 * m + 1][cut.axis]};
    p.source[cut.inside] += static_cast<float>(at.to_inside(es));
    p.source[cut.outside] += static_cast<float>(at.to_outside(ei));
  }
  p.nonlinear = o.nonlinear && ionic > 0;
  p.ions = pb_ions(o);
}

PbIons pb_ions(const PoissonBoltzmannOptions& o) {
  double strength = 0;
  for (const IonSpecies& ion : o.ions) strength += ion.concentration * ion.charge * ion.charge;
  PbIons ions;
  for (const IonSpecies& ion : o.ions) {
    if (ion.concentration == 0 || ion.charge == 0) continue;
    ions.charge[ions.count] = static_cast<float>(ion.charge);
    ions.share[ions.count++] = static_cast<float>(ion.concentration * ion.charge / strength);
  }
  return ions;
}

}  // namespace isolume
