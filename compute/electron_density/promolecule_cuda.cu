// The promolecule on CUDA: a block has a tile of points, and the atoms that reach it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compute/base/slices.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/promolecule_near.cuh"

namespace isolume {

namespace {

using namespace promolecule_near;

/// One term of a free atom; those of a kind are in the order of their powers.
struct alignas(16) TermInSingle {
  float exponent, factor;
  float power;
  float reach;
};
constexpr unsigned most_terms = 32;  // of a kind: the bits of a mask

/// An atom that reaches a tile, from the middle of the tile.
struct alignas(16) Near {
  float x, y, z;
  unsigned part;
  unsigned first_term;
  unsigned terms;  // those that reach the tile, a bit for each
};

constexpr int depth = 2;  // points of a thread, which share what is read of the atoms and their terms

__device__ __forceinline__ float exp2_of(float x) {
  float value;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(value) : "f"(x));
  return value;
}

/// The sums over atoms at one point.
struct Sums {
  float rho = 0, gradient[3] = {}, hessian[6] = {};
  float trace = 0;  // of what all of the Hessian's diagonal has
  float lengths[3] = {}, first[3] = {};
};

/// The sum of free atoms, in single precision, as the CPU has it. `lengths_wanted`: with the sums that delta-g needs.
template <bool lengths_wanted>
__global__ void __launch_bounds__(threads, lengths_wanted ? 4 : 5)
    promolecule_kernel(const __grid_constant__ Where where, const TermInSingle* terms,
                       const __grid_constant__ Output out) {
  __shared__ Box boxes[warps];
  __shared__ Near near[threads];
  __shared__ unsigned found_by[warps];
  double positions[depth][3];
  std::size_t index[depth];
  bool inside[depth];
  unsigned in_room = 0;
  bool empty = false;
#pragma unroll
  for (int d = 0; d < depth; ++d) inside[d] = where.find<depth>(d, positions[d], index[d], in_room, empty);
  if (empty) return;
  Box box;
  set_box<depth>(positions, boxes, box);
  float at[depth][3];
  Sums sums[depth];
#pragma unroll
  for (int d = 0; d < depth; ++d) {
    for (int axis = 0; axis < 3; ++axis)
      at[d][axis] = static_cast<float>(positions[d][axis] - 0.5 * (box.lower[axis] + box.upper[axis]));
  }
  const auto near_of = [&](unsigned, const AtomOnDevice& atom, const float(&relative)[3], float distance) {
    Near item{relative[0], relative[1], relative[2], atom.part, where.first_term[atom.kind], 0};
    const unsigned count = where.first_term[atom.kind + 1] - item.first_term;
    for (unsigned t = 0; t < count; ++t) {
      if (terms[item.first_term + t].reach >= distance) item.terms |= 1u << t;
    }
    return item;
  };
  for_near(where, in_room, box, near, found_by, near_of, [&](const Near& atom) {
    float x[depth], y[depth], z[depth], r2[depth], inverse[depth], scaled[depth], raised[depth];
    float value[depth] = {}, slope[depth] = {}, second[depth] = {};
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      x[d] = at[d][0] - atom.x;
      y[d] = at[d][1] - atom.y;
      z[d] = at[d][2] - atom.z;
      r2[d] = fmaxf(fmaf(x[d], x[d], fmaf(y[d], y[d], z[d] * z[d])), 1e-8f);
      inverse[d] = rsqrtf(r2[d]);
      float r = r2[d] * inverse[d];
      r = fmaf(fmaf(-r, r, r2[d]), 0.5f * inverse[d], r);  // to the last bit: large exponents multiply it
      scaled[d] = -1.44269504f * r;                        // exp(-z r) = 2^(z scaled)
      raised[d] = 1;
    }
    float power = 0;  // `raised` is r to that power; powers are even
    const auto term_of = [&](unsigned mask) {
      return terms[atom.first_term + (mask != 0 ? static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1 : 0)];
    };
    TermInSingle next = term_of(atom.terms);
    for (unsigned mask = atom.terms; mask != 0;) {
      const TermInSingle term = next;
      mask &= mask - 1;
      next = term_of(mask);  // on its way meanwhile
      for (; power < term.power; power += 2) {
#pragma unroll
        for (int d = 0; d < depth; ++d) raised[d] *= r2[d];
      }
#pragma unroll
      for (int d = 0; d < depth; ++d) {
        const float part = term.factor * exp2_of(term.exponent * scaled[d]) * raised[d];
        // f' = (n / r - z) f, f'' = ((n / r - z)^2 - n / r^2) f
        const float of_power = power * inverse[d], along = of_power - term.exponent;
        value[d] += part;
        slope[d] = fmaf(along, part, slope[d]);
        second[d] = fmaf(fmaf(along, along, -of_power * inverse[d]), part, second[d]);
      }
    }
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      Sums& to = sums[d];
      const float u = slope[d] * inverse[d], a = (second[d] - u) * (inverse[d] * inverse[d]);
      const float ax = a * x[d], ay = a * y[d], az = a * z[d];
      to.rho += value[d];
      to.trace += u;
      to.hessian[0] = fmaf(ax, x[d], to.hessian[0]);
      to.hessian[1] = fmaf(ax, y[d], to.hessian[1]);
      to.hessian[2] = fmaf(ax, z[d], to.hessian[2]);
      to.hessian[3] = fmaf(ay, y[d], to.hessian[3]);
      to.hessian[4] = fmaf(ay, z[d], to.hessian[4]);
      to.hessian[5] = fmaf(az, z[d], to.hessian[5]);
      if constexpr (lengths_wanted) {
        const float slopes[3] = {u * x[d], u * y[d], u * z[d]};
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          to.gradient[axis] += slopes[axis];
          to.lengths[axis] += fabsf(slopes[axis]);
          if (atom.part == 1) to.first[axis] += slopes[axis];
        }
      } else {
        to.gradient[0] = fmaf(u, x[d], to.gradient[0]);
        to.gradient[1] = fmaf(u, y[d], to.gradient[1]);
        to.gradient[2] = fmaf(u, z[d], to.gradient[2]);
      }
    }
  });
