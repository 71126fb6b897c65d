// Ribbons and tubes: a cross section moved along a curve.
#include "render/represent/ribbon.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

float signed_power(float x, float p) {
  return std::copysign(std::pow(std::abs(x), p), x);
}

/// Point of a section at an angle, and the direction of its outward normal.
void section_point(const Section& s, float angle, glm::vec2& point, glm::vec2& normal) {
  const float c = std::cos(angle), n = std::sin(angle);
  const float x = signed_power(c, 2 / s.power), y = signed_power(n, 2 / s.power);
  point = glm::vec2(s.width * x, s.thickness * y);
  normal = glm::vec2(signed_power(x, s.power - 1) / s.width, signed_power(y, s.power - 1) / s.thickness);
  const float length = glm::length(normal);
  normal = length > 0 ? normal / length : glm::vec2(c, n);
}

}  // namespace

void RibbonMesh::add(glm::vec3 position, glm::vec3 normal, glm::u8vec4 colour, std::uint32_t part) {
  mesh.positions.push_back(position);
  mesh.normals.push_back(normal);
  mesh.colours.push_back(colour);
  parts.push_back(part);
}

void RibbonMesh::join(std::uint32_t first, std::uint32_t second) {
  const auto n = static_cast<std::uint32_t>(corners_);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.emplace_back(first + i, second + j, second + i);
    mesh.triangles.emplace_back(first + i, first + j, second + j);
  }
}

void RibbonMesh::ring(const Station& station, const Section& section, glm::u8vec4 colour, std::uint32_t part,
                      bool start, float slope) {
  const glm::vec3 up = glm::cross(station.tangent, station.across);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int i = 0; i < corners_; ++i) {
    glm::vec2 p, n;
    section_point(section, 6.28318531f * static_cast<float>(i) / static_cast<float>(corners_), p, n);
    const glm::vec3 normal = station.across * n.x + up * n.y - station.tangent * (slope * std::abs(n.x));
    add(station.position + station.across * p.x + up * p.y, glm::normalize(normal), colour, part);
  }
  if (!start) join(last_, first);
  last_ = first;
}

void RibbonMesh::face(const Station& station, const Section& inner, const Section& outer, float direction,
                      glm::u8vec4 colour, std::uint32_t part) {
  const glm::vec3 up = glm::cross(station.tangent, station.across);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto n = static_cast<std::uint32_t>(corners_);
  for (const Section* section : {&inner, &outer})
    for (int i = 0; i < corners_; ++i) {
      glm::vec2 p, unused;
      section_point(*section, 6.28318531f * static_cast<float>(i) / static_cast<float>(corners_), p, unused);
      add(station.position + station.across * p.x + up * p.y, station.tangent * direction, colour, part);
    }
  if (direction < 0)
    join(first, first + n);
  else
    join(first + n, first);
}

void RibbonMesh::cap(const Station& station, const Section& section, float direction, glm::u8vec4 colour,
                     std::uint32_t part) {
  constexpr int rings = 4;
  const glm::vec3 up = glm::cross(station.tangent, station.across);
  const float height = std::min(section.width, section.thickness);
  std::uint32_t before = 0;
  for (int k = 0; k <= rings; ++k) {
    const float angle = 1.57079633f * static_cast<float>(k) / rings;
    const float shrink = std::cos(angle) * (k == rings ? 0.0f : 1.0f), rise = height * std::sin(angle);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < corners_; ++i) {
      glm::vec2 p, n;
      section_point(section, 6.28318531f * static_cast<float>(i) / static_cast<float>(corners_), p, n);
      // The rim draws in by the height of the cap, so that a flat ribbon ends in a half round edge.
      const glm::vec2 inner(p.x - n.x * height, p.y - n.y * height);
      const glm::vec2 q = k == rings ? inner : inner + (p - inner) * shrink;
      const glm::vec3 side = station.across * n.x + up * n.y;
      const glm::vec3 normal = side * std::cos(angle) + station.tangent * (direction * std::sin(angle));
      add(station.position + station.across * q.x + up * q.y + station.tangent * (direction * rise),
          glm::normalize(normal), colour, part);
    }
    if (k > 0) {
      if (direction > 0)
        join(before, first);
      else
        join(first, before);
    }
    before = first;
  }
  // What is left open at the top of a wide ribbon.
  const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
  add(station.position + station.tangent * (direction * height), station.tangent * direction, colour, part);
  const auto n = static_cast<std::uint32_t>(corners_);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = before + i, b = before + (i + 1) % n;
    if (direction > 0)
      mesh.triangles.emplace_back(middle, a, b);
    else
      mesh.triangles.emplace_back(middle, b, a);
  }
}

}  // namespace isolume
