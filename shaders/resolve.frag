#version 450 core
// The sum of the samples as sRGB with straight alpha.
#include "common/colour.glsl"

layout(binding = 0) uniform sampler2D sum;
layout(location = 0) out vec4 out_colour;
uniform vec2 offset;  // of the wanted part in the region, pixels
uniform mat4 vision;  // of linear colours, for eyes that tell fewer of them apart

void main() {
  vec4 c = texelFetch(sum, ivec2(gl_FragCoord.xy + offset), 0);
  vec3 seen = clamp(mat3(vision) * (c.rgb / max(c.a, 1e-6)), 0.0, 1.0);
  out_colour = vec4(to_srgb(seen), c.a);
}
