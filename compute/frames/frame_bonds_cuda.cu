// The hydrogen bonds of frames on CUDA. Angles and distances are rounded as the CPU's are, so that a bond at the limit
// is one on both.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "compute/frames/frame_bonds_bodies.h"
#include "compute/frames/frame_tiles.cuh"

namespace isolume {
namespace {

using namespace frame_tiles;

struct Rule {
  const FrameBondSite* donors;
  const FrameBondSite* acceptors;
  const std::uint32_t* around;
  const std::uint32_t* around_atoms;
  const std::uint32_t* barred;
  bool hydrogens, between;
  double squared;       ///< of the largest distance
  float rough;          ///< above it
  float straightest;    ///< cosine of the smallest angle at a hydrogen
  const float* points;  ///< x, y, z of all frames
  std::size_t per_frame;
};

struct Vector {
  float x, y, z;
};

__device__ float dot(Vector a, Vector b) {
  return __fadd_rn(__fadd_rn(__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)), __fmul_rn(a.z, b.z));
}
__device__ float length(Vector a) {
  return __fsqrt_rn(dot(a, a));
}

/// One frame of the rule's points.
struct Places {
  const float* points;
  __device__ Vector between(std::uint32_t from, std::uint32_t to) const {
    const float* p = points + 3 * static_cast<std::size_t>(from);
    const float* q = points + 3 * static_cast<std::size_t>(to);
    return {__fsub_rn(q[0], p[0]), __fsub_rn(q[1], p[1]), __fsub_rn(q[2], p[2])};
  }
  /// Cosine of the angle a-b-c.
  __device__ float cosine(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const Vector p = between(b, a), q = between(b, c);
    const float lengths = __fmul_rn(length(p), length(q));
    return lengths > 0 ? __fdiv_rn(dot(p, q), lengths) : 1.0f;
  }
  __device__ bool donates(const FrameBondSite& s) const {
    return s.carbon == s.point || length(between(s.carbon, s.point)) > carbon_oxygen_single;
  }
};

/// Whether the two are bonded, by which hydrogen, and the square of their distance.
__device__ bool bonded(const Rule& rule, std::size_t frame, const FrameBondSite& donor, const FrameBondSite& acceptor,
                       std::uint32_t& hydrogen, double& squared) {
  const Places places{rule.points + 3 * frame * rule.per_frame};
  const float* p = places.points + 3 * static_cast<std::size_t>(donor.point);
  const float* q = places.points + 3 * static_cast<std::size_t>(acceptor.point);
  double d[3];
  for (int axis = 0; axis < 3; ++axis) d[axis] = static_cast<double>(q[axis]) - static_cast<double>(p[axis]);
  squared = __dadd_rn(__dadd_rn(__dmul_rn(d[0], d[0]), __dmul_rn(d[1], d[1])), __dmul_rn(d[2], d[2]));
  if (!(squared <= rule.squared)) return false;
  if (donor.altloc != acceptor.altloc && donor.altloc != ' ' && acceptor.altloc != ' ') return false;
  if (rule.between && !((donor.sets & 1) && (acceptor.sets & 2)) && !((donor.sets & 2) && (acceptor.sets & 1)))
    return false;
  for (std::uint32_t i = donor.barred_begin; i < donor.barred_end; ++i)
    if (rule.barred[i] == acceptor.atom) return false;
  if (!places.donates(donor)) return false;
  hydrogen = donor.atom;
  if (rule.hydrogens) {
    float straightest = rule.straightest;
    bool found = false;
    for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i) {
      const float at_hydrogen = places.cosine(donor.point, rule.around[i], acceptor.point);
      if (at_hydrogen > straightest) continue;
      straightest = at_hydrogen;
      hydrogen = rule.around_atoms[i];
      found = true;
    }
    return found;
  }
  const bool first = donor.element != acceptor.element ? donor.element < acceptor.element : donor.atom < acceptor.atom;
  if (donor.both && acceptor.both && !first && places.donates(acceptor)) return false;
  for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i)
    if (places.cosine(rule.around[i], donor.point, acceptor.point) > 0) return false;
  for (std::uint32_t i = acceptor.around_begin; i < acceptor.around_end; ++i)
    if (places.cosine(rule.around[i], acceptor.point, donor.point) > 0) return false;
  return true;
}

