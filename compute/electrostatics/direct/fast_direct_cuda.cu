// The fast direct sum on CUDA: charges are sorted there, lists are made on the host, sums and polynomials there again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/charge_box.h"
#include "compute/electrostatics/direct/fast_direct_bodies.h"
#include "compute/electrostatics/direct/fast_direct_kernels.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

struct CellGeometry {
  double lower[3];
  double per_side;
  int most;
};

__device__ std::uint32_t device_spread_bits(std::uint32_t v) {
  v = (v | (v << 16)) & 0x030000FFu;
  v = (v | (v << 8)) & 0x0300F00Fu;
  v = (v | (v << 4)) & 0x030C30C3u;
  return (v | (v << 2)) & 0x09249249u;
}

__global__ void cell_kernel(const float4* charges, std::uint32_t count, FastFrame f, CellGeometry g,
                            std::uint32_t* cells, std::uint32_t* order) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const float4 c = charges[n];
  std::uint32_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = f.turn[axis][0] * c.x + f.turn[axis][1] * c.y + f.turn[axis][2] * c.z - f.offset[axis];
    const int cell = min(max(__double2int_rd((at - g.lower[axis]) * g.per_side), 0), g.most);
    code |= device_spread_bits(static_cast<std::uint32_t>(cell)) << axis;
  }
  cells[n] = code;
  order[n] = n;
}

__global__ void gather_kernel(const float4* from, const std::uint32_t* order, std::uint32_t count, float4* to) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) to[n] = from[order[n]];
}

/// first[c] = number of charges in cells before c.
__global__ void first_of_cell_kernel(const std::uint32_t* cells, std::uint32_t count, std::uint32_t cell_count,
                                     std::uint32_t* first) {
  const std::uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > cell_count) return;
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (cells[middle] < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  first[c] = low;
}

/// Charges in the order of their cells.
struct SortedOnDevice {
  DeviceArray<float4> charges;
  std::vector<std::uint32_t> offsets;
};

SortedOnDevice sort_on_device(const DeviceArray<float4>& raw, const FastFrame& f, const ChargeCells& cells,
                              Stream& stream) {
  const auto count = static_cast<std::uint32_t>(raw.size());
  const char* what = "fast direct sum: sorting";
  DeviceArray<std::uint32_t> keys(count, stream, what);
  DeviceArray<std::uint32_t> sorted_keys(count, stream, what);
  DeviceArray<std::uint32_t> order(count, stream, what);
  DeviceArray<std::uint32_t> sorted_order(count, stream, what);
  DeviceArray<std::uint32_t> first(std::size_t{cells.count()} + 1, stream, what);
  SortedOnDevice result;
  result.charges = DeviceArray<float4>(count, stream, what);
  CellGeometry g{{cells.lower.x, cells.lower.y, cells.lower.z}, 1 / cells.side, (1 << cells.depth) - 1};
  launch("charges: cells", stream, cell_kernel, blocks_for(count), {256, 1, 1}, raw.data(), count, f, g, keys.data(),
         order.data());
  const int bits = std::max(1, 3 * cells.depth);
  std::size_t bytes = 0;
  cuda_check(cuda_api().sort_pairs(nullptr, &bytes, keys.data(), sorted_keys.data(), order.data(), sorted_order.data(),
                                   count, bits, stream.handle()),
             what);
  DeviceArray<std::byte> temporary(bytes, stream, what);
  {
    const LaunchTimer timer("charges: sort", stream.device().index, stream.handle());
    cuda_check(cuda_api().sort_pairs(temporary.data(), &bytes, keys.data(), sorted_keys.data(), order.data(),
                                     sorted_order.data(), count, bits, stream.handle()),
               what);
  }
  launch("charges: gather", stream, gather_kernel, blocks_for(count), {256, 1, 1}, raw.data(), sorted_order.data(),
         count, result.charges.data());
  launch("charges: offsets", stream, first_of_cell_kernel, blocks_for(std::size_t{cells.count()} + 1), {256, 1, 1},
         sorted_keys.data(), count, cells.count(), first.data());
  result.offsets = first.copy_to_host();
  return result;
}

