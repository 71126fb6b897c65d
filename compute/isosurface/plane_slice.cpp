// Planes through fields: the plane of points, layers of grid points on planes, and the drawing of values on them.
#include "compute/isosurface/plane_slice.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace isolume {
namespace {

// The axis along which a unit vector is, -1 for none.
int axis_of(glm::dvec3 direction) {
  for (int axis = 0; axis < 3; ++axis)
    if (direction[axis] == 1) return axis;
  return -1;
}

}  // namespace

PlaneFrame plane_across(int axis, glm::dvec3 centre) {
  PlaneFrame plane;
  plane.centre = centre;
  plane.u = plane.v = plane.normal = glm::dvec3(0);
  plane.u[(axis + 1) % 3] = plane.v[(axis + 2) % 3] = plane.normal[axis] = 1;
  return plane;
}

std::optional<PlaneFrame> plane_through(std::span<const glm::dvec3> points) {
  PlaneFrame plane;
  plane.centre = glm::dvec3(0);
  for (const glm::dvec3& point : points) plane.centre += point;
  plane.centre /= static_cast<double>(points.size());
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  glm::dvec3 turn(0);  // about the centre, from atom to atom
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 d = points[i] - plane.centre;
    const Eigen::Vector3d e(d.x, d.y, d.z);
    moments += e * e.transpose();
    turn += glm::cross(d, points[(i + 1) % points.size()] - plane.centre);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments);
  const Eigen::Vector3d sizes = solver.eigenvalues();  // ascending
  if (!(sizes[1] > 1e-6 * sizes[2]) || !(sizes[2] > 0)) return std::nullopt;
  const auto vector = [&](int i) {
    const Eigen::Vector3d v = solver.eigenvectors().col(i);
    return glm::dvec3(v.x(), v.y(), v.z());
  };
  plane.normal = vector(0);
  if (glm::dot(plane.normal, turn) < 0) plane.normal = -plane.normal;
  plane.u = vector(2);
  plane.v = glm::cross(plane.normal, plane.u);
  return plane;
}

Grid slice_grid(const PlaneFrame& plane, const Grid& box, double spacing, int most) {
  // Where the plane cuts the twelve edges of the box, in its own coordinates.
  glm::dvec2 lower(1e300), upper(-1e300);
  const auto corner = [&](int bits) {
    const glm::ivec3 last = box.counts - 1;
    return box.point(bits & 1 ? last.x : 0, bits & 2 ? last.y : 0, bits & 4 ? last.z : 0) - plane.centre;
  };
  for (int bits = 0; bits < 8; ++bits) {
    for (const int other : {bits | 1, bits | 2, bits | 4}) {
      if (other == bits) continue;
      const glm::dvec3 a = corner(bits), b = corner(other);
      const double from = glm::dot(a, plane.normal), to = glm::dot(b, plane.normal);
      if (from * to > 0) continue;
      const double part = from == to ? 0 : from / (from - to);
      const glm::dvec3 cut = glm::mix(a, b, part);
      const glm::dvec2 at(glm::dot(cut, plane.u), glm::dot(cut, plane.v));
      lower = glm::min(lower, at);
      upper = glm::max(upper, at);
    }
  }
  Grid layer;
  if (!(upper.x > lower.x && upper.y > lower.y)) return layer;
  const double longest = std::max(upper.x - lower.x, upper.y - lower.y);
  const double step = std::max(spacing, longest / (most - 1));
  const int nu = 1 + static_cast<int>(std::ceil((upper.x - lower.x) / step - 1e-9));
  const int nv = 1 + static_cast<int>(std::ceil((upper.y - lower.y) / step - 1e-9));
  const glm::dvec2 start = 0.5 * (lower + upper) - 0.5 * step * glm::dvec2(nu - 1, nv - 1);
  layer.origin = plane.centre + start.x * plane.u + start.y * plane.v;
  // Across an axis: steps in the order of the axes, so that it counts as a grid along them.
  const int axis = axis_of(plane.normal);
  const int u = axis < 0 ? 0 : (axis + 1) % 3, v = axis < 0 ? 1 : (axis + 2) % 3, across_it = 3 - u - v;
  layer.step[u] = step * plane.u;
  layer.step[v] = step * plane.v;
  layer.step[across_it] = step * plane.normal;
  layer.counts[u] = nu;
  layer.counts[v] = nv;
  layer.counts[across_it] = 1;
  return layer;
}

