// What of the picture a ball covers, and whether that is hidden by what is drawn already.
#include "common/frame.glsl"

struct Chunk {  // SphereChunk in render/view/scene_view.h
  vec4 bounds;
  float radius;
  uint colour;
  uint sphere;
  float largest;
};

struct Cover {
  bool seen;          // it may cover something
  bool everywhere;    // it may cover everything: the eye is in it, or next to it
  vec2 low, high;     // pixels of the region
  ivec2 first, last;  // those whose middles are between
  float nearest;      // depth in the window that nothing of it is before
};

// Along one axis: between the lines of sight that touch a disc of `radius` at `across`, `ahead` of the eye.
vec2 between_tangents(float across, float ahead, float radius) {
  float along = sqrt(across * across + ahead * ahead - radius * radius);
  return vec2((along * across - radius * ahead) / (along * ahead + radius * across),
              (along * across + radius * ahead) / (along * ahead - radius * across));
}

// Of a ball in eye space.
Cover cover_of(vec3 centre, float radius) {
  Cover cover;
  cover.everywhere = false;
  float front = -frame.depth_terms.z;
  cover.seen = centre.z - radius <= front;
  cover.nearest = window_depth(min(centre.z + radius, front)) - 2e-6;
  vec2 low, high;
  if (orthographic()) {
    vec2 scale = vec2(frame.projection[0][0], frame.projection[1][1]), shift = frame.projection[3].xy;
    low = scale * (centre.xy - radius) + shift;
    high = scale * (centre.xy + radius) + shift;
  } else {
    float ahead = -centre.z;
    if (ahead <= 1.06 * radius) {
      cover.everywhere = true;
      return cover;
    }
    vec2 x = between_tangents(centre.x, ahead, radius), y = between_tangents(centre.y, ahead, radius);
    vec2 scale = vec2(frame.projection[0][0], frame.projection[1][1]), shift = frame.projection[2].xy;
    low = scale * vec2(x.x, y.x) - shift;
    high = scale * vec2(x.y, y.y) - shift;
  }
  cover.low = (0.5 * low + 0.5) * frame.size.xy - 0.01;
  cover.high = (0.5 * high + 0.5) * frame.size.xy + 0.01;
  // Of what is smaller than a pixel only that is seen which has the middle of one.
  cover.first = ivec2(max(ceil(cover.low - 0.5), vec2(0.0)));
  cover.last = ivec2(min(floor(cover.high - 0.5), frame.size.xy - 1.0));
  if (any(greaterThan(cover.first, cover.last))) cover.seen = false;
  return cover;
}

// At least the farthest depth of what is drawn in blocks of 2^level pixels; 0 outside of the region.
layout(binding = 0) uniform sampler2D depths;
layout(binding = 1) uniform sampler2D pyramid;  // its first level has blocks of two pixels
float farthest(ivec2 block, int level) {
  return level == 0 ? texelFetch(depths, block, 0).x : texelFetch(pyramid, block, level - 1).x;
}

bool hidden(Cover cover) {
  if (cover.nearest >= 1.0) return true;  // behind the back plane
  if (cover.everywhere) return false;
  ivec2 low = cover.first, high = cover.last;
  // Blocks so large that it reaches over four of them in a row, five at most.
  int extent = max(max(high.x - low.x, high.y - low.y) + 1, 1);
  int level = max(findMSB(extent) - 1, 0);
  low >>= level;
  high >>= level;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x)
      if (farthest(ivec2(x, y), level) > cover.nearest) return false;
  return true;
}

uniform vec3 offset;          // of the copy
uniform float whole_below;    // pixels: chunks that cover fewer are drawn as one sphere
uniform float radius_scale;   // larger where spheres are left out
uniform uint clipped_by;      // bits: which of frame.planes cut the item

// Of a ball of the item whose radius grows.
Cover cover_of_ball(vec4 ball, float growth) {
  vec3 centre = (frame.view * vec4(ball.xyz + offset, 1.0)).xyz;
  float radius = ball.w + growth;
  Cover cover = cover_of(centre, radius);
  for (int i = 0; clipped_by != 0u && i < 6; ++i) {
    vec4 plane = frame.planes[i];
    if ((clipped_by & (1u << i)) != 0u && dot(plane.xyz, centre) + plane.w > radius) cover.seen = false;
  }
  return cover;
}

Cover cover_of_chunk(Chunk chunk) { return cover_of_ball(chunk.bounds, chunk.largest * (radius_scale - 1.0)); }

bool drawn_whole(Cover cover) {
  return !cover.everywhere && all(lessThan(cover.high - cover.low, vec2(whole_below)));
}

// The rivals of a chunk for being drawn next are those about as large whose centres are in the same square of the
// picture, half to once their radius wide. The nearest wins. Squares of 4 pixels come first, then of 8 and so on.
const int first_square = 2, last_square = 8;
int square_of(Cover cover) {
  vec2 middle = 0.5 * (cover.low + cover.high);
  float radius = 0.25 * (cover.high.x - cover.low.x + cover.high.y - cover.low.y);
  int size = cover.everywhere ? last_square : clamp(int(floor(log2(max(radius, 1.0)))), first_square, last_square);
  if (cover.everywhere) middle = 0.5 * frame.size.xy;
  ivec2 wide = (ivec2(frame.size.xy) >> last_square) + 1;
  int at = 0;
  for (int i = first_square; i < size; ++i) at += (wide.x * wide.y) << (2 * (last_square - i));
  ivec2 square = clamp(ivec2(middle), ivec2(0), ivec2(frame.size.xy) - 1) >> size;
  return at + square.y * (wide.x << (last_square - size)) + square.x;
}
uint rank_of(Cover cover) { return floatBitsToUint(max(cover.nearest, 0.0)); }
const uint rank_error = 8u;  // between two shaders
