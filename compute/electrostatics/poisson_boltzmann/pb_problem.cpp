// The discrete Poisson-Boltzmann problem from the depths below the surfaces.
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_depth.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_open.h"
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

/// Adds to `values`, Coulomb's sums at nodes, what makes each charge one on a sphere of half a step: the same outside,
/// and finite at a node that a charge is at.
void soften(std::span<const ChargedSphere> atoms, const PbProblem& p, const std::vector<std::uint32_t>& slot,
            std::vector<double>& values) {
  const double radius = 0.5 * std::min({p.step.x, p.step.y, p.step.z});
  for (const ChargedSphere& atom : atoms) {
    if (atom.charge == 0) continue;
    const glm::dvec3 at(atom.position);
    const glm::ivec3 from = glm::max(glm::ivec3(0), glm::ivec3(glm::ceil((at - radius - p.origin) / p.step)));
    const glm::ivec3 to = glm::min(p.counts - 1, glm::ivec3(glm::floor((at + radius - p.origin) / p.step)));
    for (int k = from.z; k <= to.z; ++k) {
      for (int j = from.y; j <= to.y; ++j) {
        for (int i = from.x; i <= to.x; ++i) {
          const std::size_t node = p.index({i, j, k});
          const double r = glm::distance(p.point(node), at);
          if (r >= radius || !p.inside[node]) continue;
          // pb_coulomb leaves out what is within 1e-4 angstrom.
          values[slot[node]] += static_cast<double>(atom.charge) * (1 / radius - (r > 1e-4 ? 1 / r : 0.0));
        }
      }
    }
  }
}

/// Sources of the edges in the solute where its permittivity is not that of the charges: c (g - g') - w (h - h'), h
/// Coulomb's potential of the bare charges, and g that of each in its own permittivity.
void add_inner_sources(std::span<const ChargedSphere> atoms, std::span<const ChargedSphere> screened, bool several,
                       glm::dvec3 weight, const PoissonBoltzmannOptions& o, const PbMedia& media, PbProblem& p,
                       Job& job) {
  std::vector<std::uint32_t> slot(p.size(), 0);
  std::vector<glm::dvec3> points;
  for (std::size_t node = 0; node < p.size(); ++node) {
    if (!p.inside[node]) continue;
    slot[node] = static_cast<std::uint32_t>(points.size());
    points.push_back(p.point(node));
  }
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(o.temperature);
  std::vector<double> h(points.size()), g;
  pb_coulomb(atoms, points, h, {}, job, media.bare);
  soften(atoms, p, slot, h);
  if (several) {
    g.resize(points.size());
    pb_coulomb(screened, points, g, {}, job, media.screened);
    soften(screened, p, slot, g);
  }
  const std::array<const std::vector<float>*, 3> coefficients{&p.cx, &p.cy, &p.cz};
  const std::array<std::size_t, 3> stride{1, static_cast<std::size_t>(p.counts.x),
                                          static_cast<std::size_t>(p.counts.x) * static_cast<std::size_t>(p.counts.y)};
  layers(p.counts.z, [&](int k) {
    for (int j = 0; j < p.counts.y; ++j) {
      for (int i = 0; i < p.counts.x; ++i) {
        const glm::ivec3 place(i, j, k);
        const std::size_t node = p.index(place);
        if (!p.inside[node]) continue;
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis) {
          for (const int side : {-1, 1}) {
            if (place[axis] + side < 0 || place[axis] + side >= p.counts[axis]) continue;
            const auto a = static_cast<std::size_t>(axis);
            const std::size_t next = side > 0 ? node + stride[a] : node - stride[a];
            if (!p.inside[next]) continue;
            const double c = static_cast<double>((*coefficients[a])[side > 0 ? node : next]);
            const double bare = h[slot[node]] - h[slot[next]];
            const double own = (several ? g[slot[node]] - g[slot[next]] : bare) / o.solute_permittivity;
            sum += c * own - weight[axis] * bare;
          }
        }
        p.source[node] -= static_cast<float>(bjerrum * sum);
      }
    }
  });
}

}  // namespace