/// Parts of the lists of tiles [begin, end), of about `size` charges each; notes in each tile which are its.
std::vector<FastItem> items_of(std::vector<DeviceTile>& tiles, std::size_t begin, std::size_t end,
                               const std::vector<ChargeRange>& ranges, const std::vector<std::uint32_t>& counts,
                               std::uint32_t size) {
  std::vector<FastItem> items;
  for (std::size_t t = begin; t < end; ++t) {
    DeviceTile& tile = tiles[t];
    tile.first_item = static_cast<std::uint32_t>(items.size());
    const ChargeRange* own = ranges.data() + tile.ranges_first;
    std::uint32_t range = 0;
    for (std::uint32_t at = 0; at < counts[t]; at += size) {
      while (range + 1 < tile.ranges && own[range + 1].before <= at) ++range;
      items.push_back({static_cast<std::uint32_t>(t), at, std::min(at + size, counts[t]), range});
    }
    tile.items = static_cast<std::uint32_t>(items.size()) - tile.first_item;
  }
  return items;
}

/// A size of the parts that makes enough of them to keep the device busy.
std::uint32_t part_size(const std::vector<std::uint32_t>& counts, double wanted) {
  double total = 0;
  for (const std::uint32_t count : counts) total += count;
  const double size = std::clamp(total / wanted, 256.0, 8192.0);
  return static_cast<std::uint32_t>(std::ceil(size / fast_threads)) * fast_threads;
}

template <int p>
void sum_tiles(const FastDirectPlan& plan, const SortedOnDevice& sorted, const FastFrame& f, const Grid& grid,
               Span<float> potential, Stream& stream, Job& job) {
  const char* what = "fast direct sum";
  constexpr std::size_t size = std::size_t{p} * p * p;
  const std::size_t count = plan.tiles.size();
  const std::size_t leaf_first = plan.level_first[plan.level_first.size() - 2];
  std::vector<DeviceTile> far_tiles(count);
  std::vector<DeviceTile> near_tiles(count - leaf_first);
  std::vector<std::uint32_t> far_counts(count);
  std::vector<std::uint32_t> near_counts(count - leaf_first);
  for (std::size_t t = 0; t < count; ++t) {
    const FastTile& tile = plan.tiles[t];
    DeviceTile d{};
    for (int axis = 0; axis < 3; ++axis) {
      d.first[axis] = tile.first[axis];
      d.count[axis] = tile.count[axis];
    }
    d.parent = tile.parent;
    d.ranges_first = tile.far_first;
    d.ranges = tile.far_ranges;
    far_tiles[t] = d;
    far_counts[t] = tile.far_count;
    if (t < leaf_first) continue;
    d.ranges_first = tile.near_first;
    d.ranges = tile.near_ranges;
    near_tiles[t - leaf_first] = d;
    near_counts[t - leaf_first] = tile.near_count;
  }
  const std::vector<FastItem> far_items =
      items_of(far_tiles, 0, count, plan.far, far_counts, part_size(far_counts, 6144));
  const std::vector<FastItem> near_items =
      items_of(near_tiles, 0, near_tiles.size(), plan.near, near_counts, part_size(near_counts, 6144));
  const auto send = [&](const auto& values) {
    using T = typename std::remove_cvref_t<decltype(values)>::value_type;
    return DeviceArray<T>::from_host(std::span<const T>(values.data(), values.size()), stream, what);
  };
  const auto far_ranges = send(plan.far);
  const auto near_ranges = send(plan.near);
  const auto far_list = send(far_items);
  const auto near_list = send(near_items);
  const auto far_array = send(far_tiles);
  const auto near_array = send(near_tiles);
  DeviceArray<float> sums(far_items.size() * size, stream, what);
  DeviceArray<float> values(count * size, stream, what);
  job.check();
  launch("fast direct sum: far charges", stream, far_kernel<p>, {static_cast<unsigned>(far_items.size()), 1, 1},
         {fast_threads, 1, 1}, sorted.charges.data(), far_ranges.data(), far_array.data(), far_list.data(), f,
         sums.data());
  for (std::size_t level = 0; level + 1 < plan.level_first.size(); ++level) {
    launch("fast direct sum: polynomials", stream, down_kernel<p>,
           {plan.level_first[level + 1] - plan.level_first[level], 1, 1}, {128, 1, 1}, far_array.data(),
           plan.level_first[level], sums.data(), values.data());
  }
  // Tiles by as many as have not too many parts.
  constexpr std::size_t most_items = 8192;
  DeviceArray<float> near_sums(std::min(most_items + 64, near_items.size()) * 4096, stream, what);
  for (std::size_t first = 0; first < near_tiles.size();) {
    const std::uint32_t first_item = near_tiles[first].first_item;
    std::size_t last = first;
    std::size_t held = 0;
    while (last < near_tiles.size() && (last == first || held + near_tiles[last].items <= most_items)) {
      held += near_tiles[last++].items;
    }
    if (near_sums.size() < held * 4096) near_sums = DeviceArray<float>(held * 4096, stream, what);
    launch("fast direct sum: near charges", stream, near_points_kernel, {static_cast<unsigned>(held), 1, 1},
           {fast_threads, 1, 1}, sorted.charges.data(), near_ranges.data(), near_array.data(), near_list.data(),
           first_item, f, near_sums.data());
    launch("fast direct sum: map", stream, points_of_tiles_kernel<p>, {static_cast<unsigned>(last - first), 1, 1},
           {fast_threads, 1, 1}, near_array.data(), static_cast<std::uint32_t>(first), first_item, near_sums.data(),
           values.data(), static_cast<std::uint32_t>(leaf_first), static_cast<float>(units::coulomb_volt_angstrom),
           grid.counts.x, grid.counts.y, potential.data);
    stream.synchronize(what);
    first = last;
    job.progress(static_cast<double>(first) / static_cast<double>(near_tiles.size()), what);
    job.check();
  }
}

}  // namespace

