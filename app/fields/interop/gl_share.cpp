// Surface buffers in use and in reserve, and the way through host memory.
#include "app/fields/interop/gl_share.h"

#include <epoxy/gl.h>

#include <mutex>

#include "compute/base/device_array.h"

namespace isolume {

struct GlShare::Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<SurfaceBuffers>> free;
};

GlShare::GlShare() : pool_(std::make_shared<Pool>()) {}

GlShare::~GlShare() = default;

void GlShare::abandon_buffers() {
  const std::lock_guard lock(pool_->mutex);
  for (const auto& buffers : pool_->free) buffers->abandon();
  pool_->free.clear();
}

std::shared_ptr<SurfaceBuffers> GlShare::take() {
  std::unique_ptr<SurfaceBuffers> buffers;
  {
    const std::lock_guard lock(pool_->mutex);
    if (!pool_->free.empty()) {
      buffers = std::move(pool_->free.back());
      pool_->free.pop_back();
    }
  }
  if (!buffers) buffers = std::make_unique<SurfaceBuffers>();
  return {buffers.release(), [weak = std::weak_ptr<Pool>(pool_)](SurfaceBuffers* returned) {
            std::unique_ptr<SurfaceBuffers> owned(returned);
            if (const auto pool = weak.lock()) {
              const std::lock_guard lock(pool->mutex);
              pool->free.push_back(std::move(owned));
            } else {
              owned->abandon();  // there is no telling whether a context is current
            }
          }};
}

namespace {

template <class T>
void upload(unsigned buffer, const DeviceArray<T>& values) {
  if (values.empty()) return;
  const auto bytes = static_cast<GLsizeiptr>(values.size() * sizeof(T));
  if (values.device().is_cuda()) {
    glNamedBufferSubData(buffer, 0, bytes, values.copy_to_host().data());
  } else {
    glNamedBufferSubData(buffer, 0, bytes, values.data());
  }
}

}  // namespace

GlShare::Filled fill_through_host(std::span<const GlShare::Part> parts, const SurfaceColours& by, bool coloured,
                                  Device device, Job& job) {
  GlShare::Filled filled;
  for (const auto& [buffers, surface] : parts) {
    const SurfaceCounts counts = surface->count(job);
    DeviceArray<glm::vec3> positions(counts.vertices, device, "surface positions");
    DeviceArray<glm::vec3> normals(counts.vertices, device, "surface normals");
    DeviceArray<glm::uvec3> triangles(counts.triangles, device, "surface triangles");
    DeviceArray<glm::u8vec4> colours(coloured ? counts.vertices : 0, device, "surface colours");
    surface->fill(positions.span(), normals.span(), triangles.span(), by, colours.span(), job);
    buffers->resize(counts.vertices, counts.triangles, coloured);
    upload(buffers->positions(), positions);
    upload(buffers->normals(), normals);
    upload(buffers->indices(), triangles);
    upload(buffers->colours(), colours);
    filled.counts.vertices += counts.vertices;
    filled.counts.triangles += counts.triangles;
    filled.host_bytes += counts.vertices * (2 * sizeof(glm::vec3) + (coloured ? sizeof(glm::u8vec4) : 0)) +
                         counts.triangles * sizeof(glm::uvec3);
  }
  glFinish();  // other contexts of the share group see complete buffers
  return filled;
}

}  // namespace isolume
