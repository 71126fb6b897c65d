// Point sums: plain loops.
#include "compute/frames/point_sums.h"

namespace isolume {
namespace {

double weight_of(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

}  // namespace

glm::dvec3 weighted_sum(std::span<const glm::dvec3> points, std::span<const double> weights) {
  glm::dvec3 sum(0);
  for (std::size_t i = 0; i < points.size(); ++i) sum += weight_of(weights, i) * points[i];
  return sum;
}

PointMoments point_moments(std::span<const glm::dvec3> points, std::span<const double> weights, double weight_sum) {
  PointMoments result;
  result.centre = weighted_sum(points, weights) / weight_sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 d = points[i] - result.centre;
    result.tensor += weight_of(weights, i) / weight_sum * glm::outerProduct(d, d);
  }
  return result;
}

PointCovariance point_covariance(std::span<const glm::dvec3> points, std::span<const glm::dvec3> places,
                                 std::span<const double> weights, double weight_sum, glm::dvec3 fixed_centre) {
  PointCovariance result;
  result.centre = weighted_sum(points, weights) / weight_sum;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const glm::dvec3 m = weight_of(weights, p) * (points[p] - result.centre), f = places[p] - fixed_centre;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) result.s[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += m[i] * f[j];
  }
  return result;
}

double mean_square(std::span<const glm::dvec3> points, std::span<const glm::dvec3> places,
                   std::span<const double> weights, double weight_sum, const RigidMotion& motion) {
  double squares = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const glm::dvec3 d = motion(points[p]) - places[p];
    squares += weight_of(weights, p) * glm::dot(d, d);
  }
  return squares / weight_sum;
}

}  // namespace isolume
