#version 450 core
// The inside of a closed surface in the near plane: where lines of sight go through it an odd number of times.
#include "common/lighting.glsl"
#include "common/normal.glsl"

layout(binding = 0) uniform sampler2D crossings_texture;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec2 out_normal;
layout(location = 2) out uvec2 out_id;

uniform uint item;
uniform vec4 colour;

void main() {
  float crossings = texelFetch(crossings_texture, ivec2(gl_FragCoord.xy), 0).x;
  if (mod(round(crossings), 2.0) < 0.5) discard;
  out_albedo = vec4(colour.rgb, cap_material);
  out_normal = pack_normal(vec3(0.0, 0.0, 1.0));
  out_id = uvec2(item, 0u);
  gl_FragDepth = 0.0;
}
