// Peaks of a map: sites where atoms are often.
#include "compute/over_time/map_peaks.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

bool is_highest(const Grid& grid, std::span<const float> values, glm::ivec3 at) {
  const float own = values[grid.index(at.x, at.y, at.z)];
  bool before = true;  // of equal neighbours the first counts
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        if (i == 0 && j == 0 && k == 0) {
          before = false;
          continue;
        }
        const float other = values[grid.index(at.x + i, at.y + j, at.z + k)];
        if (before ? other >= own : other > own) return false;
      }
  return true;
}

// Where the parabola through three values is highest, from -0.5 to 0.5.
double top_of(double before, double at, double after) {
  const double bend = before - 2 * at + after;
  return bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
}

double sum_around(const Grid& grid, std::span<const float> values, glm::dvec3 place, double radius) {
  const glm::dvec3 middle = grid.coordinates(place);
  const glm::dmat3 inverse = glm::inverse(grid.step);
  glm::dvec3 reach(0);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) reach[row] += std::abs(inverse[column][row]) * radius;
  const glm::ivec3 first = glm::max(glm::ivec3(0), glm::ivec3(glm::ceil(middle - reach)));
  const glm::ivec3 last = glm::min(grid.counts - 1, glm::ivec3(glm::floor(middle + reach)));
  double sum = 0;
  for (int k = first.z; k <= last.z; ++k)
    for (int j = first.y; j <= last.y; ++j)
      for (int i = first.x; i <= last.x; ++i)
        if (glm::length(grid.point(i, j, k) - place) <= radius) sum += static_cast<double>(values[grid.index(i, j, k)]);
  return sum * std::abs(glm::determinant(grid.step));
}

}  // namespace

std::vector<MapPeak> map_peaks(const Grid& grid, std::span<const float> values, double threshold, double apart,
                               double radius) {
  std::vector<MapPeak> found;
  for (int k = 1; k + 1 < grid.counts.z; ++k)
    for (int j = 1; j + 1 < grid.counts.y; ++j)
      for (int i = 1; i + 1 < grid.counts.x; ++i) {
        const std::size_t point = grid.index(i, j, k);
        const auto value = static_cast<double>(values[point]);
        if (!(value >= threshold) || !is_highest(grid, values, {i, j, k})) continue;
        const auto at = [&](int x, int y, int z) { return static_cast<double>(values[grid.index(x, y, z)]); };
        const glm::dvec3 shift(top_of(at(i - 1, j, k), value, at(i + 1, j, k)),
                               top_of(at(i, j - 1, k), value, at(i, j + 1, k)),
                               top_of(at(i, j, k - 1), value, at(i, j, k + 1)));
        found.push_back({grid.point(i + shift.x, j + shift.y, k + shift.z), point, value, 0});
      }
  std::sort(found.begin(), found.end(), [](const MapPeak& a, const MapPeak& b) {
    return a.value != b.value ? a.value > b.value : a.point < b.point;
  });
  std::vector<MapPeak> peaks;
  for (MapPeak& peak : found) {
    const bool free = std::none_of(peaks.begin(), peaks.end(),
                                   [&](const MapPeak& other) { return glm::length(other.place - peak.place) < apart; });
    if (!free) continue;
    peak.occupancy = sum_around(grid, values, peak.place, radius);
    peaks.push_back(peak);
  }
  return peaks;
}

}  // namespace isolume
