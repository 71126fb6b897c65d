// The part of a surface that is near points.
#include "compute/isosurface/mesh_zone.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/base/parallel_for.h"
#include "molecule/neighbour_grid.h"

namespace isolume {

Mesh mesh_near(const Mesh& mesh, std::span<const glm::vec3> points, double distance, Job& job) {
  constexpr std::size_t block = 4096;
  const std::size_t count = mesh.vertex_count();
  const NeighbourGrid grid(points, distance);
  std::vector<std::uint8_t> near(count, 0);
  parallel_for((count + block - 1) / block, job, "surface near atoms", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i)
      near[i] = grid.visit(mesh.positions[i], [](std::uint32_t, double) { return true; });
  });
  return mesh_of_vertices(mesh, near);
}

Mesh mesh_of_vertices(const Mesh& mesh, std::span<const std::uint8_t> kept) {
  const std::size_t count = mesh.vertex_count();
  std::vector<std::uint8_t> used(count, 0);
  Mesh result;
  for (const glm::uvec3& t : mesh.triangles) {
    if (!kept[t.x] || !kept[t.y] || !kept[t.z]) continue;
    result.triangles.push_back(t);
    used[t.x] = used[t.y] = used[t.z] = 1;
  }
  std::vector<std::uint32_t> moved(count, 0);
  for (const MeshScalar& scalar : mesh.scalars) result.scalars.push_back({scalar.name, scalar.unit, {}});
  for (std::size_t i = 0; i < count; ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<std::uint32_t>(result.positions.size());
    result.positions.push_back(mesh.positions[i]);
    if (!mesh.normals.empty()) result.normals.push_back(mesh.normals[i]);
    if (!mesh.colours.empty()) result.colours.push_back(mesh.colours[i]);
    for (std::size_t s = 0; s < mesh.scalars.size(); ++s) result.scalars[s].values.push_back(mesh.scalars[s].values[i]);
  }
  for (glm::uvec3& t : result.triangles) t = {moved[t.x], moved[t.y], moved[t.z]};
  return result;
}

}  // namespace isolume
