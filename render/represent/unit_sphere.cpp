// The unit sphere as triangles.
#include "render/represent/unit_sphere.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace isolume {
namespace {

/// Cuts every triangle in four.
void refine(UnitSphere& sphere) {
  std::map<std::pair<unsigned, unsigned>, unsigned> middles;
  const auto middle = [&](unsigned a, unsigned b) {
    const auto [place, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<unsigned>(sphere.points.size()));
    if (fresh) sphere.points.push_back(glm::normalize(sphere.points[a] + sphere.points[b]));
    return place->second;
  };
  std::vector<glm::uvec3> finer;
  for (const glm::uvec3 t : sphere.triangles) {
    const unsigned a = middle(t.x, t.y), b = middle(t.y, t.z), c = middle(t.z, t.x);
    finer.insert(finer.end(), {{t.x, a, c}, {t.y, b, a}, {t.z, c, b}, {a, b, c}});
  }
  sphere.triangles = std::move(finer);
}

}  // namespace

UnitSphere::UnitSphere(int cuts) {
  const float t = 0.5f * (1 + std::sqrt(5.0f));
  for (const float a : {-1.0f, 1.0f})
    for (const float b : {-t, t}) {
      points.push_back(glm::normalize(glm::vec3(a, b, 0)));
      points.push_back(glm::normalize(glm::vec3(0, a, b)));
      points.push_back(glm::normalize(glm::vec3(b, 0, a)));
    }
  // The faces are the triples of nearest corners.
  const auto near = [this](unsigned i, unsigned j) { return glm::distance(points[i], points[j]) < 1.2f; };
  for (unsigned i = 0; i < 12; ++i)
    for (unsigned j = i + 1; j < 12; ++j)
      for (unsigned k = j + 1; k < 12; ++k) {
        if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
        const glm::vec3 face = glm::cross(points[j] - points[i], points[k] - points[i]);
        triangles.push_back(glm::dot(face, points[i]) > 0 ? glm::uvec3(i, j, k) : glm::uvec3(i, k, j));
      }
  for (int cut = 0; cut < cuts; ++cut) refine(*this);
}

}  // namespace isolume
