// ChargeBins on CUDA: images of charges, a radix sort by box, and the offsets of the boxes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

namespace {

struct BinGeometry {
  double turn[3][3];  // into the row frame, after the origin is subtracted
  double origin[3];
  double lower[3];  // of the grid's points, row frame
  double upper[3];
  double reach;
  double box_lower[3];
  double inverse_side;
  int counts[3];
  double per_angstrom;
  float scale;
  // Images.
  bool periodic[3];
  double vectors[3][3];  // [axis][component]
  double inverse[3][3];  // [row][column]
  // Grid steps in the row frame, to find charges on points.
  double ax, bx, by, cx, cy, cz;
  int n[3];
};

/// Calls use(position) for the images of a charge that lie within reach of the grid's box: for_images() on the device.
template <class Use>
__device__ void device_images(const RawCharge& raw, const BinGeometry& g, const Use& use) {
  const double r[3] = {raw.x - g.origin[0], raw.y - g.origin[1], raw.z - g.origin[2]};
  double p[3];
  for (int i = 0; i < 3; ++i) p[i] = g.turn[i][0] * r[0] + g.turn[i][1] * r[1] + g.turn[i][2] * r[2];
  int first[3] = {};
  int last[3] = {};
  if (g.periodic[0] || g.periodic[1] || g.periodic[2]) {
    for (int i = 0; i < 3; ++i) {
      if (!g.periodic[i]) continue;
      double offset = 0;
      double extent = 0;
      for (int j = 0; j < 3; ++j) {
        offset += g.inverse[i][j] * (0.5 * (g.lower[j] + g.upper[j]) - p[j]);
        extent += fabs(g.inverse[i][j]) * (0.5 * (g.upper[j] - g.lower[j]) + g.reach);
      }
      first[i] = static_cast<int>(ceil(offset - extent));
      last[i] = static_cast<int>(floor(offset + extent));
    }
  }
  for (int c = first[2]; c <= last[2]; ++c) {
    for (int b = first[1]; b <= last[1]; ++b) {
      for (int a = first[0]; a <= last[0]; ++a) {
        double q[3];
        bool inside = true;
        for (int i = 0; i < 3; ++i) {
          q[i] = p[i] + a * g.vectors[0][i] + b * g.vectors[1][i] + c * g.vectors[2][i];
          inside = inside && q[i] >= g.lower[i] - g.reach && q[i] <= g.upper[i] + g.reach;
        }
        if (inside) use(q);
      }
    }
  }
}

__global__ void count_kernel(const RawCharge* charges, std::uint32_t count, BinGeometry g, std::uint32_t* images) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  std::uint32_t found = 0;
  device_images(charges[n], g, [&](const double*) { ++found; });
  images[n] = found;
}

/// Writes the images of each charge and their boxes. Without periodicity a charge has one place, and one that is out of
/// reach gets the box behind the last.
__global__ void place_kernel(const RawCharge* charges, std::uint32_t count, BinGeometry g, const std::uint32_t* first,
                             FixedCharge* out, std::uint32_t* boxes, std::uint32_t* order, int* coincident) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const RawCharge raw = charges[n];
  std::uint32_t at = first ? first[n] : n;
  bool placed = false;
  device_images(raw, g, [&](const double* q) {
    FixedCharge c;
    c.x = __double2int_rn(q[0] * g.per_angstrom);
    c.y = __double2int_rn(q[1] * g.per_angstrom);
    c.z = __double2int_rn(q[2] * g.per_angstrom);
    c.charge = raw.charge * g.scale;
    int box[3];
    for (int i = 0; i < 3; ++i) {
      box[i] = min(max(__double2int_rd((q[i] - g.box_lower[i]) * g.inverse_side), 0), g.counts[i] - 1);
    }
    out[at] = c;
    boxes[at] = (static_cast<std::uint32_t>(box[2]) * g.counts[1] + box[1]) * g.counts[0] + box[0];
    order[at] = at;
    ++at;
    placed = true;
    const double k = rint(q[2] / g.cz);
    const double j = rint((q[1] - k * g.cy) / g.by);
    const double i = rint((q[0] - k * g.cx - j * g.bx) / g.ax);
    const double dz = q[2] - k * g.cz;
    const double dy = q[1] - k * g.cy - j * g.by;
    const double dx = q[0] - k * g.cx - j * g.bx - i * g.ax;
    if (dx * dx + dy * dy + dz * dz < 4 * coincidence * coincidence) *coincident = 1;
  });
  if (!first && !placed) {
    out[n] = {};
    boxes[n] = static_cast<std::uint32_t>(g.counts[0]) * g.counts[1] * g.counts[2];
    order[n] = n;
  }
}

__global__ void gather_kernel(const FixedCharge* from, const std::uint32_t* order, std::uint32_t count,
                              FixedCharge* to) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) to[n] = from[order[n]];
}

/// first[b] = index of the first charge whose box is b or greater.
__global__ void offsets_kernel(const std::uint32_t* boxes, std::uint32_t count, std::uint32_t box_count,
                               std::uint32_t* first) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b > box_count) return;
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (boxes[middle] < b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  first[b] = low;
}

}  // namespace

