// The loop of the CPU bodies: tiles of the picture on all threads.
#pragma once

#include <atomic>
#include <cstdint>

#include "compute/base/parallel_for.h"
#include "compute/trace/trace_body.h"
#include "compute/trace/trace_pixels.h"

namespace isolume::tracing {

/// `make` makes the geometry of a tile, which counts its rays, and knows tiles in which nothing is.
template <class Make>
void trace_tiles(const TraceData& data, const TraceView& view, int samples, int first, const TraceBuffers& out,
                 Job& job, std::atomic<std::uint64_t>& rays, const Make& make) {
  constexpr int side = 16;
  const Pixels pixels{out.radiance.data, out.squares.data, out.albedo.data, out.depth.data, out.objects.data};
  const int columns = (view.width + side - 1) / side, rows = (view.height + side - 1) / side;
  const std::size_t tiles = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  parallel_for(tiles, job, "path tracing", [&](std::size_t tile) {
    auto geometry = make();
    const int left = static_cast<int>(tile) % columns * side, top = static_cast<int>(tile) / columns * side;
    // A tile of many samples takes longer than one waits for a cancel.
    const auto stopped = [&job] { return job.cancelled(); };
    const int right = least(left + side, view.width), bottom = least(top + side, view.height);
    const bool seen = geometry.may_see(left, top, right, bottom);
    if (!seen) {
      // Its rays are known to meet nothing, and count as those that were followed.
      const bool middle = first == 0 && (pixels.depth || pixels.objects);
      rays.fetch_add(static_cast<std::uint64_t>(right - left) * static_cast<std::uint64_t>(bottom - top) *
                         (static_cast<std::uint64_t>(samples) + middle),
                     std::memory_order_relaxed);
      if (first > 0) return;  // what would be added is nothing
    }
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        if (!seen)
          set_empty(view, x, y, pixels);
        else
          add_samples(data, view, geometry, x, y, samples, first, pixels, stopped);
    rays.fetch_add(geometry.count, std::memory_order_relaxed);
  });
}

}  // namespace isolume::tracing
