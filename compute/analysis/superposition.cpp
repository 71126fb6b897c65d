// Superposition: the rigid motion that brings points closest to others, by least squares.
#include "compute/analysis/superposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t fewest = 3;  // pairs that fix a motion

double weight_of(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

/// The sum of the weights, above 0.
double check(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b, std::span<const double> weights) {
  if (a.size() != b.size() || (!weights.empty() && weights.size() != a.size()))
    throw Error(fmt::format("superposition: {} points and {} points with {} weights are no pairs", a.size(), b.size(),
                            weights.size()),
                Error::Kind::usage);
  if (a.empty()) throw Error("superposition: there are no pairs of points", Error::Kind::usage);
  if (weights.empty()) return static_cast<double>(a.size());
  double sum = 0;
  for (const double w : weights) {
    if (!(w >= 0)) throw Error("superposition: a weight is negative", Error::Kind::usage);
    sum += w;
  }
  if (!(sum > 0)) throw Error("superposition: all weights are 0", Error::Kind::usage);
  return sum;
}

/// Of a symmetric matrix, by Jacobi's turns, which leave nothing next to the diagonal.
glm::dvec4 largest_eigenvector(glm::dmat4 m) {
  glm::dmat4 vectors(1.0);  // one in each column
  for (int sweep = 0; sweep < 60; ++sweep) {
    double beside = 0, all = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) (i == j ? all : beside) += m[i][j] * m[i][j];
    if (beside <= 1e-32 * (all + beside)) break;
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 4; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        glm::dmat4 turn(1.0);
        turn[p][p] = turn[q][q] = c;
        turn[q][p] = s;
        turn[p][q] = -s;
        m = glm::transpose(turn) * m * turn;
        vectors = vectors * turn;
      }
  }
  int largest = 0;
  for (int i = 1; i < 4; ++i)
    if (m[i][i] > m[largest][largest]) largest = i;
  return vectors[largest];
}

std::vector<glm::dvec3> chosen(std::span<const glm::dvec3> points, const std::vector<std::uint8_t>& kept) {
  std::vector<glm::dvec3> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (kept[i]) result.push_back(points[i]);
  return result;
}

}  // namespace

double rmsd(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b, std::span<const double> weights) {
  const double sum = check(a, b, weights);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const glm::dvec3 d = a[i] - b[i];
    squares += weight_of(weights, i) * glm::dot(d, d);
  }
  return std::sqrt(squares / sum);
}

RigidMotion motion_of(const PointCovariance& covariance, glm::dvec3 fixed_centre) {
  const auto& s = covariance.s;  // s[i][j]: of coordinate i of the moving points with j of the fixed ones
  const glm::dvec4 q = largest_eigenvector(
      glm::dmat4(s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0],  //
                 s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2],  //
                 s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1],  //
                 s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]));
  RigidMotion motion;
  // Of the two quaternions of a turn the one with a positive real part, so that none is none.
  const double sign = q[0] < 0 ? -1 : 1;
  motion.rotation = glm::normalize(glm::dquat(sign * q[0], sign * q[1], sign * q[2], sign * q[3]));
  motion.translation = fixed_centre - motion.rotation * covariance.centre;
  return motion;
}

Superposition superpose(std::span<const glm::dvec3> moving, std::span<const glm::dvec3> fixed,
                        std::span<const double> weights) {
  const double sum = check(moving, fixed, weights);
  const glm::dvec3 to = weighted_sum(fixed, weights) / sum;
  Superposition result;
  result.motion = motion_of(point_covariance(moving, fixed, weights, sum, to), to);
  result.rmsd = std::sqrt(mean_square(moving, fixed, weights, sum, result.motion));
  return result;
}

PrunedSuperposition superpose_pruned(std::span<const glm::dvec3> moving, std::span<const glm::dvec3> fixed,
                                     double cutoff) {
  check(moving, fixed, {});
  const std::size_t count = moving.size();
  PrunedSuperposition result;
  result.kept.assign(count, 1);
  result.kept_count = count;
  result.distances.resize(count);
  for (;;) {
    const Superposition fit = superpose(chosen(moving, result.kept), chosen(fixed, result.kept));
    result.motion = fit.motion;
    result.rmsd = fit.rmsd;
    double squares = 0;
    std::vector<std::size_t> beyond;
    for (std::size_t i = 0; i < count; ++i) {
      result.distances[i] = glm::distance(fit.motion(moving[i]), fixed[i]);
      squares += result.distances[i] * result.distances[i];
      if (result.kept[i] && cutoff > 0 && result.distances[i] > cutoff) beyond.push_back(i);
    }
    result.rmsd_all = std::sqrt(squares / static_cast<double>(count));
    if (beyond.empty() || result.kept_count <= fewest) return result;
    std::sort(beyond.begin(), beyond.end(),
              [&](std::size_t a, std::size_t b) { return result.distances[a] > result.distances[b]; });
    const std::size_t some = std::min((result.kept_count + 9) / 10, (beyond.size() + 1) / 2);
    const std::size_t out = std::min(some, result.kept_count - fewest);
    for (std::size_t i = 0; i < out; ++i) result.kept[beyond[i]] = 0;
    result.kept_count -= out;
    ++result.rounds;
  }
}

}  // namespace isolume