void fast_direct_cuda(std::span<const PointCharge> charges, const Grid& grid, int p, Span<float> potential, Job& job) {
  const RowFrame frame(grid);
  Stream stream(potential.device);
  static_assert(sizeof(PointCharge) == sizeof(float4));
  const auto raw = DeviceArray<float4>::from_host({reinterpret_cast<const float4*>(charges.data()), charges.size()},
                                                  stream, "fast direct sum: charges");
  FastFrame f{};
  const glm::dvec3 offset = frame.turn * frame.origin;
  for (int r = 0; r < 3; ++r) {
    f.offset[r] = offset[r];
    for (int c = 0; c < 3; ++c) f.turn[r][c] = frame.turn[c][r];
  }
  f.ax = frame.ax;
  f.bx = frame.bx;
  f.by = frame.by;
  f.cx = frame.cx;
  f.cy = frame.cy;
  f.cz = frame.cz;
  // The box around the charges, seen in the row frame.
  const ChargeBox box = charge_box(charges);
  glm::dvec3 lower(std::numeric_limits<double>::infinity());
  glm::dvec3 upper = -lower;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 at =
        frame.to_frame({(corner & 1) ? box.upper.x : box.lower.x, (corner & 2) ? box.upper.y : box.lower.y,
                        (corner & 4) ? box.upper.z : box.lower.z});
    lower = glm::min(lower, at);
    upper = glm::max(upper, at);
  }
  const ChargeCells cells = cells_for(frame, lower, upper, charges.size());
  const SortedOnDevice sorted = sort_on_device(raw, f, cells, stream);
  job.check();
  const std::span<const std::uint32_t> offsets(sorted.offsets.data(), sorted.offsets.size());
  const FastDirectPlan plan(grid, frame, cells, offsets, job);
  const auto sum = p <= 4 ? sum_tiles<4> : p <= 6 ? sum_tiles<6> : p <= 8 ? sum_tiles<8> : sum_tiles<10>;
  sum(plan, sorted, f, grid, potential, stream, job);
}

}  // namespace isolume
