#version 450 core
// Clouds: the box of the volume.
#include "common/frame.glsl"

uniform mat4 to_space;  // the unit cube to space
uniform mat4 to_cube;
uniform vec3 offset;  // of the copy

out Box {
  vec3 corner;         // eye space
  flat mat4 to_cube;   // eye space to the unit cube
} box;

// The box as one strip of 14 corners; bits are x, y, z.
const int strip[14] = int[14](3, 2, 7, 6, 4, 2, 0, 3, 1, 7, 5, 4, 1, 0);

void main() {
  int bits = strip[gl_VertexID];
  vec3 corner = vec3(bits & 1, (bits >> 1) & 1, (bits >> 2) & 1);
  vec4 space = to_space * vec4(corner, 1.0);
  vec4 eye = frame.view * vec4(space.xyz + offset, 1.0);
  box.corner = eye.xyz;
  mat4 back = inverse(frame.view);
  back[3].xyz -= offset;
  box.to_cube = to_cube * back;
  gl_Position = frame.projection * eye;
}
