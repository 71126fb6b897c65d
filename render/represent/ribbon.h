// Ribbons and tubes: a cross section moved along a curve.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "molecule/mesh.h"

namespace isolume {

/// A cross section: |x/width|^p + |y/thickness|^p = 1. p = 2 is an ellipse, large p nearly a rectangle.
struct Section {
  float width = 0.3f;      ///< half, angstrom
  float thickness = 0.3f;  ///< half
  float power = 2;
};

/// Where a section is.
struct Station {
  glm::vec3 position, tangent, across;  ///< unit, `across` orthogonal to the tangent: the section's x
};

/// Collects rings of vertices and the triangles between them.
class RibbonMesh {
 public:
  /// `corners`: vertices of one ring.
  explicit RibbonMesh(int corners) : corners_(corners) {}

  /// Adds a ring; joined to the ring before it unless `start`. `slope` is the change of the half width per angstrom
  /// along the curve, which tilts the normals.
  void ring(const Station& station, const Section& section, glm::u8vec4 colour, std::uint32_t part, bool start,
            float slope = 0);
  /// A flat face across the curve between two sections (the back of an arrow), looking along `direction` * tangent.
  void face(const Station& station, const Section& inner, const Section& outer, float direction, glm::u8vec4 colour,
            std::uint32_t part);
  /// A rounded end; `direction` -1 at the beginning, 1 at the end of the curve.
  void cap(const Station& station, const Section& section, float direction, glm::u8vec4 colour, std::uint32_t part);

  Mesh mesh;
  std::vector<std::uint32_t> parts;  ///< one per vertex

 private:
  void join(std::uint32_t first, std::uint32_t second);
  void add(glm::vec3 position, glm::vec3 normal, glm::u8vec4 colour, std::uint32_t part);
  int corners_;
  std::uint32_t last_ = 0;
};

}  // namespace isolume
