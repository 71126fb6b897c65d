// The grid of isolume compute potential: as another file's, the cell, or a box around the charges.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/compute/potential_work.h"
#include "app/fields/potential_map.h"
#include "molecule/base/error.h"

namespace isolume::cli {

glm::ivec3 counts_of(const std::string& text) {
  glm::ivec3 counts(0);
  int found = 0;
  bool whole = false;  // nothing follows the last number
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find_first_of(",xX", at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, counts[found]);
    if (fault != std::errc() || next != text.data() + end || counts[found] < 1) break;
    ++found;
    at = end + 1;
    whole = end == text.size();
    if (whole) break;
  }
  if (found == 1) counts = glm::ivec3(counts.x);
  if (!whole || (found != 1 && found != 3) || counts.x < 1)
    throw Error(fmt::format("--counts {}: expected one number of points, or three as in 64,64,80", text),
                Error::Kind::usage);
  const double points = double(counts.x) * double(counts.y) * double(counts.z);
  if (!(points < 4294967296.0))
    throw Error(fmt::format("--counts {}: {:.3g} points are more than 2^32", text, points), Error::Kind::usage);
  return counts;
}

Grid potential_grid_of(const MapGridOptions& options, const GridOptions& common, const PotentialWork& work) {
  const bool given = options.padding >= 0 || !options.counts.empty();
  if (!given) return potential_map_grid(work.request, work.spheres, work.potential);
  Grid grid;
  if (is_fully_periodic(work.potential)) {
    if (options.padding >= 0)
      throw Error("--padding: the grid of a periodic map is the cell; give --counts or --spacing", Error::Kind::usage);
    grid.counts = counts_of(options.counts);
    for (int i = 0; i < 3; ++i) grid.step[i] = periodic_cell(work.potential).vectors[i] / double(grid.counts[i]);
    return grid;
  }
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& sphere : work.spheres) {
    lower = glm::min(lower, work.origin + glm::dvec3(sphere.position));
    upper = glm::max(upper, work.origin + glm::dvec3(sphere.position));
  }
  const double padding = options.padding >= 0 ? options.padding : 12;
  lower -= padding;
  upper += padding;
  const glm::dvec3 edges = upper - lower;
  if (options.counts.empty()) {
    double spacing = common.spacing;
    if (spacing <= 0) {
      const glm::dvec3 wide = glm::max(edges, glm::dvec3(0.2));
      spacing = std::ceil(std::clamp(std::cbrt(wide.x * wide.y * wide.z / 2.5e5), 0.2, 4.0) * 100) / 100;
    }
    return Grid::covering(lower, upper, spacing);
  }
  grid.counts = counts_of(options.counts);
  grid.origin = lower;
  for (int i = 0; i < 3; ++i) {
    if (grid.counts[i] == 1) grid.origin[i] = 0.5 * (lower[i] + upper[i]);
    const double step = edges[i] / std::max(1, grid.counts[i] - 1);
    grid.step[i] = glm::dvec3(0);
    grid.step[i][i] = step > 0 ? step : 1;
  }
  return grid;
}

}  // namespace isolume::cli
