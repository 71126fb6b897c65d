// The layers of a volume as marching cubes on the CPU goes through them: bits, counts, triangles, vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>

#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/vertex_colour.h"

namespace isolume {

/// What is known of a slab after counting. Rows of bits are followed by `iso_bits_behind` words that may be read.
struct IsoLayers {
  const std::uint32_t* bits = nullptr;          ///< IsoGrid::word()
  const std::uint32_t* vertex_start = nullptr;  ///< of each word, from its layer's first vertex
  const std::uint32_t* triangle_start =
      nullptr;                                 ///< [ny * k + j]: of each row of cells, from its layer's first triangle
  const SurfaceCounts* layer_start = nullptr;  ///< of each numbered layer, from the slab's first
  const SurfaceCounts* layer_total = nullptr;
};

constexpr std::size_t iso_bits_behind = 16;

/// Where a slab's vertices go; colours may be null.
struct IsoVertices {
  glm::vec3* positions = nullptr;
  glm::vec3* normals = nullptr;
  glm::u8vec4* colours = nullptr;
  const VertexColour* by = nullptr;
};

/// Sets the bits of a layer whose first value is `values`.
void classify_layer(const void* values, Storage element, const IsoGrid& g, std::uint32_t* bits);

/// Counts what layer k makes, with the starts of its words and rows (see IsoLayers; pointers to the layer's).
SurfaceCounts count_layer(const IsoGrid& g, const std::uint32_t* bits, int k, std::uint32_t* vertex_start,
                          std::uint32_t* triangle_start);

/// Writes the triangles of the cells above layer k; `triangles` are the slab's.
void fill_triangles(const IsoGrid& g, const IsoLayers& layers, int k, glm::uvec3* triangles);

/// Writes the vertices of layer k.
void fill_vertices(const void* volume, Storage element, const IsoGrid& g, const IsoLayers& layers, int k,
                   const IsoVertices& to);

}  // namespace isolume