namespace {

// The two axes of a layer's points, and its rows and columns.
struct Layer {
  explicit Layer(const Grid& grid_) : grid(grid_) {
    const int flat = grid.counts.x == 1 ? 0 : grid.counts.y == 1 ? 1 : 2;
    u = (flat + 1) % 3;
    v = (flat + 2) % 3;
  }
  std::size_t index(int i, int j) const {
    glm::ivec3 at(0);
    at[u] = i;
    at[v] = j;
    return grid.index(at.x, at.y, at.z);
  }
  glm::dvec3 point(double i, double j) const { return grid.origin + i * grid.step[u] + j * grid.step[v]; }
  int columns() const { return grid.counts[u]; }
  int rows() const { return grid.counts[v]; }

  const Grid& grid;
  int u, v;
};

}  // namespace

Mesh slice_mesh(const Grid& grid, glm::dvec3 normal, std::span<const float> values,
                const std::vector<glm::u8vec4>& colours) {
  const Layer layer(grid);
  Mesh mesh;
  mesh.positions.resize(grid.size());
  mesh.normals.assign(grid.size(), glm::vec3(normal));
  mesh.colours = colours;
  for (int j = 0; j < layer.rows(); ++j)
    for (int i = 0; i < layer.columns(); ++i) mesh.positions[layer.index(i, j)] = glm::vec3(layer.point(i, j));
  for (int j = 0; j + 1 < layer.rows(); ++j) {
    for (int i = 0; i + 1 < layer.columns(); ++i) {
      const auto at = [&](int a, int b) { return static_cast<std::uint32_t>(layer.index(i + a, j + b)); };
      mesh.triangles.emplace_back(at(0, 0), at(1, 0), at(1, 1));
      mesh.triangles.emplace_back(at(0, 0), at(1, 1), at(0, 1));
    }
  }
  mesh.scalars.push_back({"value", "", {values.begin(), values.end()}});
  return mesh;
}

std::vector<glm::vec3> contour(const Grid& grid, std::span<const float> values, double level) {
  const Layer layer(grid);
  std::vector<glm::vec3> segments;
  // Corners counterclockwise; edge n is between corners n and n + 1.
  constexpr std::array<std::array<int, 2>, 4> corners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  for (int j = 0; j + 1 < layer.rows(); ++j) {
    for (int i = 0; i + 1 < layer.columns(); ++i) {
      std::array<double, 4> above;
      double mean = 0;
      for (std::size_t n = 0; n < 4; ++n) {
        above[n] = static_cast<double>(values[layer.index(i + corners[n][0], j + corners[n][1])]) - level;
        mean += 0.25 * above[n];
      }
      std::array<glm::vec3, 4> cuts;
      std::size_t count = 0;
      for (std::size_t n = 0; n < 4; ++n) {
        const std::size_t next = (n + 1) % 4;
        if ((above[n] > 0) == (above[next] > 0)) continue;
        const double part = above[n] / (above[n] - above[next]);
        cuts[count++] = glm::vec3(layer.point(i + corners[n][0] + part * (corners[next][0] - corners[n][0]),
                                              j + corners[n][1] + part * (corners[next][1] - corners[n][1])));
      }
      if (count == 2) segments.insert(segments.end(), {cuts[0], cuts[1]});
      if (count < 4) continue;
      // A saddle: the middle says which corners belong together.
      const bool first = (above[0] > 0) == (mean > 0);
      segments.insert(segments.end(), {cuts[0], cuts[first ? 1 : 3], cuts[2], cuts[first ? 3 : 1]});
    }
  }
  return segments;
}

std::vector<glm::vec3> border(const Grid& grid) {
  const Layer layer(grid);
  const int i = layer.columns() - 1, j = layer.rows() - 1;
  const glm::vec3 a(layer.point(0, 0)), b(layer.point(i, 0)), c(layer.point(i, j)), d(layer.point(0, j));
  return {a, b, b, c, c, d, d, a};
}

}  // namespace isolume
