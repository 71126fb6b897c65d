// The discrete Poisson-Boltzmann problem that the bodies and the reference solve.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/poisson_boltzmann/pb_math.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// Unknowns u: in the solute the reaction potential, elsewhere the potential, both in kT/e. For every inner node
///
///     sum over neighbours of c (u - u') + kappa F(u) = source,
///
/// c of the edge to the neighbour, F(u) = u or the sum over the ions; the equation multiplied by the square of the step
/// along x. The matrix is symmetric and positive.
struct PbProblem {
  glm::ivec3 counts{0};
  glm::dvec3 origin{0.0}, step{1.0};
  std::vector<float> cx, cy, cz;  ///< of the edge to the next node along the axis
  std::vector<float> kappa;
  std::vector<float> source;
  std::vector<std::uint8_t> inside;  ///< 1 in the solute
  PbIons ions;
  bool nonlinear = false;
  std::size_t cuts = 0;  ///< edges that the surface cuts

  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
  std::size_t index(glm::ivec3 at) const {
    return static_cast<std::size_t>(at.x) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(at.y) + static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(at.z));
  }
  glm::ivec3 place(std::size_t node) const {
    const auto nx = static_cast<std::size_t>(counts.x);
    const auto ny = static_cast<std::size_t>(counts.y);
    return {static_cast<int>(node % nx), static_cast<int>(node / nx % ny), static_cast<int>(node / (nx * ny))};
  }
  glm::dvec3 point(std::size_t node) const { return origin + step * glm::dvec3(place(node)); }
};

class CoulombSum;  // coulomb_sum.h

/// The atoms with a charge, and a box about all whose surface is in it.
std::vector<PointCharge> pb_charges(std::span<const ChargedSphere> atoms);
struct PbExtent {
  glm::dvec3 lower, upper;
};
PbExtent pb_extent(std::span<const ChargedSphere> atoms);

/// Coulomb's potential sum of q / |r - r_j| (e/angstrom) at points, and where `gradients` is not empty its gradient, on
/// the processor. `shared`: the sum of these atoms' charges that several calls share, or null.
void pb_coulomb(std::span<const ChargedSphere> atoms, std::span<const glm::dvec3> points, std::span<double> potential,
                std::span<glm::dvec3> gradients, Job& job, CoulombSum* shared = nullptr);

/// The ions of the electrolyte as the equation needs them.
PbIons pb_ions(const PoissonBoltzmannOptions& options);

struct PbMedia;  // pb_media.h

/// Fills coefficients and sources from the depth below the dielectric surface and the depth below the
/// surface that the ions keep to (angstrom, positive inside). Products over the atoms (splines, Gaussians) need no
/// depth below the dielectric surface. `screened`: PbMediaMaker::screened().
void pb_discretise(std::span<const ChargedSphere> atoms, std::span<const ChargedSphere> screened, const PbMedia& media,
                   std::span<const float> depth, std::span<const float> ion_depth,
                   const PoissonBoltzmannOptions& options, PbProblem& problem, Job& job);

}  // namespace isolume
