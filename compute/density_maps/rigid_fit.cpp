// Rigid fits of a model into a density map: quasi-Newton steps uphill.
#include "compute/density_maps/rigid_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/density_maps/rigid_slopes.h"

namespace isolume {
namespace {

using Vector6 = std::array<double, 6>;

/// The gradient in a shift and a turn times the radius, so that all six are lengths.
Vector6 gradient_of(const RigidSlope& slope, double radius) {
  const glm::dvec3 turn = slope.torque / radius;
  return {slope.force.x, slope.force.y, slope.force.z, turn.x, turn.y, turn.z};
}

RigidMotion stepped(const RigidMotion& motion, const glm::dvec3& model_centre, const Vector6& step, double radius) {
  const glm::dvec3 turn(step[3] / radius, step[4] / radius, step[5] / radius);
  const double angle = glm::length(turn);
  const glm::dquat q = angle > 0 ? glm::angleAxis(angle, turn / angle) : glm::dquat(1, 0, 0, 0);
  const glm::dvec3 centre = motion(model_centre);
  return then(motion, {q, centre - q * centre + glm::dvec3(step[0], step[1], step[2])});
}

double dot(const Vector6& a, const Vector6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

/// The inverse of the matrix of second derivatives, built from steps (BFGS).
struct Inverse {
  std::array<Vector6, 6> rows{};
  explicit Inverse(double diagonal) {
    for (std::size_t i = 0; i < 6; ++i) rows[i][i] = diagonal;
  }
  Vector6 times(const Vector6& v) const {
    Vector6 result;
    for (std::size_t i = 0; i < 6; ++i) result[i] = dot(rows[i], v);
    return result;
  }
  void update(const Vector6& step, const Vector6& change) {
    const double curvature = dot(step, change);
    if (!(curvature > 1e-14 * std::sqrt(dot(step, step) * dot(change, change)))) return;
    const Vector6 hy = times(change);
    const double factor = (1 + dot(change, hy) / curvature) / curvature;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j)
        rows[i][j] += factor * step[i] * step[j] - (hy[i] * step[j] + step[i] * hy[j]) / curvature;
    }
  }
};

}  // namespace

glm::dvec3 RigidModel::centre() const {
  glm::dvec3 sum(0);
  for (const glm::dvec3& p : positions) sum += p;
  return sum / static_cast<double>(std::max<std::size_t>(1, positions.size()));
}

double RigidModel::radius() const {
  const glm::dvec3 c = centre();
  double sum = 0;
  for (const glm::dvec3& p : positions) sum += glm::dot(p - c, p - c);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, positions.size())));
}

double mean_at_atoms(const MapSpline& map, const RigidModel& model, const RigidMotion& motion) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    sum += model.weights[i] * map.at(motion(model.positions[i])).value;
    weight += model.weights[i];
  }
  return sum / weight;
}

double rmsd_of_places(const RigidModel& model, const RigidMotion& a, const RigidMotion& b) {
  double sum = 0;
  for (const glm::dvec3& p : model.positions) {
    const glm::dvec3 d = a(p) - b(p);
    sum += glm::dot(d, d);
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, model.positions.size())));
}

RigidFit rigid_fit(const MapSpline& map, const RigidModel& model, const RigidMotion& start, Job& job, Device device) {
  const RigidSlopes slopes(map, model, device);
  return rigid_fit(slopes, model, start, job);
}

RigidFit rigid_fit(const RigidSlopes& slopes, const RigidModel& model, const RigidMotion& start, Job& job) {
  const glm::dvec3 centre = model.centre();
  const double radius = std::max(model.radius(), 1e-3);
  constexpr double longest = 1, enough = 1e-5;  // angstrom
  RigidFit fit;
  fit.motion = start;
  RigidSlope slope = slopes.at(start, job);
  fit.before = fit.after = slope.value;
  fit.evaluations = 1;
  Vector6 g = gradient_of(slope, radius);
  const double first = std::sqrt(dot(g, g));
  if (!(first > 0)) return fit;
  Inverse inverse(0.5 / first);  // the first step is half an angstrom
  for (int round = 0; round < 300; ++round) {
    Vector6 direction = inverse.times(g);
    double uphill = dot(direction, g);
    if (!(uphill > 0)) {
      inverse = Inverse(0.5 / std::max(std::sqrt(dot(g, g)), 1e-300));
      direction = inverse.times(g);
      uphill = dot(direction, g);
    }
    double scale = std::min(1.0, longest / std::max(std::sqrt(dot(direction, direction)), 1e-300));
    bool moved = false;
    double length = 0;
    while (true) {
      Vector6 step;
      for (std::size_t i = 0; i < 6; ++i) step[i] = scale * direction[i];
      length = std::sqrt(dot(step, step));
      const RigidMotion next = stepped(fit.motion, centre, step, radius);
      const RigidSlope there = slopes.at(next, job);
      ++fit.evaluations;
      if (there.value >= slope.value + 1e-4 * scale * uphill) {
        const Vector6 h = gradient_of(there, radius);
        Vector6 change;  // of the function to be made small, which is minus the mean
        for (std::size_t i = 0; i < 6; ++i) change[i] = g[i] - h[i];
        inverse.update(step, change);
        fit.motion = next;
        slope = there;
        g = h;
        moved = true;
        break;
      }
      if (length < enough) break;
      scale *= 0.4;
    }
    if (!moved || length < enough) break;
  }
  fit.after = slope.value;
  return fit;
}

}  // namespace isolume
