// Small separate parts of a surface.
#include "compute/isosurface/mesh_dust.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace isolume {
namespace {

/// Which vertices hang together: a forest whose roots are the parts.
class Parts {
 public:
  explicit Parts(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

template <class T>
void keep(std::vector<T>& values, const std::vector<std::uint8_t>& kept) {
  if (values.empty()) return;
  std::size_t to = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) values[to++] = values[i];
  values.resize(to);
}

}  // namespace

std::size_t remove_dust(Mesh& mesh, double size, Job& job) {
  const std::size_t count = mesh.vertex_count();
  constexpr std::size_t block = std::size_t{1} << 18;  // triangles between two looks at the job
  Parts parts(count);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t % block == 0) job.check();
    parts.join(mesh.triangles[t].x, mesh.triangles[t].y);
    parts.join(mesh.triangles[t].x, mesh.triangles[t].z);
  }
  constexpr float far = std::numeric_limits<float>::max();
  std::vector<glm::vec3> lower(count, glm::vec3(far)), upper(count, glm::vec3(-far));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t root = parts.root(static_cast<std::uint32_t>(i));
    lower[root] = glm::min(lower[root], mesh.positions[i]);
    upper[root] = glm::max(upper[root], mesh.positions[i]);
  }
  std::vector<std::uint8_t> kept(count);
  std::vector<std::uint32_t> moved(count);
  std::uint32_t next = 0;
  std::size_t removed = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t root = parts.root(i);
    const glm::vec3 extent = upper[root] - lower[root];
    kept[i] = static_cast<double>(std::max({extent.x, extent.y, extent.z})) >= size;
    if (kept[i]) moved[i] = next++;
    removed += root == i && !kept[i];
  }
  if (removed == 0) return 0;
  std::size_t to = 0;
  for (const glm::uvec3& t : mesh.triangles)
    if (kept[t.x]) mesh.triangles[to++] = {moved[t.x], moved[t.y], moved[t.z]};
  mesh.triangles.resize(to);
  keep(mesh.positions, kept);
  keep(mesh.normals, kept);
  keep(mesh.colours, kept);
  for (MeshScalar& scalar : mesh.scalars) keep(scalar.values, kept);
  return removed;
}

}  // namespace isolume
