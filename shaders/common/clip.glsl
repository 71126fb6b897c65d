// Clipping planes. CLIPPED: some cut this item.
#include "common/frame.glsl"

uniform uint clipped_by;  // bits: which of frame.planes cut the item

bool cuts(int plane) { return (clipped_by & (1u << plane)) != 0u; }
float beyond(int plane, vec3 position) { return dot(frame.planes[plane].xyz, position) + frame.planes[plane].w; }

bool clipped(vec3 position) {
  for (int i = 0; i < 6; ++i)
    if (cuts(i) && beyond(i, position) > 0.0) return true;
  return false;
}

// Narrows the part from `enter` to `leave` of a line of sight to what no plane cuts away; `plane` is the one where it
// begins now, -1 where none did so.
void clip_line(vec3 origin, vec3 direction, inout float enter, inout float leave, inout int plane) {
  for (int i = 0; i < 6; ++i) {
    if (!cuts(i)) continue;
    float begin = beyond(i, origin), slope = dot(frame.planes[i].xyz, direction);
    if (abs(slope) < 1e-7) {
      if (begin > 0.0) leave = enter;
      continue;
    }
    float t = -begin / slope;
    if (slope > 0.0) {
      leave = min(leave, t);
    } else if (t > enter) {
      enter = t;
      plane = i;
    }
  }
}

// Where the line of sight through this pixel meets a plane: the same number for all that the plane cuts.
vec3 cut_position(int plane) {
  vec4 p = frame.planes[plane];
  vec2 ndc = 2.0 * gl_FragCoord.xy / frame.size.xy - 1.0;
  vec2 slope = (ndc + frame.unproject.zw) * frame.unproject.xy;
  if (orthographic()) return vec3(slope, -(p.w + dot(p.xy, slope)) / p.z);
  vec3 direction = vec3(slope, -1.0);
  return direction * (-p.w / dot(p.xyz, direction));
}
