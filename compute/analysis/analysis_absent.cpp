// What stands for the CUDA bodies of the analysis of surfaces in a build without CUDA.
#include "compute/analysis/sasa_body.h"
#include "compute/molecular_surface/molecular_surface_body.h"
#include "molecule/error.h"

namespace isolume {

void solvent_accessible_area_cuda(std::span<const SasaAtom>, const SasaOptions&, Span<float>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void molecular_surface_cuda(std::span<const DensityAtom>, const Grid&, const MolecularSurfaceOptions&, Span<float>,
                            Span<glm::vec3>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
