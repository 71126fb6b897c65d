// Critical points of the density: where the searches start, what they found, and the ends of bond paths.
#include "compute/electron_density/topology/critical_points.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "compute/electron_density/topology/critical_points_bodies.h"

namespace isolume {
namespace {

constexpr double same_point = 0.02;      // bohr
constexpr double same_converged = 1e-6;  // bohr

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

/// The points without those that another search has found before: what is left are points of their own, and some that
/// differ by the steps that led there.
std::vector<glm::dvec3> different(std::span<const glm::dvec3> found) {
  std::vector<glm::dvec3> points;
  for (const glm::dvec3& point : found) {
    const bool known = std::ranges::any_of(points, [&](const glm::dvec3& other) {
      const glm::dvec3 away = other - point;
      return glm::dot(away, away) < same_converged * same_converged;
    });
    if (!known) points.push_back(point);
  }
  return points;
}

/// The walkers' places, from where the one ended over the point to where the other did.
std::vector<glm::dvec3> joined(std::span<const glm::dvec3> one, glm::dvec3 point, std::span<const glm::dvec3> other) {
  std::vector<glm::dvec3> path(one.rbegin(), one.rend());
  path.push_back(point);
  path.insert(path.end(), other.begin(), other.end());
  return path;
}

void add_paths(const DensitySearch& search, bool traces, std::vector<CriticalPoint>& points, Job& job) {
  std::vector<glm::dvec3> maxima;
  std::vector<int> atoms;  // of the maxima
  std::vector<PathWalker> walkers;
  for (const CriticalPoint& point : points) {
    if (point.kind == CriticalKind::nucleus) {
      maxima.push_back(point.position);
      atoms.push_back(point.atoms[0]);
    }
    if (point.kind != CriticalKind::bond) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix_of(point.values));
    const Eigen::Vector3d along = solver.eigenvectors().col(2);
    double offset = 0.01;
    for (const CriticalPoint& other : points) {
      if (other.kind == CriticalKind::nucleus)
        offset = std::min(offset, 0.1 * glm::distance(other.position, point.position));
    }
    for (const double sign : {1.0, -1.0}) {
      PathWalker walker;
      walker.position = point.position + sign * offset * glm::dvec3(along.x(), along.y(), along.z());
      walker.length = offset;
      walkers.push_back(walker);
    }
  }
  std::vector<std::vector<glm::dvec3>> places(traces ? walkers.size() : 0);
  for (std::size_t n = 0; n < places.size(); ++n) {
    places[n].push_back(walkers[n].position);
    walkers[n].trace = &places[n];
  }
  search.follow(maxima, walkers, job);
  const auto atom_of = [&](const PathWalker& walker) {
    return walker.maximum < 0 ? -1 : atoms[static_cast<std::size_t>(walker.maximum)];
  };
  std::size_t next = 0;
  for (CriticalPoint& point : points) {
    if (point.kind != CriticalKind::bond) continue;
    const PathWalker &a = walkers[next], &b = walkers[next + 1];
    if (traces) {
      const bool turned = atom_of(b) < atom_of(a);
      point.trace = joined(places[turned ? next + 1 : next], point.position, places[turned ? next : next + 1]);
    }
    next += 2;
    point.atoms = {std::min(atom_of(a), atom_of(b)), std::max(atom_of(a), atom_of(b))};
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
                               double least_density, Device device, bool traces) {
  CriticalPoints result;
  if (centres.empty()) return result;
  std::vector<glm::dvec3> starts = starts_of(centres);
  result.starts = starts.size();
  const std::unique_ptr<DensitySearch> search =
      device.is_cuda() ? density_search_cuda(evaluator.functions(), device) : density_search_cpu(evaluator);
  // Most searches end at a point that another one has found.
  const std::vector<glm::dvec3> found = different(search->converge(std::move(starts), least_density, job));
  const std::vector<DensityDerivatives> values = search->at(found, job);
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
  add_paths(traces && device.is_cuda() ? *density_search_cpu(evaluator) : *search, traces, result.points, job);
  return result;
}

}  // namespace isolume
