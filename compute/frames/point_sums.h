// Point sums: sums over the points of one frame, by plain loops in double precision.
//
// They are what the CPU computes of a frame, and the reference of the CUDA bodies.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <span>

#include "molecule/rigid_motion.h"

namespace isolume {

/// The centre c = sum w p / sum w (angstrom) and the tensor sum w (p - c)(p - c)^T / sum w (angstrom^2).
struct PointMoments {
  glm::dvec3 centre{0.0};
  glm::dmat3 tensor{0.0};
};

/// What a superposition is found from: the centre of the moving points (angstrom), and s[i][j], the sum of
/// w (p_i - c_i)(q_j - o_j) over points p and their fixed places q with the centre o (angstrom^2).
struct PointCovariance {
  glm::dvec3 centre{0.0};
  std::array<std::array<double, 3>, 3> s{};
};

/// sum w p. In all of these empty weights are 1.
glm::dvec3 weighted_sum(std::span<const glm::dvec3> points, std::span<const double> weights);
/// `weight_sum` > 0 is the sum of the weights.
PointMoments point_moments(std::span<const glm::dvec3> points, std::span<const double> weights, double weight_sum);
/// `fixed_centre` is the centre of the places.
PointCovariance point_covariance(std::span<const glm::dvec3> points, std::span<const glm::dvec3> places,
                                 std::span<const double> weights, double weight_sum, glm::dvec3 fixed_centre);
/// sum w |motion(p) - q|^2 / sum w, angstrom^2.
double mean_square(std::span<const glm::dvec3> points, std::span<const glm::dvec3> places,
                   std::span<const double> weights, double weight_sum, const RigidMotion& motion);

}  // namespace isolume
