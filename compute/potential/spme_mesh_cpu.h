// The steps of SPME's mesh on the CPU: charges onto the mesh, and potentials and forces back.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/potential/large_vector.h"

namespace isolume {

/// An atom on the mesh.
struct MeshAtom {
  std::uint16_t at[3];  ///< mesh point below it
  std::uint16_t unused = 0;
  float beyond[3];  ///< 0 to 1
  float charge;
  std::uint32_t atom;
  std::uint32_t row = 0;  ///< key for the order
};

/// Rows along x are `stride` long, so that a spline may run over their end: points n.x ... n.x + order - 2 are those
/// from 0 on.
struct MeshView {
  float* values = nullptr;
  glm::ivec3 n{0};
  int stride = 0;
  static int padded(int nx) { return (nx + 8 + 15) / 16 * 16; }
  float* row(int y, int z) const {
    return values + (static_cast<std::size_t>(z) * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(y)) *
                        static_cast<std::size_t>(stride);
  }
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
/// Sets mesh points, remainders and charges of atoms whose index is set.
void locate_atoms(const MeshFrame& frame, const glm::vec3* positions, const float* charges, MeshAtom* atoms,
                  std::size_t count);

/// Adds the charges to the mesh (rows over their end).
void spread_charges(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh);
/// The potential at atoms.
void gather_potentials(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values);

}  // namespace isolume
