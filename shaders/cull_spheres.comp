#version 450 core
// Which spheres are drawn now: 32 for each thread, a bit each. One of three passes over the spheres:
//   AGAIN    those that the last picture showed
//   NEXT     those of the nearest chunks that may be seen
//   REST     all that may be seen and are not drawn yet
#include "common/cover.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Chunks { Chunk chunks[]; };
layout(std430, binding = 1) readonly buffer Spheres { vec4 spheres[]; };
layout(std430, binding = 2) buffer Seen { uint seen[]; };    // of the last picture, and at the end of this one
layout(std430, binding = 3) buffer Drawn { uint drawn[]; };  // in this picture
layout(std430, binding = 4) writeonly buffer Now { uint now[]; };
layout(std430, binding = 5) buffer Counts { uint counts[]; };  // for each chunk, upper half: it is drawn whole
layout(std430, binding = 7) readonly buffer Squares { uint squares[]; };
uniform uint sphere_count;
uniform uint first_sphere;  // of these, in the item
uniform uint every;         // so many-th is drawn

void main() {
  uint word = gl_GlobalInvocationID.x;
  if (32u * word >= sphere_count) return;
  uint chunk = word / 8u;
#if defined(AGAIN)
  uint wanted = seen[word];
#elif defined(NEXT)
  uint wanted = ~drawn[word];
#else
  uint wanted = ~0u;
#endif
  uint shown = 0u;
  bool whole = false;
  Cover cover = cover_of_chunk(chunks[chunk]);
  if (wanted != 0u && cover.seen) {
    whole = drawn_whole(cover);
#if defined(NEXT)
    bool here = !whole && rank_of(cover) <= squares[square_of(cover)] + rank_error && !hidden(cover);
#elif defined(REST)
    bool here = !hidden(cover);
#else
    bool here = true;
#endif
    if (here && whole) {
      shown = word % 8u == 0u ? 1u : 0u;
    } else if (here) {
      uint here_count = min(sphere_count - 32u * word, 32u);
      for (uint i = 0u; i < here_count; ++i) {
        if ((wanted & (1u << i)) == 0u) continue;
        uint number = 32u * word + i;
        if (every > 1u && (first_sphere + number) % every != 0u) continue;
        vec4 sphere = spheres[number];
        Cover own = cover_of_ball(sphere, sphere.w * (radius_scale - 1.0));
        if (!own.seen) continue;
#if !defined(AGAIN)
        if (hidden(own)) continue;
#endif
        shown |= 1u << i;
      }
    }
  }
#if defined(AGAIN)
  drawn[word] = shown;
#elif defined(NEXT)
  drawn[word] |= shown;
#else
  seen[word] = shown;
  shown &= ~drawn[word];
#endif
  now[word] = shown;
  if (shown != 0u) atomicAdd(counts[chunk], uint(bitCount(shown)) | (whole ? 1u << 16 : 0u));
}
