// The bodies of path tracing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "compute/trace/trace.h"
#include "compute/trace/trace_data.h"

namespace isolume::tracing {

/// A scene that was checked, with what the bodies look up.
struct PreparedScene {
  TraceScene scene;
  std::vector<std::uint8_t> kinds;  ///< of each material
  std::vector<float> linear;        ///< of each value of sRGB
  std::vector<CloudData> clouds;    ///< for each cloud as many as it has shifts; addresses of the host
  std::vector<std::vector<std::uint8_t>> cloud_blocks;  ///< of each cloud

  /// Throws Error (usage).
  explicit PreparedScene(TraceScene scene);
  TraceData data() const;
};

/// Fills PreparedScene::clouds and cloud_blocks. Throws Error (usage).
void prepare_clouds(PreparedScene& scene);

class TraceBody {
 public:
  virtual ~TraceBody() = default;
  virtual void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) = 0;
  std::uint64_t rays() const { return rays_.load(std::memory_order_relaxed); }

 protected:
  std::atomic<std::uint64_t> rays_{0};
};

/// With Embree; null in a build without it.
std::unique_ptr<TraceBody> trace_body_embree(const PreparedScene& scene, Job& job);
/// On the CPU with the hierarchy of the CUDA body; spheres have one of their own, or for tests the same.
std::unique_ptr<TraceBody> trace_body_tree(const PreparedScene& scene, Job& job, bool spheres_apart = true);
std::unique_ptr<TraceBody> trace_body_cuda(const PreparedScene& scene, Device device, Job& job);

}  // namespace isolume::tracing
