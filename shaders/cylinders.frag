#version 450 core
// Cylinders, ray-cast: the nearest point of the line of sight on the mantle or an end.
#include "common/emit.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

in Box {
  vec3 corner;
  flat vec3 a;
  flat vec3 b;
  flat float radius;
  flat float round_ends;
  flat vec4 colour_a;
  flat vec4 colour_b;
  flat uint part;
} box;

// Where a line of sight enters the cylinder: so far from the origin, and at this part of the axis. False where it misses.
bool enters(vec3 origin, vec3 direction, out float t, out float along, out vec3 normal) {
  vec3 axis = box.b - box.a;
  float axis2 = max(dot(axis, axis), 1e-12);
  vec3 from_a = origin - box.a;
  float axis_ray = dot(axis, direction);
  float axis_from = dot(axis, from_a);
  float radius2 = box.radius * box.radius;
  // Axes and rays across the axis, times the axis' square: a t^2 + 2 b t + c = 0.
  vec3 ray_across = direction - axis * (axis_ray / axis2);
  vec3 from_across = from_a - axis * (axis_from / axis2);
  float a = dot(ray_across, ray_across);
  float b = dot(ray_across, from_across);
  float c = dot(from_across, from_across) - radius2;
  float h = b * b - a * c;
  t = 0.0;
  along = -1.0;
  normal = vec3(0.0);
  if (h < 0.0 && a > 1e-12) return false;

  if (a > 1e-12) {
    t = (-b - sqrt(h)) / a;
    along = (axis_from + t * axis_ray) / axis2;
  } else {
    if (c > 0.0) return false;  // the ray runs along the axis
    along = axis_ray > 0.0 ? -1.0 : 2.0;
  }
  if (along > 0.0 && along < 1.0) {
    normal = (from_across + t * ray_across) / box.radius;
  } else {
    bool at_a = along <= 0.0;
    if (box.round_ends > 0.5) {
      vec3 to_end = (at_a ? box.a : box.b) - origin;
      float nearest = dot(to_end, direction);
      vec3 across = to_end - nearest * direction;
      float inside = radius2 - dot(across, across);
      if (inside < 0.0) return false;
      t = nearest - sqrt(inside);
      normal = (direction * t - to_end) / box.radius;
    } else {
      if (at_a ? axis_ray <= 0.0 : axis_ray >= 0.0) return false;
      t = ((at_a ? 0.0 : axis2) - axis_from) / axis_ray;
      vec3 across = from_across + t * ray_across;
      if (dot(across, across) > radius2) return false;
      normal = (at_a ? -axis : axis) * inversesqrt(axis2);
    }
    along = at_a ? 0.0 : 1.0;
  }
  return true;
}

void main() {
  bool flat_view = orthographic();
  vec3 direction = flat_view ? vec3(0, 0, -1) : normalize(box.corner);
  vec3 axis = box.b - box.a;
  float axis2 = max(dot(axis, axis), 1e-12);
  // The ray starts close to the cylinder: squares of large distances would cost precision.
  vec3 origin = flat_view ? vec3(box.corner.xy, 0.0) : vec3(0.0);
  vec3 middle = 0.5 * (box.a + box.b);
  float reach = sqrt(axis2) + 2.0 * box.radius;
  origin += direction * (dot(middle - origin, direction) - reach);

  float t, along;
  vec3 normal;
  if (!enters(origin, direction, t, along, normal)) discard;
  vec3 position = origin + t * direction;
  float shade_of_cut = 1.0;
#if defined(CLIPPED)
  // It leaves where the line of sight from behind enters.
  float back, there;
  vec3 behind;
  if (!enters(origin + 2.0 * reach * direction, -direction, back, there, behind)) discard;
  float enter = t, leave = 2.0 * reach - back;
  int plane = -1;
  clip_line(origin, direction, enter, leave, plane);
  if (enter >= leave) discard;
  if (plane >= 0) {
    position = cut_position(plane);
    normal = frame.planes[plane].xyz;
    along = dot(position - box.a, axis) / axis2;
    shade_of_cut = 0.8;
  }
#endif
  float depth = window_depth(position.z);
  if (position.z > -frame.depth_terms.z || depth > 1.0) discard;
  gl_FragDepth = depth;
  bool first = along < 0.5;
  vec4 colour = first ? box.colour_a : box.colour_b;
  colour.rgb *= shade_of_cut;
  emit(position, normal, colour, depth, box.part * 2u + (first ? 0u : 1u));
}
