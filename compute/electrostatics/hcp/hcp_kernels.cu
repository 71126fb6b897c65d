// Hierarchical charge partitioning on CUDA: a warp for every 32 neighbouring points, no lists.
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electrostatics/hcp/hcp_walk.cuh"

namespace isolume {

namespace {

constexpr int block_size = 128;
constexpr int warps = block_size / warp;
static_assert(hcp_tile == warp, "a tile is a warp");

template <int levels, int each, bool sigmoidal>
__global__ void __launch_bounds__(block_size)
    hcp_kernel(HcpDeviceSystem s, HcpDeviceTargets t, std::uint32_t first_tile, std::uint32_t last_tile, float scale,
               float* __restrict__ out) {
  __shared__ HcpCharge staging[warps][warp * each];
  const unsigned lane = threadIdx.x % warp;
  const std::uint32_t tile = first_tile + blockIdx.x * warps + threadIdx.x / warp;
  if (tile >= last_tile) return;
  HcpPointSums<false> sums;
  std::size_t to = 0;
  bool wanted = true;
  if (t.nx > 0) {
    const std::uint32_t row = tile / t.tiles_x;
    int i = static_cast<int>(tile % t.tiles_x) * hcp_tile_x + static_cast<int>(lane) % hcp_tile_x;
    int j = static_cast<int>(row % t.tiles_y) * hcp_tile_y + static_cast<int>(lane) / hcp_tile_x % hcp_tile_y;
    int k = static_cast<int>(row / t.tiles_y) * hcp_tile_z + static_cast<int>(lane) / (hcp_tile_x * hcp_tile_y);
    wanted = i < t.nx && j < t.ny && k < t.nz;
    i = min(i, t.nx - 1), j = min(j, t.ny - 1), k = min(k, t.nz - 1);
    sums.x = static_cast<float>(t.origin[0] + i * t.step[0][0] + j * t.step[1][0] + k * t.step[2][0]);
    sums.y = static_cast<float>(t.origin[1] + i * t.step[0][1] + j * t.step[1][1] + k * t.step[2][1]);
    sums.z = static_cast<float>(t.origin[2] + i * t.step[0][2] + j * t.step[1][2] + k * t.step[2][2]);
    to = static_cast<std::size_t>(i) +
         static_cast<std::size_t>(t.nx) *
             (static_cast<std::size_t>(j) + static_cast<std::size_t>(t.ny) * static_cast<std::size_t>(k));
  } else {
    const std::uint32_t place = tile * warp + lane;
    wanted = place < t.count;
    to = min(place, t.count - 1);
    sums.x = t.points[3 * to], sums.y = t.points[3 * to + 1], sums.z = t.points[3 * to + 2];
  }
  HcpWalk<levels, each, sigmoidal> walk{s, sums, staging[threadIdx.x / warp], 0, 0, 0, 0, lane};
  walk.cx = 0.5f * (warp_extreme(sums.x, true) + warp_extreme(sums.x, false));
  walk.cy = 0.5f * (warp_extreme(sums.y, true) + warp_extreme(sums.y, false));
  walk.cz = 0.5f * (warp_extreme(sums.z, true) + warp_extreme(sums.z, false));
  const float dx = sums.x - walk.cx, dy = sums.y - walk.cy, dz = sums.z - walk.cz;
  walk.radius = warp_extreme(sqrtf(dx * dx + dy * dy + dz * dz), false) * 1.0001f + 1e-4f;
  walk.template visit<levels>(0, levels == 0 ? s.atom_count : s.levels[levels > 0 ? levels - 1 : 0].count, true);
  if (wanted) out[to] = scale * sums.v;
}

/// The sum over the eight threads of a group, in all of them.
__device__ __forceinline__ double sum_of_eight(double v) {
#pragma unroll
  for (int step = 4; step > 0; step /= 2) v += __shfl_xor_sync(whole_warp, v, step);
  return v;
}

/// `middle` with a component's reach, negative where it has no charge.
__device__ __forceinline__ HcpCentre reaching(const HcpCentre& middle, float threshold, float radius2,
                                              const HcpCharge* charges, int charges_each) {
  const float reach = fmaxf(threshold, sqrtf(radius2) + hcp_margin);
  const bool acts = charges[0].q != 0 || charges[charges_each - 1].q != 0;
  return {middle.x, middle.y, middle.z, acts ? reach : -reach};
}

/// Centre, reach and charges of every group, eight threads each; sums in double precision.
__global__ void __launch_bounds__(block_size)
    groups_kernel(const HcpCharge* __restrict__ atoms, HcpDeviceLevel level, int charges_each) {
  const std::uint32_t group = (blockIdx.x * block_size + threadIdx.x) / 8;
  const std::uint32_t mine = threadIdx.x % 8;
  const bool here = group < level.count;
  const std::uint32_t begin = here ? level.atom[group] : 0, end = here ? level.atom[group + 1] : 0;
  HcpSums sums;
  for (std::uint32_t a = begin + mine; a < end; a += 8) sums.add(atoms[a]);
  for (double* part : {&sums.weight, &sums.x, &sums.y, &sums.z, &sums.plain_x, &sums.plain_y, &sums.plain_z, &sums.plus,
                       &sums.plus_x, &sums.plus_y, &sums.plus_z})
    *part = sum_of_eight(*part);
  const HcpCentre middle = sums.centre(end - begin);
  float largest = 0;
  for (std::uint32_t a = begin + mine; a < end; a += 8) {
    const float dx = atoms[a].x - middle.x, dy = atoms[a].y - middle.y, dz = atoms[a].z - middle.z;
    largest = fmaxf(largest, dx * dx + dy * dy + dz * dz);
  }
#pragma unroll
  for (int step = 4; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(whole_warp, largest, step));
  if (!here || mine != 0) return;
  HcpCharge* const charges = level.charges + static_cast<std::size_t>(group) * charges_each;
  sums.charges(charges_each, middle, charges);
  level.centres[group] = reaching(middle, level.threshold, largest, charges, charges_each);
}

/// The same of every component of a higher level, a block each.
template <int threads>
__global__ void __launch_bounds__(threads)
    components_kernel(const HcpCharge* __restrict__ atoms, HcpDeviceLevel level, int charges_each) {
  __shared__ HcpSums partial[threads];
  __shared__ float reach2[threads];
  __shared__ HcpCentre middle;
  const std::uint32_t begin = level.atom[blockIdx.x], end = level.atom[blockIdx.x + 1];
  HcpSums sums;
  for (std::uint32_t a = begin + threadIdx.x; a < end; a += threads) sums.add(atoms[a]);
  partial[threadIdx.x] = sums;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x].add(partial[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    middle = partial[0].centre(end - begin);
    partial[0].charges(charges_each, middle, level.charges + static_cast<std::size_t>(blockIdx.x) * charges_each);
  }
  __syncthreads();
  float largest = 0;
  for (std::uint32_t a = begin + threadIdx.x; a < end; a += threads) {
    const float dx = atoms[a].x - middle.x, dy = atoms[a].y - middle.y, dz = atoms[a].z - middle.z;
    largest = fmaxf(largest, dx * dx + dy * dy + dz * dz);
  }
  reach2[threadIdx.x] = largest;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) reach2[threadIdx.x] = fmaxf(reach2[threadIdx.x], reach2[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    level.centres[blockIdx.x] =
        reaching(middle, level.threshold, reach2[0],
                 level.charges + static_cast<std::size_t>(blockIdx.x) * charges_each, charges_each);
  }
}

template <int levels, int each>
void add_up(bool sigmoidal, const HcpDeviceSystem& s, const HcpDeviceTargets& t, float scale, float* potential,
            Stream& stream, Job& job) {
  const auto kernel = sigmoidal ? hcp_kernel<levels, each, true> : hcp_kernel<levels, each, false>;
  for_slices(t.tiles(), std::size_t{1} << 16, stream, job, "hierarchical partitioning",
             [&](std::size_t begin, std::size_t count) {
               launch("hierarchical partitioning: sum", stream, kernel, blocks_for(count, static_cast<unsigned>(warps)),
                      {block_size}, s, t, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + count),
                      scale, potential);
             });
}

}  // namespace

