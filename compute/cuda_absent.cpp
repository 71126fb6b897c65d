// What stands for CUDA in a build without it: an empty table, and bodies that say so.
#include "compute/backends.h"
#include "compute/cuda_api.h"
#include "molecule/error.h"

namespace isolume {

namespace {
[[noreturn, maybe_unused]] void absent() {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}
}  // namespace

const CudaApi& built_in_cuda_api() {
  static const CudaApi empty;
  return empty;
}

}  // namespace isolume
