// Solvent-accessible surface area of every atom.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"

namespace isolume {

/// An atom as the solvent sees it.
struct SasaAtom {
  glm::vec3 position;  ///< angstrom
  float radius;        ///< angstrom, > 0
};

struct SasaOptions {
  float probe_radius = 1.4f;  ///< angstrom, >= 0; water
  int points = 960;           ///< test points on every sphere, 12 to 1 000 000
};

/// Area (angstrom^2) of the part of every atom's sphere of radius_i + probe that is in no other one (Lee and Richards
/// 1971), by counting test points (Shrake and Rupley 1973): those of sphere_points(), the same for every atom.
///
/// @param atoms  host memory; atoms that are given twice cover each other nowhere, so leave copies out
/// @param areas  one value per atom, on the device that computes
/// Accuracy: the area of an atom is a whole number of points, each 4 pi R^2 / points; against the exact area it is off
/// by about points^(1/4) of them (the total of a protein by less than 0.1 % at 960 points). CPU, CUDA and reference
/// count the same points, except those within rounding of another sphere.
void solvent_accessible_area(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas, Job& job);

/// The same in double precision with two plain loops; for tests.
void solvent_accessible_area_reference(std::span<const SasaAtom> atoms, const SasaOptions& options,
                                       std::span<double> areas);

/// Points spread evenly over the unit sphere: the golden spiral, z_i = 1 - (2 i + 1) / count, angle i pi (3 - sqrt 5).
std::vector<glm::dvec3> sphere_points(int count);

}  // namespace isolume
