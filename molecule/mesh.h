// Triangle meshes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace isolume {

/// One number per vertex, with what it is.
struct MeshScalar {
  std::string name;  ///< "potential"
  std::string unit;  ///< "V"
  std::vector<float> values;
};

/// Indexed triangles, counter-clockwise seen from outside.
struct Mesh {
  std::vector<glm::vec3> positions;  ///< angstrom
  std::vector<glm::vec3> normals;    ///< unit, pointing out; one per vertex
  std::vector<glm::u8vec4> colours;  ///< straight RGBA; one per vertex, or empty
  std::vector<glm::uvec3> triangles;
  std::vector<MeshScalar> scalars;  ///< each with one value per vertex

  std::size_t vertex_count() const { return positions.size(); }
};

double surface_area(const Mesh& mesh);     ///< angstrom^2
double enclosed_volume(const Mesh& mesh);  ///< angstrom^3, for a closed mesh
/// V - E + F; 2 for each closed sphere-like part.
long euler_characteristic(const Mesh& mesh);

}  // namespace isolume
