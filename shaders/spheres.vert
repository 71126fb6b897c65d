#version 450 core
// Spheres, ray-cast: a square that just covers each.
#include "common/frame.glsl"

#if defined(LISTED)
// Six vertices in a row are a sphere's. Those that may be seen are in a list, chunks drawn as one with the upper bit.
struct Chunk {  // SphereChunk in render/view/scene_view.h
  vec4 bounds;
  float radius;
  uint colour;
  uint sphere;
  float largest;
};
layout(std430, binding = 0) readonly buffer Chunks { Chunk chunks[]; };
layout(std430, binding = 1) readonly buffer Spheres { vec4 spheres[]; };
layout(std430, binding = 2) readonly buffer Colours { uint colours[]; };
layout(std430, binding = 3) readonly buffer List { uint list[]; };
#elif defined(PULLED)
// Six vertices in a row are a sphere's: a software rasteriser shades them many at a time, instances each by itself.
layout(std430, binding = 1) readonly buffer Spheres { vec4 spheres[]; };
layout(std430, binding = 2) readonly buffer Colours { uint colours[]; };
uniform uint stride;  // between the spheres that are drawn, in the buffers
#else
layout(location = 0) in vec4 sphere;  // centre and radius
layout(location = 1) in vec4 colour;
#endif
uniform vec3 offset;           // of the copy
uniform uint first_primitive;  // of this part
uniform uint primitive_step;   // every so many-th is drawn
uniform float radius_scale;    // larger where spheres are left out

out Square {
  vec3 corner;  // eye space, on the square
  flat vec3 centre;
  flat float radius;
  flat vec4 colour;
  flat uint part;
} square;

void main() {
  float larger = radius_scale;
#if defined(LISTED)
  uint entry = list[uint(gl_VertexID) / 6u];
  uint corner_of[6] = uint[6](0u, 1u, 2u, 2u, 1u, 3u);
  uint vertex = corner_of[uint(gl_VertexID) % 6u];
  bool whole = (entry & 0x80000000u) != 0u;
  uint number = entry & 0x7fffffffu, part = first_primitive + number;
  vec4 sphere;
  vec4 colour;
  if (whole) {
    Chunk chunk = chunks[number];
    sphere = vec4(chunk.bounds.xyz, chunk.radius);
    colour = unpackUnorm4x8(chunk.colour);
    part = chunk.sphere;
    larger = 1.0;
  } else {
    sphere = spheres[number];
    colour = unpackUnorm4x8(colours[number]);
  }
#elif defined(PULLED)
  uint number = first_primitive + uint(gl_VertexID) / 6u;
  uint corner_of[6] = uint[6](0u, 1u, 2u, 2u, 1u, 3u);
  uint vertex = corner_of[uint(gl_VertexID) % 6u];
  vec4 sphere = spheres[number * stride];
  vec4 colour = unpackUnorm4x8(colours[number * stride]);
#else
  uint number = first_primitive + uint(gl_InstanceID);
  uint vertex = uint(gl_VertexID);
#endif
  vec3 centre = (frame.view * vec4(sphere.xyz + offset, 1.0)).xyz;
  float radius = sphere.w * larger;
  vec2 side = vec2(float(vertex & 1u) * 2.0 - 1.0, float(vertex & 2u) - 1.0);
  vec3 corner;
  if (orthographic()) {
    corner = centre + vec3(side * radius, 0.0);
  } else {
    // The square stands across the line to the centre; its half side reaches the cone that touches the sphere.
    float distance = length(centre);
    if (distance > radius * 1.05) {
      vec3 sight = centre / distance;
      vec3 right = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
      vec3 up = cross(right, sight);
      float reach = radius * distance / sqrt(distance * distance - radius * radius);
      corner = centre + reach * (side.x * right + side.y * up);
    } else {
      corner = vec3(side * 4.0, -1.0);  // the eye is inside: everywhere
    }
  }
  square.corner = corner;
  square.centre = centre;
  square.radius = radius;
  square.colour = colour;
#if defined(LISTED)
  square.part = part;
#else
  square.part = number * primitive_step;
#endif
  gl_Position = frame.projection * vec4(corner, 1.0);
  // The depth of the nearest point, so that what is hidden can be rejected before it is shaded.
  float nearest = min(centre.z + radius, orthographic() ? 1e30 : -frame.depth_terms.z);
  gl_Position.z = max(2.0 * window_depth(nearest) - 1.0 - 1e-6, -1.0) * gl_Position.w;
}