constexpr unsigned threads = 256;
constexpr std::size_t tiles_of_part = 256;  ///< acceptors' tiles that a warp compares with its own

/// Every third bit, of ten.
__device__ std::uint32_t apart(std::uint32_t bits) {
  bits &= 1023U;
  bits = (bits | bits << 16) & 0x030000FFU;
  bits = (bits | bits << 8) & 0x0300F00FU;
  bits = (bits | bits << 4) & 0x030C30C3U;
  return (bits | bits << 2) & 0x09249249U;
}

/// Donors, then acceptors, each along a curve through cells of 4 angstrom (which begins again after 4096).
__global__ void __launch_bounds__(threads)
    place_kernel(const float* __restrict__ points, std::uint32_t donors, std::uint32_t count,
                 std::uint32_t* __restrict__ keys, std::uint32_t* __restrict__ numbers) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  std::uint32_t key = i < donors ? 0U : 1U << 30;
  for (int axis = 0; axis < 3; ++axis)
    key |= apart(static_cast<std::uint32_t>(static_cast<int>(floorf(points[3 * i + axis] * 0.25f)))) << axis;
  keys[i] = key;
  numbers[i] = i;
}

__global__ void __launch_bounds__(threads)
    gather_kernel(const float* __restrict__ points, std::size_t per_frame, const std::uint32_t* __restrict__ order,
                  std::size_t count, std::size_t all, float* __restrict__ out) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= all) return;
  const float* from = points + 3 * (i / count * per_frame + order[i % count]);
  for (int axis = 0; axis < 3; ++axis) out[3 * i + axis] = from[axis];
}

/// Donors and acceptors so that neighbours in the first frame of the group follow each other: their points, and which
/// each of them is. Frames of a group are too near in time for much of that order to be lost.
struct Sorted {
  Sorted(const Stream& stream, const FrameGroup& group, std::size_t donors, std::size_t count)
      : order(count, stream, "order of hydrogen bonds"), points(group.frames * count, stream, "points in their order") {
    DeviceArray<std::uint32_t> keys(count, stream, "order of hydrogen bonds"),
        sorted_keys(count, stream, "order of hydrogen bonds"), numbers(count, stream, "order of hydrogen bonds");
    const float* const from = &group.positions.data->x;
    launch("places of donors and acceptors", stream, place_kernel, blocks_for(count, threads), {threads}, from, donors,
           count, keys.data(), numbers.data());
    std::size_t bytes = 0;
    const auto sort = [&](void* temporary) {
      cuda_check(cuda_api().sort_pairs(temporary, &bytes, keys.data(), sorted_keys.data(), numbers.data(), order.data(),
                                       count, 31, stream.handle()),
                 "order of hydrogen bonds");
    };
    sort(nullptr);
    DeviceArray<char> temporary(bytes > 0 ? bytes : 1, stream, "order of hydrogen bonds");
    sort(temporary.data());
    const std::size_t all = group.frames * count;
    launch("points in their order", stream, gather_kernel, blocks_for(all, threads), {threads}, from, group.points,
           order.data(), count, all, &points.data()->x);
  }
  DeviceArray<std::uint32_t> order;
  DeviceArray<glm::vec3> points;
};

