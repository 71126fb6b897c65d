// Handing surfaces to OpenGL on the device: CUDA writes into OpenGL's buffers where it drives the context.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "app/fields/interop/gl_interop.h"
#include "app/fields/interop/gl_share.h"
#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "compute/base/stream.h"
#include "compute/base/timing.h"

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

// The registrations of one set of buffers with CUDA: positions, normals, colours, triangles.
class Registration {
 public:
  explicit Registration(const SurfaceBuffers& buffers) {
    const unsigned names[] = {buffers.positions(), buffers.normals(), buffers.colours(), buffers.indices()};
    try {
      for (int i = 0; i < 4; ++i)
        if (names[i]) cuda_check(gl_interop().add(&resources_[i], names[i]), "registering an OpenGL buffer with CUDA");
    } catch (...) {
      end();  // those that went well
      throw;
    }
  }
  ~Registration() { end(); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  void* at(int i) const { return resources_[i]; }

 private:
  void end() noexcept {
    for (void* resource : resources_)
      if (resource) note_cuda_code(gl_interop().remove(resource), "handing an OpenGL buffer back");
  }

  std::array<void*, 4> resources_{};
};

// Buffers as CUDA's memory while this lives: all of a picture at once, since each call waits for OpenGL.
class Mapping {
 public:
  Mapping(std::span<const Registration* const> registrations, bool coloured, const Stream& stream)
      : stream_(stream.handle()) {
    for (const Registration* registration : registrations)
      for (int i = 0; i < 4; ++i)
        if (i != 2 || coloured) resources_.push_back(registration->at(i));
    const PhaseTimer timer("surfaces: map OpenGL's buffers");
    cuda_check(gl_interop().map(count(), resources_.data(), stream_), "mapping OpenGL buffers");
    mapped_ = true;
  }
  ~Mapping() {
    if (!mapped_) return;
    note_cuda_code(gl_interop().unmap(count(), resources_.data(), stream_), "handing buffers back to OpenGL");
    // What writes into them is done before anything that it reads goes.
    note_cuda_code(cuda_api().stream_synchronize(stream_), "handing buffers back to OpenGL");
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  /// All that a buffer has room for.
  template <class T>
  static Span<T> room(void* resource, Device device) {
    void* data = nullptr;
    std::size_t bytes = 0;
    cuda_check(gl_interop().memory(&data, &bytes, resource), "finding an OpenGL buffer's memory");
    return {static_cast<T*>(data), bytes / sizeof(T), device};
  }
  template <class T>
  static Span<T> span(void* resource, std::size_t size, Device device) {
    const Span<T> all = room<T>(resource, device);
    if (all.size < size) throw Error("an OpenGL buffer is smaller than its surface");
    return {all.data, size, device};
  }
  void unmap() {
    const PhaseTimer timer("surfaces: hand OpenGL's buffers back");
    mapped_ = false;
    cuda_check(gl_interop().unmap(count(), resources_.data(), stream_), "handing buffers back to OpenGL");
  }

 private:
  int count() const { return static_cast<int>(resources_.size()); }

  void* stream_;
  std::vector<void*> resources_;
  bool mapped_ = false;
};

class CudaShare final : public GlShare {
 public:
  explicit CudaShare(Device device) : device_(device), stream_(device) {}
  /// On the thread that made it, where its stream keeps the device current: a scope of its own could throw.
  ~CudaShare() override {
    registrations_.clear();                       // before the buffers, which the base class destroys
    if (lost_device(device_)) abandon_buffers();  // a dead context lets go of none
  }
  std::string path() const override { return "CUDA-OpenGL interop on " + to_string(device_); }

  Stream* stream_on(Device device) override { return device == device_ ? &stream_ : nullptr; }

  Filled fill(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Device device, Job& job) override {
    if (device != device_) return fill_through_host(parts, by, coloured, device, job);
    Filled filled;
    if (known(parts, coloured)) {
      std::vector<Part> too_large;
      std::vector<SurfaceCounts> counts;
      start(parts, by, coloured, job);
      for (const Part& part : parts) {
        const SurfaceCounts needed = part.surface->finish();
        add(filled.counts, needed);
        if (is_empty(needed)) {
          part.buffers->resize(0, 0, coloured);
        } else if (part.buffers->fits(needed.vertices, needed.triangles, coloured)) {
          part.buffers->resize(needed.vertices, needed.triangles, coloured);
        } else {
          too_large.push_back(part);
          counts.push_back(needed);
        }
      }
      fill_counted(too_large, counts, by, coloured, job);
      return filled;
    }
    stream_.synchronize("waiting for the values");  // counting has a stream of its own
    std::vector<SurfaceCounts> counts;
    for (const Part& part : parts) {
      counts.push_back(part.surface->count(job));
      add(filled.counts, counts.back());
    }
    fill_counted(parts, counts, by, coloured, job);
    return filled;
  }

 private:
  static bool is_empty(const SurfaceCounts& counts) { return counts.vertices == 0 || counts.triangles == 0; }
  static void add(SurfaceCounts& sum, const SurfaceCounts& counts) {
    sum.vertices += counts.vertices;
    sum.triangles += counts.triangles;
  }

  /// Whether all surfaces may fit into memory that CUDA knows already.
  bool known(std::span<const Part> parts, bool coloured) const {
    return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
      const auto registration = registrations_.find(part.buffers);
      return part.surface->can_start() && registration != registrations_.end() && registration->second &&
             (!coloured || registration->second->at(2));
    });
  }

  /// Counts and fills as far as the buffers go, and waits once.
  void start(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Job& job) {
    std::vector<const Registration*> registered;
    for (const Part& part : parts) registered.push_back(registrations_.at(part.buffers).get());
    Mapping mapping(registered, coloured, stream_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Registration& at = *registered[i];
      const auto positions = Mapping::room<glm::vec3>(at.at(0), device_);
      const auto normals = Mapping::room<glm::vec3>(at.at(1), device_);
      const std::size_t vertices = std::min(positions.size, normals.size);
      Span<glm::u8vec4> colours;
      if (coloured) colours = Mapping::room<glm::u8vec4>(at.at(2), device_);
      const std::size_t room = coloured ? std::min(vertices, colours.size) : vertices;
      if (coloured) colours.size = room;
      parts[i].surface->start({positions.data, room, device_}, {normals.data, room, device_},
                              Mapping::room<glm::uvec3>(at.at(3), device_), by, colours, stream_, job);
    }
    mapping.unmap();
    const PhaseTimer timer("surfaces: wait");
    stream_.synchronize("handing surfaces to OpenGL");
  }

  void fill_counted(std::span<const Part> parts, std::span<const SurfaceCounts> counts, const SurfaceColours& by,
                    bool coloured, Job& job) {
    std::vector<const Registration*> registered;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_empty(counts[i]))
        registered.push_back(&make_room(*parts[i].buffers, counts[i], coloured));
      else
        parts[i].buffers->resize(0, 0, coloured);
    }
    if (registered.empty()) return;
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
  }

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
  const int code = gl_interop().devices(&count, devices.data(), devices.size());
  if (ends_context(code)) cuda_check(code, "asking which device drives OpenGL");
  if (code != 0) return "no CUDA device drives this OpenGL context";
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
