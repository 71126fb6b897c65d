// IonSites: the places where an ion may be put, and the potential of the solute there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// Places in the order that decides between equal energies (the first goes first), and the potential there.
struct IonSites {
  std::vector<glm::dvec3> places;  ///< angstrom
  std::vector<double> potential;   ///< V, of the solute in vacuum
  double uncertainty = 0;          ///< V: how far `potential` may be from the sum in double precision
};

/// The number that a float was read from: the shortest decimal number that becomes it. A distance of exactly 5 angstrom
/// in a file is 5 angstrom then.
glm::dvec3 decimal_position(glm::vec3 position);

/// The lattice of all multiples of `spacing` (angstrom) from below the atoms' box and `padding` around it to above:
/// with 1 the whole numbers from floor(min - padding) to ceil(max + padding). Throws Error (usage) for more than 2^31
/// points.
Grid ion_lattice(std::span<const glm::dvec3> atoms, double padding, double spacing);

/// Points of an axis-aligned grid that are at least `distance` from every atom (1e-9 angstrom less counts as rounding);
/// x slowest, z fastest. Three numbers each. Layers and rows without a free point are left alone, so that a distance
/// that leaves none costs little more than one pass over the points. `tested`: gets the number of points that were
/// compared with an atom.
std::vector<glm::ivec3> free_lattice_points(const Grid& grid, std::span<const glm::dvec3> atoms, double distance,
                                            Job& job, std::uint64_t* tested = nullptr);

/// Indices of the `places` that are at least `distance` from every atom.
std::vector<std::uint32_t> free_places(std::span<const glm::dvec3> places, std::span<const glm::dvec3> atoms,
                                       double distance, Job& job);

/// The atoms and their images in the cell that are within `reach` of a grid's box; the atoms alone without a cell.
std::vector<glm::dvec3> atoms_and_images(std::span<const glm::dvec3> atoms, const Cell& cell, const Grid& grid,
                                         double reach);

/// The potential of the charges at sites. Up to `exact_pairs` pairs of a site and a charge it is the sum in double
/// precision; beyond, where `grid` is that of the sites (`points`), a map of the fast direct sum (1e-5), whose
/// uncertainty is four times its largest error at 4 096 sites.
void fill_site_potential(std::span<const PointCharge> charges, const Grid* grid, std::span<const glm::ivec3> points,
                         IonSites& sites, Device device, Job& job, double exact_pairs = 2e10);

/// Bytes of so many sites.
std::size_t ion_sites_memory(std::size_t sites);

}  // namespace isolume
