// Stubs of the CUDA bodies of ion placement and probe maps, for a build without CUDA.
#include "compute/sampling/ion_placement_bodies.h"
#include "compute/sampling/probe_system.h"
#include "molecule/base/error.h"

namespace isolume {

std::unique_ptr<IonField> ion_field_cuda(const IonSites&, Device) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<float> ion_map_values_cuda(Span<const float>, std::span<const std::size_t>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void probe_free_energy_cuda(const ProbeSystem&, const Grid&, Span<float>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
