// Rigid fits of a model into a density map: uphill from where it is, and by a search of all turns and shifts.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/density_maps/map_spline.h"
#include "molecule/rigid_motion.h"

namespace isolume {

/// The atoms of a rigid model.
struct RigidModel {
  std::vector<glm::dvec3> positions;  ///< angstrom
  std::vector<double> weights;        ///< as many, of a sum above 0
  glm::dvec3 centre() const;          ///< not weighted
  double radius() const;              ///< RMS distance from the centre
};

/// The mean of a map at the atoms, each with its weight. Of a map convolved with the Gaussians of the model
/// (smoothed_map()) it is the overlap of the map with the model's own, sum a b over the sum of weights.
double mean_at_atoms(const MapSpline& map, const RigidModel& model, const RigidMotion& motion);

struct RigidFit {
  RigidMotion motion;
  double before = 0, after = 0;  ///< mean_at_atoms()
  int evaluations = 0;
};

/// Moves the model uphill in mean_at_atoms() to the nearest maximum: quasi-Newton steps (BFGS) in a shift and a turn
/// about the centre, of at most 1 angstrom RMS, until a step is below 1e-5 angstrom or 300 are done. It ends within
/// 1e-3 angstrom of the maximum of the splines; how near that is to the right place is a matter of the map.
RigidFit rigid_fit(const MapSpline& map, const RigidModel& model, const RigidMotion& start, Job& job,
                   Device device = Device::cpu());

struct MapSearchOptions {
  double angle = 0;  ///< degrees between neighbouring turns; 0: 3/4 of the resolution over the radius, 4 to 20
  double resolution =
      0;  ///< angstrom; the search is on points half of it apart, or the map's own where those are coarser
  std::size_t solutions = 20;
  Device device;  ///< that computes; turns and shifts are the CPU's where cuFFT is not installed
};
struct MapSearchStatistics {
  std::size_t rotations = 0;
  double angle = 0, spacing = 0;
  glm::ivec3 mesh{0};  ///< of the Fourier transforms
  std::size_t refined = 0;
};

/// Places of the model in the map, the best mean_at_atoms() first: all turns (H. Alexa, Super-Fibonacci spirals, CVPR
/// 2022: evenly spread) times all shifts of its centre to points of the map, by Fourier transforms; the best shifts,
/// each with its best turn, go uphill by rigid_fit(), and those that end within 2 angstrom RMS of a better one are left
/// out. Throws Error (usage) for a model of no atoms and (cancelled).
std::vector<RigidFit> search_map(const MapSpline& map, const RigidModel& model, const MapSearchOptions& options,
                                 Job& job, MapSearchStatistics* statistics = nullptr);

/// Evenly spread turns.
std::vector<glm::dquat> spread_rotations(std::size_t count);

/// RMS distance of the atoms between two places of the model.
double rmsd_of_places(const RigidModel& model, const RigidMotion& a, const RigidMotion& b);

}  // namespace isolume
