// Critical points of the density: starts, Newton's iteration, bond paths.
#include "compute/electron_density/critical_points.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr double longest_step = 0.25, last_step = 1e-10, same_point = 0.02, path_step = 0.03;  // bohr
constexpr int most_steps = 80;

std::vector<glm::dvec3> starts_of(std::span<const glm::dvec3> centres) {
  std::vector<glm::dvec3> starts(centres.begin(), centres.end());
  glm::dvec3 middle(0);
  for (const glm::dvec3& centre : centres) middle += centre / static_cast<double>(centres.size());
  starts.push_back(middle);
  constexpr double longest_pair = 12, longest_side = 7;
  for (std::size_t a = 0; a < centres.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double distance = glm::distance(centres[a], centres[b]);
      if (distance > longest_pair) continue;
      const bool bonded = distance < 5;
      for (const double part : {0.5, 0.35, 0.65, 0.2, 0.8}) {
        if (!bonded && part != 0.5) break;
        starts.push_back(glm::mix(centres[a], centres[b], part));
      }
      if (distance > longest_side) continue;
      for (std::size_t c = 0; c < b; ++c) {
        if (glm::distance(centres[a], centres[c]) > longest_side ||
            glm::distance(centres[b], centres[c]) > longest_side)
          continue;
        starts.push_back((centres[a] + centres[b] + centres[c]) / 3.0);
      }
    }
  }
  return starts;
}

Eigen::Matrix3d matrix_of(const DensityDerivatives& values) {
  const auto& h = values.hessian;
  Eigen::Matrix3d matrix;
  matrix << h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5];
  return matrix;
}

/// The step to where a quadratic form has no gradient, at most longest_step.
glm::dvec3 newton_step(const DensityDerivatives& values) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix_of(values));
  const Eigen::Vector3d gradient(values.gradient.x, values.gradient.y, values.gradient.z);
  Eigen::Vector3d step = Eigen::Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const double value = solver.eigenvalues()[i], along = solver.eigenvectors().col(i).dot(gradient);
    const double least = std::max(1e-12, 1e-3 * std::abs(along));
    step -= along / (std::abs(value) < least ? std::copysign(least, value) : value) * solver.eigenvectors().col(i);
  }
  const double length = step.norm();
  if (length > longest_step) step *= longest_step / length;
  return {step.x(), step.y(), step.z()};
}

/// Where starts end; those that do not converge are left out.
std::vector<glm::dvec3> converge(const DensityEvaluator& density, std::vector<glm::dvec3> starts, double least_density,
                                 Job& job) {
  constexpr std::size_t batch = DensityEvaluator::batch;
  std::vector<char> good(starts.size(), 0);
  parallel_for((starts.size() + batch - 1) / batch, job, "critical points", [&](std::size_t i) {
    std::vector<std::size_t> active;
    for (std::size_t n = i * batch; n < std::min(starts.size(), (i + 1) * batch); ++n) active.push_back(n);
    std::vector<glm::dvec3> points(batch);
    std::vector<DensityDerivatives> values(batch);
    for (int step = 0; step < most_steps && !active.empty(); ++step) {
      job.check();
      for (std::size_t n = 0; n < active.size(); ++n) points[n] = starts[active[n]];
      density.evaluate({points.data(), active.size()}, DensityOrder::hessian, {values.data(), active.size()});
      std::vector<std::size_t> still;
      for (std::size_t n = 0; n < active.size(); ++n) {
        if (values[n].density < 0.1 * least_density) continue;
        const glm::dvec3 move = newton_step(values[n]);
        starts[active[n]] += move;
        if (glm::length(move) < last_step) {
          good[active[n]] = 1;
        } else {
          still.push_back(active[n]);
        }
      }
      active.swap(still);
    }
  });
  std::vector<glm::dvec3> found;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    if (good[n]) found.push_back(starts[n]);
  }
  return found;
}

/// The same on a CUDA device: all starts take their steps together.
std::vector<glm::dvec3> converge_together(const RepeatedDerivatives& density, std::vector<glm::dvec3> starts,
                                          double least_density, Job& job) {
  constexpr std::size_t batch = 256;
  std::vector<char> good(starts.size(), 0), active(starts.size(), 1);
  std::vector<std::size_t> left(starts.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (int step = 0; step < most_steps && !left.empty(); ++step) {
    std::vector<glm::dvec3> points;
    for (const std::size_t n : left) points.push_back(starts[n]);
    const std::vector<DensityDerivatives> values = density.at(points, DensityOrder::hessian, job);
    parallel_for((left.size() + batch - 1) / batch, job, "critical points", [&](std::size_t b) {
      for (std::size_t i = b * batch; i < std::min(left.size(), (b + 1) * batch); ++i) {
        active[left[i]] = 0;
        if (values[i].density < 0.1 * least_density) continue;
        const glm::dvec3 move = newton_step(values[i]);
        starts[left[i]] += move;
        (glm::length(move) < last_step ? good : active)[left[i]] = 1;
      }
    });
    std::erase_if(left, [&](std::size_t n) { return !active[n]; });
  }
  std::vector<glm::dvec3> found;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    if (good[n]) found.push_back(starts[n]);
  }
  return found;
}

/// One of the two walkers of a bond path.
struct Walker {
  glm::dvec3 position{0};
  double length = 0;
  int atom = -1;
  bool done = false;
};

