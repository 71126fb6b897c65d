#version 450 core
// The inside of a closed surface in a clipping plane: where lines of sight go through it an odd number of times behind
// the plane. CLIPPED: some of the planes of the scene cut it, next to the front plane.
#include "common/lighting.glsl"
#include "common/normal.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

layout(binding = 0) uniform sampler2D crossings_texture;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec2 out_normal;
layout(location = 2) out uvec2 out_id;

uniform uint item;
uniform vec4 colour;
uniform int in_plane;  // the clipping plane that is filled, -1: the front plane

void main() {
  float crossings = texelFetch(crossings_texture, ivec2(gl_FragCoord.xy), 0).x;
  if (mod(round(crossings), 2.0) < 0.5) discard;
  vec3 normal = vec3(0.0, 0.0, 1.0);
  float depth = 0.0;
#if defined(CLIPPED)
  vec3 position = eye_position(gl_FragCoord.xy, 0.0);
  if (in_plane >= 0) {
    position = cut_position(in_plane);
    normal = frame.planes[in_plane].xyz;
    if (dot(normal, towards_eye(position)) < 0.0) normal = -normal;
    depth = window_depth(position.z - 0.002);  // cut atoms are in front of it
    if (position.z > -frame.depth_terms.z || depth > 1.0) discard;
  }
  for (int i = 0; i < 6; ++i)
    if (cuts(i) && i != in_plane && beyond(i, position) > 0.0) discard;
#endif
  out_albedo = vec4(colour.rgb, cap_material);
  out_normal = pack_normal(normal);
  out_id = uvec2(item, 0u);
  gl_FragDepth = depth;
}
