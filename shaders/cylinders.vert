#version 450 core
// Cylinders, ray-cast: a box around each.
#include "common/frame.glsl"

layout(location = 0) in vec4 end_a;  // and the radius
layout(location = 1) in vec4 end_b;  // and 1 for round ends
layout(location = 2) in vec4 colour_a;
layout(location = 3) in vec4 colour_b;
uniform vec3 offset;           // of the copy
uniform uint first_primitive;  // of this part
uniform uint primitive_step;   // every so many-th is drawn

out Box {
  vec3 corner;  // eye space
  flat vec3 a;
  flat vec3 b;
  flat float radius;
  flat float round_ends;
  flat vec4 colour_a;
  flat vec4 colour_b;
  flat uint part;
} box;

// The box as one strip of 14 corners; bits are x, y, z.
const int strip[14] = int[14](3, 2, 7, 6, 4, 2, 0, 3, 1, 7, 5, 4, 1, 0);

void main() {
  vec3 a = (frame.view * vec4(end_a.xyz + offset, 1.0)).xyz;
  vec3 b = (frame.view * vec4(end_b.xyz + offset, 1.0)).xyz;
  float radius = end_a.w;
  vec3 axis = b - a;
  float length_ab = length(axis);
  axis = length_ab > 1e-6 ? axis / length_ab : vec3(0, 0, 1);
  vec3 side = normalize(cross(axis, abs(axis.z) < 0.7 ? vec3(0, 0, 1) : vec3(1, 0, 0)));
  vec3 other = cross(axis, side);
  float extra = end_b.w > 0.5 ? radius : 0.0;

  int bits = strip[gl_VertexID];
  vec3 corner = (bits & 4) != 0 ? b + extra * axis : a - extra * axis;
  corner += radius * ((bits & 1) != 0 ? side : -side) + radius * ((bits & 2) != 0 ? other : -other);
  box.corner = corner;
  box.a = a;
  box.b = b;
  box.radius = radius;
  box.round_ends = end_b.w;
  box.colour_a = colour_a;
  box.colour_b = colour_b;
  box.part = (first_primitive + uint(gl_InstanceID)) * primitive_step;
  gl_Position = frame.projection * vec4(corner, 1.0);
}
