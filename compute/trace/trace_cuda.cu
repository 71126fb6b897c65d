// Path tracing on CUDA: the hierarchy is built on the device, and a thread follows the paths of a pixel.
#include <algorithm>
#include <map>

#include "compute/base/cuda_tuning.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/trace/trace_body.h"
#include "compute/trace/trace_pixels.h"
#include "compute/trace/trace_tree.h"
#include "compute/trace/trace_tree_cuda.cuh"

namespace isolume::tracing {
namespace {

constexpr unsigned threads = 128;
constexpr int tile_width = 16, tile_height = 8;  // pixels of a block, 8 x 4 of a warp
constexpr int paths_wanted = 4;                  // blocks at once: registers are what they share

struct TreeView {
  const Node* nodes;
  const float4* leaves;
  const std::uint32_t* order;
  std::uint32_t count;
};

/// Rays through the hierarchy.
template <bool with_clouds>
struct DeviceRays {
  static constexpr bool clouds = with_clouds;
  const TraceData& data;
  const TraceView& view;
  const TreeView& tree;
  std::uint32_t count = 0;

  ISOLUME_HOST_DEVICE bool try_leaf(std::uint32_t leaf, const Ray<float>& ray, const Question& question,
                                    Hit<float>& hit) const {
    const float4 sphere = tree.leaves[leaf];
    if (sphere.w < 0) return meets(data, view, question, ray, tree.order[leaf], hit);
    return meets_sphere(view, 0, ray, Vec<float>{sphere.x, sphere.y, sphere.z}, sphere.w, hit);
  }
  ISOLUME_HOST_DEVICE bool closest(const Ray<float>& asked, const Question& question, Hit<float>& hit) {
    ++count;
    Ray<float> ray = asked;
    std::uint32_t found = 0;
    const auto leaf = [&](std::uint32_t number, Ray<float>& part) {
      Hit<float> other;
      if (!try_leaf(number, part, question, other)) return false;
      hit = other;
      found = number;
      part.end = other.distance;
      return true;
    };
    if (!walk(tree.nodes, tree.count, ray, false, leaf)) return false;
    hit.shape = tree.order[found];
    return true;
  }
  ISOLUME_HOST_DEVICE bool hidden(const Ray<float>& asked, const Question& question) {
    ++count;
    Ray<float> ray = asked;
    const auto leaf = [&](std::uint32_t number, Ray<float>& part) {
      Hit<float> other;
      return try_leaf(number, part, question, other);
    };
    return walk(tree.nodes, tree.count, ray, true, leaf);
  }
};

struct Never {
  ISOLUME_HOST_DEVICE bool operator()() const { return false; }
};

/// A block traces samples of one tile of the picture.
template <bool with_clouds>
__global__ void __launch_bounds__(threads, blocks_at_once(paths_wanted, threads, 0))
    samples_kernel(const __grid_constant__ TraceData data, const __grid_constant__ TraceView view,
                   const __grid_constant__ TreeView tree, const __grid_constant__ Pixels out, int columns,
                   unsigned first_tile, int samples, int first, unsigned long long* rays) {
  const int tile = static_cast<int>(first_tile + blockIdx.x);
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const int x = tile % columns * tile_width + warp % 2 * 8 + lane % 8;
  const int y = tile / columns * tile_height + warp / 2 * 4 + lane / 8;
  DeviceRays<with_clouds> geometry{data, view, tree};
  if (x < view.width && y < view.height) add_samples(data, view, geometry, x, y, samples, first, out, Never());
  std::uint32_t sum = geometry.count;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) atomicAdd(rays, static_cast<unsigned long long>(sum));
}

template <class T>
DeviceArray<T> uploaded(const std::vector<T>& values, Device device, const char* what) {
  return values.empty() ? DeviceArray<T>() : DeviceArray<T>::from_host(values, device, what);
}

class CudaBody final : public TraceBody {
 public:
  CudaBody(const PreparedScene& scene, Device device, Job& job)
      : device_(device),
        spheres_(uploaded(scene.scene.spheres, device, "path tracing: spheres")),
        sphere_colours_(uploaded(scene.scene.sphere_colours, device, "path tracing: colours")),
        sphere_materials_(uploaded(scene.scene.sphere_materials, device, "path tracing: materials")),
        cylinders_(uploaded(scene.scene.cylinders, device, "path tracing: cylinders")),
        vertices_(uploaded(scene.scene.vertices, device, "path tracing: vertices")),
        normals_(uploaded(scene.scene.normals, device, "path tracing: normals")),
        vertex_colours_(uploaded(scene.scene.vertex_colours, device, "path tracing: colours")),
        triangles_(uploaded(scene.scene.triangles, device, "path tracing: triangles")),
        materials_(uploaded(scene.scene.materials, device, "path tracing: materials")),
        kinds_(uploaded(scene.kinds, device, "path tracing: materials")),
        linear_(uploaded(scene.linear, device, "path tracing: colours")),
        data_(scene.data()) {
    data_.spheres = spheres_.data();
    data_.sphere_colours = sphere_colours_.data();
    data_.sphere_materials = sphere_materials_.data();
    data_.cylinders = cylinders_.data();
    data_.vertices = vertices_.data();
    data_.normals = normals_.data();
    data_.vertex_colours = vertex_colours_.data();
    data_.triangles = triangles_.data();
    data_.materials = materials_.data();
    data_.kinds = kinds_.data();
    data_.linear = linear_.data();
    upload_clouds(scene);
    job.check();
    if (data_.shapes() > 0) tree_ = build_tree(data_, device, job);
  }

