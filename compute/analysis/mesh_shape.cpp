// The shape of meshes.
#include "compute/analysis/mesh_shape.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

struct Edge {
  std::uint32_t a, b;
  bool operator<(const Edge& other) const { return a != other.a ? a < other.a : b < other.b; }
  bool operator==(const Edge& other) const { return a == other.a && b == other.b; }
};

/// Every edge once for each of its triangles, sorted.
std::vector<Edge> sorted_edges(const Mesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const glm::uvec3& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) edges.push_back({std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])});
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Unit normals by the weights of Max (1999, "Weights for computing vertex normals from facet normals"), which are
/// exact on spheres whatever the triangles' shapes.
void make_normals(Mesh& mesh) {
  std::vector<glm::dvec3> sums(mesh.positions.size(), glm::dvec3(0));
  for (const glm::uvec3& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      const glm::dvec3 a(mesh.positions[t[i]]);
      const glm::dvec3 b = glm::dvec3(mesh.positions[t[(i + 1) % 3]]) - a;
      const glm::dvec3 c = glm::dvec3(mesh.positions[t[(i + 2) % 3]]) - a;
      const double size = glm::dot(b, b) * glm::dot(c, c);
      if (size > 0) sums[t[i]] += glm::cross(b, c) / size;
    }
  }
  mesh.normals.resize(mesh.positions.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double length = glm::length(sums[i]);
    mesh.normals[i] = length > 0 ? glm::vec3(sums[i] / length) : glm::vec3(0, 0, 1);
  }
}

/// The second fundamental form of a triangle in the basis (u, v) of its plane: e, f, g, by least squares from
/// [e f; f g] (edge in the plane) = change of the normal along it.
bool fundamental_form(const glm::dvec3 corner[3], const glm::dvec3 normal[3], glm::dvec3 u, glm::dvec3 v,
                      glm::dvec3& form) {
  glm::dmat3 left(0.0);
  glm::dvec3 right(0.0);
  for (int i = 0; i < 3; ++i) {
    const glm::dvec3 edge = corner[(i + 2) % 3] - corner[(i + 1) % 3];
    const glm::dvec3 turn = normal[(i + 2) % 3] - normal[(i + 1) % 3];
    const double x = glm::dot(edge, u), y = glm::dot(edge, v);
    // Rows (x, y, 0) and (0, x, y).
    const double along = glm::dot(turn, u), across = glm::dot(turn, v);
    left[0][0] += x * x;
    left[1][0] += x * y;
    left[1][1] += x * x + y * y;
    left[2][1] += x * y;
    left[2][2] += y * y;
    right += glm::dvec3(x * along, y * along + x * across, y * across);
  }
  left[0][1] = left[1][0];
  left[1][2] = left[2][1];
  const double det = glm::determinant(left);
  const double size = left[0][0] + left[2][2];
  if (!(std::abs(det) > 1e-9 * size * size * size)) return false;  // a sliver
  form = glm::inverse(left) * right;
  return true;
}

}  // namespace

MeshParts mesh_parts(const Mesh& mesh) {
  MeshParts result;
  std::vector<std::uint32_t> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<bool> used(mesh.positions.size(), false);
  for (const glm::uvec3& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) used[t[i]] = true;
    parent[root(t.y)] = root(t.x);
    parent[root(t.z)] = root(t.x);
  }
  for (std::uint32_t i = 0; i < parent.size(); ++i) result.parts += used[i] && root(i) == i;
  const std::vector<Edge> edges = sorted_edges(mesh);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    result.border_edges += end - i == 1;
    i = end;
  }
  return result;
}

