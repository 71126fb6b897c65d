#version 450 core
// One level of the pyramid of depths: the farthest of two by two.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D finer;
layout(binding = 0, r32f) writeonly uniform image2D coarser;
uniform int level;        // of `finer` that is read
uniform vec2 finer_size;  // of what there is at that level
uniform vec2 coarser_size;

float depth(ivec2 at) { return all(lessThan(at, ivec2(finer_size))) ? texelFetch(finer, at, level).x : 0.0; }

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, ivec2(coarser_size)))) return;
  ivec2 from = 2 * at;
  float far = max(max(depth(from), depth(from + ivec2(1, 0))), max(depth(from + ivec2(0, 1)), depth(from + ivec2(1, 1))));
  imageStore(coarser, at, vec4(far));
}
