#version 450 core
// Spheres, ray-cast: the nearer point of the line of sight on the sphere.
#include "common/emit.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

in Square {
  vec3 corner;
  flat vec3 centre;
  flat float radius;
  flat vec4 colour;
  flat uint part;
} square;

layout(depth_greater) out float gl_FragDepth;

void main() {
  bool flat_view = orthographic();
  vec3 origin = flat_view ? vec3(square.corner.xy, 0.0) : vec3(0.0);
  vec3 direction = flat_view ? vec3(0, 0, -1) : normalize(square.corner);
  vec3 to_centre = square.centre - origin;
  float along = dot(to_centre, direction);
  // The distance of the centre from the line, in this order for precision far from the eye.
  vec3 across = to_centre - along * direction;
  float inside = square.radius * square.radius - dot(across, across);
  if (inside < 0.0) discard;
  float half_chord = sqrt(inside);
  vec3 position = origin + (along - half_chord) * direction;
  vec3 normal = (half_chord * -direction - across) / square.radius;
  float depth = window_depth(position.z);
  vec4 colour = square.colour;
  float front = -frame.depth_terms.z, leave = along + half_chord;
#if defined(CLIPPED)
  float enter = along - half_chord;
  int plane = -1;
  clip_line(origin, direction, enter, leave, plane);
  if (enter >= leave) discard;
  if (plane >= 0) {
    position = cut_position(plane);
    normal = frame.planes[plane].xyz;
    colour.rgb *= 0.8;
    depth = window_depth(position.z);
  }
#endif
  if (position.z > front) {
    // Cut open by the front plane: a flat, darker face.
    if (origin.z + leave * direction.z > front) discard;
    position = origin + direction * ((front - origin.z) / direction.z);
    normal = vec3(0, 0, 1);
    colour.rgb = 0.8 * square.colour.rgb;
    depth = 0.0;
  }
  if (depth > 1.0) discard;
  gl_FragDepth = depth;
  emit(position, normal, colour, depth, square.part);
}
