// The sums of a pixel, in order of its samples. For the CPU and CUDA.
#pragma once

#include "compute/trace/trace_path.h"

namespace isolume::tracing {

/// Addresses of TraceBuffers; null where not wanted.
struct Pixels {
  float* radiance = nullptr;
  float* squares = nullptr;
  float* albedo = nullptr;
  float* depth = nullptr;
  std::uint32_t* objects = nullptr;
};

/// The sums of a pixel in which nothing is seen.
inline void set_empty(const TraceView& view, int x, int y, const Pixels& out) {
  const std::size_t at =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(x);
  for (std::size_t c = 0; c < 4; ++c) out.radiance[4 * at + c] = 0;
  if (out.squares) out.squares[at] = 0;
  for (std::size_t c = 0; c < 3 && out.albedo; ++c) out.albedo[3 * at + c] = 0;
  if (out.depth) out.depth[at] = INFINITY;
  if (out.objects) out.objects[at] = 0;
}

/// Adds samples to a pixel. `stopped` is asked after each.
template <class Geometry, class Stopped>
ISOLUME_HOST_DEVICE inline void add_samples(const TraceData& data, const TraceView& view, Geometry& geometry, int x,
                                            int y, int samples, int first, const Pixels& out, const Stopped& stopped) {
  const std::size_t at =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(x);
  float light[4] = {0, 0, 0, 0}, colour[3] = {0, 0, 0}, square = 0;
  if (first > 0) {
    for (int c = 0; c < 4; ++c) light[c] = out.radiance[4 * at + c];
    if (out.squares) square = out.squares[at];
    for (int c = 0; c < 3 && out.albedo; ++c) colour[c] = out.albedo[3 * at + c];
  } else if (out.depth || out.objects) {
    float depth = 0;
    std::uint32_t object = 0;
    const bool there = middle_of<float>(data, view, geometry, x, y, depth, object);
    if (out.depth) out.depth[at] = there ? depth : INFINITY;
    if (out.objects) out.objects[at] = there ? object : 0;
  }
  // Threads of a warp go on with their next sample while others still follow a path.
  int number = first;
  Path<float> path = path_of<float>(view, x, y, number);
  while (number < first + samples) {
    if (follow(data, view, geometry, path)) continue;
    if (stopped()) return;
    const Sample<float>& s = path.sample;
    light[0] += s.light.x;
    light[1] += s.light.y;
    light[2] += s.light.z;
    light[3] += s.cover;
    const float luminance = 0.2126f * s.light.x + 0.7152f * s.light.y + 0.0722f * s.light.z;
    square += luminance * luminance;
    colour[0] += s.albedo.x;
    colour[1] += s.albedo.y;
    colour[2] += s.albedo.z;
    if (++number < first + samples) path = path_of<float>(view, x, y, number);
  }
  for (int c = 0; c < 4; ++c) out.radiance[4 * at + c] = light[c];
  if (out.squares) out.squares[at] = square;
  for (int c = 0; c < 3 && out.albedo; ++c) out.albedo[3 * at + c] = colour[c];
}

}  // namespace isolume::tracing