DeviceBins bin_charges_cuda(const DeviceArray<RawCharge>& charges, const Grid& grid, const RowFrame& frame,
                            double reach, double side, double scale, const ChargeImages& images, Stream& stream) {
  BinGeometry g{};
  glm::dvec3 lower;
  glm::dvec3 upper;
  grid_bounds(grid, frame, lower, upper);
  const auto count = static_cast<std::uint32_t>(charges.size());
  DeviceBins bins;
  const glm::dvec3 extent = upper - lower + 2 * reach;
  const double most = 4.0 * static_cast<double>(count) + 4096.0;
  bins.side = std::max(side, std::cbrt(extent.x * extent.y * extent.z / most));
  double furthest = 0;
  for (int i = 0; i < 3; ++i) {
    furthest = std::max({furthest, std::abs(lower[i] - reach), std::abs(upper[i] + reach)});
    bins.side = std::max(bins.side, extent[i] / 30000.0);
  }
  // 2^-23 angstrom where the map is under 200 angstrom, coarser beyond.
  bins.per_angstrom = std::exp2(std::floor(std::log2(1.9e9 / (furthest + 1))));
  bins.per_angstrom = std::min(bins.per_angstrom, 8388608.0);
  for (int i = 0; i < 3; ++i) {
    bins.counts[i] = static_cast<int>(extent[i] / bins.side) + 1;
    bins.lower[i] = lower[i] - reach;
    g.box_lower[i] = bins.lower[i];
    g.counts[i] = bins.counts[i];
    g.lower[i] = lower[i];
    g.upper[i] = upper[i];
    g.origin[i] = frame.origin[i];
    g.n[i] = grid.counts[i];
    g.periodic[i] = images.periodic[i];
    for (int j = 0; j < 3; ++j) {
      g.turn[i][j] = frame.turn[j][i];
      g.vectors[i][j] = images.vectors[i][j];
      g.inverse[i][j] = images.inverse[j][i];
    }
  }
  g.reach = reach;
  g.inverse_side = 1 / bins.side;
  g.per_angstrom = bins.per_angstrom;
  g.scale = static_cast<float>(scale);
  g.ax = frame.ax;
  g.bx = frame.bx;
  g.by = frame.by;
  g.cx = frame.cx;
  g.cy = frame.cy;
  g.cz = frame.cz;
  const auto boxes = static_cast<std::uint32_t>(bins.counts[0]) * static_cast<std::uint32_t>(bins.counts[1]) *
                     static_cast<std::uint32_t>(bins.counts[2]);
  bins.first = DeviceArray<std::uint32_t>(std::size_t{boxes} + 1, stream, "potential: boxes");

  std::uint32_t total = count;
  DeviceArray<std::uint32_t> first;
  if (images.any()) {
    DeviceArray<std::uint32_t> found(std::size_t{count} + 1, stream, "potential: images");
    cuda_check(cuda_api().set_bytes(found.data(), 0, (std::size_t{count} + 1) * 4, stream.handle()), "images");
    launch("charges: images", stream, count_kernel, blocks_for(count), {256, 1, 1}, charges.data(), count, g,
           found.data());
    first = DeviceArray<std::uint32_t>(std::size_t{count} + 1, stream, "potential: images");
    std::size_t bytes = 0;
    cuda_check(
        cuda_api().exclusive_sum(nullptr, &bytes, found.data(), first.data(), std::size_t{count} + 1, stream.handle()),
        "images");
    DeviceArray<std::byte> temporary(bytes, stream, "potential: images");
    cuda_check(cuda_api().exclusive_sum(temporary.data(), &bytes, found.data(), first.data(), std::size_t{count} + 1,
                                        stream.handle()),
               "images");
    copy_memory(&total, Device::cpu(), first.data() + count, stream.device(), sizeof total, stream.handle());
  }
  bins.charges = DeviceArray<FixedCharge>(std::max<std::size_t>(total, 1), stream, "potential: charges");
  bins.coincident = DeviceArray<int>(1, stream, "potential: charges");
  cuda_check(cuda_api().set_bytes(bins.coincident.data(), 0, sizeof(int), stream.handle()), "charges");
  DeviceArray<std::uint32_t> keys(std::size_t{total} + 1, stream, "potential: boxes of charges");
  if (total > 0) {
    DeviceArray<FixedCharge> placed(total, stream, "potential: charges");
    DeviceArray<std::uint32_t> order(total, stream, "potential: order of charges");
    DeviceArray<std::uint32_t> unsorted(total, stream, "potential: boxes of charges");
    DeviceArray<std::uint32_t> sorted_order(total, stream, "potential: order of charges");
    launch("charges: boxes", stream, place_kernel, blocks_for(count), {256, 1, 1}, charges.data(), count, g,
           images.any() ? first.data() : nullptr, placed.data(), unsorted.data(), order.data(), bins.coincident.data());
    const int bits = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(boxes) + 1.0))));
    std::size_t bytes = 0;
    cuda_check(cuda_api().sort_pairs(nullptr, &bytes, unsorted.data(), keys.data(), order.data(), sorted_order.data(),
                                     total, bits, stream.handle()),
               "sorting charges");
    DeviceArray<std::byte> temporary(bytes, stream, "potential: sorting");
    {
      const LaunchTimer timer("charges: sort", stream.device().index, stream.handle());
      cuda_check(cuda_api().sort_pairs(temporary.data(), &bytes, unsorted.data(), keys.data(), order.data(),
                                       sorted_order.data(), total, bits, stream.handle()),
                 "sorting charges");
    }
    launch("charges: gather", stream, gather_kernel, blocks_for(total), {256, 1, 1}, placed.data(), sorted_order.data(),
           total, bins.charges.data());
  }
  launch("charges: offsets", stream, offsets_kernel, blocks_for(std::size_t{boxes} + 1), {256, 1, 1}, keys.data(),
         total, boxes, bins.first.data());
  return bins;
}

}  // namespace isolume
