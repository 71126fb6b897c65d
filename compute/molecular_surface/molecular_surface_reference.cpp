// Molecular surfaces in plain double precision, by enumeration of the spheres, circles and corners of the boundary.
#include <cmath>
#include <limits>

#include "compute/base/checks.h"
#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {
namespace {

struct Sphere {
  glm::dvec3 centre;
  double radius;
};

/// The distance from places to the boundary of a union of balls.
class Boundary {
 public:
  explicit Boundary(std::vector<Sphere> balls) : balls_(std::move(balls)) {
    for (std::size_t i = 0; i < balls_.size(); ++i)
      for (std::size_t j = i + 1; j < balls_.size(); ++j)
        for (std::size_t k = j + 1; k < balls_.size(); ++k) add_corners(i, j, k);
  }

  /// max_i (R_i - |r - r_i|), positive inside.
  double depth(glm::dvec3 p) const {
    double deepest = -std::numeric_limits<double>::infinity();
    for (const Sphere& ball : balls_) deepest = std::max(deepest, ball.radius - glm::distance(p, ball.centre));
    return deepest;
  }

  /// From inside.
  double distance(glm::dvec3 p) const {
    double nearest = std::numeric_limits<double>::infinity();
    const auto consider = [&](glm::dvec3 point) {
      const double d = glm::distance(p, point);
      if (d < nearest && exposed(point)) nearest = d;
    };
    for (const Sphere& ball : balls_) {
      const glm::dvec3 v = p - ball.centre;
      const double length = glm::length(v);
      consider(ball.centre + (length > 0 ? v / length : glm::dvec3(1, 0, 0)) * ball.radius);
    }
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      for (std::size_t j = i + 1; j < balls_.size(); ++j) {
        glm::dvec3 centre, axis;
        double radius = 0;
        if (!circle(i, j, centre, axis, radius)) continue;
        glm::dvec3 v = p - centre;
        v -= glm::dot(v, axis) * axis;
        const double length = glm::length(v);
        if (length > 1e-12) consider(centre + v / length * radius);
      }
    }
    for (const glm::dvec3& corner : corners_) nearest = std::min(nearest, glm::distance(p, corner));
    return nearest;
  }

 private:
  bool exposed(glm::dvec3 point) const {
    for (const Sphere& ball : balls_)
      if (glm::distance(point, ball.centre) < ball.radius - 1e-9) return false;
    return true;
  }

  bool circle(std::size_t i, std::size_t j, glm::dvec3& centre, glm::dvec3& axis, double& radius) const {
    const Sphere &a = balls_[i], &b = balls_[j];
    const double d = glm::distance(a.centre, b.centre);
    if (d >= a.radius + b.radius || d <= std::abs(a.radius - b.radius)) return false;
    axis = (b.centre - a.centre) / d;
    const double along = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d);
    centre = a.centre + along * axis;
    radius = std::sqrt(std::max(0.0, a.radius * a.radius - along * along));
    return true;
  }

  /// The two points where three spheres meet.
  void add_corners(std::size_t i, std::size_t j, std::size_t k) {
    glm::dvec3 centre, axis;
    double radius = 0;
    if (!circle(i, j, centre, axis, radius)) return;
    const Sphere& ball = balls_[k];
    // In the circle's plane, relative to its centre: |x|^2 = radius^2 and |x - v|^2 = R^2 - h^2.
    glm::dvec3 v = ball.centre - centre;
    const double h = glm::dot(v, axis);
    v -= h * axis;
    const double length = glm::length(v);
    const double r2 = ball.radius * ball.radius - h * h;
    if (r2 <= 0 || length < 1e-12) return;
    const double along = (length * length + radius * radius - r2) / (2 * length);
    const double across2 = radius * radius - along * along;
    if (across2 < 0) return;
    const glm::dvec3 e = v / length;
    const glm::dvec3 f = glm::cross(axis, e);
    for (const double side : {-1.0, 1.0}) {
      const glm::dvec3 point = centre + along * e + side * std::sqrt(across2) * f;
      if (exposed(point)) corners_.push_back(point);
    }
  }

  std::vector<Sphere> balls_;
  std::vector<glm::dvec3> corners_;
};

}  // namespace

void molecular_surface_reference(std::span<const DensityAtom> atoms, const Grid& grid,
                                 const MolecularSurfaceOptions& options, std::span<double> depth) {
  check_grid(grid, "molecular surface");
  if (depth.size() != grid.size())
    throw Error("molecular surface: as many values as grid points are needed", Error::Kind::usage);
  std::vector<Sphere> balls;
  const double probe = double{options.probe_radius};
  for (const DensityAtom& atom : atoms) balls.push_back({glm::dvec3(atom.position), double{atom.radius} + probe});
  const Boundary boundary(std::move(balls));
  std::size_t at = 0;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      for (int i = 0; i < grid.counts.x; ++i, ++at) {
        const glm::dvec3 p = grid.point(i, j, k);
        const double deep = boundary.depth(p);
        if (options.kind == SolventSurface::accessible) {
          depth[at] = deep;
        } else {
          depth[at] = (deep > 0 ? boundary.distance(p) : deep) - probe;
        }
      }
    }
  }
}

}  // namespace isolume
