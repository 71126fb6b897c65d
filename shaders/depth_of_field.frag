#version 450 core
// Depth of field: what lies off the sharp plane spreads over a disc. Each pixel gathers from the discs that reach it; what
// lies behind it may spread no farther over it than it spreads itself, so that sharp rims stay sharp.
#include "common/frame.glsl"

layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D opaque_depth;
layout(binding = 2) uniform sampler2D front_depth;
layout(location = 0) out vec4 out_colour;

uniform int has_layers;
uniform int taps;

float distance_at(ivec2 pixel) {
  float depth = texelFetch(opaque_depth, pixel, 0).x;
  if (has_layers != 0) depth = min(depth, texelFetch(front_depth, pixel, 0).x);
  return depth >= 1.0 ? 1e9 : -eye_z(depth);
}

float blur_at(float distance) { return frame.lens.x * min(abs(distance - frame.lens.y) / frame.lens.z, 2.0); }

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float here = distance_at(pixel), blur = blur_at(here);
  vec4 sum = texelFetch(picture, pixel, 0);
  float weight = 1.0;
  vec2 at = gl_FragCoord.xy + frame.region.xy;
  float turn = fract(52.9829189 * fract(dot(floor(at), vec2(0.06711056, 0.00583715))) + frame.fog.w / frame.occlusion.w);
  float reach = 2.0 * frame.lens.x;
  for (int i = 0; i < taps; ++i) {
    float r = sqrt((float(i) + 0.5) / float(taps)) * reach, angle = 2.39996 * float(i) + 6.2831853 * turn;
    ivec2 place = ivec2(floor(gl_FragCoord.xy + r * vec2(cos(angle), sin(angle))));
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, ivec2(frame.size.xy)))) continue;
    float there = distance_at(place), spread = blur_at(there);
    if (there > here) spread = min(spread, 1.5 * blur);
    float share = smoothstep(r - 0.5, r + 0.5, spread);
    sum += share * texelFetch(picture, place, 0);
    weight += share;
  }
  out_colour = sum / weight;
}
