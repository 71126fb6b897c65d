// The camera: from where the scene is seen.
#include "render/view/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double turn_per_unit = 1.5;  // radians for a drag of half the picture's height
constexpr double margin = 1.06;
constexpr double filled = 0.9;  // part of the picture that is filled

double half_angle(const Camera& camera) {
  return glm::radians(std::clamp(camera.field_of_view, 1.0, 150.0)) / 2;
}

double smooth(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

double Camera::distance() const {
  return height / 2 / std::tan(half_angle(*this));
}

glm::dmat4 Camera::view() const {
  const glm::dmat4 back = glm::translate(glm::dmat4(1.0), glm::dvec3(0, 0, -distance()));
  return glm::translate(back * glm::mat4_cast(rotation), -centre);
}

glm::dmat4 Camera::projection_matrix(double aspect, glm::dvec3 scene_centre, double radius) const {
  const double depth = -(view() * glm::dvec4(scene_centre, 1.0)).z;
  const double reach = std::max(radius, 1e-3) * 1.02 + 0.01;
  double front = depth - reach + std::max(slab_front, 0.0);
  double back = depth + reach - std::max(slab_back, 0.0);
  if (projection == Projection::orthographic) {
    back = std::max(back, front + 1e-3);
    const double half = height / 2;
    return glm::ortho(-half * aspect, half * aspect, -half, half, front, back);
  }
  // Not nearer than this, so that depth keeps its precision when the eye is among the atoms.
  front = std::max({front, distance() * 0.02, back * 1e-4, 1e-3});
  back = std::max(back, front * 1.001);
  return glm::perspective(2 * half_angle(*this), aspect, front, back);
}

void Camera::fit(glm::dvec3 middle, double radius, double aspect) {
  centre = middle;
  const double r = std::max(radius, 1e-3) * margin;
  const double half = half_angle(*this);
  if (projection == Projection::orthographic) {
    height = 2 * r / std::min(1.0, std::max(aspect, 1e-3));
    return;
  }
  // The sphere touches the cone of sight: sin(angle) = r / distance, in the narrower direction.
  const double across = std::atan(std::max(aspect, 1e-3) * std::tan(half));
  height = 2 * std::tan(half) * r / std::sin(std::min(half, across));
}

void Camera::fit(std::span<const glm::vec4> balls, double aspect) {
  if (balls.empty()) return;
  // In the camera's axes; `slope` is the tangent of half the angle that the balls may fill, upwards and sideways.
  const bool perspective = projection == Projection::perspective;
  const glm::dmat3 turn = glm::mat3_cast(rotation);
  const double up = perspective ? filled * std::tan(half_angle(*this)) : 0;
  const glm::dvec2 slope(up * std::max(aspect, 1e-3), up);
  const glm::dvec2 reach(std::hypot(1.0, slope.x), std::hypot(1.0, slope.y));  // of a ball, to a plane of sight
  glm::dvec2 low(1e300), high(-1e300);
  double front = -1e300, back = 1e300;
  for (const glm::vec4& ball : balls) {
    const glm::dvec3 p = turn * glm::dvec3(ball);
    const double r = static_cast<double>(ball.w);
    for (int i = 0; i < 2; ++i) {
      high[i] = std::max(high[i], p[i] + slope[i] * p.z + r * reach[i]);
      low[i] = std::min(low[i], p[i] - slope[i] * p.z - r * reach[i]);
    }
    front = std::max(front, p.z + r);
    back = std::min(back, p.z - r);
  }
  const glm::dvec2 middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const double depth = 0.5 * (front + back);
  centre = glm::transpose(turn) * glm::dvec3(middle, depth);
  if (!perspective) {
    height = std::max(2 / filled * std::max(half.y, half.x / std::max(aspect, 1e-3)), 1e-2);
    return;
  }
  const double eye = std::max({half.x / slope.x, half.y / slope.y, front + 1e-2});
  height = std::max(2 * (eye - depth) * std::tan(half_angle(*this)), 1e-2);
}

void Camera::rotate(glm::dvec2 from, glm::dvec2 to) {
  const glm::dvec2 drag = to - from;
  if (!(glm::dot(drag, drag) > 0)) return;
  const glm::dvec2 middle = (from + to) * 0.5;
  const double distance_to_middle = glm::length(middle);
  const double rim = smooth(0.7, 0.95, distance_to_middle);
  glm::dvec2 tilt = drag;
  double roll = 0;
  if (rim > 0) {
    const glm::dvec2 outward = middle / distance_to_middle;
    const glm::dvec2 along(-outward.y, outward.x);
    tilt -= along * (glm::dot(drag, along) * rim);
    roll = rim * std::atan2(from.x * to.y - from.y * to.x, glm::dot(from, to));
  }
  glm::dquat change = glm::angleAxis(roll, glm::dvec3(0, 0, 1));
  if (const double length = glm::length(tilt); length > 0)
    change = change * glm::angleAxis(length * turn_per_unit, glm::dvec3(-tilt.y, tilt.x, 0) / length);
  rotation = glm::normalize(change * rotation);
}

void Camera::turn(glm::dvec3 axis, double degrees) {
  const double length = glm::length(axis);
  if (!(length > 0)) return;
  rotation = glm::normalize(glm::angleAxis(glm::radians(degrees), axis / length) * rotation);
}

void Camera::pan(glm::dvec2 shift) {
  centre -= glm::conjugate(rotation) * glm::dvec3(shift * (height / 2), 0.0);
}

void Camera::zoom(double factor, glm::dvec2 pointer) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  const double wanted = std::clamp(height / factor, 1e-2, 1e6);
  centre += glm::conjugate(rotation) * glm::dvec3(pointer * ((height - wanted) / 2), 0.0);
  height = wanted;
}

Camera between(const Camera& from, const Camera& to, double t) {
  Camera camera = to;
  camera.centre = glm::mix(from.centre, to.centre, t);
  camera.rotation = glm::normalize(glm::slerp(from.rotation, to.rotation, t));
  camera.height = from.height * std::pow(to.height / from.height, t);
  camera.field_of_view = glm::mix(from.field_of_view, to.field_of_view, t);
  camera.slab_front = glm::mix(from.slab_front, to.slab_front, t);
  camera.slab_back = glm::mix(from.slab_back, to.slab_back, t);
  return camera;
}

}  // namespace isolume
