// What path tracing sees: shapes with materials, and a view of them with light. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "molecule/grid.h"

namespace isolume {

/// How surfaces answer light. Their colours are those of the shapes.
struct TraceMaterial {
  float opacity = 1;         ///< 0 to 1: the part of the rays that meets the surface; the others go straight on
  float reflectance = 0;     ///< of the clear coat, seen from the front: 0 matt, 0.04 plastic
  float roughness = 0.2f;    ///< of the coat: the alpha of GGX, 0.02 to 1
  std::uint8_t metal = 0;    ///< 1: it reflects in its colour and has no body below
  std::uint8_t glass = 0;    ///< 1: opacity is that of the rim, and 0.14 of it from the front
  std::uint8_t lit = 1;      ///< 0: it shows its colour, casts no shadow and is seen by the camera alone
  std::uint8_t planes = 0;   ///< bits: which of TraceView::planes cut it
  std::uint32_t object = 0;  ///< what TraceBuffers::objects says of it
};

/// A cylinder with flat or round ends and a colour for each half.
struct TraceCylinder {
  glm::vec3 a{0.0f}, b{0.0f};
  float radius = 0;
  glm::u8vec4 colour_a{255}, colour_b{255};
  std::uint32_t material = 0;
  std::uint32_t round_ends = 0;  ///< 0 or 1
};

/// Corners as numbers of vertices.
struct TraceTriangle {
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint32_t material = 0;
};

/// A scalar field as a medium that glows and absorbs (Max 1995). Of the light that a ray finds behind it, the part
/// exp(-integral of the extinction) comes through, and it adds its colour times what it takes: each place is as bright
/// as a white surface of that colour in white light. Every ray sees it, so that it casts shadows, is mirrored and
/// lights what is in it; no light makes it brighter. Values lie between the grid's points (trilinear), from the first
/// to the last of each side; those that are not numbers are clear. Where clouds overlap, the one that the ray enters
/// first is in front, and of those that it enters together the first of the list.
struct TraceCloud {
  std::shared_ptr<const Volume> volume;  ///< angstrom
  /// Linear RGB and extinction (1/angstrom), evenly from `lower` to `upper`; values beyond take the ends'.
  std::vector<glm::vec4> transfer;
  float lower = 0, upper = 1;
  float opacity = 1;                                ///< 0 to 1: the part of what it adds and takes
  std::uint8_t planes = 0;                          ///< bits: which of TraceView::planes cut it
  std::vector<glm::dvec3> shifts{glm::dvec3(0.0)};  ///< angstrom: it is there once for each of them
};

/// Shapes, in angstrom. Colours are straight sRGB with alpha, which multiplies the opacity of the material. A ray meets
/// spheres and cylinders from outside alone, and triangles from both sides. Keep coordinates near 0: they are floats.
struct TraceScene {
  std::vector<TraceMaterial> materials;
  std::vector<glm::vec4> spheres;  ///< centre and radius
  std::vector<glm::u8vec4> sphere_colours;
  std::vector<std::uint32_t> sphere_materials;
  std::vector<TraceCylinder> cylinders;
  std::vector<glm::vec3> vertices;
  std::vector<glm::vec3> normals;  ///< one per vertex, of any length; of length 0: that of the triangle
  std::vector<glm::u8vec4> vertex_colours;
  std::vector<TraceTriangle> triangles;
  std::vector<TraceCloud> clouds;  ///< these are no shapes: nothing of them has a depth or an object

  std::size_t shapes() const { return spheres.size() + cylinders.size() + triangles.size(); }
};

/// From where it is seen. `right`, `up` and `forward` are unit vectors at right angles.
struct TraceCamera {
  glm::vec3 eye{0.0f, 0.0f, 10.0f};  ///< orthographic: in front of the scene, on the line through the picture's middle
  glm::vec3 right{1.0f, 0.0f, 0.0f}, up{0.0f, 1.0f, 0.0f}, forward{0.0f, 0.0f, -1.0f};
  float half_height = 0.25f;  ///< tangent of half the angle from top to bottom; orthographic: angstrom
  bool orthographic = false;
  float lens = 0;    ///< radius of the lens, angstrom; orthographic: tangent of the cone of rays. 0: all is sharp
  float focus = 10;  ///< angstrom from the eye, along `forward`, to the sharp plane
};

/// Light from far away, in linear RGB. A white matt surface that faces the sun, alone, has the radiance `sun`.
struct TraceLight {
  glm::vec3 sun{0.0f};
  glm::vec3 direction{0.0f, 0.0f, 1.0f};  ///< towards the sun
  float angle = 0;                        ///< radians from its middle to its rim; 0: sharp shadows
  glm::vec3 sky{1.0f}, ground{1.0f};      ///< radiance from `up` and from below; between them by the cosine
  glm::vec3 up{0.0f, 1.0f, 0.0f};
  float reach = std::numeric_limits<float>::infinity();  ///< angstrom: what is farther away hides no sky
};

/// A half-space that is cut away: where dot(plane.xyz, place) + plane.w > 0, with a unit normal.
inline constexpr std::size_t most_trace_planes = 8;

/// A picture of a scene.
struct TraceView {
  int width = 0, height = 0;  ///< pixels
  TraceCamera camera;
  TraceLight light;
  glm::vec4 planes[most_trace_planes] = {};
  int plane_count = 0;
  float fog_begin = 0, fog_end = 1;  ///< angstrom along `forward`
  float fog = 0;                     ///< part that has faded at `fog_end`, 0 to 1
  /// How often light is scattered on its way to the eye, 1 to 64; 1: sun and sky alone, with shadows and ambient
  /// occlusion.
  int bounces = 4;
  std::uint32_t seed = 0;
};

}  // namespace isolume
