// What clouds add to the light along a ray and take from it. For the CPU, CUDA and the reference.
#pragma once

#include "compute/trace/trace_shapes.h"

// On CUDA a function of its own: copied to each of the places that call it, it would leave the kernel too few
// registers.
#ifdef __CUDACC__
#define ISOLUME_APART __noinline__
#else
#define ISOLUME_APART
#endif

namespace isolume::tracing {

/// What a ray meets on its way through clouds.
template <class T>
struct Haze {
  Vec<T> light{0, 0, 0};  ///< that they add
  T keep = 1;             ///< the part of what is behind them that comes through
};

/// Colour and extinction at a place in grid coordinates, which are within the grid.
template <class T>
ISOLUME_HOST_DEVICE inline void look_up(const CloudData& cloud, const T* g, Vec<T>& colour, T& extinction) {
  std::size_t at = 0, next[3], each = 1;
  T part[3];
  for (int i = 0; i < 3; ++i) {
    const int n = cloud.counts[i];
    const int cell = most(0, least(static_cast<int>(g[i]), n - 2));
    part[i] = within(T(0), g[i] - T(cell), T(1));
    at += each * static_cast<std::size_t>(cell);
    next[i] = n > 1 ? each : 0;
    each *= static_cast<std::size_t>(n);
  }
  const float* const v = cloud.values + at;
  const auto between = [](T a, T b, T t) { return a + t * (b - a); };
  const auto along_x = [&](std::size_t row) { return between(T(v[row]), T(v[row + next[0]]), part[0]); };
  const T value = between(between(along_x(0), along_x(next[1]), part[1]),
                          between(along_x(next[2]), along_x(next[1] + next[2]), part[1]), part[2]);
  colour = {0, 0, 0};
  extinction = 0;
  if (!(value == value)) return;
  const T entry = within(T(0), (value - T(cloud.lower)) * T(cloud.entries), T(cloud.last));
  const int low = most(0, least(static_cast<int>(entry), cloud.last - 1));
  const glm::vec4 a = cloud.transfer[low], b = cloud.transfer[least(low + 1, cloud.last)];
  const T t = entry - T(low);
  colour = {between(T(a.x), T(b.x), t), between(T(a.y), T(b.y), t), between(T(a.z), T(b.z), t)};
  extinction = between(T(a.w), T(b.w), t);
}

/// Where a ray is within a cloud. False where it is nowhere.
template <class T>
ISOLUME_HOST_DEVICE inline bool within_cloud(const CloudData& cloud, const TraceView& view, const Ray<T>& ray, T& enter,
                                             T& leave) {
  enter = ray.begin;
  leave = ray.end;
  for (int i = 0; i < 3; ++i) {
    const Vec<T> row = vec<T>(cloud.to_grid[i]);
    const T o = dot(row, ray.origin) + T(cloud.to_grid[i].w), d = dot(row, ray.direction);
    const T side = T(most(cloud.counts[i] - 1, 1));
    if (d < T(1e-9) && d > T(-1e-9)) {
      if (o < 0 || o > side) return false;
      continue;
    }
    const T a = -o / d, b = (side - o) / d;
    enter = most(enter, least(a, b));
    leave = least(leave, most(a, b));
  }
  int plane = -1;
  if (cloud.planes) cut_line(view, cloud.planes, ray, enter, leave, plane);
  return enter < leave;
}

/// The part of a ray from `enter` to `leave` through a cloud, from the front to the back. It is looked at in the middle
/// of steps that begin at a random place, so that the mean of many samples shows no shells.
template <class T>
ISOLUME_HOST_DEVICE inline void march(const CloudData& cloud, const TraceView& view, const Ray<T>& ray, T enter,
                                      T leave, T step, bool fades, T start, Haze<T>& haze) {
  T o[3], d[3];
  for (int i = 0; i < 3; ++i) {
    const Vec<T> row = vec<T>(cloud.to_grid[i]);
    o[i] = dot(row, ray.origin) + T(cloud.to_grid[i].w);
    d[i] = dot(row, ray.direction);
  }
  const Vec<T> forward = vec<T>(view.camera.forward);
  const T fog_width = most(T(view.fog_end) - T(view.fog_begin), T(1e-6));
  const T fog_origin = dot(ray.origin - vec<T>(view.camera.eye), forward) - T(view.fog_begin);
  const T fog_slope = dot(ray.direction, forward);
  const T count = most(T(1), rounded_up((leave - enter) / step)), length = (leave - enter) / count;
  constexpr T dark = T(0.002);  // what is behind this is not seen
  T keep = 1;
  Vec<T> light{0, 0, 0};
  for (T i = 0; i < count && keep > dark;) {
    const T t = enter + (i + start) * length;
    T g[3];
    std::size_t block = 0, each = 1;
    int cell[3];
    for (int k = 0; k < 3; ++k) {
      g[k] = within(T(0), o[k] + t * d[k], T(cloud.counts[k] - 1));
      cell[k] = least(static_cast<int>(g[k]) / cloud_block, cloud.blocks_along[k] - 1);
      block += each * static_cast<std::size_t>(cell[k]);
      each *= static_cast<std::size_t>(cloud.blocks_along[k]);
    }
    if (!cloud.blocks[block]) {
      // On to the first place beyond the block.
      T out = leave;
      for (int k = 0; k < 3; ++k) {
        const T side = T(cloud_block * (d[k] > 0 ? cell[k] + 1 : cell[k]));
        if (d[k] > T(1e-9) || d[k] < T(-1e-9)) out = least(out, (side - o[k]) / d[k]);
      }
      i = most(i + 1, rounded_up((out - enter) / length - start));
      continue;
    }
    i += 1;
    Vec<T> colour;
    T extinction;
    look_up(cloud, g, colour, extinction);
    if (!(extinction > 0)) continue;
    T pass = exponential(-extinction * length);
    if (fades) pass = pass + (1 - pass) * T(view.fog) * within(T(0), (fog_origin + t * fog_slope) / fog_width, T(1));
    const T after = keep * pass;
    light = light + (keep - after) * colour;
    keep = after;
  }
  const T opacity = T(cloud.opacity);
  haze.light = haze.light + (haze.keep * opacity) * light;
  haze.keep = haze.keep * (1 - opacity * (1 - keep));
}

/// All clouds on a ray up to `end`. Rays of the camera see them as finely as they are; others take longer steps.
template <class T>
ISOLUME_HOST_DEVICE ISOLUME_APART Haze<T> through_clouds(const TraceData& data, const TraceView& view,
                                                         const Ray<T>& ray, T end, const Question& question,
                                                         bool camera) {
  Haze<T> haze;
  const Ray<T> part{ray.origin, ray.direction, ray.begin, end};
  // The nearest that was not yet passed, again and again: few are on a ray.
  T passed = T(-1);
  std::uint32_t passed_number = 0;
  for (;;) {
    T enter = 0, leave = 0;
    std::uint32_t next = Hit<T>::none;
    for (std::uint32_t i = 0; i < data.cloud_count; ++i) {
      T in, out;
      if (!within_cloud(data.clouds[i], view, part, in, out)) continue;
      if (in < passed || (in == passed && i <= passed_number)) continue;
      if (next != Hit<T>::none && !(in < enter)) continue;
      next = i;
      enter = in;
      leave = out;
    }
    if (next == Hit<T>::none) return haze;
    passed = enter;
    passed_number = next;
    const T start = T(question.random.one(question.dimension, 0x80000000u + next));
    const CloudData& cloud = data.clouds[next];
    march(cloud, view, part, enter, leave, T(cloud.step) * (camera ? T(1) : T(3)), camera && view.fog > 0, start, haze);
  }
}

}  // namespace isolume::tracing
