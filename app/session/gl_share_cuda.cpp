// Handing surfaces to OpenGL on the device: CUDA writes into OpenGL's buffers where it drives the context.
#include <epoxy/gl.h>
// cuda_gl_interop.h wants OpenGL's types first.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/session/gl_share.h"
#include "compute/cuda_api.h"
#include "compute/stream.h"

namespace isolume {
namespace {

class HostShare final : public GlShare {
 public:
  explicit HostShare(std::string why) : why_(std::move(why)) {}
  std::string path() const override { return "through host memory (" + why_ + ")"; }
  Filled fill(SurfaceBuffers& buffers, MarchingCubes& surface, const SurfaceColours& by, bool coloured, Device device,
              Job& job) override {
    return fill_through_host(buffers, surface, by, coloured, device, job);
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
  explicit Registration(const SurfaceBuffers& buffers) : generation_(buffers.generation()) {
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

  std::uint64_t generation() const { return generation_; }
  cudaGraphicsResource_t at(int i) const { return resources_[i]; }

 private:
  std::array<cudaGraphicsResource_t, 4> resources_{};
  std::uint64_t generation_;
};

// Buffers as CUDA's memory while this lives.
class Mapping {
 public:
  Mapping(const Registration& registration, bool coloured, const Stream& stream)
      : stream_(static_cast<cudaStream_t>(stream.handle())) {
    for (int i = 0; i < 4; ++i)
      if (i != 2 || coloured) resources_[count_++] = registration.at(i);
    check(cudaGraphicsMapResources(count_, resources_.data(), stream_), "mapping OpenGL buffers");
    mapped_ = true;
  }
  ~Mapping() {
    if (mapped_) cudaGraphicsUnmapResources(count_, resources_.data(), stream_);
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
    check(cudaGraphicsUnmapResources(count_, resources_.data(), stream_), "handing buffers back to OpenGL");
  }

 private:
  cudaStream_t stream_;
  std::array<cudaGraphicsResource_t, 4> resources_{};
  int count_ = 0;
  bool mapped_ = false;
};

class CudaShare final : public GlShare {
 public:
  explicit CudaShare(Device device) : device_(device) {}
  ~CudaShare() override {
    const DeviceScope scope(device_);
    registrations_.clear();  // before the buffers, which the base class destroys
  }
  std::string path() const override { return "CUDA-OpenGL interop on " + to_string(device_); }

  Filled fill(SurfaceBuffers& buffers, MarchingCubes& surface, const SurfaceColours& by, bool coloured, Device device,
              Job& job) override {
    if (device != device_) return fill_through_host(buffers, surface, by, coloured, device, job);
    Stream stream(device_);
    const SurfaceCounts counts = surface.count(job);
    auto& registration = registrations_[&buffers];
    const std::uint64_t before = buffers.generation();
    // A registered buffer must not be replaced, so an old registration goes before the buffers grow.
    if (registration && (counts.vertices > buffers_room_[&buffers].vertices ||
                         counts.triangles > buffers_room_[&buffers].triangles || (coloured && !registration->at(2))))
      registration.reset();
    buffers.resize(counts.vertices, counts.triangles, coloured);
    if (buffers.generation() != before || !registration) {
      registration.reset();
      registration = std::make_unique<Registration>(buffers);
    }
    auto& room = buffers_room_[&buffers];
    room = {std::max(room.vertices, counts.vertices), std::max(room.triangles, counts.triangles)};
    if (counts.vertices == 0 || counts.triangles == 0) return {counts, 0};
    Mapping mapping(*registration, coloured, stream);
    stream.synchronize("waiting for OpenGL");  // the surface is filled in a stream of its own
    Span<glm::u8vec4> colours;
    if (coloured) colours = Mapping::span<glm::u8vec4>(registration->at(2), counts.vertices, device_);
    surface.fill(Mapping::span<glm::vec3>(registration->at(0), counts.vertices, device_),
                 Mapping::span<glm::vec3>(registration->at(1), counts.vertices, device_),
                 Mapping::span<glm::uvec3>(registration->at(3), counts.triangles, device_), by, colours, job);
    mapping.unmap();
    stream.synchronize("handing a surface to OpenGL");
    return {counts, 0};
  }

 private:
  Device device_;
  std::map<const SurfaceBuffers*, std::unique_ptr<Registration>> registrations_;
  std::map<const SurfaceBuffers*, SurfaceCounts> buffers_room_;  // the most that each was resized to
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
