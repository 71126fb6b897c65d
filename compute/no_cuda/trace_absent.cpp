// Stub of the CUDA body of path tracing, for a build without CUDA.
#include "compute/trace/trace_body.h"
#include "molecule/base/error.h"

namespace isolume::tracing {

std::unique_ptr<TraceBody> trace_body_cuda(const PreparedScene&, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume::tracing