#pragma unroll
  for (int d = 0; d < depth; ++d) {
    if (!inside[d]) continue;
    const Sums& from = sums[d];
    PointDensity point;
    point.density = from.rho;
    for (int axis = 0; axis < 3; ++axis) point.gradient[axis] = from.gradient[axis];
    for (int k = 0; k < 6; ++k) point.hessian[k] = from.hessian[k];
    point.hessian[0] += from.trace;
    point.hessian[3] += from.trace;
    point.hessian[5] += from.trace;
    double delta_g = 0, between = 0;
    if constexpr (lengths_wanted) {
      double one[3], other[3];
      for (int axis = 0; axis < 3; ++axis) {
        one[axis] = from.first[axis];
        other[axis] = point.gradient[axis] - one[axis];
      }
      delta_g = promolecule_math::length(from.lengths[0], from.lengths[1], from.lengths[2]) -
                promolecule_math::length(point.gradient[0], point.gradient[1], point.gradient[2]);
      between = promolecule_math::between(one, other);
    }
    out.store(index[d], point, delta_g, between);
  }
}

/// The promolecule's terms, and its atoms as the device has them.
struct FreeAtoms {
  const Promolecule::Atoms& from;
  std::vector<unsigned> first_term;
  std::vector<TermInSingle> terms;

  explicit FreeAtoms(const Promolecule::Atoms& of) : from(of) {
    for (const PromoleculeKind& kind : from.of_kind) {
      first_term.push_back(static_cast<unsigned>(terms.size()));
      if (kind.terms.size() > most_terms) throw Error("promolecule: an atom has too many terms");
      std::vector<PromoleculeKind::Term> sorted = kind.terms;
      std::ranges::stable_sort(sorted, {}, &PromoleculeKind::Term::power);
      for (const PromoleculeKind::Term& term : sorted)
        terms.push_back({term.exponent, term.factor, term.power, term.reach});
    }
    first_term.push_back(static_cast<unsigned>(terms.size()));
  }
  std::size_t size() const { return from.positions.size(); }
  AtomOnDevice operator()(std::size_t i) const {
    const glm::dvec3 at = from.positions[i];
    return {{at.x, at.y, at.z},
            static_cast<float>(from.of_kind[from.kinds[i]].reach),
            from.kinds[i],
            from.parts.empty() ? 0u : from.parts[i]};
  }
};

}  // namespace

void promolecule_on_grid_cuda(const Promolecule::Atoms& atoms, const PromoleculeMaps& maps, const Grid& grid,
                              Job& job) {
  Stream stream(maps.first_values.device);
  const FreeAtoms free(atoms);
  DeviceAtoms on_device(free.first_term, stream);
  const auto terms = DeviceArray<TermInSingle>::from_host(free.terms, stream, "free atoms");
  {
    const PhaseTimer timer("promolecule: atoms of the grid");
    on_device.set_grid(grid, free.size(), free, job);
  }
  const Output out = output_of(maps);
  const auto kernel = maps.wants_lengths() ? promolecule_kernel<true> : promolecule_kernel<false>;
  for_slices(on_device.rooms, first_rooms, stream, job, "promolecule", [&](std::size_t begin, std::size_t count) {
    on_device.where.first_room = static_cast<unsigned>(begin);
    launch("promolecule: tiles", stream, kernel, {static_cast<unsigned>(count) * tiles_of_room<depth>, 1, 1},
           {threads, 1, 1}, on_device.where, terms.data(), out);
  });
  stream.synchronize("promolecule");
}

std::vector<PromoleculePoint> promolecule_at_points_cuda(const Promolecule::Atoms& atoms,
                                                         std::span<const glm::dvec3> points, Device device, Job& job) {
  if (points.empty()) return {};
  Stream stream(device);
  const FreeAtoms free(atoms);
  DeviceAtoms on_device(free.first_term, stream);
  const auto terms = DeviceArray<TermInSingle>::from_host(free.terms, stream, "free atoms");
  on_device.set_list(points, free.size(), free);
  DeviceArray<double> all(12 * points.size(), stream, "values at points");
  Output out{};
  out.all = all.data();
  job.check();
  launch("promolecule: points", stream, promolecule_kernel<true>, {blocks_of<depth>(points.size()), 1, 1},
         {threads, 1, 1}, on_device.where, terms.data(), out);
  stream.synchronize("promolecule at points");
  job.check();
  return points_of(all.copy_to_host());
}

}  // namespace isolume
