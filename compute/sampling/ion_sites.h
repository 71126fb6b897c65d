// IonSites: the places where an ion may be put, and the potential of the solute there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/base/large_vector.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// Where a point of a lattice is in it; points are numbered with x slowest and z fastest.
glm::ivec3 lattice_point(const Grid& lattice, std::uint32_t number);

/// Points of a lattice, or places anywhere, in the order that decides between equal energies (the first goes first);
/// and the potential there.
struct IonSites {
  Grid lattice;                                   ///< axis-aligned
  LargeVector<std::uint32_t> points;              ///< numbers of points of the lattice, in ascending order
  std::vector<glm::dvec3> places;                 ///< angstrom; where there are no points
  std::vector<double> potential;                  ///< V, of the solute in vacuum; empty where there is a map
  std::shared_ptr<const DeviceArray<float>> map;  ///< the same at all points of the lattice, x fastest
  double uncertainty = 0;                         ///< V: how far the potential may be from the sum in double precision

  std::size_t size() const { return points.empty() ? places.size() : points.size(); }
  glm::dvec3 place(std::size_t site) const;
};

/// Finds where points of a lattice are whose numbers ascend: a division only where a row begins.
class LatticeWalk {
 public:
  explicit LatticeWalk(const Grid& lattice)
      : origin_(lattice.origin),
        step_(lattice.step[0][0], lattice.step[1][1], lattice.step[2][2]),
        ny_(static_cast<std::uint32_t>(lattice.counts.y)),
        nz_(static_cast<std::uint32_t>(lattice.counts.z)) {}

  void go(std::uint32_t number) {
    if (number - first_ >= nz_) {
      const std::uint32_t row = number / nz_;
      first_ = row * nz_;
      i_ = row / ny_;
      j_ = row % ny_;
    }
    k_ = number - first_;
  }
  glm::dvec3 place() const { return origin_ + step_ * glm::dvec3(i_, j_, k_); }
  glm::ivec3 point() const { return {static_cast<int>(i_), static_cast<int>(j_), static_cast<int>(k_)}; }

 private:
  glm::dvec3 origin_, step_;
  std::uint32_t ny_, nz_, first_ = 0, i_ = 0, j_ = 0, k_ = 0;
};

/// The number that a float was read from: the shortest decimal number that becomes it. A distance of exactly 5 angstrom
/// in a file is 5 angstrom then.
glm::dvec3 decimal_position(glm::vec3 position);

/// The lattice of all multiples of `spacing` (angstrom) from below the atoms' box and `padding` around it to above:
/// with 1 the whole numbers from floor(min - padding) to ceil(max + padding). Throws Error (usage) for more than 2^31
/// points.
Grid ion_lattice(std::span<const glm::dvec3> atoms, double padding, double spacing);

/// The numbers of an axis-aligned grid's points that are at least `distance` from every atom (1e-9 angstrom less counts
/// as rounding). Layers and rows without a free point are left alone, so that a distance that leaves none costs little
/// more than one pass over the points. `tested`: gets the number of points that were compared with an atom.
LargeVector<std::uint32_t> free_lattice_points(const Grid& grid, std::span<const glm::dvec3> atoms, double distance,
                                               Job& job, std::uint64_t* tested = nullptr);

/// Indices of the `places` that are at least `distance` from every atom.
std::vector<std::uint32_t> free_places(std::span<const glm::dvec3> places, std::span<const glm::dvec3> atoms,
                                       double distance, Job& job);

/// No more sites than this are `distance` from each other, by cubes in each of which at most one can be; the number of
/// sites where the distance says nothing. Ends at `enough`.
std::size_t most_apart(const IonSites& sites, double distance, std::size_t enough, Job& job);

/// The atoms and their images in the cell that are within `reach` of a grid's box; the atoms alone without a cell.
std::vector<glm::dvec3> atoms_and_images(std::span<const glm::dvec3> atoms, const Cell& cell, const Grid& grid,
                                         double reach);

/// The potential of the charges at sites. Up to `exact_pairs` pairs of a site and a charge it is the sum in double
/// precision; beyond, where they are points of a lattice, a map of the fast direct sum (1e-5) that stays on the device,
/// whose uncertainty is four times its largest error at 4 096 sites.
void fill_site_potential(std::span<const PointCharge> charges, IonSites& sites, Device device, Job& job,
                         double exact_pairs = 2e10);

/// Bytes of so many sites.
std::size_t ion_sites_memory(std::size_t sites);

}  // namespace isolume
