// The camera: from where the scene is seen.
#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

namespace isolume {

/// A camera that looks at `centre` along -z of its own axes. A plain value; Scene stores it.
struct Camera {
  enum class Projection { perspective, orthographic };

  glm::dvec3 centre{0.0};                   ///< angstrom, what rotations turn about
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};  ///< world -> camera axes
  double height = 50.0;                     ///< angstrom visible from top to bottom at the centre: the zoom
  double field_of_view = 30.0;              ///< degrees, vertical; perspective only
  Projection projection = Projection::perspective;
  double slab_front = 0.0;  ///< angstrom cut away from the front of the scene's sphere, 0 for nothing
  double slab_back = 0.0;   ///< and from its back

  bool operator==(const Camera&) const = default;

  double distance() const;  ///< angstrom from the eye to the centre
  glm::dmat4 view() const;  ///< world -> eye
  /// Eye -> clip for a picture of `aspect` = width / height; near and far planes hold a sphere of `radius` about
  /// `scene_centre`.
  glm::dmat4 projection_matrix(double aspect, glm::dvec3 scene_centre, double radius) const;

  /// Shows the sphere of `radius` about `centre` with a margin.
  void fit(glm::dvec3 centre, double radius, double aspect = 1.0);
  /// Shows these balls (centre and radius, angstrom) as large as the picture allows, without turning: what they cover
  /// of it is in its middle and reaches over 90 % of its width or of its height. Without balls nothing changes.
  void fit(std::span<const glm::vec4> balls, double aspect);
  /// Trackball: turns as a drag from one point to another does. Points are in units of half the picture's height from
  /// its middle, y up; near the rim the drag rolls about the line of sight.
  void rotate(glm::dvec2 from, glm::dvec2 to);
  /// Turns about an axis of the camera (x right, y up, z towards the viewer), degrees.
  void turn(glm::dvec3 axis, double degrees);
  /// Moves the scene with the pointer; the shift is in units of half the picture's height.
  void pan(glm::dvec2 shift);
  /// Zooms by a factor (> 1 nearer), keeping the scene point under `pointer` where it is.
  void zoom(double factor, glm::dvec2 pointer = glm::dvec2(0.0));
};

/// On the way from one camera to another, t from 0 to 1: the shorter turn, even zooming. Projection is the second's.
Camera between(const Camera& from, const Camera& to, double t);

}  // namespace isolume
