// How the mean of a map at the atoms of a rigid model changes with its place: what a fit goes uphill by.
#pragma once

#include <glm/glm.hpp>
#include <memory>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/density_maps/map_spline.h"
#include "compute/density_maps/rigid_fit.h"

namespace isolume {

/// mean_at_atoms() of a place and its slopes, in the map's unit, per angstrom and per radian.
struct RigidSlope {
  double value = 0;
  glm::dvec3 force{0.0}, torque{0.0};  ///< by a shift, and by a turn about the moved centre
};

/// Slopes of one model in one map at many places; on a CUDA device both are copied there once. Double precision on all
/// devices, in a fixed order; they agree to 1e-12 of the sum of sizes of terms. Map and model must outlive it. May be
/// used by several threads. Bytes on a CUDA device: memory().
class RigidSlopes {
 public:
  RigidSlopes(const MapSpline& map, const RigidModel& model, Device device);
  ~RigidSlopes();
  RigidSlope at(const RigidMotion& motion, Job& job) const;
  static std::size_t memory(const Grid& map, std::size_t atoms) { return map.size() * 8 + atoms * 32; }
  class OnCuda;

 private:
  const MapSpline& map_;
  const RigidModel& model_;
  glm::dvec3 centre_;
  std::unique_ptr<OnCuda> cuda_;
};

/// The CUDA body.
std::unique_ptr<RigidSlopes::OnCuda> rigid_slopes_cuda(const MapSpline& map, const RigidModel& model, Device device);
class RigidSlopes::OnCuda {
 public:
  virtual ~OnCuda() = default;
  /// Sums over the atoms: value, force, torque, weight.
  virtual void sums(const RigidMotion& motion, glm::dvec3 centre, double (&out)[8]) const = 0;
};

/// rigid_fit() by slopes that are there.
RigidFit rigid_fit(const RigidSlopes& slopes, const RigidModel& model, const RigidMotion& start, Job& job);

}  // namespace isolume
