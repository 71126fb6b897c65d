// Correlation of two maps in a box around every point, by running sums.
#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/density_maps/map_calculation.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int quantities = 6;  // count, a, b, aa, bb, ab
constexpr int block = 8;       // layers that a thread makes at once

using Layer = std::array<std::vector<double>, quantities>;

/// Sums over 2 reach + 1 values around each, clipped at the ends; `stride` apart.
void sum_along(const std::vector<double>& in, std::vector<double>& out, std::size_t first, std::size_t stride,
               int count, int reach) {
  double sum = 0;
  for (int i = 0; i <= std::min(reach, count - 1); ++i) sum += in[first + static_cast<std::size_t>(i) * stride];
  for (int i = 0; i < count; ++i) {
    out[first + static_cast<std::size_t>(i) * stride] = sum;
    if (i + reach + 1 < count) sum += in[first + static_cast<std::size_t>(i + reach + 1) * stride];
    if (i - reach >= 0) sum -= in[first + static_cast<std::size_t>(i - reach) * stride];
  }
}

}  // namespace

std::vector<float> local_correlation(const Grid& grid, std::span<const float> a, std::span<const float> b,
                                     glm::ivec3 reach, Job& job) {
  if (a.size() != grid.size() || b.size() != grid.size())
    throw Error("two maps of one grid are needed for their correlation", Error::Kind::usage);
  const glm::ivec3 n = grid.counts;
  const auto nx = static_cast<std::size_t>(n.x), points = nx * static_cast<std::size_t>(n.y);
  // About their means sums of squares keep their digits.
  double mean_a = 0, mean_b = 0, count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    mean_a += static_cast<double>(a[i]);
    mean_b += static_cast<double>(b[i]);
    count += 1;
  }
  mean_a /= std::max(1.0, count);
  mean_b /= std::max(1.0, count);
  std::vector<float> result(grid.size(), 0);
  const auto blocks = static_cast<std::size_t>((n.z + block - 1) / block);
  parallel_for(blocks, job, "local correlation", [&](std::size_t number) {
    const int from = static_cast<int>(number) * block, to = std::min(from + block, n.z);
    const int lowest = std::max(0, from - reach.z), highest = std::min(n.z - 1, to - 1 + reach.z);
    std::vector<Layer> layers(static_cast<std::size_t>(highest - lowest + 1));
    std::vector<double> half(points);
    for (int k = lowest; k <= highest; ++k) {
      job.check();
      Layer& layer = layers[static_cast<std::size_t>(k - lowest)];
      for (auto& values : layer) values.assign(points, 0);
      const std::size_t base = grid.index(0, 0, k);
      for (std::size_t p = 0; p < points; ++p) {
        if (!std::isfinite(a[base + p]) || !std::isfinite(b[base + p])) continue;
        const double x = static_cast<double>(a[base + p]) - mean_a, y = static_cast<double>(b[base + p]) - mean_b;
        const double terms[] = {1, x, y, x * x, y * y, x * y};
        for (int q = 0; q < quantities; ++q) layer[static_cast<std::size_t>(q)][p] = terms[q];
      }
      for (auto& values : layer) {
        for (int j = 0; j < n.y; ++j) sum_along(values, half, static_cast<std::size_t>(j) * nx, 1, n.x, reach.x);
        for (int i = 0; i < n.x; ++i) sum_along(half, values, static_cast<std::size_t>(i), nx, n.y, reach.y);
      }
    }
    for (int k = from; k < to; ++k) {
      const int first = std::max(lowest, k - reach.z), last = std::min(highest, k + reach.z);
      for (std::size_t p = 0; p < points; ++p) {
        std::array<double, quantities> s{};
        for (int z = first; z <= last; ++z)
          for (std::size_t q = 0; q < quantities; ++q) s[q] += layers[static_cast<std::size_t>(z - lowest)][q][p];
        if (s[0] < 1.5) continue;
        const double aa = s[3] - s[1] * s[1] / s[0], bb = s[4] - s[2] * s[2] / s[0], ab = s[5] - s[1] * s[2] / s[0];
        // Below the rounding of single precision a map is constant.
        if (!(aa > 1e-12 * s[3]) || !(bb > 1e-12 * s[4])) continue;
        result[grid.index(0, 0, k) + p] = static_cast<float>(std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0));
      }
    }
  });
  return result;
}

}  // namespace isolume
