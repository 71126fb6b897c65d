// What is drawn, as path tracing takes it: camera, light, clipping planes and depth cue.
#include <algorithm>
#include <cmath>

#include "app/view/path/traced_scene.h"
#include "render/pass/frame.h"

namespace isolume {
namespace {

struct Axes {
  glm::dvec3 right, up, forward, eye;  // eye: of the camera, angstrom
  double depth;                        // of the scene's centre
};

Axes axes_of(const SceneView& view) {
  const glm::dmat3 back = glm::transpose(glm::mat3_cast(view.camera.rotation));
  Axes axes{back * glm::dvec3(1, 0, 0), back * glm::dvec3(0, 1, 0), back * glm::dvec3(0, 0, -1), {}, 0};
  axes.eye = view.camera.centre - view.camera.distance() * axes.forward;
  axes.depth = glm::dot(view.centre - axes.eye, axes.forward);
  return axes;
}

/// A plane of the trace, whose coordinates begin at the scene's centre.
glm::vec4 plane_of(const SceneView& view, glm::dvec3 normal, double offset) {
  return glm::vec4(glm::vec3(normal), static_cast<float>(offset + glm::dot(normal, view.centre)));
}

void set_planes(TraceView& trace, const SceneView& view, const Axes& axes) {
  for (const ClipPlane& plane : cutting_planes(view)) {
    const glm::dvec3 normal = glm::normalize(plane.normal);
    trace.planes[trace.plane_count++] = plane_of(view, normal, -glm::dot(normal, plane.point) - plane.offset);
  }
  // Front and back planes as Camera::projection_matrix has them, where they may cut something.
  const Camera& camera = view.camera;
  const double radius = std::max(view.radius, 1e-3), reach = radius * 1.02 + 0.01;
  double front = axes.depth - reach + std::max(camera.slab_front, 0.0);
  const double back = axes.depth + reach - std::max(camera.slab_back, 0.0);
  if (camera.projection == Camera::Projection::perspective)
    front = std::max({front, camera.distance() * 0.02, back * 1e-4, 1e-3});
  const double at = glm::dot(axes.eye, axes.forward);
  if (front > axes.depth - radius) trace.planes[trace.plane_count++] = plane_of(view, -axes.forward, front + at);
  if (camera.slab_back > 0) trace.planes[trace.plane_count++] = plane_of(view, axes.forward, -back - at);
}

void set_lens(TraceCamera& camera, const SceneView& view, double sharp) {
  const auto blur = static_cast<double>(std::clamp(view.look.depth_of_field, 0.0f, 0.2f));
  camera.focus = static_cast<float>(std::max(sharp, 1e-2));
  if (!(blur > 0)) return;
  // One radius of the scene off the sharp plane a point spreads by this part of the picture's height.
  const double slope = blur * view.camera.height / std::max(view.radius, 1e-3);
  camera.lens = static_cast<float>(camera.orthographic ? slope : slope * sharp * sharp / view.camera.distance());
}

void set_light(TraceLight& light, const SceneView& view, const Axes& axes) {
  const Look& look = view.look;
  const float length = glm::length(look.light);
  const glm::dvec3 to_light = length > 0 ? glm::dvec3(look.light / length) : glm::dvec3(0, 0, 1);
  light.direction = glm::vec3(to_light.x * axes.right + to_light.y * axes.up - to_light.z * axes.forward);
  light.up = glm::vec3(axes.up);
  light.angle = 0.06f;
  // As bright as the rasteriser's where all is open; light between surfaces makes up for a part of what occlusion
  // takes.
  light.sun = glm::vec3(std::max(look.diffuse, 0.0f));
  light.sky = glm::vec3(1.5f * std::max(look.ambient, 0.0f));
  light.ground = glm::vec3(0.75f * std::max(look.ambient, 0.0f));
}

}  // namespace

double depth_shift(const SceneView& view) {
  if (view.camera.projection == Camera::Projection::perspective) return 0;
  return std::max(0.0, 1.05 * view.radius + 1 - axes_of(view).depth);
}

TraceView traced_view(const SceneView& view, const PathSettings& settings) {
  const Axes axes = axes_of(view);
  TraceView trace;
  trace.width = settings.width;
  trace.height = settings.height;
  trace.bounces = settings.bounces;
  trace.seed = settings.seed;
  const double shift = depth_shift(view);
  TraceCamera& camera = trace.camera;
  camera.orthographic = view.camera.projection == Camera::Projection::orthographic;
  camera.eye = glm::vec3(axes.eye - shift * axes.forward - view.centre);
  camera.right = glm::vec3(axes.right);
  camera.up = glm::vec3(axes.up);
  camera.forward = glm::vec3(axes.forward);
  camera.half_height = static_cast<float>(camera.orthographic ? view.camera.height / 2
                                                              : view.camera.height / 2 / view.camera.distance());
  const double centre = glm::dot(view.camera.centre - axes.eye, axes.forward);
  set_lens(camera, view, centre - static_cast<double>(view.look.focus) + shift);
  set_light(trace.light, view, axes);
  set_planes(trace, view, axes);
  trace.fog = std::clamp(view.look.depth_cue, 0.0f, 1.0f);
  trace.fog_begin = static_cast<float>(axes.depth - 0.2 * view.radius + shift);
  trace.fog_end = static_cast<float>(axes.depth + view.radius + shift);
  return trace;
}

}  // namespace isolume
