// Frame pairs on CUDA: smallest distances and contacts.
#include <cmath>
#include <vector>

#include "compute/frames/frame_pairs_bodies.h"
#include "compute/frames/frame_tiles.cuh"

namespace isolume {
namespace {

using namespace frame_tiles;
using frame_kernels::totals;

/// Squares are positive, so that their bits are in the order of their values.
template <class T>
__global__ void __launch_bounds__(32 * warps)
    rough_least_kernel(Sets<T> sets, std::size_t first, std::size_t end, unsigned* __restrict__ least) {
  float own = __int_as_float(0x7f800000);
  std::size_t of = 0;
  for_near_pairs(
      sets, first, end, [](std::size_t) { return static_cast<double>(INFINITY); },
      [&](std::size_t frame, std::size_t, std::size_t, T x, T y, T z) {
        float square, slack;
        of = frame;
        if (sets.lattices[frame].roughly(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), square,
                                         slack))
          own = fminf(own, square + slack);
      });
  if (own < __int_as_float(0x7f800000)) atomicMin(least + of, __float_as_uint(own));
}

template <class T>
__global__ void __launch_bounds__(32 * warps)
    least_kernel(Sets<T> sets, std::size_t first, std::size_t end, const unsigned* __restrict__ rough,
                 unsigned long long* __restrict__ least) {
  double own = INFINITY;
  std::size_t of = 0;
  for_near_pairs(
      sets, first, end, [&](std::size_t frame) { return sqrt(static_cast<double>(__uint_as_float(rough[frame]))); },
      [&](std::size_t frame, std::size_t i, std::size_t j, T x, T y, T z) {
        of = frame;
        float square, slack;
        const bool known = sets.lattices[frame].roughly(static_cast<float>(x), static_cast<float>(y),
                                                        static_cast<float>(z), square, slack);
        if (known && square - slack > __uint_as_float(rough[frame])) return;
        own = fmin(own, exact_square(sets, frame, i, j));
      });
  if (own < INFINITY) atomicMin(least + of, static_cast<unsigned long long>(__double_as_longlong(own)));
}

template <class T>
__global__ void __launch_bounds__(32 * warps)
    contact_kernel(Sets<T> sets, std::size_t first, std::size_t end, const ContactPoint* __restrict__ of_a,
                   const ContactPoint* __restrict__ of_b, ContactRule rule, unsigned long long* __restrict__ counts) {
  unsigned own = 0;
  std::size_t of = 0;
  const double cutoff2 = rule.cutoff * rule.cutoff;
  for_near_pairs(
      sets, first, end, [&](std::size_t) { return rule.cutoff; },
      [&](std::size_t frame, std::size_t i, std::size_t j, T x, T y, T z) {
        of = frame;
        float square, slack;
        const bool known = sets.lattices[frame].roughly(static_cast<float>(x), static_cast<float>(y),
                                                        static_cast<float>(z), square, slack);
        if (known && static_cast<double>(square - slack) > cutoff2) return;
        const ContactPoint p = of_a[i], q = of_b[j];
        if (p.atom == q.atom || (rule.within && p.atom > q.atom) || p.residue == q.residue) return;
        const long long apart = static_cast<long long>(p.residue) - static_cast<long long>(q.residue);
        if (p.chain == q.chain && (apart < 0 ? -apart : apart) < rule.apart) return;
        const bool inside = known && static_cast<double>(square + slack) < cutoff2;
        if (inside || exact_square(sets, frame, i, j) <= cutoff2) ++own;
      });
  if (own > 0) atomicAdd(counts + of, static_cast<unsigned long long>(own));
}

/// Of a native contact: 1 where it is within the cutoff, and how much of it there is (see native_contacts()).
template <class T>
struct Native {
  Sets<T> sets;
  const NativePair* pairs;
  double cutoff;

  __device__ void add(std::size_t frame, std::size_t i, double* sums) const {
    constexpr double beta = 5, lambda = 1.8;
    const NativePair pair = pairs[i];
    const double r = sqrt(exact_square(sets, frame, pair.a, pair.b));
    sums[0] += r <= cutoff ? 1 : 0;
    sums[1] += 1 / (1 + exp(beta * (r - lambda * static_cast<double>(pair.distance))));
  }
};

}  // namespace

void smallest_distances_cuda(const FrameGroup& group, PointRange a, PointRange b, std::span<double> out, Job& job) {
  Stream stream(group.device());
  job.check();
  with_sets(stream, group, a, b, false, [&]<class T>(const Sets<T>& sets) {
    const std::vector<unsigned> endless(group.frames, 0x7f800000u);
    const DeviceArray<unsigned> rough = [&] {
      DeviceArray<unsigned> result = DeviceArray<unsigned>::from_host(endless, stream, "distances");
      for_slices(group.frames * sets.tiles_a, first_tiles, stream, job, "distances",
                 [&](std::size_t begin, std::size_t count) {
                   launch("nearly smallest distances", stream, rough_least_kernel<T>, blocks_for(count, warps),
                          {32 * warps, 1, 1}, sets, begin, begin + count, result.data());
                 });
      return result;
    }();
    const std::vector<double> none(group.frames, HUGE_VAL);
    DeviceArray<double> least = DeviceArray<double>::from_host(none, stream, "distances");
    for_slices(group.frames * sets.tiles_a, first_tiles, stream, job, "distances",
               [&](std::size_t begin, std::size_t count) {
                 launch("smallest distances", stream, least_kernel<T>, blocks_for(count, warps), {32 * warps, 1, 1},
                        sets, begin, begin + count, rough.data(), reinterpret_cast<unsigned long long*>(least.data()));
               });
    const std::vector<double> squares = least.copy_to_host();
    for (std::size_t f = 0; f < group.frames; ++f) out[f] = std::sqrt(squares[f]);
  });
}

void frame_contacts_cuda(const FrameGroup& group, PointRange a, PointRange b, Span<const ContactPoint> of_a,
                         Span<const ContactPoint> of_b, Span<const NativePair> native, const ContactRule& rule,
                         std::span<FrameContacts::Counts> out, Job& job) {
  Stream stream(group.device());
  job.check();
  const bool upper = rule.within && a.first == b.first;  // atoms ascend
  with_sets(stream, group, a, b, upper, [&]<class T>(const Sets<T>& sets) {
    const std::vector<unsigned long long> zeros(group.frames, 0);
    auto counts = DeviceArray<unsigned long long>::from_host(zeros, stream, "contacts");
    for_slices(group.frames * sets.tiles_a, first_tiles, stream, job, "contacts",
               [&](std::size_t begin, std::size_t count) {
                 launch("contacts", stream, contact_kernel<T>, blocks_for(count, warps), {32 * warps, 1, 1}, sets,
                        begin, begin + count, of_a.data, of_b.data, rule, counts.data());
               });
    const std::vector<unsigned long long> found = counts.copy_to_host();
    for (std::size_t f = 0; f < group.frames; ++f) out[f].contacts = found[f];
    if (native.empty()) return;
    const Native<T> term{sets, native.data, rule.cutoff};
    const std::vector<double> left =
        totals<2>("native contacts", stream, term, group.frames, native.size).copy_to_host();
    const auto all = static_cast<double>(native.size);
    for (std::size_t f = 0; f < group.frames; ++f) {
      out[f].hard = left[2 * f] / all;
      out[f].soft = left[2 * f + 1] / all;
    }
  });
}

}  // namespace isolume