HcpDeviceTargets HcpDeviceTargets::on(const Grid& grid) {
  HcpDeviceTargets t;
  for (int c = 0; c < 3; ++c) {
    t.origin[c] = grid.origin[c];
    for (int axis = 0; axis < 3; ++axis) t.step[axis][c] = grid.step[axis][c];
  }
  t.nx = grid.counts.x, t.ny = grid.counts.y, t.nz = grid.counts.z;
  t.tiles_x = static_cast<std::uint32_t>((t.nx + hcp_tile_x - 1) / hcp_tile_x);
  t.tiles_y = static_cast<std::uint32_t>((t.ny + hcp_tile_y - 1) / hcp_tile_y);
  return t;
}

std::size_t HcpDeviceTargets::tiles() const {
  if (nx == 0) return (count + warp - 1) / warp;
  return std::size_t{tiles_x} * tiles_y * static_cast<std::size_t>((nz + hcp_tile_z - 1) / hcp_tile_z);
}

HcpDevice::HcpDevice(std::size_t atoms, const std::vector<HcpLevel>& levels, const HcpOptions& options, Stream& stream)
    : charges_each_(options.charges),
      sigmoidal_(options.dielectric.kind == Dielectric::Kind::sigmoidal && options.dielectric.bulk > 1) {
  system_.atom_count = static_cast<std::uint32_t>(atoms);
  const double bulk = options.dielectric.bulk, slope = options.dielectric.slope;
  divisor_ = sigmoidal_ ? 0.5 * (bulk - 1) * slope * slope * slope : bulk;
  if (sigmoidal_) {
    system_.law = {static_cast<float>(-slope * 1.4426950408889634),
                   static_cast<float>(1 / slope),
                   static_cast<float>(2 / (slope * slope)),
                   static_cast<float>(2 / (slope * slope * slope)),
                   static_cast<float>(bulk / divisor_),
                   static_cast<float>(slope)};
  }
  std::size_t components = 0;
  for (const HcpLevel& level : levels) components += level.first.size() - 1;
  charges_ = DeviceArray<HcpCharge>(components * static_cast<std::size_t>(charges_each_), stream, "components");
  system_.charges = charges_.data();
  HcpCharge* charges_of_level = charges_.data();
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::size_t count = levels[l].first.size() - 1;
    levels_.push_back({DeviceArray<std::uint32_t>::from_host(levels[l].first, stream, "components"),
                       DeviceArray<std::uint32_t>::from_host(levels[l].atom, stream, "components"),
                       DeviceArray<HcpCentre>(count, stream, "components")});
    Level& a = levels_.back();
    system_.levels[l] = {
        a.first.data(),     a.atom.data(), a.centres.data(), charges_of_level, static_cast<std::uint32_t>(count),
        levels[l].threshold};
    charges_of_level += count * static_cast<std::size_t>(charges_each_);
  }
  if (levels.empty()) return;
  std::vector<std::uint32_t> quad{0};
  for (std::size_t g = 0; g + 1 < levels[0].first.size(); ++g)
    quad.push_back(quad.back() + (levels[0].first[g + 1] - levels[0].first[g] + 3) / 4);
  quad_ = DeviceArray<std::uint32_t>::from_host(quad, stream, "components");
  quads_ = DeviceArray<HcpCharge>(std::size_t{4} * quad.back(), stream, "atoms in quads");
  system_.quad = quad_.data();
  system_.quads = quads_.data();
}

