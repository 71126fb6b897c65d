// Stubs of the CUDA bodies of density maps, for a build without CUDA.
#include "compute/density_maps/density_map_body.h"
#include "molecule/base/error.h"

namespace isolume {

ComparedSums density_map_cuda(const DensityMapTask&, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
