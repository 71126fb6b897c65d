#version 450 core
// Triangle surfaces. WIREFRAME fetches its corners itself, so that every fragment knows how far the edges are.
#include "common/frame.glsl"

#if defined(WIREFRAME)
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer Normals { float normals[]; };
layout(std430, binding = 2) readonly buffer Colours { uint colours[]; };
layout(std430, binding = 3) readonly buffer Triangles { uint triangles[]; };
uniform int has_normals;
uniform int has_colours;
#else
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
#endif
uniform vec4 plain_colour;
uniform vec3 offset;  // of the copy
uniform float point_size;  // pixels of the region

out Vertex {
  vec3 position;
  vec3 normal;
  vec4 colour;
  vec3 corner;  // barycentric, WIREFRAME only
} vertex;

void main() {
#if defined(WIREFRAME)
  uint index = triangles[gl_VertexID];
  vec3 position = vec3(positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]);
  vec3 normal = has_normals != 0 ? vec3(normals[3 * index], normals[3 * index + 1], normals[3 * index + 2]) : vec3(0);
  vec4 colour = has_colours != 0 ? unpackUnorm4x8(colours[index]) : plain_colour;
  int corner = gl_VertexID % 3;
  vertex.corner = vec3(corner == 0, corner == 1, corner == 2);
#else
  vertex.corner = vec3(1);
#endif
  vec4 eye = frame.view * vec4(position + offset, 1.0);
  vertex.position = eye.xyz;
  vertex.normal = mat3(frame.view) * normal;
  vertex.colour = colour;
  gl_PointSize = point_size;
  gl_Position = frame.projection * eye;
}
