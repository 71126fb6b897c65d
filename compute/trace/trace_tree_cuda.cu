// The hierarchy of path tracing, built on the device: codes along a curve, their order, links, and boxes from the
// leaves up.
#include "compute/trace/trace_tree_cuda.cuh"

#include <algorithm>
#include <climits>
#include <vector>

#include "compute/base/launch.cuh"

namespace isolume::tracing {
namespace {

/// Integers in the order of floats.
__device__ int ordered(float f) {
  const int i = __float_as_int(f);
  return i >= 0 ? i : i ^ 0x7fffffff;
}
__device__ float unordered(int i) {
  return __int_as_float(i >= 0 ? i : i ^ 0x7fffffff);
}

/// The box of all shapes: three lowest and three highest values, ordered.
__global__ void __launch_bounds__(256) whole_kernel(TraceData data, int* whole) {
  Box box = no_box();
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < data.shapes(); i += gridDim.x * blockDim.x)
    box = together(box, box_of(data, i));
  for (int step = 16; step > 0; step /= 2) {
    Box other;
    for (int k = 0; k < 3; ++k) {
      other.low[k] = __shfl_xor_sync(~0u, box.low[k], step);
      other.high[k] = __shfl_xor_sync(~0u, box.high[k], step);
    }
    box = together(box, other);
  }
  if (threadIdx.x % 32 != 0) return;
  for (int k = 0; k < 3; ++k) {
    atomicMin(whole + k, ordered(box.low[k]));
    atomicMax(whole + 3 + k, ordered(box.high[k]));
  }
}

__global__ void __launch_bounds__(256)
    codes_kernel(TraceData data, const int* __restrict__ whole, std::uint32_t* codes, std::uint32_t* numbers) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= data.shapes()) return;
  Box all;
  for (int k = 0; k < 3; ++k) {
    all.low[k] = unordered(whole[k]);
    all.high[k] = unordered(whole[3 + k]);
  }
  codes[i] = static_cast<std::uint32_t>(key_of(box_of(data, i), all, i) >> 32);
  numbers[i] = i;
}

/// Keys in order, and the spheres that need no second look: others have a radius below 0.
__global__ void __launch_bounds__(256)
    leaves_kernel(TraceData data, const std::uint32_t* __restrict__ codes, const std::uint32_t* __restrict__ order,
                  std::uint64_t* keys, float4* leaves) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= data.shapes()) return;
  const std::uint32_t shape = order[i];
  keys[i] = static_cast<std::uint64_t>(codes[i]) << 32 | shape;
  float4 leaf{0, 0, 0, -1};
  if (shape < data.sphere_count && (data.kinds[data.sphere_materials[shape]] & plain_kind)) {
    const glm::vec4 s = data.spheres[shape];
    leaf = {s.x, s.y, s.z, s.w};
  }
  leaves[i] = leaf;
}

__global__ void __launch_bounds__(256)
    links_kernel(const std::uint64_t* __restrict__ keys, std::uint32_t count, Node* nodes, std::int32_t* node_parents,
                 std::int32_t* leaf_parents) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < count) link_node(keys, count, i, nodes, node_parents, leaf_parents);
}

/// Each leaf hands its box up; the second that comes to a node goes on.
__global__ void __launch_bounds__(256)
    boxes_kernel(TraceData data, const std::uint32_t* __restrict__ order, const std::int32_t* __restrict__ node_parents,
                 const std::int32_t* __restrict__ leaf_parents, Node* nodes, int* met) {
  const std::uint32_t leaf = blockIdx.x * blockDim.x + threadIdx.x;
  if (leaf >= data.shapes()) return;
  Box box = box_of(data, order[leaf]);
  for (std::int32_t to = leaf_parents[leaf]; to >= 0;) {
    const std::int32_t node = to / 2, side = to % 2;
    nodes[node].box[side] = box;
    __threadfence();
    if (atomicAdd(met + node, 1) == 0) return;
    __threadfence();
    const Box& beside = nodes[node].box[1 - side];
    Box other;
    for (int k = 0; k < 3; ++k) {
      other.low[k] = __ldcg(beside.low + k);
      other.high[k] = __ldcg(beside.high + k);
    }
    box = together(box, other);
    to = node_parents[node];
  }
}

