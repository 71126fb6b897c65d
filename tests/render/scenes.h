// Scenes by hand, and the one context that the tests of render draw with.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "molecule/elements.h"
#include "molecule/frame.h"
#include "molecule/topology.h"
#include "render/gl/context.h"
#include "render/renderer.h"

namespace isolume::test {

/// A context without a window, current in the test's thread; made once.
inline GlContext& context() {
  static const std::unique_ptr<GlContext> made = create_egl_context();
  made->make_current();
  return *made;
}

inline Renderer& renderer() {
  context();
  static Renderer made;
  return made;
}

template <class Shape>
std::shared_ptr<DrawItem> item(Shape shape, std::uint32_t object = 0, float opacity = 1.0f, bool lit = true) {
  auto made = std::make_shared<DrawItem>();
  made->shape = std::move(shape);
  made->object = object;
  made->opacity = opacity;
  made->lit = lit;
  return made;
}

inline Spheres sphere(glm::vec3 centre, float radius, glm::u8vec4 colour, std::uint32_t part = 0) {
  return Spheres{{glm::vec4(centre, radius)}, {colour}, {part}};
}

inline Cylinders cylinder(glm::vec3 a, glm::vec3 b, float radius, glm::u8vec4 first, glm::u8vec4 second,
                          bool round_ends = false) {
  Cylinders made;
  made.cylinders = {{a, b, radius}};
  made.colours_a = {first};
  made.colours_b = {second};
  made.parts_a = {0};
  made.parts_b = {1};
  made.round_ends = round_ends;
  return made;
}

/// A ball of triangles.
inline std::shared_ptr<Mesh> ball(glm::vec3 centre, float radius, int segments = 32) {
  auto mesh = std::make_shared<Mesh>();
  const float step = static_cast<float>(M_PI) / static_cast<float>(segments);
  for (int j = 0; j <= segments; ++j)
    for (int i = 0; i <= 2 * segments; ++i) {
      const float t = step * static_cast<float>(j), p = step * static_cast<float>(i);
      const glm::vec3 d(std::sin(t) * std::cos(p), std::cos(t), -std::sin(t) * std::sin(p));
      mesh->positions.push_back(centre + radius * d);
      mesh->normals.push_back(d);
    }
  const auto row = static_cast<unsigned>(2 * segments + 1);
  for (unsigned j = 0; j < static_cast<unsigned>(segments); ++j)
    for (unsigned i = 0; i + 1 < row; ++i) {
      const unsigned a = j * row + i, b = a + row;
      mesh->triangles.emplace_back(a, b, a + 1);
      mesh->triangles.emplace_back(b, b + 1, a + 1);
    }
  return mesh;
}

inline Surface surface(std::shared_ptr<const Mesh> mesh, glm::u8vec4 colour) {
  Surface made;
  made.mesh = std::move(mesh);
  made.colour = colour;
  return made;
}

/// A look in which unlit items have exactly their colours.
inline Look plain_look() {
  Look look;
  look.ambient_occlusion = false;
  look.outlines = false;
  look.depth_cue = 0;
  return look;
}

inline SceneView scene(std::vector<std::shared_ptr<const DrawItem>> items, double radius = 10) {
  SceneView view;
  view.items = std::move(items);
  view.radius = radius;
  view.camera.height = 2 * radius;
  view.look = plain_look();
  return view;
}

inline std::array<int, 4> pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                           static_cast<std::size_t>(x))];
  return {p[0], p[1], p[2], p[3]};
}

/// The line of sight through the middle of a pixel, in world space: origin and unit direction.
inline std::pair<glm::dvec3, glm::dvec3> line_of_sight(const Camera& camera, int width, int height, double x,
                                                       double y) {
  const double half = camera.height / 2;
  const double right = (2 * (x + 0.5) / width - 1) * half * width / height, up = (1 - 2 * (y + 0.5) / height) * half;
  const glm::dmat4 to_world = glm::inverse(camera.view());
  glm::dvec3 origin(0), target(right, up, -camera.distance());
  if (camera.projection == Camera::Projection::orthographic) origin = glm::dvec3(right, up, 0);
  const glm::dvec3 from(to_world * glm::dvec4(origin, 1)), to(to_world * glm::dvec4(target, 1));
  return {from, glm::normalize(to - from)};
}

/// A peptide with ideal geometry (Engh and Huber 1991, rounded) from its dihedral angles (phi, psi; degrees): N, CA, C
/// and O of alanines in one chain, with their bonds.
struct Peptide {
  Topology topology;
  Frame frame;
};
Peptide peptide(const std::vector<std::array<double, 2>>& dihedrals, const std::vector<SecondaryStructure>& structure);

/// Helix, loop and two strands.
Peptide small_fold();

}  // namespace isolume::test
