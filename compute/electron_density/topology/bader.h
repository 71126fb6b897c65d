// Bader's atoms: basins of the density's gradient on a grid, their electrons
// and volumes.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// Which atom every grid point belongs to, in parts: the weight method of Yu
/// and Trinkle, J. Chem. Phys. 134 (2011) 064111. Points are taken from the
/// largest density down. What flows to a neighbour is proportional to how much
/// larger its density is, times the face that they share over their distance; a
/// point's parts are the mean of its neighbours'.
///
/// Each maximum belongs to the nearest nucleus, where that is within 0.5
/// angstrom or two steps of the grid, or where the density is below 1e-3
/// bohr^-3; others are basins without a nucleus.
class BaderBasins {
 public:
  /// @param density  bohr^-3, x fastest
  /// @param grid     angstrom, with right angles between its steps. Throws
  /// Error (usage) for another.
  /// @param nuclei   bohr
  BaderBasins(std::span<const float> density, const Grid& grid, std::span<const glm::dvec3> nuclei, Job& job);

  /// Atoms first, then basins without a nucleus.
  std::size_t size() const { return maxima_.size(); }
  /// Where basins have their maximum (bohr); that of an atom is its nucleus.
  const std::vector<glm::dvec3>& maxima() const { return maxima_; }
  /// Atoms that no maximum belongs to, from 0.
  std::vector<std::size_t> without_maximum() const;
  /// Adds `amount` to the sums of the basins by their parts in a point (bohr),
  /// interpolated linearly between the grid's points; beyond the grid they are
  /// those of its edge.
  void add(glm::dvec3 point, double amount, std::span<double> sums) const;
  /// The basin that a point and all that is within three grid points of it
  /// belong to as a whole; -1 where there is none, or the point is outside of
  /// the grid.
  std::int32_t certain(glm::dvec3 point) const;
  /// Volumes (bohr^3) of the basins where the density is `least` or more.
  std::vector<double> volumes(std::span<const float> density, double least) const;

 private:
  struct Share {
    std::uint32_t basin;
    float part;
  };
  std::size_t basin_of_maximum(glm::dvec3 place, float density, std::span<const glm::dvec3> nuclei);
  std::span<const Share> shares(std::size_t point, Share& own) const;
  void set_certain(Job& job);

  Grid grid_;
  glm::dmat3 to_grid_;
  std::vector<glm::dvec3> maxima_;
  std::vector<bool> has_maximum_;
  std::vector<bool> certain_;          // by grid point: all within three points have the same basin
  std::vector<std::int32_t> owners_;   // a basin, or -1 - the number of a list of parts
  std::vector<std::uint32_t> firsts_;  // of the lists
  std::vector<Share> shares_;
};

struct BaderCharges {
  std::vector<double> charges;  ///< e, of the atoms
  std::vector<double> volumes;  ///< bohr^3, of the atoms, where the density is
                                ///< 0.001 bohr^-3 or more
  struct Basin {
    glm::dvec3 maximum;  ///< bohr
    double electrons = 0;
  };
  std::vector<Basin> others;            ///< basins without a nucleus
  std::vector<std::size_t> no_maximum;  ///< atoms without a maximum of the density, from 0
  double electrons = 0;                 ///< of all basins; what it differs from the orbitals'
                                        ///< is the integrals' error
  double change = 0;                    ///< e, the largest change of a charge from integrals over fewer angles
  std::size_t points = 0,
              traced = 0;  ///< of the integrals, and those whose path was followed
};

/// q_A = Z_A - integral of the density over the basin of A. Integrals run over
/// atomic grids (atomic_grid), so that the cusps at nuclei do no harm. A point
/// within a basin of `grid` belongs to it; from points near a surface the
/// density's own gradient is followed upwards (midpoint rule, steps of 0.1
/// bohr) until the path is well within a basin or at a nucleus. So the surfaces
/// are those of the density, not of the grid.
/// @param charges  of the nuclei
/// Throws Error (usage) for nuclei with effective cores: their valence density
/// has no maximum at the nucleus.
BaderCharges bader_charges(const Orbitals& orbitals, std::span<const int> elements, std::span<const double> charges,
                           const Grid& grid, Device device, Job& job);

/// Bytes that the density and the basins of a grid take.
std::size_t bader_memory(const Grid& grid);

}  // namespace isolume