MeshCurvature mesh_curvature(const Mesh& mesh, Job& job) {
  const std::size_t n = mesh.positions.size();
  if (mesh.normals.size() != n) throw Error("curvature: the mesh has no normals", Error::Kind::usage);
  std::vector<double> mean(n, 0), gaussian(n, 0), weight(n, 0);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (i % 65536 == 0) job.check();
    const glm::uvec3 t = mesh.triangles[i];
    const glm::dvec3 corner[3] = {glm::dvec3(mesh.positions[t.x]), glm::dvec3(mesh.positions[t.y]),
                                  glm::dvec3(mesh.positions[t.z])};
    const glm::dvec3 normal[3] = {glm::dvec3(mesh.normals[t.x]), glm::dvec3(mesh.normals[t.y]),
                                  glm::dvec3(mesh.normals[t.z])};
    const glm::dvec3 up = glm::cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double twice = glm::length(up);
    const glm::dvec3 side = corner[1] - corner[0];
    const double length = glm::length(side);
    if (!(twice > 0) || !(length > 0)) continue;
    const glm::dvec3 u = side / length, v = glm::cross(up / twice, u);
    glm::dvec3 form;
    if (!fundamental_form(corner, normal, u, v, form)) continue;
    for (int c = 0; c < 3; ++c) {
      mean[t[c]] += twice * 0.5 * (form.x + form.z);
      gaussian[t[c]] += twice * (form.x * form.z - form.y * form.y);
      weight[t[c]] += twice;
    }
  }
  // Vertices that only slivers meet know little of their own: twice more over the ring, where each triangle has the
  // value of its corners by the area that is behind them.
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> ring_mean(n, 0), ring_gaussian(n, 0), ring_weight(n, 0);
    for (const glm::uvec3& t : mesh.triangles) {
      double sum_mean = 0, sum_gaussian = 0, sum = 0;
      for (int c = 0; c < 3; ++c) {
        sum_mean += mean[t[c]];
        sum_gaussian += gaussian[t[c]];
        sum += weight[t[c]];
      }
      for (int c = 0; c < 3; ++c) {
        ring_mean[t[c]] += sum_mean;
        ring_gaussian[t[c]] += sum_gaussian;
        ring_weight[t[c]] += sum;
      }
    }
    mean.swap(ring_mean);
    gaussian.swap(ring_gaussian);
    weight.swap(ring_weight);
  }
  MeshCurvature result{std::vector<float>(n, 0), std::vector<float>(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    if (!(weight[i] > 0)) continue;
    result.mean[i] = static_cast<float>(mean[i] / weight[i]);
    result.gaussian[i] = static_cast<float>(gaussian[i] / weight[i]);
  }
  return result;
}

double smooth_mesh(Mesh& mesh, int steps, Job& job) {
  if (steps < 0 || steps > 10'000)
    throw Error("smoothing takes 0 to 10 000 steps, not " + std::to_string(steps), Error::Kind::usage);
  if (steps == 0 || mesh.triangles.empty()) return 0;
  std::vector<Edge> edges = sorted_edges(mesh);
  std::vector<bool> border(mesh.positions.size(), false);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if (end - i == 1) border[edges[i].a] = border[edges[i].b] = true;
    edges[kept++] = edges[i];
    i = end;
  }
  edges.resize(kept);
  const double before = enclosed_volume(mesh);
  std::vector<glm::dvec3> at(mesh.positions.begin(), mesh.positions.end()), sum(at.size());
  std::vector<std::uint32_t> count(at.size());
  for (int step = 0; step < 2 * steps; ++step) {
    job.check();
    job.progress(static_cast<double>(step) / (2 * steps), "smoothing");
    const double part = step % 2 == 0 ? 0.5 : -0.53;
    std::fill(sum.begin(), sum.end(), glm::dvec3(0));
    std::fill(count.begin(), count.end(), 0u);
    for (const Edge& edge : edges) {
      sum[edge.a] += at[edge.b];
      sum[edge.b] += at[edge.a];
      ++count[edge.a];
      ++count[edge.b];
    }
    for (std::size_t i = 0; i < at.size(); ++i)
      if (count[i] > 0 && !border[i]) at[i] += part * (sum[i] / static_cast<double>(count[i]) - at[i]);
  }
  for (std::size_t i = 0; i < at.size(); ++i) mesh.positions[i] = glm::vec3(at[i]);
  make_normals(mesh);
  const double smoothed = enclosed_volume(mesh);
  // Twice, as the area changes with the offset.
  for (int i = 0; i < 2; ++i) {
    const double area = surface_area(mesh);
    if (!(area > 0)) break;
    const auto offset = static_cast<float>((before - enclosed_volume(mesh)) / area);
    for (std::size_t k = 0; k < mesh.positions.size(); ++k)
      if (!border[k]) mesh.positions[k] += offset * mesh.normals[k];
  }
  return before != 0 ? smoothed / before - 1 : 0;
}

std::vector<float> sample_at_vertices(const Volume& volume, const Mesh& mesh, double offset) {
  std::vector<float> values;
  values.reserve(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    glm::dvec3 place(mesh.positions[i]);
    if (offset != 0 && i < mesh.normals.size()) place += offset * glm::dvec3(mesh.normals[i]);
    values.push_back(interpolate(volume, place));
  }
  return values;
}

}  // namespace isolume
