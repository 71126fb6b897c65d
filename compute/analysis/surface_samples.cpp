// Points drawn from a surface of a volume that stays on its device.
#include "compute/analysis/surface_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "compute/base/checks.h"

namespace isolume {
namespace {

constexpr std::size_t most_drawn = std::size_t{1} << 20;
constexpr std::size_t at_a_time = std::size_t{1} << 16;

/// Grows from outside to inside.
double depth(double value, SurfaceSide side) {
  return side == SurfaceSide::above ? value : side == SurfaceSide::below ? -value : std::abs(value);
}

glm::ivec3 place_of(std::size_t index, const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
  return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny), static_cast<int>(index / nx / ny)};
}

/// An edge of the grid that crosses the surface.
struct Edge {
  std::size_t from, to;
  double part;  ///< of the way to the crossing
};

/// Six neighbours of a point, or itself at the border: for central differences.
void add_neighbours(const Grid& grid, std::size_t index, std::vector<std::size_t>& out) {
  const glm::ivec3 at = place_of(index, grid);
  for (int axis = 0; axis < 3; ++axis)
    for (const int step : {-1, 1}) {
      glm::ivec3 other = at;
      other[axis] = std::clamp(at[axis] + step, 0, grid.counts[axis] - 1);
      out.push_back(grid.index(other.x, other.y, other.z));
    }
}

/// Moves the places along the outward normals.
void move_outwards(const Grid& grid, Span<const float> shape, SurfaceSide side, double offset,
                   const std::vector<Edge>& edges, std::vector<glm::dvec3>& places) {
  std::vector<std::size_t> around;
  for (const Edge& edge : edges) {
    add_neighbours(grid, edge.from, around);
    add_neighbours(grid, edge.to, around);
  }
  const std::vector<float> values = values_at(shape, around);
  const glm::dmat3 to_space = glm::transpose(glm::inverse(grid.step));  // of gradients
  for (std::size_t e = 0; e < edges.size(); ++e) {
    std::array<glm::dvec3, 2> gradients{};
    for (std::size_t end = 0; end < 2; ++end)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t first = 12 * e + 6 * end + 2 * axis;
        const double more = depth(static_cast<double>(values[first + 1]), side);
        const double less = depth(static_cast<double>(values[first]), side);
        gradients[end][static_cast<int>(axis)] = more - less;
      }
    const glm::dvec3 inwards = to_space * glm::mix(gradients[0], gradients[1], edges[e].part);
    const double length = glm::length(inwards);
    if (length > 1e-12) places[e] -= offset / length * inwards;
  }
}

}  // namespace

SurfaceSamples surface_samples(const Grid& grid, Span<const float> shape, float isovalue, SurfaceSide side,
                               Span<const float> values, double offset, std::size_t points, std::uint32_t seed) {
  check_grid(grid, "samples of a surface");
  check_values(grid, shape, "samples of a surface");
  check_values(grid, values, "samples of a surface");
  check_same_device(shape, values, "samples of a surface");
  SurfaceSamples samples;
  if (grid.size() == 0) return samples;
  const std::size_t strides[3] = {1, static_cast<std::size_t>(grid.counts.x),
                                  static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y)};
  std::mt19937_64 random(seed);
  std::vector<Edge> edges;
  for (std::size_t drawn = 0; drawn < most_drawn && edges.size() < points; drawn += at_a_time) {
    std::vector<std::size_t> from, to;
    for (std::size_t i = 0; i < at_a_time; ++i) {
      const std::size_t index = static_cast<std::size_t>(random() % grid.size());
      const int axis = static_cast<int>(random() % 3);
      if (place_of(index, grid)[axis] + 1 >= grid.counts[axis]) continue;
      from.push_back(index);
      to.push_back(index + strides[axis]);
    }
    const std::vector<float> first = values_at(shape, from), second = values_at(shape, to);
    for (std::size_t i = 0; i < from.size() && edges.size() < points; ++i) {
      const double a = depth(static_cast<double>(first[i]), side), b = depth(static_cast<double>(second[i]), side);
      const double level = static_cast<double>(isovalue);
      if ((a > level) == (b > level)) continue;
      edges.push_back({from[i], to[i], std::clamp((level - a) / (b - a), 0.0, 1.0)});
    }
  }
  std::vector<std::size_t> from, to;
  for (const Edge& edge : edges) {
    from.push_back(edge.from);
    to.push_back(edge.to);
    const glm::ivec3 a = place_of(edge.from, grid), b = place_of(edge.to, grid);
    samples.places.push_back(glm::mix(grid.point(a.x, a.y, a.z), grid.point(b.x, b.y, b.z), edge.part));
  }
  const std::vector<float> first = values_at(values, from), second = values_at(values, to);
  for (std::size_t i = 0; i < edges.size(); ++i)
    samples.values.push_back(glm::mix(static_cast<double>(first[i]), static_cast<double>(second[i]), edges[i].part));
  if (offset != 0) move_outwards(grid, shape, side, offset, edges, samples.places);
  return samples;
}

}  // namespace isolume
