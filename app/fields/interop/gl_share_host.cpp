// Handing surfaces to OpenGL in a build without CUDA: always through host memory.
#include "app/fields/interop/gl_share.h"

namespace isolume {
namespace {

class HostShare final : public GlShare {
 public:
  std::string path() const override { return "through host memory (built without CUDA)"; }
  Filled fill(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Device device, Job& job) override {
    return fill_through_host(parts, by, coloured, device, job);
  }
};

}  // namespace

std::unique_ptr<GlShare> create_gl_share(Device) {
  return std::make_unique<HostShare>();
}

}  // namespace isolume
