// What values on a surface come to: areas by their sign, means, and where they are largest and least.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume {

/// A vertex whose value is larger, or less, than all around it.
struct SurfaceExtreme {
  std::size_t vertex = 0;
  double value = 0;
  bool maximum = false;
};

/// Integrals over the triangles of a mesh, of values that are linear in each: a triangle with both signs is cut at
/// zero. The names are those of Murray and Politzer, Wiley Interdiscip. Rev. Comput. Mol. Sci. 1 (2011) 153.
struct SurfaceValues {
  double area = 0, positive_area = 0, negative_area = 0;           ///< angstrom^2
  double average = 0, positive_average = 0, negative_average = 0;  ///< 0 where there is no such area
  double deviation = 0;                                            ///< Pi: mean of |V - average|
  double positive_variance = 0, negative_variance = 0;             ///< about the mean of the same sign
  double balance = 0;               ///< nu: the product of both over the square of their sum
  double maximum = 0, minimum = 0;  ///< of the vertices
};
SurfaceValues surface_values(const Mesh& mesh, std::span<const double> values);

/// The extremes: vertices with a value beyond those of all others that the mesh joins to them within `radius` angstrom.
/// Of equal ones the first. Vertices at a border are none. The largest maximum first, then the other maxima, then
/// minima from the least. Throws Error (usage) for another number of values than vertices.
std::vector<SurfaceExtreme> surface_extremes(const Mesh& mesh, std::span<const double> values, double radius, Job& job);

}  // namespace isolume
