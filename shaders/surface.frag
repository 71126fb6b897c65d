#version 450 core
// Triangle surfaces, lit from both sides.
#define THIN_SHEET
#include "common/emit.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

in Vertex {
  vec3 position;
  vec3 normal;
  vec4 colour;
  vec3 corner;
} vertex;

uniform float line_width;  // pixels, WIREFRAME only
#if defined(PASS_CROSSING)
uniform int behind_plane;  // only what is behind this plane is counted, -1: behind the front plane
#endif

void main() {
  vec3 eye = towards_eye(vertex.position);
#if defined(CLIPPED)
#if defined(PASS_CROSSING)
  // Behind means farther along the line of sight, on whichever side of the plane that is.
  if (behind_plane >= 0 && beyond(behind_plane, vertex.position) * dot(frame.planes[behind_plane].xyz, eye) >= 0.0)
    discard;
#else
  if (clipped(vertex.position)) discard;
#endif
#endif
#if defined(POINTS)
  vec3 face = eye;
#else
  // The side that is seen, from the triangle itself: interpolated normals are unsure at the rim.
  vec3 face = cross(dFdx(vertex.position), dFdy(vertex.position));
  face = dot(face, eye) < 0.0 ? -face : face;
#endif
#if defined(POINTS)
  vec2 from_middle = 2.0 * gl_PointCoord - 1.0;
  if (dot(from_middle, from_middle) > 1.0) discard;
#elif defined(WIREFRAME)
  vec3 edges = vertex.corner / max(fwidth(vertex.corner), 1e-9);
  if (min(edges.x, min(edges.y, edges.z)) > 0.5 * line_width) discard;
#endif
  vec3 normal = vertex.normal;
  float length2 = dot(normal, normal);
  normal = length2 > 1e-12 ? normal * inversesqrt(length2) : normalize(face + 1e-20 * eye);
  if (dot(normal, face) < 0.0) normal = -normal;
  emit(vertex.position, normal, vertex.colour, gl_FragCoord.z, uint(gl_PrimitiveID));
}