/// Counts the bonds of each frame; with `bonds`, puts each behind starts[frame] too, in no order.
__global__ void __launch_bounds__(32 * warps)
    bond_kernel(Sets<float> sets, std::size_t first, std::size_t end, Rule rule,
                const std::uint32_t* __restrict__ order, unsigned* __restrict__ counts,
                const unsigned long long* __restrict__ starts, HydrogenBond* __restrict__ bonds) {
  const double reach = sqrt(rule.squared);
  for_near_pairs(
      sets, first, end, [&](std::size_t) { return reach; },
      [&](std::size_t frame, std::size_t i, std::size_t j, float x, float y, float z) {
        if (!(fmaf(x, x, fmaf(y, y, z * z)) <= rule.rough)) return;
        const FrameBondSite donor = rule.donors[order[i]],
                            acceptor = rule.acceptors[order[sets.count_a + j] - sets.count_a];
        std::uint32_t hydrogen;
        double squared;
        if (!bonded(rule, frame, donor, acceptor, hydrogen, squared)) return;
        const unsigned at = atomicAdd(counts + frame, 1U);
        if (bonds != nullptr)
          bonds[starts[frame] + at] = {donor.atom, hydrogen, acceptor.atom, static_cast<float>(__dsqrt_rn(squared))};
      });
}

/// Runs the kernel over all tiles.
std::vector<unsigned> run(const FrameGroup& group, const FrameBondsTask& task,
                          const std::vector<unsigned long long>& starts, std::vector<HydrogenBond>* bonds, Job& job) {
  Stream stream(group.device());
  job.check();
  const PointRange donors{0, task.donors.size}, acceptors{task.donors.size, task.acceptors.size};
  const Sorted sorted(stream, group, donors.count, donors.count + acceptors.count);
  // Without periodic images.
  const FrameGroup in_order{group.frames, donors.count + acceptors.count, sorted.points.span(), {}};
  std::vector<unsigned> counts(group.frames, 0);
  with_sets(stream, in_order, donors, acceptors, false, [&]<class T>([[maybe_unused]] const Sets<T>& whole) {
    if constexpr (std::is_same_v<T, float>) {
      Sets<T> sets = whole;
      sets.parts = std::max<std::size_t>(1, sets.tiles_b / tiles_of_part);
      const double distance = static_cast<double>(task.rule.distance);
      Rule rule{task.donors.data,
                task.acceptors.data,
                task.around.data,
                task.around_atoms.data,
                task.barred.data,
                task.hydrogens,
                task.between,
                distance * distance,
                static_cast<float>(distance * distance * 1.0001 + 1e-6),
                std::cos(task.rule.angle * 0.017453292519943295f),
                &group.positions.data->x,
                group.points};
      auto found = DeviceArray<unsigned>::from_host(counts, stream, "hydrogen bonds");
      const auto places = DeviceArray<unsigned long long>::from_host(starts, stream, "hydrogen bonds");
      DeviceArray<HydrogenBond> all(bonds ? bonds->size() : 0, stream, "hydrogen bonds");
      HydrogenBond* const to = bonds && !bonds->empty() ? all.data() : nullptr;
      for_slices(group.frames * sets.tiles_a * sets.parts, first_tiles * sets.parts, stream, job, "hydrogen bonds",
                 [&](std::size_t begin, std::size_t count) {
                   launch("hydrogen bonds", stream, bond_kernel, blocks_for(count, warps), {32 * warps, 1, 1}, sets,
                          begin, begin + count, rule, sorted.order.data(), found.data(), places.data(), to);
                 });
      stream.synchronize("hydrogen bonds");
      counts = found.copy_to_host();
      if (bonds) *bonds = all.copy_to_host();
    }
  });
  return counts;
}

}  // namespace

std::vector<std::size_t> count_frame_bonds_cuda(const FrameGroup& group, const FrameBondsTask& task, Job& job) {
  const std::vector<unsigned> counts = run(group, task, std::vector<unsigned long long>(group.frames, 0), nullptr, job);
  return {counts.begin(), counts.end()};
}

std::vector<std::vector<HydrogenBond>> frame_bonds_cuda(const FrameGroup& group, const FrameBondsTask& task,
                                                        std::span<const std::size_t> counts, Job& job) {
  std::vector<unsigned long long> starts;
  std::size_t total = 0;
  for (const std::size_t count : counts) {
    starts.push_back(total);
    total += count;
  }
  std::vector<HydrogenBond> all(total);
  if (total > 0) run(group, task, starts, &all, job);
  std::vector<std::vector<HydrogenBond>> result;
  std::size_t at = 0;
  for (const std::size_t count : counts) {
    result.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                        all.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  return result;
}

}  // namespace isolume