  void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) override;

 private:
  /// Volumes that several clouds show are there once.
  void upload_clouds(const PreparedScene& scene) {
    std::vector<CloudData> clouds = scene.clouds;
    std::map<const Volume*, const float*> values;
    auto data = clouds.begin();
    for (std::size_t i = 0; i < scene.scene.clouds.size(); ++i) {
      const TraceCloud& cloud = scene.scene.clouds[i];
      const float*& there = values[cloud.volume.get()];
      if (!there) {
        cloud_values_.push_back(uploaded(cloud.volume->values, device_, "path tracing: values of clouds"));
        there = cloud_values_.back().data();
      }
      cloud_transfer_.push_back(uploaded(cloud.transfer, device_, "path tracing: colours"));
      cloud_blocks_.push_back(uploaded(scene.cloud_blocks[i], device_, "path tracing: blocks of clouds"));
      for (std::size_t shift = 0; shift < cloud.shifts.size(); ++shift, ++data) {
        data->values = there;
        data->transfer = cloud_transfer_.back().data();
        data->blocks = cloud_blocks_.back().data();
      }
    }
    clouds_ = uploaded(clouds, device_, "path tracing: clouds");
    data_.clouds = clouds_.data();
  }

  Device device_;
  DeviceArray<glm::vec4> spheres_;
  DeviceArray<glm::u8vec4> sphere_colours_;
  DeviceArray<std::uint32_t> sphere_materials_;
  DeviceArray<TraceCylinder> cylinders_;
  DeviceArray<glm::vec3> vertices_, normals_;
  DeviceArray<glm::u8vec4> vertex_colours_;
  DeviceArray<TraceTriangle> triangles_;
  DeviceArray<TraceMaterial> materials_;
  DeviceArray<std::uint8_t> kinds_;
  DeviceArray<float> linear_;
  DeviceArray<CloudData> clouds_;
  std::vector<DeviceArray<float>> cloud_values_;
  std::vector<DeviceArray<glm::vec4>> cloud_transfer_;
  std::vector<DeviceArray<std::uint8_t>> cloud_blocks_;
  TraceData data_;
  DeviceTree tree_;
};

void CudaBody::trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) {
  // It goes after the stream, which waits for what counts in it.
  const auto rays = DeviceArray<unsigned long long>::from_host(std::vector<unsigned long long>{0}, device_, "rays");
  Stream stream(device_);
  const Pixels pixels{out.radiance.data, out.squares.data, out.albedo.data, out.depth.data, out.objects.data};
  const TreeView tree{tree_.nodes.data(), tree_.leaves.data(), tree_.order.data(), data_.shapes()};
  const int columns = (view.width + tile_width - 1) / tile_width, rows = (view.height + tile_height - 1) / tile_height;
  const std::size_t tiles = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  const auto kernel = data_.cloud_count > 0 ? samples_kernel<true> : samples_kernel<false>;
  // Few samples at once, so that a part of the picture is soon done.
  constexpr int at_once = 64;
  for (int done = 0; done < samples; done += at_once) {
    const int now = std::min(at_once, samples - done);
    JobPart part(job, static_cast<double>(done) / samples, static_cast<double>(done + now) / samples);
    for_slices(tiles, 1056, stream, part, "path tracing", [&](std::size_t begin, std::size_t count) {
      launch("path tracing: samples", stream, kernel, CudaDim{static_cast<unsigned>(count)}, CudaDim{threads}, data_,
             view, tree, pixels, columns, static_cast<unsigned>(begin), now, first_sample + done,
             const_cast<unsigned long long*>(rays.data()));
    });
  }
  stream.synchronize("path tracing");
  rays_.fetch_add(rays.copy_to_host().front(), std::memory_order_relaxed);
}

}  // namespace

std::unique_ptr<TraceBody> trace_body_cuda(const PreparedScene& scene, Device device, Job& job) {
  return std::make_unique<CudaBody>(scene, device, job);
}

}  // namespace isolume::tracing
