// The values that every shader has of the picture in progress.
#include "render/pass/frame.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace isolume {
namespace {

constexpr double occlusion_reach = 0.12, most_occlusion = 1500;  // of the picture's height, and pixels: at most

double largest_occlusion(glm::ivec2 picture) {
  return std::clamp(occlusion_reach * picture.y, 4.0, most_occlusion);
}

constexpr double most_radii_off = 2;  // beyond so many radii from the sharp plane the blur grows no more

double largest_blur(const SceneView& view, glm::ivec2 picture) {
  return most_radii_off * std::clamp(view.look.depth_of_field, 0.0f, 0.2f) * picture.y;
}

void set_projection(FrameBlock& block, const glm::dmat4& p, bool orthographic) {
  block.projection = glm::mat4(p);
  const glm::dvec2 offset = orthographic ? -glm::dvec2(p[3]) : glm::dvec2(p[2]);
  block.unproject = glm::vec4(1 / p[0][0], 1 / p[1][1], offset.x, offset.y);
  // clip z = P22 z + P32; the planes are where it is -w and w.
  const double a = p[2][2], b = p[3][2];
  const double front = orthographic ? (b + 1) / a : b / (a - 1);
  const double back = orthographic ? (b - 1) / a : b / (a + 1);
  block.depth_terms = glm::vec4(a, b, front, back);
}

void set_look(FrameBlock& block, const Look& look) {
  const float length = glm::length(look.light);
  block.light = glm::vec4(length > 0 ? look.light / length : glm::vec3(0, 0, 1), look.shadows ? 1 : 0);
  block.lighting = glm::vec4(look.ambient, look.diffuse, look.specular, std::max(look.shininess, 1.0f));
  block.background = glm::vec4(look.background, 1);
  block.background_bottom = glm::vec4(look.background_bottom, 1);
}

/// The planes as the eye has them: above 0 is what is cut away.
void set_planes(FrameBlock& block, const SceneView& view, const glm::dmat4& eye) {
  const std::vector<ClipPlane> planes = cutting_planes(view);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const glm::dvec3 normal = glm::normalize(planes[i].normal);
    const glm::dvec3 turned = glm::dmat3(eye) * normal;
    const double distance = glm::dot(normal, planes[i].point) + planes[i].offset;
    block.planes[i] = glm::vec4(turned, -distance - glm::dot(turned, glm::dvec3(eye[3])));
  }
}

}  // namespace

std::vector<ClipPlane> cutting_planes(const SceneView& view) {
  std::vector<ClipPlane> planes;
  for (const ClipPlane& plane : view.clip_planes)
    if (plane.on && glm::length(plane.normal) > 0 && planes.size() < most_clip_planes) planes.push_back(plane);
  return planes;
}

float widest_outline(const SceneView& view) {
  float widest = view.look.outlines ? view.look.outline_width : 0;
  for (const ItemTraits& traits : view.traits)
    if (traits.outline.mode == Outline::Mode::on) widest = std::max(widest, traits.outline.width);
  return widest;
}

FrameBlock frame_block(const SceneView& view, const Shot& shot) {
  FrameBlock block{};
  const Camera& camera = view.camera;
  const bool orthographic = camera.projection == Camera::Projection::orthographic;
  const double width = shot.picture.x, height = shot.picture.y;
  const Region& r = shot.region;
  const glm::dmat4 whole = camera.projection_matrix(width / height, view.centre, view.radius);
  // The region of the picture stretched to the whole of the framebuffer, and the sub-pixel shift.
  glm::dmat4 part(1.0);
  part[0][0] = width / r.width;
  part[1][1] = height / r.height;
  part[3][0] = (width - 2 * (r.x + shot.shift.x) - r.width) / r.width;
  part[3][1] = (height - 2 * (r.y + shot.shift.y) - r.height) / r.height;
  const glm::dmat4 eye = camera.view();
  block.view = glm::mat4(eye);
  set_projection(block, part * whole, orthographic);
  set_planes(block, view, eye);
  set_look(block, view.look);

  const auto scale = static_cast<float>(shot.pixel_scale);
  block.region = glm::vec4(r.x, r.y, width, height);
  block.size = glm::vec4(r.width, r.height, scale, orthographic ? 1 : 0);
  const double depth = -(eye * glm::dvec4(view.centre, 1)).z;
  block.fog = glm::vec4(depth - 0.2 * view.radius, depth + view.radius, std::clamp(view.look.depth_cue, 0.0f, 1.0f),
                        shot.sample);
  block.occlusion = glm::vec4(view.look.ambient_occlusion_radius, view.look.ambient_occlusion_strength,
                              largest_occlusion(shot.picture), shot.samples);
  block.outline = glm::vec4(view.look.outlines ? std::max(view.look.outline_width * scale, 0.75f) : 0, 0.85f, 1.0f,
                            shot.fast ? 1 : 0);
  const double sharp = -(eye * glm::dvec4(camera.centre, 1)).z - view.look.focus;
  block.lens = glm::vec4(largest_blur(view, shot.picture) / most_radii_off, sharp, std::max(view.radius, 1e-3), 0);
  return block;
}

FrameBlock light_block(const SceneView& view, int size, glm::mat4& from_eye) {
  FrameBlock block{};
  set_look(block, view.look);
  const glm::dvec3 light(block.light.x, block.light.y, block.light.z);
  const double reach = std::max(view.radius, 1e-3) * 1.02;
  const glm::dmat4 eye = view.camera.view();
  const glm::dvec3 centre(eye * glm::dvec4(view.centre, 1));
  const glm::dvec3 up = std::abs(light.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
  const glm::dmat4 to_light = glm::lookAt(centre + light * (2 * reach), centre, up);
  const glm::dmat4 projection = glm::ortho(-reach, reach, -reach, reach, reach, 3 * reach);
  block.view = glm::mat4(to_light * eye);
  set_planes(block, view, to_light * eye);
  set_projection(block, projection, true);
  block.region = glm::vec4(0, 0, size, size);
  block.size = glm::vec4(size, size, 1, 1);
  const glm::dmat4 to_texture = glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.5)), glm::dvec3(0.5));
  from_eye = glm::mat4(to_texture * projection * to_light);
  return block;
}

int pass_margin(const SceneView& view, glm::ivec2 picture, double pixel_scale) {
  double margin = 2;
  if (view.look.ambient_occlusion) margin = largest_occlusion(picture) + 4;
  if (const auto widest = static_cast<double>(widest_outline(view)); widest > 0)
    margin = std::max(margin, widest * pixel_scale + 2);
  if (view.look.depth_of_field > 0) margin += std::ceil(largest_blur(view, picture));
  if (!view.highlights.empty()) margin = std::max(margin, 3.5 * pixel_scale + 2);
  return static_cast<int>(std::ceil(margin));
}

}  // namespace isolume
