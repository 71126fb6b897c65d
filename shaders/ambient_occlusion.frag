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
// An ordered pattern of 4 x 4 pixels, so that the blur over 4 x 4 takes it away.
const float pattern[16] = float[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);

uniform int directions;
uniform int steps;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depth_texture, pixel, 0).x;
  out_open = vec2(1.0, nothing_there);
  if (depth >= 1.0) return;
  out_open.y = eye_z(depth);
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

  ivec2 place = ivec2(pixel + ivec2(frame.region.xy)) & 3;
  float noise = pattern[place.y * 4 + place.x] / 16.0;
  // Sub-pixel samples of one picture take the directions in between.
  float sample_shift = frame.fog.w / frame.occlusion.w;
  float other_noise = fract(noise * 5.0 + 0.37 + sample_shift * 0.618);
  // One direction a sample: those of a pixel are evenly apart, and between those of its neighbours.
  float angle_noise = fract(noise + sample_shift * (directions > 1 ? 0.3125 : 1.0625));

  position += normal * (0.002 * radius) + eye * (-position.z * 2e-5);
  float open = 0.0;
  for (int i = 0; i < directions; ++i) {
    float angle = pi * (float(i) + angle_noise) / float(directions);
    vec3 direction = vec3(cos(angle), sin(angle), 0.0);
    vec3 across = direction - dot(direction, eye) * eye;
    vec3 axis = normalize(cross(direction, eye));
    vec3 projected = normal - axis * dot(normal, axis);
    float projected_length = max(length(projected), 1e-5);
    float cosine = clamp(dot(projected, eye) / projected_length, 0.0, 1.0);
    float gamma = sign(dot(across, projected)) * acos(cosine);

    vec2 horizon;
    for (int side = 0; side < 2; ++side) {
      float sense = side == 0 ? 1.0 : -1.0;
      float lowest = cos(gamma + sense * 0.5 * pi);
      float highest = lowest;
      for (int j = 0; j < steps; ++j) {
        float s = (float(j) + other_noise) / float(steps);
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
    float sine = sin(gamma);
    open += projected_length * 0.25 *
            ((cosine + 2.0 * h0 * sine - cos(2.0 * h0 - gamma)) + (cosine + 2.0 * h1 * sine - cos(2.0 * h1 - gamma)));
  }
  out_open.x = clamp(open / float(directions), 0.0, 1.0);
}
