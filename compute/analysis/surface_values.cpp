// What values on a surface come to.
#include "compute/analysis/surface_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Area of a part of a triangle, and the integrals of a value and of its square over it.
struct Moments {
  double area = 0, first = 0, second = 0;
  Moments operator-(const Moments& o) const { return {area - o.area, first - o.first, second - o.second}; }
  void operator+=(const Moments& o) {
    area += o.area;
    first += o.first;
    second += o.second;
  }
};

Moments whole(double area, glm::dvec3 v) {
  return {area, area * (v.x + v.y + v.z) / 3,
          area * (v.x * v.x + v.y * v.y + v.z * v.z + v.x * v.y + v.y * v.z + v.z * v.x) / 6};
}

/// Of the part where the linear value is above zero.
Moments above_zero(double area, glm::dvec3 v) {
  double a = v.x, b = v.y, c = v.z;
  if (a < b) std::swap(a, b);
  if (b < c) std::swap(b, c);
  if (a < b) std::swap(a, b);
  if (c >= 0) return whole(area, v);
  if (a <= 0) return {};
  // The corner on the side of one vertex has its part of two edges.
  if (b <= 0) return whole(area * (a / (a - b)) * (a / (a - c)), {a, 0, 0});
  return whole(area, v) - whole(area * (c / (c - a)) * (c / (c - b)), {c, 0, 0});
}

double area_of(const Mesh& mesh, glm::uvec3 triangle) {
  const glm::dvec3 a(mesh.positions[triangle.x]), b(mesh.positions[triangle.y]), c(mesh.positions[triangle.z]);
  return glm::length(glm::cross(b - a, c - a)) / 2;
}

template <class Use>
void each_triangle(const Mesh& mesh, std::span<const double> values, Use use) {
  if (values.size() != mesh.vertex_count())
    throw Error("values of a surface: another number than vertices", Error::Kind::usage);
  for (const glm::uvec3 t : mesh.triangles) use(area_of(mesh, t), glm::dvec3(values[t.x], values[t.y], values[t.z]));
}

double variance_of(const Moments& m) {
  return m.area > 0 ? std::max(0.0, m.second / m.area - (m.first / m.area) * (m.first / m.area)) : 0;
}

/// Neighbours of each vertex along edges, and which are at a border.
struct Edges {
  std::vector<std::vector<std::uint32_t>> of;
  std::vector<bool> border;
};

Edges edges_of(const Mesh& mesh) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  all.reserve(mesh.triangles.size() * 3);
  for (const glm::uvec3 t : mesh.triangles)
    for (const auto& [a, b] : {std::pair(t.x, t.y), std::pair(t.y, t.z), std::pair(t.z, t.x)})
      all.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(all.begin(), all.end());
  Edges edges{std::vector<std::vector<std::uint32_t>>(mesh.vertex_count()),
              std::vector<bool>(mesh.vertex_count(), false)};
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i;
    while (next < all.size() && all[next] == all[i]) ++next;
    const auto [a, b] = all[i];
    edges.of[a].push_back(b);
    edges.of[b].push_back(a);
    if (next - i == 1) edges.border[a] = edges.border[b] = true;
    i = next;
  }
  return edges;
}

}  // namespace

SurfaceValues surface_values(const Mesh& mesh, std::span<const double> values) {
  Moments all, above;
  each_triangle(mesh, values, [&](double area, glm::dvec3 v) {
    all += whole(area, v);
    above += above_zero(area, v);
  });
  SurfaceValues result;
  if (!(all.area > 0)) return result;
  const Moments below = all - above;
  const auto mean = [](const Moments& m) { return m.area > 1e-12 ? m.first / m.area : 0; };
  result.area = all.area;
  result.positive_area = above.area;
  result.negative_area = std::max(0.0, below.area);
  result.average = mean(all);
  result.positive_average = mean(above);
  result.negative_average = mean(below);
  double beyond = 0;  // integral of the positive part of V - average; the negative one is as large
  each_triangle(mesh, values,
                [&](double area, glm::dvec3 v) { beyond += above_zero(area, v - glm::dvec3(result.average)).first; });
  result.deviation = 2 * beyond / all.area;
  result.positive_variance = variance_of(above);
  result.negative_variance = variance_of(below);
  const double total = result.positive_variance + result.negative_variance;
  result.balance = total > 0 ? result.positive_variance * result.negative_variance / (total * total) : 0;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  result.minimum = *least;
  result.maximum = *most;
  return result;
}

std::vector<SurfaceExtreme> surface_extremes(const Mesh& mesh, std::span<const double> values, double radius,
                                             Job& job) {
  if (values.size() != mesh.vertex_count())
    throw Error("values of a surface: another number than vertices", Error::Kind::usage);
  const Edges edges = edges_of(mesh);
  std::vector<signed char> kind(values.size(), 0);
  constexpr std::size_t tile = 256;
  parallel_for((values.size() + tile - 1) / tile, job, "extremes of a surface", [&](std::size_t t) {
    std::vector<std::uint32_t> reached;
    std::vector<bool> seen(values.size(), false);
    for (std::size_t i = t * tile; i < std::min(values.size(), (t + 1) * tile); ++i) {
      if (edges.border[i] || edges.of[i].empty()) continue;
      bool largest = true, least = true;
      reached = {static_cast<std::uint32_t>(i)};
      seen[i] = true;
      for (std::size_t k = 0; k < reached.size() && (largest || least); ++k)
        for (const std::uint32_t j : edges.of[reached[k]]) {
          if (seen[j] || glm::distance(mesh.positions[i], mesh.positions[j]) > static_cast<float>(radius)) continue;
          seen[j] = true;
          reached.push_back(j);
          const bool before = j < i;  // of equal ones the first
          largest = largest && (values[i] > values[j] || (values[i] == values[j] && !before));
          least = least && (values[i] < values[j] || (values[i] == values[j] && !before));
        }
      for (const std::uint32_t j : reached) seen[j] = false;
      if (largest != least) kind[i] = largest ? 1 : -1;
    }
  });
  std::vector<SurfaceExtreme> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kind[i] != 0) result.push_back({i, values[i], kind[i] > 0});
  std::stable_sort(result.begin(), result.end(), [](const SurfaceExtreme& a, const SurfaceExtreme& b) {
    if (a.maximum != b.maximum) return a.maximum;
    return a.maximum ? a.value > b.value : a.value < b.value;
  });
  return result;
}

}  // namespace isolume
