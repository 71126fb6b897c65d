// Gyration: the tensor and its principal values.
#include "compute/analysis/gyration.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Of a symmetric matrix, ascending, by Jacobi's turns.
glm::dvec3 eigenvalues(glm::dmat3 m) {
  for (int sweep = 0; sweep < 50; ++sweep) {
    const double beside = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
    if (beside <= 1e-32 * (m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2])) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        glm::dmat3 turn(1.0);
        turn[p][p] = turn[q][q] = c;
        turn[q][p] = s;
        turn[p][q] = -s;
        m = glm::transpose(turn) * m * turn;
      }
  }
  // What rounding leaves below 0 is none.
  double values[3] = {std::max(0.0, m[0][0]), std::max(0.0, m[1][1]), std::max(0.0, m[2][2])};
  std::sort(std::begin(values), std::end(values));
  return {values[0], values[1], values[2]};
}

}  // namespace

double Gyration::anisotropy() const {
  const double square = radius * radius;
  if (!(square > 0)) return 0;
  const double b = asphericity(), c = acylindricity();
  return (b * b + 0.75 * c * c) / (square * square);
}

Gyration gyration_of(const PointMoments& moments) {
  const glm::dmat3& tensor = moments.tensor;
  Gyration result;
  result.centre = moments.centre;
  result.radius = std::sqrt(tensor[0][0] + tensor[1][1] + tensor[2][2]);
  result.moments = eigenvalues(tensor);
  return result;
}

Gyration gyration(std::span<const glm::dvec3> points, std::span<const double> weights) {
  if (points.empty()) throw Error("gyration: there are no points", Error::Kind::usage);
  if (!weights.empty() && weights.size() != points.size())
    throw Error("gyration: as many weights as points are needed", Error::Kind::usage);
  double sum = weights.empty() ? static_cast<double>(points.size()) : 0.0;
  for (const double weight : weights) {
    if (!(weight >= 0)) throw Error("gyration: a weight is negative", Error::Kind::usage);
    sum += weight;
  }
  if (!(sum > 0)) throw Error("gyration: all weights are 0", Error::Kind::usage);
  return gyration_of(point_moments(points, weights, sum));
}

}  // namespace isolume
