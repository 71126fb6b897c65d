// Fields on atoms by hierarchical charge partitioning on CUDA: a warp for every 16 consecutive atoms.
#include "compute/base/cuda_tuning.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electrostatics/hcp/hcp_field_walk.cuh"

namespace isolume {

namespace {

constexpr unsigned warps = 2;

/// With fewer registers for a thread sums wait for each other, with fewer threads for memory.
template <int each>
constexpr int field_blocks = blocks_at_once(each == 1 ? blocks_wanted::hcp_field_of_singles
                                                      : blocks_wanted::hcp_field_of_pairs,
                                            warps* warp, warps * sizeof(HcpFieldStore<each>));

template <int levels, int each, bool sigmoidal, bool potential>
__global__ void __launch_bounds__(warps* warp, field_blocks<each>)
    field_kernel(HcpDeviceSystem s, std::uint32_t first_tile, std::uint32_t last_tile, float scale,
                 float4* __restrict__ out) {
  __shared__ HcpFieldStore<each> stores[warps];
  const unsigned lane = threadIdx.x % warp;
  const std::uint32_t tile = first_tile + blockIdx.x * warps + threadIdx.x / warp;
  if (tile >= last_tile) return;
  HcpFieldStore<each>& store = stores[threadIdx.x / warp];
  const std::uint32_t place = tile * hcp_targets + lane % hcp_targets;
  const HcpCharge own = s.atoms[min(place, s.atom_count - 1)];
  if (lane < hcp_targets) {
    store.targets[lane] = own;
    for (unsigned k = lane; k < 4 * hcp_targets; k += hcp_targets) store.sums[k] = 0;
  }
  HcpPointSums<true> sums{own.x, own.y, own.z};
  if (lane < hcp_terms) store.series[lane] = 0;
  HcpFieldWalk<levels, each, sigmoidal, potential> walk{s, sums, store, 0, 0, 0, 0, lane};
  walk.cx = 0.5f * (warp_extreme(own.x, true) + warp_extreme(own.x, false));
  walk.cy = 0.5f * (warp_extreme(own.y, true) + warp_extreme(own.y, false));
  walk.cz = 0.5f * (warp_extreme(own.z, true) + warp_extreme(own.z, false));
  const float dx = own.x - walk.cx, dy = own.y - walk.cy, dz = own.z - walk.cz;
  walk.radius = warp_extreme(sqrtf(dx * dx + dy * dy + dz * dz), false) * 1.0001f + 1e-4f;
  const float remote = hcp_remote(walk.radius, sigmoidal, s.law.square);
  walk.remote2 = remote * remote;
  __syncwarp();
  walk.template visit<levels>(0, levels == 0 ? s.atom_count : s.levels[levels > 0 ? levels - 1 : 0].count, true);
  walk.finish();
  sums.v += __shfl_down_sync(whole_warp, sums.v, hcp_targets);
  sums.ex += __shfl_down_sync(whole_warp, sums.ex, hcp_targets);
  sums.ey += __shfl_down_sync(whole_warp, sums.ey, hcp_targets);
  sums.ez += __shfl_down_sync(whole_warp, sums.ez, hcp_targets);
  if (lane >= hcp_targets || place >= s.atom_count) return;
  const float* const near = store.sums + (potential ? 4 : 3) * lane;
  out[place] = {scale * (sums.ex + near[0]), scale * (sums.ey + near[1]), scale * (sums.ez + near[2]),
                potential ? scale * (sums.v + near[3]) : 0.0f};
}

/// The atoms of every group in quads: four to a quad, the last filled up by charges of 0 far away.
__global__ void quads_kernel(const HcpCharge* __restrict__ atoms, const std::uint32_t* __restrict__ first,
                             const std::uint32_t* __restrict__ quad, std::uint32_t groups,
                             HcpCharge* __restrict__ quads) {
  // Eight threads a group.
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  if (group >= groups) return;
  const std::uint32_t begin = first[group], count = first[group + 1] - begin, to = quad[group];
  for (std::uint32_t i = threadIdx.x % 8; i < 4 * (quad[group + 1] - to); i += 8)
    quads[4 * static_cast<std::size_t>(to) + i] = i < count ? atoms[begin + i] : HcpCharge{1e8f, 1e8f, 1e8f, 0};
}

template <int levels, int each>
void add_up(bool sigmoidal, bool potential, const HcpDeviceSystem& s, float scale, float4* out, Stream& stream,
            Job& job) {
  const auto kernel = sigmoidal
                          ? potential ? field_kernel<levels, each, true, true> : field_kernel<levels, each, true, false>
                      : potential ? field_kernel<levels, each, false, true>
                                  : field_kernel<levels, each, false, false>;
  for_slices((s.atom_count + hcp_targets - 1) / hcp_targets, std::size_t{1} << 16, stream, job,
             "hierarchical partitioning", [&](std::size_t begin, std::size_t count) {
               launch("hierarchical partitioning: field", stream, kernel, blocks_for(count, warps), {warps * warp}, s,
                      static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + count), scale, out);
             });
}

}  // namespace

void HcpDevice::set_quads(const HcpCharge* atoms, Stream& stream) {
  if (levels_.empty()) return;
  const HcpDeviceLevel& groups = system_.levels[0];
  launch("hierarchical partitioning: quads", stream, quads_kernel, blocks_for(std::size_t{groups.count} * 8, 256),
         {256}, atoms, groups.first, system_.quad, groups.count, quads_.data());
}

void HcpDevice::field_on_atoms(double unit, bool potential, float* values, Stream& stream, Job& job) {
  const float scale = scale_of(unit);
  with_hcp_shape(levels_.size(), charges_each_, [&](auto count, auto each) {
    add_up<count.value, each.value>(sigmoidal_, potential, system_, scale, reinterpret_cast<float4*>(values), stream,
                                    job);
  });
}

}  // namespace isolume
