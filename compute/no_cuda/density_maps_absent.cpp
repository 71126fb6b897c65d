// Stubs of the CUDA bodies of density maps, for a build without CUDA.
#include "compute/density_maps/density_map_body.h"
#include "compute/density_maps/map_search.h"
#include "compute/density_maps/rigid_slopes.h"
#include "molecule/base/error.h"

namespace isolume {

ComparedSums density_map_cuda(const DensityMapTask&, Device, Job&) {
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
