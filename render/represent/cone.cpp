// Cones of triangles: the heads of arrows.
#include "render/represent/cone.h"

#include <cmath>

namespace isolume {

void add_cone(Mesh& mesh, glm::vec3 base, glm::vec3 tip, float radius, glm::u8vec4 colour, int segments) {
  const glm::vec3 axis = glm::normalize(tip - base);
  const glm::vec3 side =
      glm::normalize(glm::cross(axis, std::abs(axis.z) < 0.7f ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0)));
  const glm::vec3 other = glm::cross(axis, side);
  const float height = glm::length(tip - base);
  const auto add = [&](glm::vec3 position, glm::vec3 normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    mesh.colours.push_back(colour);
    return static_cast<unsigned>(mesh.positions.size() - 1);
  };
  const unsigned middle = add(base, -axis);
  const unsigned first = middle + 1;
  for (int i = 0; i < segments; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(segments);
    const glm::vec3 out = std::cos(angle) * side + std::sin(angle) * other;
    const glm::vec3 normal = glm::normalize(out * height + axis * radius);
    add(base + radius * out, normal);
    add(tip, normal);
    add(base + radius * out, -axis);
  }
  const auto count = static_cast<unsigned>(segments);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned a = first + 3 * i, b = first + 3 * ((i + 1) % count);
    mesh.triangles.emplace_back(a, b, a + 1);
    mesh.triangles.emplace_back(middle, b + 2, a + 2);
  }
}

}  // namespace isolume