void sort(const Stream& stream, const DeviceArray<std::uint32_t>& codes, DeviceArray<std::uint32_t>& sorted_codes,
          const DeviceArray<std::uint32_t>& numbers, DeviceTree& tree) {
  constexpr int bits = 30;
  std::size_t bytes = 0;
  cuda_check(cuda_api().sort_pairs(nullptr, &bytes, codes.data(), sorted_codes.data(), numbers.data(),
                                   tree.order.data(), codes.size(), bits, stream.handle()),
             "path tracing: sorting");
  const LaunchTimer timer("path tracing: sorting", stream.device().index, stream.handle());
  DeviceArray<std::byte> temporary(bytes, stream, "path tracing: sorting");
  cuda_check(cuda_api().sort_pairs(temporary.data(), &bytes, codes.data(), sorted_codes.data(), numbers.data(),
                                   tree.order.data(), codes.size(), bits, stream.handle()),
             "path tracing: sorting");
}

}  // namespace

DeviceTree build_tree(const TraceData& data, Device device, Job& job) {
  DeviceTree tree;
  Stream stream(device);
  const std::uint32_t count = data.shapes();
  tree.order = DeviceArray<std::uint32_t>(count, device, "path tracing: order");
  tree.leaves = DeviceArray<float4>(count, device, "path tracing: leaves");
  const std::vector<int> none{INT_MAX, INT_MAX, INT_MAX, INT_MIN, INT_MIN, INT_MIN};
  const auto whole = DeviceArray<int>::from_host(none, device, "path tracing: extent");
  const CudaDim blocks = blocks_for(count);
  launch("path tracing: extent", stream, whole_kernel, CudaDim{std::min(blocks.x, 1024u)}, CudaDim{256}, data,
         const_cast<int*>(whole.data()));
  DeviceArray<std::uint64_t> keys(count, device, "path tracing: keys");
  {
    DeviceArray<std::uint32_t> codes(count, stream, "path tracing: codes"),
        numbers(count, stream, "path tracing: numbers"), sorted(count, stream, "path tracing: codes");
    launch("path tracing: codes", stream, codes_kernel, blocks, CudaDim{256}, data, whole.data(), codes.data(),
           numbers.data());
    sort(stream, codes, sorted, numbers, tree);
    launch("path tracing: leaves", stream, leaves_kernel, blocks, CudaDim{256}, data, sorted.data(), tree.order.data(),
           keys.data(), tree.leaves.data());
  }
  stream.synchronize("path tracing: order");
  job.check();
  if (count < 2) return tree;
  tree.nodes = DeviceArray<Node>(count - 1, device, "path tracing: hierarchy");
  DeviceArray<std::int32_t> node_parents(count, device, "path tracing: hierarchy"),
      leaf_parents(count, device, "path tracing: hierarchy");
  DeviceArray<int> met(count, device, "path tracing: hierarchy");
  cuda_check(cuda_api().set_bytes(met.data(), 0, met.size() * sizeof(int), stream.handle()), "path tracing: hierarchy");
  launch("path tracing: links", stream, links_kernel, blocks, CudaDim{256}, keys.data(), count, tree.nodes.data(),
         node_parents.data(), leaf_parents.data());
  launch("path tracing: boxes", stream, boxes_kernel, blocks, CudaDim{256}, data, tree.order.data(),
         node_parents.data(), leaf_parents.data(), tree.nodes.data(), met.data());
  stream.synchronize("path tracing: hierarchy");
  job.check();
  return tree;
}

}  // namespace isolume::tracing
