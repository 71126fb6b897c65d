#version 450 core
// Clouds: emission and absorption along the line of sight (Max 1995), from the front to the back.
#include "common/frame.glsl"
#include "common/colour.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

in Box {
  vec3 corner;
  flat mat4 to_cube;
} box;

layout(binding = 0) uniform sampler2D opaque_depth;
layout(binding = 1) uniform sampler3D values;
layout(binding = 2) uniform sampler1D table;
layout(location = 0) out vec4 out_colour;

uniform vec3 points;        // of the grid along each side
uniform float step_length;  // angstrom
uniform int most_steps;
uniform vec2 value_scale;   // lowest value, 1 / width of the range
uniform float table_size;
uniform float opacity;      // of the item

void main() {
  bool flat_view = orthographic();
  vec3 origin = flat_view ? vec3(box.corner.xy, 0.0) : vec3(0.0);
  vec3 direction = flat_view ? vec3(0, 0, -1) : normalize(box.corner);
  vec3 o = (box.to_cube * vec4(origin, 1.0)).xyz, d = (box.to_cube * vec4(direction, 0.0)).xyz;
  vec3 slope = 1.0 / (d + vec3(equal(d, vec3(0.0))) * 1e-12);
  vec3 first = -o * slope, second = (1.0 - o) * slope;
  vec3 low = min(first, second), high = max(first, second);
  float enter = max(max(low.x, low.y), low.z), leave = min(min(high.x, high.y), high.z);
  // Not before the front plane, not behind what is opaque.
  enter = max(enter, (-frame.depth_terms.z - origin.z) / direction.z);
  float depth = texelFetch(opaque_depth, ivec2(gl_FragCoord.xy), 0).x;
  if (depth < 1.0) leave = min(leave, (eye_z(depth) - origin.z) / direction.z);
#if defined(CLIPPED)
  int plane = -1;
  clip_line(origin, direction, enter, leave, plane);
#endif
  if (leave <= enter) discard;
  float count = min(ceil((leave - enter) / step_length), float(most_steps));
  float step = (leave - enter) / count;
  // Each pixel begins elsewhere within a step, so that no shells are seen.
  vec2 at = floor(gl_FragCoord.xy + frame.region.xy);
  float start = fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))) + frame.fog.w / frame.occlusion.w);
  vec4 sum = vec4(0.0);
  for (float i = 0.0; i < count; i += 1.0) {
    float t = enter + (i + start) * step;
    vec3 place = (o + t * d) * ((points - 1.0) / points) + 0.5 / points;
    float u = (texture(values, place).x - value_scale.x) * value_scale.y;
    vec4 colour = texture(table, (clamp(u, 0.0, 1.0) * (table_size - 1.0) + 0.5) / table_size);
    float alpha = (1.0 - pow(1.0 - min(colour.a, 0.999), step)) * (1.0 - fog_at(origin.z + t * direction.z));
    sum += (1.0 - sum.a) * vec4(to_linear(colour.rgb) * alpha, alpha);
    if (sum.a > 0.995) break;
  }
  out_colour = sum * opacity;
}
