// Multilevel summation at any points: what the finest lattice interpolates plus the short-range sum, with gradients.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/msm/msm_plan.h"

#include "molecule/base/error.h"

namespace isolume {

namespace {

/// The potential and its gradient, of whatever frame.
struct Value {
  double potential = 0;
  glm::dvec3 gradient{0};
};

/// Eq. 17 and its derivative with respect to lattice coordinates.
Value interpolate(const MsmPlan& plan, const MsmHostLattice& lattice, glm::dvec3 u) {
  const int taps = plan.basis.taps();
  double w[3][MsmBasis::most];
  double slope[3][MsmBasis::most];
  std::size_t node[3][MsmBasis::most];
  for (int axis = 0; axis < 3; ++axis) {
    const double base = std::floor(u[axis]);
    const double t = u[axis] - base;
    const int n = lattice.counts[axis];
    for (int m = 0; m < taps; ++m) {
      double value = 0;
      double derivative = 0;
      for (int k = plan.basis.degree; k >= 0; --k) {
        derivative = derivative * t + value;
        value = value * t + plan.basis.coefficient[m][k];
      }
      w[axis][m] = value;
      slope[axis][m] = derivative;
      int i = static_cast<int>(base) - plan.basis.below + m;
      i = plan.periodic[axis] ? ((i % n) + n) % n : std::clamp(i, 0, n - 1);
      node[axis][m] = static_cast<std::size_t>(i);
    }
  }
  const auto nx = static_cast<std::size_t>(lattice.padded.x);
  const auto ny = static_cast<std::size_t>(lattice.padded.y);
  Value sum;
  for (int c = 0; c < taps; ++c) {
    for (int b = 0; b < taps; ++b) {
      const float* row = lattice.values.data() + (node[2][c] * ny + node[1][b]) * nx;
      double value = 0;
      double derivative = 0;
      for (int a = 0; a < taps; ++a) {
        value += w[0][a] * static_cast<double>(row[node[0][a]]);
        derivative += slope[0][a] * static_cast<double>(row[node[0][a]]);
      }
      sum.potential += w[1][b] * w[2][c] * value;
      sum.gradient +=
          glm::dvec3(w[1][b] * w[2][c] * derivative, slope[1][b] * w[2][c] * value, w[1][b] * slope[2][c] * value);
    }
  }
  return sum;
}

/// g* of all charges within the cutoff, and its gradient in the bins' frame.
Value near_sum_at(const ChargeBins& bins, const TaylorGamma& gamma, double a, glm::dvec3 p) {
  Value sum;
  glm::ivec3 first;
  glm::ivec3 last;
  for (int axis = 0; axis < 3; ++axis) {
    const auto box = [&](double x) {
      return std::clamp(static_cast<int>(std::floor((x - bins.lower[axis]) / bins.side)), 0, bins.counts[axis] - 1);
    };
    first[axis] = box(p[axis] - a);
    last[axis] = box(p[axis] + a);
  }
  for (int k = first.z; k <= last.z; ++k) {
    for (int j = first.y; j <= last.y; ++j) {
      const std::size_t row = bins.row(j, k);
      const std::uint32_t end = bins.first[row + static_cast<std::size_t>(last.x) + 1];
      for (std::uint32_t n = bins.first[row + static_cast<std::size_t>(first.x)]; n < end; ++n) {
        const glm::dvec3 d = p - glm::dvec3(bins.x[n], bins.y[n], bins.z[n]);
        const double r2 = glm::dot(d, d);
        if (r2 >= a * a) continue;
        const auto q = static_cast<double>(bins.charge[n]);
        const double s = r2 / (a * a);
        double derivative = 0;  // of gamma with respect to s
        for (int i = gamma.order; i >= 1; --i) derivative = derivative * s + i * gamma.b[i];
        const bool on_it = r2 < coincidence * coincidence;
        const double inverse = on_it ? 0 : 1 / std::sqrt(r2);
        sum.potential += q * (inverse - gamma(s) / a);
        if (!on_it) sum.gradient += q * (-inverse * inverse * inverse - 2 * derivative / (a * a * a)) * d;
      }
    }
  }
  return sum;
}

}  // namespace

void MsmField::at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field,
                  Job& job) {
  if (potential.size() != points.size() || (!field.empty() && field.size() != points.size())) {
    throw Error("MSM: as many values as points are needed", Error::Kind::usage);
  }
  if (points.empty() || !body_) return;
  const MsmPlan& plan = *plan_;
  const MsmHostLattice lattice = body_->lattice();
  glm::dvec3 lower(std::numeric_limits<double>::infinity());
  glm::dvec3 upper = -lower;
  std::vector<glm::dvec3> framed(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 p = framed[i] = plan.frame.to_frame(points[i]);
    const glm::dvec3 u = plan.inverse * (p - plan.origin);
    for (int axis = 0; axis < 3; ++axis) {
      const double least = plan.basis.below - 1e-6;
      const double most = lattice.counts[axis] - plan.basis.below - 1 + 1e-6;
      if (!std::isfinite(u[axis]) || (!plan.periodic[axis] && !(u[axis] >= least && u[axis] <= most))) {
        throw Error(fmt::format("MSM: the point ({:.6g}, {:.6g}, {:.6g}) is outside of the lattices, which reach "
                                "over the charges and the grid",
                                points[i].x, points[i].y, points[i].z),
                    Error::Kind::usage);
      }
    }
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  // Charges within reach of the points, in a frame that begins at the corner of their box.
  const glm::dmat3 back = glm::transpose(plan.frame.turn);
  Grid box;
  box.origin = plan.frame.origin + back * lower;
  box.counts = glm::ivec3(2);
  for (int axis = 0; axis < 3; ++axis) box.step[axis] = back[axis] * std::max(upper[axis] - lower[axis], 1e-3);
  RowFrame frame(box);
  const double a = plan.options.cutoff;
  const ChargeBins bins =
      bin_charges(charges_, box, frame, a, std::clamp(a, 2.0, 4.0),
                  PairFunction::msm_short_range(a, plan.options.smoothing, true).scale, plan.images, job);
  const TaylorGamma gamma(plan.options.smoothing);
  const glm::dmat3 to_frame = glm::transpose(plan.inverse);
  constexpr std::size_t tile = 256;
  parallel_for((points.size() + tile - 1) / tile, job, "potential at points", [&](std::size_t t) {
    for (std::size_t i = t * tile; i < std::min(points.size(), (t + 1) * tile); ++i) {
      const Value smooth = interpolate(plan, lattice, plan.inverse * (framed[i] - plan.origin));
      const Value near = near_sum_at(bins, gamma, a, frame.to_frame(points[i]));
      potential[i] = smooth.potential + near.potential;
      if (!field.empty()) {
        field[i] = -(back * (to_frame * smooth.gradient) + glm::transpose(frame.turn) * near.gradient);
      }
    }
  });
}

}  // namespace isolume