void pb_discretise(std::span<const ChargedSphere> atoms, std::span<const ChargedSphere> screened, const PbMedia& media,
                   std::span<const float> depth, std::span<const float> ion_depth, const PoissonBoltzmannOptions& o,
                   PbProblem& p, Job& job) {
  const glm::ivec3 n = p.counts;
  const std::size_t size = p.size();
  const std::size_t nx = static_cast<std::size_t>(n.x), nxy = nx * static_cast<std::size_t>(n.y);
  const std::array<std::size_t, 3> stride{1, nx, nxy};
  const bool gaussian = o.boundary == DielectricBoundary::gaussian;
  const bool spline = gaussian || o.boundary == DielectricBoundary::spline;
  const bool smooth = spline || o.boundary == DielectricBoundary::smooth;  // no jump: both ends of an edge matter
  const bool several = !media.solute.empty();                              // permittivities of the solute
  const double bjerrum = units::coulomb_volt_angstrom / units::thermal_voltage(o.temperature);
  const PbSpline shares = gaussian ? pb_gaussian(atoms, o.gaussian_width, p, job)
                          : spline ? pb_spline(atoms, o.width, o.spline_degree, p, job)
                                   : PbSpline();
  const std::array<const std::vector<float>*, 3> middles{&shares.x, &shares.y, &shares.z};
  const double border = smooth ? o.width / 2 : 0.0;  // the depth at which the solute begins
  const glm::dvec3 weight(1.0, p.step.x * p.step.x / (p.step.y * p.step.y),
                          p.step.x * p.step.x / (p.step.z * p.step.z));
  const double kappa = o.inverse_debye_length();
  const double ionic = p.step.x * p.step.x * o.solvent_permittivity * kappa * kappa;
  const auto below = [&](std::size_t node) { return static_cast<double>(depth[node]); };
  const auto solute = [&](std::size_t node) {
    return several ? static_cast<double>(media.solute[node]) : o.solute_permittivity;
  };
  const auto membrane = [&](std::size_t node) { return !media.membrane.empty() && media.membrane[node] != 0; };
  const auto solvent = [&](std::size_t node) { return membrane(node) ? media.permittivity : o.solvent_permittivity; };
  std::array<std::vector<float>*, 3> coefficients{&p.cx, &p.cy, &p.cz};
  for (auto* c : coefficients) c->assign(size, 0.0f);
  p.kappa.assign(size, 0.0f);
  p.source.assign(size, 0.0f);
  p.inside.assign(size, 0);
  const double cell = (p.step.x + p.step.y + p.step.z) / 3;
  // Of the Gaussian dielectric the solute is only where Coulomb's potential is summed: about the charges.
  constexpr float about_charges = 0.7f;
  layers(n.z, [&](int k) {
    for (std::size_t i = nxy * static_cast<std::size_t>(k); i < nxy * static_cast<std::size_t>(k + 1); ++i) {
      p.inside[i] = gaussian ? shares.node[i] < about_charges : spline ? shares.node[i] == 0 : below(i) > border;
      if (p.inside[i] || ionic == 0) continue;
      const double free = media.share.empty() ? 1.0 : 1.0 - static_cast<double>(media.share[i]);
      const double open = pb_open_to_ions(free, static_cast<double>(ion_depth[i]), cell);
      p.kappa[i] = static_cast<float>(ionic * open);
    }
  });
  job.check();
  // The permittivity of an edge in the solvent, which a face of the membrane may cut.
  const auto in_solvent = [&](std::size_t node, std::size_t next, int axis) {
    if (media.membrane.empty()) return o.solvent_permittivity;
    // Along a face the means are of the cells, across it of the edge.
    const auto cell_mean = [&](std::size_t at) {
      return o.solvent_permittivity +
             (media.permittivity - o.solvent_permittivity) * static_cast<double>(media.share[at]);
    };
    const double a = axis == 2 ? solvent(node) : cell_mean(node), b = axis == 2 ? solvent(next) : cell_mean(next);
    if (a == b) return a;
    double share = 0.5;
    if (axis == 2) {
      const double from = p.point(node).z, face = from < media.lower ? media.lower : media.upper;
      if (face > from && face < from + p.step.z) share = (face - from) / p.step.z;
    }
    return 1 / (share / a + (1 - share) / b);
  };
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
          const double own = solute(node), other = solute(next);
          const double ei = own == other ? own : 2 * own * other / (own + other);
          double share = 0;
          if (spline) {
            const double open = static_cast<double>((*middles[static_cast<std::size_t>(axis)])[node]);
            c = static_cast<float>(w *
                                   (!gaussian && in && in_next ? ei : ei + (in_solvent(node, next, axis) - ei) * open));
          } else if (smooth) {
            c = static_cast<float>(w *
                                   pb_smooth_edge(below(node), below(next), o.width, ei, in_solvent(node, next, axis)));
          } else if (in == in_next) {
            c = static_cast<float>(w * (in ? ei : in_solvent(node, next, axis)));
          } else {
            share = pb_crossing(depth.data(), node, stride[static_cast<std::size_t>(axis)], place[axis], n[axis]);
            if (!in) share = 1 - share;
            c = static_cast<float>(w / (share / (in ? own : other) + (1 - share) / solvent(in ? next : node)));
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
  // Where the surface cuts and in the middle of the edge, or at both its ends: h, Coulomb's potential of the bare
  // charges, and g, that of each in its own permittivity.
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
  std::vector<double> h(points.size()), g;
  std::vector<glm::dvec3> h_slopes(smooth ? 0 : points.size()), g_slopes;
  pb_coulomb(atoms, points, h, h_slopes, job, media.bare);
  for (double& value : h) value *= bjerrum;
  for (glm::dvec3& value : h_slopes) value *= bjerrum;
  g = h;
  g_slopes = h_slopes;
  if (several) pb_coulomb(screened, points, g, g_slopes, job, media.screened);
  const double scale = several ? bjerrum / o.solute_permittivity : 1 / o.solute_permittivity;
  for (double& value : g) value *= scale;
  for (glm::dvec3& value : g_slopes) value *= scale;
  for (std::size_t m = 0; m < cuts.size(); ++m) {
    const Cut& cut = cuts[m];
    const double c = static_cast<double>(cut.coefficient);
    if (smooth) {
      p.source[cut.inside] -= static_cast<float>(c * g[2 * m] + weight[cut.axis] * (h[2 * m + 1] - h[2 * m]));
      p.source[cut.outside] += static_cast<float>(c * g[2 * m]);
      continue;
    }
    const double own = solute(cut.inside);
    const PbJump at{c,
                    static_cast<double>(cut.share),
                    p.step[cut.axis],
                    weight[cut.axis],
                    g[2 * m],
                    cut.sign * own * g_slopes[2 * m][cut.axis],
                    cut.sign * h_slopes[2 * m + 1][cut.axis]};
    // What the charges send through the surface, where it is not what g's field has there.
    const double sent = several ? cut.sign * h_slopes[2 * m][cut.axis] : at.jump;
    p.source[cut.inside] +=
        static_cast<float>(at.to_inside(solvent(cut.outside)) + at.step * at.weight * (at.jump - sent));
    p.source[cut.outside] += static_cast<float>(at.to_outside(own) - at.step * at.weight * (at.jump - sent));
  }
  if (gaussian || several) add_inner_sources(atoms, screened, several, weight, o, media, p, job);
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
  constexpr double mole = 6.02214076e-4;  // ions per cubic angstrom at 1 mol/l
  if (o.nonlinear) ions.volume = static_cast<float>(o.ion_size * o.ion_size * o.ion_size * mole * strength);
  return ions;
}

}  // namespace isolume