void HcpDevice::set_atoms(const HcpCharge* atoms, Stream& stream) {
  system_.atoms = atoms;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const HcpDeviceLevel& level = system_.levels[l];
    const CudaDim blocks{level.count};
    // Groups have some twenty atoms, subunits and complexes thousands.
    if (l == 0) {
      launch("hierarchical partitioning: groups", stream, groups_kernel,
             blocks_for(std::size_t{level.count} * 8, block_size), {block_size}, atoms, level, charges_each_);
    } else {
      launch("hierarchical partitioning: larger parts", stream, components_kernel<512>, blocks, {512}, atoms, level,
             charges_each_);
    }
  }
  set_quads(atoms, stream);
}

void HcpDevice::sum(const HcpDeviceTargets& targets, double unit, float* potential, Stream& stream, Job& job) {
  const float scale = scale_of(unit);
  with_hcp_shape(levels_.size(), charges_each_, [&](auto count, auto each) {
    add_up<count.value, each.value>(sigmoidal_, system_, targets, scale, potential, stream, job);
  });
}

std::size_t HcpDevice::bytes() const {
  std::size_t bytes = (charges_.size() + quads_.size()) * sizeof(HcpCharge) + quad_.size() * sizeof(std::uint32_t);
  for (const Level& level : levels_)
    bytes +=
        (level.first.size() + level.atom.size()) * sizeof(std::uint32_t) + level.centres.size() * sizeof(HcpCentre);
  return bytes;
}

}  // namespace isolume
