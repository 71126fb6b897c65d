#version 450 core
// Blurs the ambient occlusion of a picture of one sample over 4 x 4 pixels of the same surface. What is empty is left out
// by the depth test.
#include "common/frame.glsl"

// The open part and eye z of each pixel.
layout(binding = 0) uniform sampler2D occlusion_texture;
layout(location = 0) out float out_open;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 here = texelFetch(occlusion_texture, pixel, 0).xy;
  float z = here.y;
  float scale = 1.0 / (0.15 * frame.occlusion.x + 1e-6);
  ivec2 last = ivec2(frame.size.xy) - 1;
  // Slopes, so that a steep plane is one surface: the gentler of both differences per direction.
  float right = texelFetch(occlusion_texture, min(pixel + ivec2(1, 0), last), 0).y - z;
  float left = z - texelFetch(occlusion_texture, max(pixel - ivec2(1, 0), ivec2(0)), 0).y;
  float up = texelFetch(occlusion_texture, min(pixel + ivec2(0, 1), last), 0).y - z;
  float down = z - texelFetch(occlusion_texture, max(pixel - ivec2(0, 1), ivec2(0)), 0).y;
  vec2 slope = vec2(abs(right) < abs(left) ? right : left, abs(up) < abs(down) ? up : down);
  float sum = 0.0, weights = 0.0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      ivec2 at = pixel + ivec2(i, j);
      if (any(lessThan(at, ivec2(0))) || any(greaterThan(at, last))) continue;
      vec2 there = texelFetch(occlusion_texture, at, 0).xy;
      float expected = z + dot(slope, vec2(i, j));
      // The outermost rows count half: together a window of exactly 4 x 4.
      float weight = (abs(i) == 2 ? 0.5 : 1.0) * (abs(j) == 2 ? 0.5 : 1.0);
      weight *= max(1.0 - abs(there.y - expected) * scale, 0.0);
      sum += weight * there.x;
      weights += weight;
    }
  out_open = weights > 1e-4 ? sum / weights : here.x;
}
