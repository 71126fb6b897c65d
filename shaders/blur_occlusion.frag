#version 450 core
// Blurs the ambient occlusion over 4 x 4 pixels of the same surface.
#include "common/frame.glsl"

layout(binding = 0) uniform sampler2D occlusion_texture;
layout(binding = 1) uniform sampler2D depth_texture;
layout(location = 0) out float out_open;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depth_texture, pixel, 0).x;
  out_open = 1.0;
  if (depth >= 1.0) return;
  float z = eye_z(depth);
  float scale = 1.0 / (0.15 * frame.occlusion.x + 1e-6);
  ivec2 last = ivec2(frame.size.xy) - 1;
  // Slopes, so that a steep plane is one surface: the gentler of both differences per direction.
  float right = eye_z(texelFetch(depth_texture, min(pixel + ivec2(1, 0), last), 0).x) - z;
  float left = z - eye_z(texelFetch(depth_texture, max(pixel - ivec2(1, 0), ivec2(0)), 0).x);
  float up = eye_z(texelFetch(depth_texture, min(pixel + ivec2(0, 1), last), 0).x) - z;
  float down = z - eye_z(texelFetch(depth_texture, max(pixel - ivec2(0, 1), ivec2(0)), 0).x);
  vec2 slope = vec2(abs(right) < abs(left) ? right : left, abs(up) < abs(down) ? up : down);
  float sum = 0.0, weights = 0.0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      ivec2 at = pixel + ivec2(i, j);
      if (any(lessThan(at, ivec2(0))) || any(greaterThan(at, last))) continue;
      float there = texelFetch(depth_texture, at, 0).x;
      if (there >= 1.0) continue;
      float expected = z + dot(slope, vec2(i, j));
      // The outermost rows count half: together a window of exactly 4 x 4.
      float weight = (abs(i) == 2 ? 0.5 : 1.0) * (abs(j) == 2 ? 0.5 : 1.0);
      weight *= max(1.0 - abs(eye_z(there) - expected) * scale, 0.0);
      sum += weight * texelFetch(occlusion_texture, at, 0).x;
      weights += weight;
    }
  out_open = weights > 1e-4 ? sum / weights : texelFetch(occlusion_texture, pixel, 0).x;
}
