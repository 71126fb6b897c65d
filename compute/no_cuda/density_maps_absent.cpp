// Stubs of the CUDA bodies of density maps, for a build without CUDA.
#include "compute/density_maps/density_map_body.h"
#include "compute/density_maps/map_forces.h"
#include "compute/density_maps/map_search.h"
#include "compute/density_maps/map_series.h"
#include "compute/density_maps/map_windows_body.h"
#include "compute/density_maps/rigid_slopes.h"
#include "molecule/base/error.h"

namespace isolume {

ComparedSums density_map_cuda(const DensityMapTask&, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void points_near_cuda(const Grid&, std::span<const glm::dvec3>, double, Span<std::uint8_t>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

MapSums masked_sums_cuda(const MapPair&, Span<const std::uint8_t>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<MapSums> window_sums_cuda(const WindowTask&, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::unique_ptr<MapForces::OnCuda> map_forces_cuda(const MapPotential&, const std::vector<double>&, Device) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::unique_ptr<MapSeries::Body> map_series_cuda(const MapSeries::Task&, Device) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::unique_ptr<RigidSlopes::OnCuda> rigid_slopes_cuda(const MapSpline&, const RigidModel&, Device) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

bool search_pays_on_cuda() {
  return false;
}

BestTurns best_turns_cuda(const MapSearchTask&, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
