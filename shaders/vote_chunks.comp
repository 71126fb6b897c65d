#version 450 core
// The chunks of spheres that are drawn next: of those that may be seen, the nearest in each square of the picture.
#include "common/cover.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Chunks { Chunk chunks[]; };
layout(std430, binding = 7) buffer Squares { uint squares[]; };
uniform uint chunk_count;

void main() {
  uint number = gl_GlobalInvocationID.x;
  if (number >= chunk_count) return;
  Cover cover = cover_of_chunk(chunks[number]);
  if (!cover.seen || drawn_whole(cover) || hidden(cover)) return;
  atomicMin(squares[square_of(cover)], rank_of(cover));
}
