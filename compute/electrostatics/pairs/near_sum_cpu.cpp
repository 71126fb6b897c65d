// The sum over pairs within a cutoff on the CPU: tiles of the grid, and the charges near each.
#include "compute/electrostatics/pairs/near_sum_cpu.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compute/base/float_lanes.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/pairs/near_rows_cpu.h"

namespace isolume {

void near_sum_cpu(const ChargeBins& bins, const Grid& grid, const RowFrame& frame, const PairFunction& function,
                  int first_layer, int layers, Span<float> potential, const std::function<void(const NearTile&)>& begin,
                  Job& job, const char* what) {
  const PhaseTimer timer(what);
  const int lanes = float_lanes();
  const int windows = windows_for(function.cutoff, frame.ax, lanes);
  if (windows > most_windows) {
    throw Error("potential: the grid is too fine for a cutoff of " + std::to_string(function.cutoff) + " angstrom",
                Error::Kind::usage);
  }
  const int margin = (windows + 1) * lanes;
  const int longest = 192;
  const int chunks = (grid.counts.x + longest - 1) / longest;
  const int chunk = (grid.counts.x + chunks - 1) / chunks;
  // An odd number of cache lines, so that rows do not share their places in the cache.
  const int stride = (chunk + 2 * margin + 15) / 16 / 2 * 32 + 16;
  constexpr int rows = NearTile::rows;
  const int ty = (grid.counts.y + rows - 1) / rows;
  const int first_tz = first_layer / rows;
  const int tz = layers > 0 ? (first_layer + layers - 1) / rows - first_tz + 1 : 0;
  const std::size_t total =
      static_cast<std::size_t>(chunks) * static_cast<std::size_t>(ty) * static_cast<std::size_t>(tz);
  parallel_for(total, job, what, [&](std::size_t t) {
    NearWork work;
    NearTile& tile = work.tile;
    tile.i = static_cast<int>(t % static_cast<std::size_t>(chunks)) * chunk;
    tile.j = static_cast<int>(t / static_cast<std::size_t>(chunks) % static_cast<std::size_t>(ty)) * rows;
    tile.k = (static_cast<int>(t / static_cast<std::size_t>(chunks) / static_cast<std::size_t>(ty)) + first_tz) * rows;
    tile.count = std::min(chunk, grid.counts.x - tile.i);
    tile.rows_j = std::min(rows, grid.counts.y - tile.j);
    tile.rows_k = std::min(rows, grid.counts.z - tile.k);
    tile.stride = stride;
    static thread_local std::vector<float> buffer;
    buffer.assign(static_cast<std::size_t>(rows * rows) * static_cast<std::size_t>(stride), 0.0f);
    tile.values = buffer.data() + margin;
    work.margin = margin;
    if (begin) begin(tile);
    const glm::dvec3 origin = frame.point(tile.i, tile.j, tile.k);
    work.x0 = origin.x;
    work.y0 = origin.y;
    work.z0 = origin.z;
    work.ax = frame.ax;
    work.bx = frame.bx;
    work.by = frame.by;
    work.cx = frame.cx;
    work.cy = frame.cy;
    work.cz = frame.cz;
    glm::dvec3 lower(origin);
    glm::dvec3 upper(origin);
    for (int corner = 1; corner < 8; ++corner) {
      const glm::dvec3 p =
          frame.point(tile.i + ((corner & 1) ? tile.count - 1 : 0), tile.j + ((corner & 2) ? tile.rows_j - 1 : 0),
                      tile.k + ((corner & 4) ? tile.rows_k - 1 : 0));
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    glm::ivec3 first(0);
    glm::ivec3 last(0);
    for (int axis = 0; axis < 3; ++axis) {
      work.lower[axis] = lower[axis];
      work.upper[axis] = upper[axis];
      const auto box = [&](double x) {
        return std::clamp(static_cast<int>(std::floor((x - bins.lower[axis]) / bins.side)), 0, bins.counts[axis] - 1);
      };
      first[axis] = box(lower[axis] - function.cutoff);
      last[axis] = box(upper[axis] + function.cutoff);
    }
    work.bins = &bins;
    for (int k = first.z; k <= last.z; ++k) {
      for (int j = first.y; j <= last.y; ++j) {
        const std::size_t row = bins.row(j, k);
        work.first = bins.first[row + static_cast<std::size_t>(first.x)];
        work.last = bins.first[row + static_cast<std::size_t>(last.x) + 1];
        if (work.first < work.last) near_rows_cpu(function, work);
      }
      job.check();
    }
    const int end = std::min(tile.rows_k, first_layer + layers - tile.k);
    for (int k = std::max(0, first_layer - tile.k); k < end; ++k) {
      for (int j = 0; j < tile.rows_j; ++j) {
        const float* from = tile.row(j, k);
        std::copy(from, from + tile.count, potential.data + grid.index(tile.i, tile.j + j, tile.k + k - first_layer));
      }
    }
  });
}

}  // namespace isolume
