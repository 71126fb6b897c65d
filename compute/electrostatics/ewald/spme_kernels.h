// The kernels of SPME's mesh on CUDA.
#pragma once

#include <complex>

#include "compute/electrostatics/energy/energy_pairs_cuda.h"
#include "compute/electrostatics/energy/energy_sort_cuda.h"
#include "compute/electrostatics/ewald/spme_math.h"

namespace isolume {

/// The cells of an AtomSort for a mesh: floor(n/8) bricks along an axis, of 8 to 15 points.
SortedCells mesh_bricks(glm::ivec3 mesh);

/// Charges onto the mesh. A block fills a brick in shared memory from the atoms that reach into it, in fixed point, so
/// that the sum does not depend on the order, and every mesh point is written once. `largest`: of the absolute charges.
void spme_spread_cuda(int order, const AtomSort& atoms, float largest, float* mesh, Stream& stream);

/// influence[wave] of the half spectrum.
void spme_influence_cuda(const SpmeInfluence& influence, float* out, Stream& stream);
/// spectrum *= influence; where `sums` is not null energy and virial are added to it.
void spme_multiply_cuda(const SpmeInfluence& influence, const float* factors, std::complex<float>* spectrum,
                        double* sums, Stream& stream);

/// Forces (assigned, or added) and energies (null: none) of the atoms from the potential on the mesh.
/// gradient[3 a + c] = d u_a / d r_c.
void spme_gather_cuda(int order, const AtomSort& atoms, const float* mesh, const double (&gradient)[9], bool add,
                      float* forces, float* energies, Stream& stream);

/// values[point] = scale * potential on the mesh + constant at the points of a grid.
void spme_map_cuda(int order, glm::ivec3 n, const float* mesh, const GridView& grid, const CellView& cell, float scale,
                   float constant, float* values, Stream& stream);

}  // namespace isolume