void follow(const RepeatedDerivatives& density, const std::vector<CriticalPoint>& maxima, std::vector<Walker>& walkers,
            Job& job) {
  constexpr int most = 2000;
  constexpr double near = 0.04;
  std::vector<glm::dvec3> points;
  const auto directions = [&](const std::vector<glm::dvec3>& at) {
    std::vector<glm::dvec3> all;
    for (const DensityDerivatives& value : density.at(at, DensityOrder::gradient, job)) {
      const double length = glm::length(value.gradient);
      all.push_back(length > 0 ? value.gradient / length : glm::dvec3(0));
    }
    return all;
  };
  for (int n = 0; n < most; ++n) {
    std::vector<Walker*> active;
    std::vector<double> steps;
    for (Walker& walker : walkers) {
      if (walker.done) continue;
      double nearest = 1e300;
      const CriticalPoint* end = nullptr;
      for (const CriticalPoint& maximum : maxima) {
        const double distance = glm::distance(maximum.position, walker.position);
        if (distance < nearest) {
          nearest = distance;
          end = &maximum;
        }
      }
      if (end && nearest < near) {
        walker.length += nearest;
        walker.atom = end->atoms[0];
        walker.done = true;
        continue;
      }
      active.push_back(&walker);
      steps.push_back(std::min(path_step, 0.5 * nearest));
    }
    if (active.empty()) return;
    std::vector<glm::dvec3> from;
    for (const Walker* walker : active) from.push_back(walker->position);
    const auto moved = [&](const std::vector<glm::dvec3>& along, double part) {
      points = from;
      for (std::size_t i = 0; i < points.size(); ++i) points[i] += part * steps[i] * along[i];
      return points;
    };
    const auto k1 = directions(from), k2 = directions(moved(k1, 0.5)), k3 = directions(moved(k2, 0.5)),
               k4 = directions(moved(k3, 1));
    for (std::size_t i = 0; i < active.size(); ++i) {
      const glm::dvec3 move = steps[i] / 6 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
      active[i]->position += move;
      active[i]->length += glm::length(move);
      if (glm::length(move) < 1e-8) active[i]->done = true;
    }
  }
}

void add_paths(const RepeatedDerivatives& density, std::vector<CriticalPoint>& points, Job& job) {
  std::vector<CriticalPoint> maxima;
  std::vector<Walker> walkers;
  for (const CriticalPoint& point : points) {
    if (point.kind == CriticalKind::nucleus) maxima.push_back(point);
    if (point.kind != CriticalKind::bond) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix_of(point.values));
    const Eigen::Vector3d along = solver.eigenvectors().col(2);
    double offset = 0.01;
    for (const CriticalPoint& other : points) {
      if (other.kind == CriticalKind::nucleus)
        offset = std::min(offset, 0.1 * glm::distance(other.position, point.position));
    }
    for (const double sign : {1.0, -1.0}) {
      Walker walker;
      walker.position = point.position + sign * offset * glm::dvec3(along.x(), along.y(), along.z());
      walker.length = offset;
      walkers.push_back(walker);
    }
  }
  follow(density, maxima, walkers, job);
  std::size_t next = 0;
  for (CriticalPoint& point : points) {
    if (point.kind != CriticalKind::bond) continue;
    const Walker &a = walkers[next], &b = walkers[next + 1];
    next += 2;
    point.atoms = {std::min(a.atom, b.atom), std::max(a.atom, b.atom)};
    point.path = a.length + b.length;
  }
}

int nearest_atom(std::span<const glm::dvec3> centres, glm::dvec3 position) {
  int nearest = -1;
  double least = 1e300;
  for (std::size_t a = 0; a < centres.size(); ++a) {
    const double distance = glm::distance(centres[a], position);
    if (distance >= least) continue;
    least = distance;
    nearest = static_cast<int>(a);
  }
  return nearest;
}

}  // namespace

std::size_t CriticalPoints::count(CriticalKind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [kind](const CriticalPoint& point) { return point.kind == kind; }));
}

int CriticalPoints::poincare_hopf() const {
  int sum = 0;
  for (const CriticalPoint& point : points)
    sum += point.kind == CriticalKind::nucleus || point.kind == CriticalKind::ring ? 1 : -1;
  return sum;
}

CriticalPoints critical_points(const DensityEvaluator& evaluator, std::span<const glm::dvec3> centres, Job& job,
                               double least_density, Device device) {
  CriticalPoints result;
  if (centres.empty()) return result;
  std::vector<glm::dvec3> starts = starts_of(centres);
  result.starts = starts.size();
  const RepeatedDerivatives density(evaluator, device);
  const std::vector<glm::dvec3> found = device.is_cuda()
                                            ? converge_together(density, std::move(starts), least_density, job)
                                            : converge(evaluator, std::move(starts), least_density, job);
  const std::vector<DensityDerivatives> values = density.at(found, DensityOrder::hessian, job);
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (values[n].density < least_density) continue;
    CriticalPoint point;
    point.position = found[n];
    point.values = values[n];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix_of(values[n]), Eigen::EigenvaluesOnly);
    int negative = 0;
    for (int i = 0; i < 3; ++i) {
      point.eigenvalues[static_cast<std::size_t>(i)] = solver.eigenvalues()[i];
      negative += solver.eigenvalues()[i] < 0;
    }
    point.kind = static_cast<CriticalKind>(3 - negative);
    const bool known = std::ranges::any_of(result.points, [&](const CriticalPoint& other) {
      return other.kind == point.kind && glm::distance(other.position, point.position) < same_point;
    });
    if (known) continue;
    if (point.kind == CriticalKind::nucleus) point.atoms[0] = nearest_atom(centres, point.position);
    result.points.push_back(point);
  }
  std::ranges::stable_sort(result.points, {}, [](const CriticalPoint& point) {
    return std::pair(point.kind, point.kind == CriticalKind::nucleus ? point.atoms[0] : 0);
  });
  add_paths(density, result.points, job);
  return result;
}

}  // namespace isolume
