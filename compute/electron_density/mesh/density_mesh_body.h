// What the mesh of a density's potential does most, in SIMD.
#pragma once

#include <span>

#include "compute/electron_density/mesh/density_mesh_plan.h"
#include "compute/electron_density/mesh/density_mesh_sites.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"

namespace isolume {

/// Rows of a mesh: point (i, j, k) is values[i + stride (j + rows k)].
struct MeshRows {
  float* values = nullptr;
  std::size_t stride = 0, rows = 0;
  glm::dvec3 origin{0.0};  ///< bohr
  double step = 0;         ///< bohr
  glm::ivec3 counts{0};
};

/// Adds a source to the planes `first` ... `end` - 1.
void spread_source(const MeshSource& source, const float* coefficients, const MeshRows& mesh, int first, int end);

/// Adds the table of a site at points from + i step (bohr), first <= i < end, to out[i].
void add_site(const SiteTable& table, const float* numbers, glm::dvec3 from, glm::dvec3 step, int first, int end,
              float* out);

/// to[n] = sum of weights[w] rows[w][n], n < count.
void mix_rows(std::span<const float* const> rows, std::span<const float> weights, std::size_t count, float* to);

/// out[i] = sum over w of weights[16 i + w] row[starts[i] + w], w < 16; the row has 16 numbers from each start on.
void read_row(const float* row, const int* starts, const float* weights, std::size_t count, float* out);

}  // namespace isolume
