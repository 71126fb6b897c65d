// What stands for CUDA in a build without it: an empty table, and bodies that say so.
#include "compute/backends.h"
#include "compute/cuda_api.h"
#include "molecule/error.h"

namespace isolume {

namespace {
[[noreturn]] void absent() {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}
}  // namespace

const CudaApi& built_in_cuda_api() {
  static const CudaApi empty;
  return empty;
}

void direct_potential_cuda(std::span<const PointCharge>, const Grid&, Span<float>, Job&) {
  absent();
}

void gaussian_density_cuda(const DensityTask&, Job&, DensityWorkspace::Memory&) {
  absent();
}

std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Element, Device) {
  absent();
}

void orbital_cuda(const OrbitalTerms&, const Grid&, Span<float>, Job&) {
  absent();
}

}  // namespace isolume
