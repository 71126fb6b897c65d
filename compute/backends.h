// The bodies behind each computation, one per kind of device; only the dispatchers and the bodies include this.
#pragma once

#include <memory>
#include <span>

#include "compute/density/gaussian_density.h"
#include "compute/isosurface/marching_cubes_body.h"
#include "compute/orbitals/orbital_terms.h"
#include "compute/potential/direct.h"

namespace isolume {

void direct_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);
void direct_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);

void gaussian_density_cpu(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                          Span<float> density, Span<glm::vec3> colours, Job& job);
void gaussian_density_cuda(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                           Span<float> density, Span<glm::vec3> colours, Job& job);

std::unique_ptr<MarchingCubes::Body> marching_cubes_cpu(Span<const float> volume, const Grid& grid,
                                                        const MarchingCubesOptions& options);
std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Span<const float> volume, const Grid& grid,
                                                         const MarchingCubesOptions& options);

void orbital_cpu(const OrbitalTerms& terms, const Grid& grid, Span<float> amplitude, Job& job);
void orbital_cuda(const OrbitalTerms& terms, const Grid& grid, Span<float> amplitude, Job& job);

}  // namespace isolume
