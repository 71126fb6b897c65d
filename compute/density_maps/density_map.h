// Density maps of models at a given resolution, and their correlation with another map on the same grid.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/frame.h"
#include "molecule/grid.h"
#include "molecule/topology.h"

namespace isolume {

/// How wide and how high the Gaussian of an atom is at a resolution R (angstrom); w is the atom's weight.
///
/// * chimerax: sigma = R / (pi sqrt 2) = 0.2251 R, height w / (2 pi sigma^2)^(3/2), so that the integral is w: molmap
/// of
///   ChimeraX (T. D. Goddard, C. C. Huang, T. E. Ferrin, J. Struct. Biol. 157 (2007) 281,
///   doi:10.1016/j.jsb.2006.06.010). The Fourier transform falls to exp(-1) at the wave number 1/R.
/// * vmd: sigma = 0.2 R r with the atom's van der Waals radius r as a plain number, height w: the QuickSurf density
/// that
///   VMD correlates with maps (J. E. Stone et al., Faraday Discuss. 169 (2014) 265, doi:10.1039/C4FD00005F).
/// * fwhm: the full width at half maximum is R, sigma = R / (2 sqrt(2 ln 2)), with integral w.
enum class MapConvention : std::uint8_t { chimerax, vmd, fwhm };
/// The weight of an atom: its atomic number, its mass in Da, or 1.
enum class MapWeights : std::uint8_t { electrons, mass, one };

/// One Gaussian: height exp(-d^2 / (2 sigma^2)).
struct MapAtom {
  glm::vec3 position;  ///< angstrom
  float sigma;         ///< angstrom, > 0
  float height;        ///< in the unit of the map
};

/// sigma of an atom of that van der Waals radius (angstrom), which only vmd looks at.
double map_sigma(MapConvention convention, double resolution, double radius);

/// The Gaussians of some atoms of a molecule. Those of unknown element have weight 0 as electrons. Throws Error (usage)
/// for a resolution that is not positive, and where the weights of all atoms are 0.
std::vector<MapAtom> map_atoms(const Topology& topology, std::span<const glm::vec3> positions,
                               std::span<const std::uint32_t> atoms, double resolution, MapConvention convention,
                               MapWeights weights);

/// The atoms that the map of a model has where nothing is selected: all but water and second alternate locations.
std::vector<std::uint32_t> usual_model_atoms(const Topology& topology, const Frame& frame);

/// A Gaussian is summed within a box of so many sigmas to each side: what is left out is 2e-6 of the integral.
constexpr float map_box_sigmas = 5.0f;

/// The sum of the Gaussians at every grid point.
///
/// @param atoms    host memory, any number
/// @param grid     axis-aligned (Error (usage) otherwise)
/// @param density  grid.size() values, x fastest, on the device that computes
/// Accuracy: 1e-5 of the largest value against density_map_reference(). The sums are formed in one order: the same
/// input gives the same bits. Memory: density_map_memory().
void density_map(std::span<const MapAtom> atoms, const Grid& grid, Span<float> density, Job& job);

/// The same at points in plain double precision, without a cutoff; for tests and measured errors.
void density_map_reference(std::span<const MapAtom> atoms, std::span<const glm::dvec3> points,
                           std::span<double> values);

/// The grid that holds all boxes of the atoms to `sigmas` of their own. The origin is a multiple of the spacing.
Grid density_map_grid(std::span<const MapAtom> atoms, double spacing, double sigmas = 3);

/// Bytes taken next to the density.
std::size_t density_map_memory(std::span<const MapAtom> atoms, const Grid& grid, Device device);

/// Sums over grid points of two maps a and b, and what follows from them.
struct MapSums {
  double count = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;

  MapSums& operator+=(const MapSums& other);
  /// Pearson's correlation, about the means over the points; NaN where one map is constant there.
  double correlation() const;
  /// The same about zero: sum a b / (sum a^2 sum b^2)^(1/2).
  double about_zero() const;
};

/// A map that a model's is compared with, and which points count.
struct MapComparison {
  Span<const float> map;      ///< on the same grid and device
  float map_threshold = 0;    ///< points with map > this make `map_above`
  float model_threshold = 0;  ///< points with the model's map > this make `model_above`
};
struct ComparedSums {
  MapSums all, map_above, model_above;  ///< a: the map, b: the model's
};

/// density_map() and the sums over its points in one go, in double precision. `density` may be empty: then the model's
/// map is not kept. Sums: 1e-6 of the values' own rounding.
ComparedSums compared_density_map(std::span<const MapAtom> atoms, const Grid& grid, const MapComparison& comparison,
                                  Span<float> density, Job& job);

}  // namespace isolume
