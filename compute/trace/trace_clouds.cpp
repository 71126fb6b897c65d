// Clouds of path tracing: checks, and what the bodies look up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/trace/trace_body.h"
#include "molecule/base/error.h"

namespace isolume::tracing {
namespace {

[[noreturn]] void refuse(std::size_t cloud, const std::string& what) {
  throw Error(fmt::format("path tracing: cloud {}: {}", cloud, what), Error::Kind::usage);
}

void check(const TraceCloud& cloud, std::size_t number) {
  const Volume* const volume = cloud.volume.get();
  const bool counted = volume && std::min({volume->grid.counts.x, volume->grid.counts.y, volume->grid.counts.z}) > 0;
  if (!counted || volume->values.size() != volume->grid.size()) refuse(number, "it needs a volume with all its values");
  const double size = std::abs(glm::determinant(volume->grid.step));
  bool finite = std::isfinite(size) && size > 0;
  for (int i = 0; i < 3; ++i) finite &= std::isfinite(volume->grid.origin[i]);
  for (const glm::dvec3& shift : cloud.shifts)
    for (int i = 0; i < 3; ++i) finite &= std::isfinite(shift[i]);
  if (!finite) refuse(number, "a grid at a finite place with steps in three directions is needed");
  if (cloud.transfer.empty() || !std::isfinite(cloud.lower) || !std::isfinite(cloud.upper))
    refuse(number, "it needs colours between finite values");
  for (const glm::vec4& entry : cloud.transfer)
    for (int i = 0; i < 4; ++i)
      if (!(entry[i] >= 0) || !std::isfinite(entry[i]))
        refuse(number, "colours and extinctions of 0 or more are needed");
  if (!(cloud.opacity >= 0 && cloud.opacity <= 1))
    refuse(number, fmt::format("an opacity from 0 to 1 is needed, not {}", cloud.opacity));
}

/// Which blocks have something to see: 0 for those in which all that is between the smallest and the largest value is
/// clear.
std::vector<std::uint8_t> seen_blocks(const TraceCloud& cloud, const CloudData& data) {
  std::vector<int> seen_before(cloud.transfer.size() + 1, 0);  // entries that are seen, before each one
  for (std::size_t i = 0; i < cloud.transfer.size(); ++i)
    seen_before[i + 1] = seen_before[i] + (cloud.transfer[i].w > 0);
  const auto entry = [&](float value) {
    return within(0.0f, (value - data.lower) * data.entries, static_cast<float>(data.last));
  };
  const int* const n = data.counts;
  const int* const blocks = data.blocks_along;
  const auto along = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<std::uint8_t> seen(along(blocks[0]) * along(blocks[1]) * along(blocks[2]), 0);
  Job job;
  parallel_for(along(blocks[1]) * along(blocks[2]), job, "path tracing: clouds", [&](std::size_t row) {
    const int by = static_cast<int>(row) % blocks[1], bz = static_cast<int>(row) / blocks[1];
    for (int bx = 0; bx < blocks[0]; ++bx) {
      float low = INFINITY, high = -INFINITY;
      for (int z = bz * cloud_block; z <= least((bz + 1) * cloud_block, n[2] - 1); ++z)
        for (int y = by * cloud_block; y <= least((by + 1) * cloud_block, n[1] - 1); ++y) {
          const float* const values = data.values + along(n[0]) * (along(y) + along(n[1]) * along(z));
          for (int x = bx * cloud_block; x <= least((bx + 1) * cloud_block, n[0] - 1); ++x) {
            if (!std::isfinite(values[x])) continue;
            low = least(low, values[x]);
            high = most(high, values[x]);
          }
        }
      if (low > high) continue;
      const float first = data.entries >= 0 ? entry(low) : entry(high),
                  last = data.entries >= 0 ? entry(high) : entry(low);
      const auto begin = along(static_cast<int>(std::floor(first)));
      const auto end = along(least(static_cast<int>(std::ceil(last)), data.last)) + 1;
      seen[row * along(blocks[0]) + along(bx)] = seen_before[end] > seen_before[begin];
    }
  });
  return seen;
}

/// All but shift and blocks.
CloudData data_of(const TraceCloud& cloud) {
  const Grid& grid = cloud.volume->grid;
  CloudData data;
  data.values = cloud.volume->values.data();
  data.transfer = cloud.transfer.data();
  for (int i = 0; i < 3; ++i) {
    data.counts[i] = grid.counts[i];
    data.blocks_along[i] = most(1, (grid.counts[i] - 1 + cloud_block - 1) / cloud_block);
  }
  // As finely as the rasteriser does.
  data.step = static_cast<float>(
      0.6 * std::min({glm::length(grid.step[0]), glm::length(grid.step[1]), glm::length(grid.step[2])}));
  const float width = cloud.upper - cloud.lower;
  data.last = static_cast<int>(cloud.transfer.size()) - 1;
  data.lower = cloud.lower;
  data.entries = static_cast<float>(data.last) * (width != 0 ? 1 / width : 1.0f);
  data.opacity = cloud.opacity;
  data.planes = cloud.planes;
  return data;
}

void set_place(CloudData& data, const Grid& grid, const glm::dvec3& shift) {
  const glm::dmat3 inverse = glm::inverse(grid.step);
  const glm::dvec3 origin = grid.origin + shift, begin = inverse * origin;
  for (int i = 0; i < 3; ++i) data.to_grid[i] = glm::vec4(inverse[0][i], inverse[1][i], inverse[2][i], -begin[i]);
  glm::dvec3 low = origin, high = origin;
  for (int i = 0; i < 3; ++i) {
    const glm::dvec3 side = grid.step[i] * static_cast<double>(std::max(grid.counts[i] - 1, 1));
    low += glm::min(side, glm::dvec3(0));
    high += glm::max(side, glm::dvec3(0));
  }
  // A little larger, so that what rounding leaves outside is inside too.
  const double margin = 1e-5 * (glm::length(high - low) + glm::length(origin));
  data.low = glm::vec3(low - margin);
  data.high = glm::vec3(high + margin);
}

}  // namespace

void prepare_clouds(PreparedScene& scene) {
  for (const TraceCloud& cloud : scene.scene.clouds) {
    check(cloud, scene.cloud_blocks.size());
    CloudData data = data_of(cloud);
    scene.cloud_blocks.push_back(seen_blocks(cloud, data));
    data.blocks = scene.cloud_blocks.back().data();
    for (const glm::dvec3& shift : cloud.shifts) {
      set_place(data, cloud.volume->grid, shift);
      scene.clouds.push_back(data);
    }
  }
}

}  // namespace isolume::tracing
