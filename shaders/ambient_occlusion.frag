#version 450 core
// Ambient occlusion from depth: the visible part of the hemisphere by horizon search in a few directions, weighted by
// the cosine (ground-truth ambient occlusion, Jimenez et al. 2016).
#include "common/frame.glsl"
#include "common/normal.glsl"

layout(binding = 0) uniform sampler2D depth_texture;
layout(binding = 1) uniform sampler2D normal_texture;
layout(binding = 2) uniform sampler2D albedo_texture;
layout(location = 0) out vec2 out_open;  // the open part, and eye z for the blur

const float pi = 3.14159265;

// DIRECTIONS and STEPS to either side in each of them.

// An ordered pattern of 4 x 4 places, from 0 to 15 (Bayer's matrix).
float pattern_at(ivec2 place) {
  int crossed = place.x ^ place.y;
  return float((crossed & 1) << 3 | (place.y & 1) << 2 | (crossed & 2) | (place.y >> 1 & 1));
}

// What is empty keeps what it was cleared to: the depth test leaves it out.
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depth_texture, pixel, 0).x;
  out_open = vec2(1.0, eye_z(depth));
  if (texelFetch(albedo_texture, pixel, 0).a < 0.5) return;
  vec3 position = eye_position(gl_FragCoord.xy, depth);
  vec3 normal = unpack_normal(texelFetch(normal_texture, pixel, 0).xy);
  vec3 eye = towards_eye(position);

  float radius = frame.occlusion.x;
  float pixels_per_angstrom =
      0.5 * frame.size.y / (frame.unproject.y * (orthographic() ? 1.0 : -position.z));
  // Tiles know the picture only so far around.
  float reach = min(radius * pixels_per_angstrom, frame.occlusion.z);
  if (reach < 1.0) return;

  // Two samples together have the whole pattern at each pixel (open_at() of compose.frag says how); the next two take
  // the directions in between.
  int number = int(frame.fog.w), side = number & 1;
  ivec2 shift = (number & 2) != 0 ? ivec2(side, 0) : ivec2(0, side);
  float noise = pattern_at(pixel + ivec2(frame.region.xy) + shift) / 16.0;
  float between = floor(frame.fog.w / 2.0) / ceil(frame.occlusion.w / 2.0);
  float other_noise = fract(noise * 5.0 + 0.37 + between * 0.618);
  float angle_noise = noise + between / 16.0;

  position += normal * (0.002 * radius) + eye * (-position.z * 2e-5);
  float open = 0.0;
  for (int i = 0; i < DIRECTIONS; ++i) {
    float angle = pi / float(DIRECTIONS) * (float(i) + angle_noise);
    vec3 direction = vec3(cos(angle), sin(angle), 0.0);
    vec3 across = direction - dot(direction, eye) * eye;
    vec3 axis = normalize(cross(direction, eye));
    vec3 projected = normal - axis * dot(normal, axis);
    float projected_length = max(length(projected), 1e-5);
    float cosine = clamp(dot(projected, eye) / projected_length, 0.0, 1.0);
    float side_of_it = sign(dot(across, projected));
    float gamma = side_of_it * acos(cosine), sine = side_of_it * sqrt(1.0 - cosine * cosine);

    vec2 horizon;
    for (int side = 0; side < 2; ++side) {
      float sense = side == 0 ? 1.0 : -1.0;
      float lowest = -sense * sine;  // the cosine of a right angle from the normal
      float highest = lowest;
      for (int j = 0; j < STEPS; ++j) {
        float s = (float(j) + other_noise) / float(STEPS);
        vec2 offset = sense * direction.xy * max(s * s * reach, 1.0 + float(j));
        vec2 at = floor(gl_FragCoord.xy + offset) + 0.5;
        if (any(lessThan(at, vec2(0))) || any(greaterThanEqual(at, frame.size.xy))) continue;
        float there = texelFetch(depth_texture, ivec2(at), 0).x;
        if (there >= 1.0) continue;
        vec3 difference = eye_position(at, there) - position;
        float length2 = dot(difference, difference);
        // What is farther than the radius has no say.
        float weight = clamp(2.0 - 2.0 * length2 / (radius * radius), 0.0, 1.0);
        highest = max(highest, mix(lowest, dot(difference, eye) * inversesqrt(max(length2, 1e-12)), weight));
      }
      horizon[side] = acos(clamp(highest, -1.0, 1.0));
    }
    float h0 = gamma + clamp(-horizon.y - gamma, -0.5 * pi, 0.5 * pi);
    float h1 = gamma + clamp(horizon.x - gamma, -0.5 * pi, 0.5 * pi);
    open += projected_length * 0.25 *
            ((cosine + 2.0 * h0 * sine - cos(2.0 * h0 - gamma)) + (cosine + 2.0 * h1 * sine - cos(2.0 * h1 - gamma)));
  }
  out_open.x = clamp(open / float(DIRECTIONS), 0.0, 1.0);
}
