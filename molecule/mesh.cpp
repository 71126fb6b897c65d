// What can be measured on a triangle mesh.
#include "molecule/mesh.h"

#include <algorithm>
#include <utility>

namespace isolume {

double surface_area(const Mesh& mesh) {
  double twice = 0;
  for (const glm::uvec3& t : mesh.triangles) {
    const glm::dvec3 a(mesh.positions[t.x]);
    twice += glm::length(glm::cross(glm::dvec3(mesh.positions[t.y]) - a, glm::dvec3(mesh.positions[t.z]) - a));
  }
  return 0.5 * twice;
}

double enclosed_volume(const Mesh& mesh) {
  if (mesh.positions.empty()) return 0;
  // Tetrahedra from a point of the mesh rather than from the origin: no cancellation far from it.
  const glm::dvec3 apex(mesh.positions.front());
  double six_fold = 0;
  for (const glm::uvec3& t : mesh.triangles) {
    six_fold += glm::dot(glm::dvec3(mesh.positions[t.x]) - apex,
                         glm::cross(glm::dvec3(mesh.positions[t.y]) - apex, glm::dvec3(mesh.positions[t.z]) - apex));
  }
  return six_fold / 6.0;
}

long euler_characteristic(const Mesh& mesh) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(3 * mesh.triangles.size());
  std::vector<bool> used(mesh.positions.size(), false);
  for (const glm::uvec3& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      edges.emplace_back(std::min(a, b), std::max(a, b));
      used[a] = true;
    }
  }
  std::sort(edges.begin(), edges.end());
  const auto edge_count = std::unique(edges.begin(), edges.end()) - edges.begin();
  const auto vertex_count = std::count(used.begin(), used.end(), true);
  return static_cast<long>(vertex_count) - static_cast<long>(edge_count) + static_cast<long>(mesh.triangles.size());
}

}  // namespace isolume
