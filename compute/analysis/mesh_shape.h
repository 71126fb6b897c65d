// The shape of meshes: closed or not, how many parts, curvature, and smoothing that keeps the volume.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"
#include "molecule/mesh.h"

namespace isolume {

/// How the triangles of a mesh hang together.
struct MeshParts {
  std::size_t parts = 0;         ///< pieces that share no vertex
  std::size_t border_edges = 0;  ///< edges of one triangle alone; 0 for a closed mesh
};
MeshParts mesh_parts(const Mesh& mesh);

/// Curvatures of every vertex, 1/angstrom: mean is positive where the surface bulges out (1/R of a sphere), gaussian in
/// 1/angstrom^2. From how the normals turn along the edges of the triangles (Rusinkiewicz 2004, "Estimating curvatures
/// and their derivatives on triangle meshes"), averaged by area over the triangles about a vertex and its neighbours;
/// exact for a sphere, second order in the edge length elsewhere. 0 for vertices without triangles. Throws Error
/// (usage) without normals.
struct MeshCurvature {
  std::vector<float> mean;
  std::vector<float> gaussian;
};
MeshCurvature mesh_curvature(const Mesh& mesh, Job& job);

/// Taubin's smoothing (1995, "A signal processing approach to fair surface design"): `steps` pairs of a step towards
/// the mean of the neighbours (0.5 of the way) and one away from it (0.53), which keeps features wider than about ten
/// edges, and then one offset along the normals that restores the enclosed volume. Normals are made again.
/// Vertices at a border stay. Returns the part by which the volume had changed before it was restored.
double smooth_mesh(Mesh& mesh, int steps, Job& job);

/// The value of a volume at every vertex, `offset` angstrom along its normal, by trilinear interpolation; 0 outside.
std::vector<float> sample_at_vertices(const Volume& volume, const Mesh& mesh, double offset);

}  // namespace isolume
