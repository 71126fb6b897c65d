// The grids of potential maps: around the charges, or one period of a cell.
#include "compute/electrostatics/potential_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/usual_spacing.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

double spacing_of_volume(double volume) {
  return usual_spacing(volume, 2.5e5, 0.2, 4.0);
}

}  // namespace

ChargeExtent box_around(std::span<const ChargedSphere> charges, glm::dvec3 origin, double margin) {
  ChargeExtent box{glm::dvec3(1e300), glm::dvec3(-1e300)};
  for (const ChargedSphere& charge : charges) {
    box.lower = glm::min(box.lower, origin + glm::dvec3(charge.position));
    box.upper = glm::max(box.upper, origin + glm::dvec3(charge.position));
  }
  box.lower -= margin;
  box.upper += margin;
  return box;
}

Grid potential_grid(const ChargeExtent& box, double spacing) {
  if (!(spacing > 0)) {
    const Grid whole = Grid::covering(box.lower, box.upper, 1);
    spacing = spacing_of_volume(static_cast<double>(whole.counts.x) * whole.counts.y * whole.counts.z);
  }
  return Grid::covering(box.lower, box.upper, spacing);
}

Grid potential_grid(const ChargeExtent& box, glm::ivec3 counts) {
  const glm::dvec3 edges = box.upper - box.lower;
  Grid grid;
  grid.counts = counts;
  grid.origin = box.lower;
  for (int i = 0; i < 3; ++i) {
    if (counts[i] == 1) grid.origin[i] = 0.5 * (box.lower[i] + box.upper[i]);
    const double step = edges[i] / std::max(1, counts[i] - 1);
    grid.step[i] = glm::dvec3(0);
    grid.step[i][i] = step > 0 ? step : 1;
  }
  return grid;
}

Grid cell_grid(const Cell& cell, double spacing) {
  const glm::dvec3 lengths = cell.lengths();
  if (!(spacing > 0)) spacing = spacing_of_volume(cell.volume());
  glm::ivec3 counts(1);
  double points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double count = std::max(1.0, std::ceil(lengths[axis] / spacing - 1e-9));
    points *= count;
    if (!(points < 4294967296.0))
      throw Error(fmt::format("a spacing of {} angstrom in this cell makes more than 2^32 points", spacing),
                  Error::Kind::usage);
    counts[axis] = static_cast<int>(count);
  }
  return cell_grid(cell, counts);
}

Grid cell_grid(const Cell& cell, glm::ivec3 counts) {
  Grid grid;
  grid.counts = counts;
  for (int axis = 0; axis < 3; ++axis) grid.step[axis] = cell.vectors[axis] / double(counts[axis]);
  return grid;
}

Grid solution_grid(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points, double spacing) {
  constexpr double margin = 6;  // angstrom, beyond which a coarser grid does
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& sphere : spheres) {
    lower = glm::min(lower, glm::dvec3(sphere.position) - static_cast<double>(sphere.radius) - margin);
    upper = glm::max(upper, glm::dvec3(sphere.position) + static_cast<double>(sphere.radius) + margin);
  }
  for (const glm::dvec3& point : points) {
    lower = glm::min(lower, point - 1.0);
    upper = glm::max(upper, point + 1.0);
  }
  const glm::dvec3 edges = upper - lower;
  if (spacing <= 0) spacing = usual_spacing_of_solution(std::max({edges.x, edges.y, edges.z}));
  return Grid::covering(lower, upper, spacing);
}

Grid seen_from(Grid grid, glm::dvec3 origin) {
  grid.origin -= origin;
  return grid;
}

}  // namespace isolume
