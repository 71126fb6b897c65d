// The steps of SPME's mesh on the CPU: charges onto the mesh, and potentials and forces back.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/large_vector.h"

namespace isolume {

/// An atom on the mesh.
struct alignas(16) MeshAtom {
  std::uint16_t at[3];  ///< mesh point below it
  std::uint16_t unused = 0;
  std::uint32_t atom;
  std::uint32_t unused_too = 0;
  float beyond[3];  ///< 0 to 1
  float charge;
};

/// Rows along x are `stride` long, so that a spline may run over their end: points n.x ... n.x + order - 2 are those
/// from 0 on.
struct MeshView {
  static constexpr int reach = 8;  ///< how far the tables go on behind the mesh

  float* values = nullptr;
  glm::ivec3 n{0};
  int stride = 0;
  /// Where the row of y begins in a plane and where the plane of z does, of 0 ... n + reach - 1, those behind the mesh
  /// from 0 on.
  const std::size_t* rows = nullptr;
  const std::size_t* planes = nullptr;

  static int padded(int nx) { return (nx + 8 + 15) / 16 * 16; }
  float* row(int y, int z) const { return values + planes[z] + rows[y]; }
};

/// Potential (per charge) and its gradient by mesh coordinates at an atom.
struct MeshValue {
  float potential;
  float gradient[3];
};

/// The cell and the mesh as positions meet them.
struct MeshFrame {
  double inverse[3][4] = {};  ///< columns of the inverse of the cell
  double counts[4] = {};      ///< of the mesh

  MeshFrame() = default;
  MeshFrame(const glm::dmat3& inverse_cell, glm::ivec3 n);
};
/// The atoms from `first` on: mesh points, remainders and charges.
void locate_atoms(const MeshFrame& frame, const glm::vec3* positions, const float* charges, std::size_t first,
                  std::size_t count, MeshAtom* atoms);

/// Adds the charges to the mesh (rows over their end).
void spread_charges(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh);
/// The potential at atoms.
void gather_potentials(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values);

}  // namespace isolume
