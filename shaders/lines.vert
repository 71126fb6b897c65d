#version 450 core
// Lines of any width: a rectangle along each segment.
#include "common/frame.glsl"

layout(location = 0) in vec3 start;
layout(location = 1) in vec3 stop;
layout(location = 2) in vec4 colour_start;
layout(location = 3) in vec4 colour_stop;
uniform float width;  // pixels of the region
uniform vec3 offset;           // of the copy
uniform uint first_primitive;  // of this part
uniform uint primitive_step;   // every so many-th is drawn

out Segment {
  vec3 position;
  noperspective float along;
  flat vec4 colour_start;
  flat vec4 colour_stop;
  flat uint part;
} segment;

void main() {
  vec3 a = (frame.view * vec4(start + offset, 1.0)).xyz;
  vec3 b = (frame.view * vec4(stop + offset, 1.0)).xyz;
  float front = -frame.depth_terms.z - 1e-4;
  segment.colour_start = colour_start;
  segment.colour_stop = colour_stop;
  segment.part = (first_primitive + uint(gl_InstanceID)) * primitive_step;
  gl_Position = vec4(2, 2, 2, 1);
  segment.position = a;
  segment.along = 0.0;
  if (a.z > front && b.z > front) return;
  // What lies in front of the front plane has no place in the picture.
  float begin = 0.0, end = 1.0;
  if (a.z > front) begin = (front - a.z) / (b.z - a.z);
  if (b.z > front) end = (front - a.z) / (b.z - a.z);
  vec3 first = mix(a, b, begin), last = mix(a, b, end);
  vec4 clip_first = frame.projection * vec4(first, 1.0), clip_last = frame.projection * vec4(last, 1.0);
  vec2 pixels = (clip_last.xy / clip_last.w - clip_first.xy / clip_first.w) * frame.size.xy;
  vec2 ahead = dot(pixels, pixels) > 1e-12 ? normalize(pixels) : vec2(1, 0);
  vec2 aside = vec2(-ahead.y, ahead.x);
  bool at_end = (gl_VertexID & 2) != 0;
  vec4 clip = at_end ? clip_last : clip_first;
  // Half a width beyond the end closes the corner to the next segment.
  vec2 shift = aside * ((gl_VertexID & 1) != 0 ? 1.0 : -1.0) + ahead * (at_end ? 0.7 : -0.7);
  clip.xy += shift * width / frame.size.xy * clip.w;
  segment.position = at_end ? last : first;
  segment.along = at_end ? end : begin;
  gl_Position = clip;
}
