// Handing surfaces to OpenGL on the device: CUDA writes into OpenGL's buffers where it drives the context.
#include <epoxy/gl.h>
// cuda_gl_interop.h wants OpenGL's types first.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "app/session/gl_share.h"
#include "compute/cuda_api.h"
#include "compute/stream.h"

namespace isolume {
namespace {

class HostShare final : public GlShare {
 public:
  explicit HostShare(std::string why) : why_(std::move(why)) {}
  std::string path() const override { return "through host memory (" + why_ + ")"; }
  Filled fill(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Device device, Job& job) override {
    return fill_through_host(parts, by, coloured, device, job);
  }

 private:
  std::string why_;
};

void check(cudaError_t code, const char* what) {
  cuda_check(static_cast<int>(code), what);
}

// The registrations of one set of buffers with CUDA: positions, normals, colours, triangles.
class Registration {
 public:
  explicit Registration(const SurfaceBuffers& buffers) {
    const unsigned names[] = {buffers.positions(), buffers.normals(), buffers.colours(), buffers.indices()};
    for (int i = 0; i < 4; ++i)
      if (names[i])
        check(cudaGraphicsGLRegisterBuffer(&resources_[i], names[i], cudaGraphicsRegisterFlagsWriteDiscard),
              "registering an OpenGL buffer with CUDA");
  }
  ~Registration() {
    for (cudaGraphicsResource_t resource : resources_)
      if (resource) cudaGraphicsUnregisterResource(resource);
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  cudaGraphicsResource_t at(int i) const { return resources_[i]; }

 private:
  std::array<cudaGraphicsResource_t, 4> resources_{};
};

// Buffers as CUDA's memory while this lives: all of a picture at once, since each call waits for OpenGL.
class Mapping {
 public:
  Mapping(std::span<const Registration* const> registrations, bool coloured, const Stream& stream)
      : stream_(static_cast<cudaStream_t>(stream.handle())) {
    for (const Registration* registration : registrations)
      for (int i = 0; i < 4; ++i)
        if (i != 2 || coloured) resources_.push_back(registration->at(i));
    check(cudaGraphicsMapResources(count(), resources_.data(), stream_), "mapping OpenGL buffers");
    mapped_ = true;
  }
  ~Mapping() {
    if (mapped_) cudaGraphicsUnmapResources(count(), resources_.data(), stream_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  template <class T>
  static Span<T> span(cudaGraphicsResource_t resource, std::size_t size, Device device) {
    void* data = nullptr;
    std::size_t bytes = 0;
    check(cudaGraphicsResourceGetMappedPointer(&data, &bytes, resource), "finding an OpenGL buffer's memory");
    if (bytes < size * sizeof(T)) throw Error("an OpenGL buffer is smaller than its surface");
    return {static_cast<T*>(data), size, device};
  }
  void unmap() {
    mapped_ = false;
    check(cudaGraphicsUnmapResources(count(), resources_.data(), stream_), "handing buffers back to OpenGL");
  }

 private:
  int count() const { return static_cast<int>(resources_.size()); }

  cudaStream_t stream_;
  std::vector<cudaGraphicsResource_t> resources_;
  bool mapped_ = false;
};

class CudaShare final : public GlShare {
 public:
  explicit CudaShare(Device device) : device_(device), stream_(device) {}
  ~CudaShare() override {
    const DeviceScope scope(device_);
    registrations_.clear();  // before the buffers, which the base class destroys
  }
  std::string path() const override { return "CUDA-OpenGL interop on " + to_string(device_); }

  Filled fill(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Device device, Job& job) override {
    if (device != device_) return fill_through_host(parts, by, coloured, device, job);
    Filled filled;
    std::vector<SurfaceCounts> counts;
    std::vector<const Registration*> registered;
    for (const auto& [buffers, surface] : parts) {
      counts.push_back(surface->count(job));
      filled.counts.vertices += counts.back().vertices;
      filled.counts.triangles += counts.back().triangles;
      if (!is_empty(counts.back()))
        registered.push_back(&make_room(*buffers, counts.back(), coloured));
      else
        buffers->resize(0, 0, coloured);
    }
    if (registered.empty()) return filled;
    Mapping mapping(registered, coloured, stream_);
    stream_.synchronize("waiting for OpenGL");  // the surfaces are filled in a stream of their own
    for (std::size_t i = 0, place = 0; i < parts.size(); ++i) {
      if (is_empty(counts[i])) continue;
      const Registration& at = *registered[place++];
      Span<glm::u8vec4> colours;
      if (coloured) colours = Mapping::span<glm::u8vec4>(at.at(2), counts[i].vertices, device_);
      parts[i].surface->fill(Mapping::span<glm::vec3>(at.at(0), counts[i].vertices, device_),
                             Mapping::span<glm::vec3>(at.at(1), counts[i].vertices, device_),
                             Mapping::span<glm::uvec3>(at.at(3), counts[i].triangles, device_), by, colours, job);
    }
    mapping.unmap();
    stream_.synchronize("handing surfaces to OpenGL");
    return filled;
  }

 private:
  static bool is_empty(const SurfaceCounts& counts) { return counts.vertices == 0 || counts.triangles == 0; }

  /// Registers the buffers where they are new or had to be replaced. A registered buffer must not be deleted, so its
  /// registration goes before it.
  const Registration& make_room(SurfaceBuffers& buffers, const SurfaceCounts& counts, bool coloured) {
    auto& registration = registrations_[&buffers];
    if (!buffers.fits(counts.vertices, counts.triangles, coloured)) registration.reset();
    buffers.resize(counts.vertices, counts.triangles, coloured);
    if (!registration) registration = std::make_unique<Registration>(buffers);
    return *registration;
  }

  Device device_;
  Stream stream_;
  std::map<const SurfaceBuffers*, std::unique_ptr<Registration>> registrations_;
};

// Why CUDA does not drive the current OpenGL context with this device; empty where it does.
std::string why_not(Device device) {
  if (!device.is_cuda()) return "the CPU computes";
  const DeviceScope scope(device);
  unsigned count = 0;
  std::array<int, 16> devices{};
  const cudaError_t code = cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll);
  if (code != cudaSuccess) {
    cudaGetLastError();
    return "no CUDA device drives this OpenGL context";
  }
  if (std::find(devices.begin(), devices.begin() + count, device.index) == devices.begin() + count)
    return fmt::format("{} does not drive this OpenGL context", to_string(device));
  return {};
}

}  // namespace

std::unique_ptr<GlShare> create_gl_share(Device device) {
  std::string why = why_not(device);
  if (why.empty()) return std::make_unique<CudaShare>(device);
  return std::make_unique<HostShare>(std::move(why));
}

}  // namespace isolume
