// The inner part of an orbital on a CUDA device: a block adds the terms that reach its tile of 16 x 16 x 16 points.
//
// This file is compiled with the program, and again at run time for one basis: it includes nothing but
// compute/base/cuda_tuning.h and uses nothing but the language.
#pragma once

#include "compute/base/cuda_tuning.h"

namespace isolume {
namespace orbital_tiles {

constexpr int side = 16;    // points of a tile along each axis
constexpr int columns = 2;  // of points along z that a thread has, next to each other along y
constexpr int threads = side * side / columns;
constexpr int chunk = 1024;  // terms that are tested before those that reach the tile are added
constexpr int rounds = chunk / threads;
constexpr int warps = threads / 32;
// Terms that are added one after another in single precision: more would let the rounding of the sum show.
constexpr int most_single = 128;

/// What a term is made of.
struct Meta {
  unsigned centre;  // of the term
  unsigned first;   // of the polynomial's coefficients of y^j z^k x^i: for j, for k <= degree - j, for i <= ...
  unsigned row;     // of the tables
  unsigned degree;
};

/// How far a term counts, relative to the grid's origin.
struct Reach {
  float x, y, z;  // bohr
  float cutoff;   // negative where it counts nowhere
};

/// All of one launch. Lengths in bohr.
struct Tiles {
  const double* axes;        // tables of d^p exp(-a d^2) for x, then y, then z: a row of stride[axis] values each
  const float* single_axes;  // the same in single precision
  const double* coefficients;
  const Meta* terms;
  const Reach* reach;
  const float* near;        // closer than this a term needs double precision
  const double* exponents;  // by term
  const double* centres;    // by atom: x, y, z
  double origin[3];
  double step[3];
  int counts[3];
  int stride[3];  // of the tables, which begin at offset[axis]
  unsigned long long offset[3];
  unsigned tiles_x, tiles_y, first_tile, term_count;
  int all_terms;  // whether those beyond their cutoffs are added too
  int tables;     // whether there are any; else a tile makes its own
  float* amplitude;
};

/// What is known of an orbital when its kernel is compiled. A kernel compiled for a basis knows all of it.
template <int most_, bool fine_>
struct General {
  static constexpr int most = most_;   // highest degree
  static constexpr bool fine = fine_;  // terms whose rounding would show are added in double precision
  static constexpr unsigned degrees = (2u << most_) - 1;  // bit d: there may be terms of degree d
  static __device__ __forceinline__ unsigned term_count(const Tiles& g) { return g.term_count; }
  static __device__ __forceinline__ bool tables(const Tiles& g) { return g.tables != 0; }
};

/// 16 bytes of values.
template <class Real>
struct Vector;
template <>
struct Vector<float> {
  using type = float4;
  static constexpr int lanes = 4;
};
template <>
struct Vector<double> {
  using type = double2;
  static constexpr int lanes = 2;
};

/// Pairs (j, k) with j + k <= degree.
__host__ __device__ constexpr int pairs(int degree) {
  return (degree + 1) * (degree + 2) / 2;
}

/// Values that a term of a degree has in shared memory: sums over x for each (j, k), then powers along y, then z.
__host__ __device__ constexpr int values_of(int degree) {
  return (pairs(degree) + 2 * (degree + 1)) * side;
}

__device__ __forceinline__ void add_vector(float4 v, float factor, float* sum) {
  sum[0] = fmaf(factor, v.x, sum[0]);
  sum[1] = fmaf(factor, v.y, sum[1]);
  sum[2] = fmaf(factor, v.z, sum[2]);
  sum[3] = fmaf(factor, v.w, sum[3]);
}

__device__ __forceinline__ void add_vector(double2 v, double factor, double* sum) {
  sum[0] = fma(factor, v.x, sum[0]);
  sum[1] = fma(factor, v.y, sum[1]);
}

/// Copies `count` values.
template <int count, class Real>
__device__ __forceinline__ void load(const Real* from, Real (&to)[count]) {
  using Values = typename Vector<Real>::type;
  constexpr int lanes = Vector<Real>::lanes;
#pragma unroll
  for (int n = 0; n < count; n += lanes)
    *reinterpret_cast<Values*>(to + n) = *reinterpret_cast<const Values*>(from + n);
}

/// Adds a term to `count` columns of one thread, from y on: exp(-a r^2) and the monomials are products of one factor an
/// axis, and what depends on x is summed for the whole tile beforehand.
template <int degree, int count, class Real>
__device__ __forceinline__ void add_term(const Real* values, int x, int y, Real (&sum)[count][side]) {
  Real over_xy[degree + 1][count];
  const Real* along_y = values + pairs(degree) * side + y;
#pragma unroll
  for (int j = 0; j <= degree; ++j) {
    alignas(16) Real power[count];
    load<count>(along_y + j * side, power);
#pragma unroll
    for (int k = 0; k <= degree - j; ++k) {
      const Real over_x = *(values + x);
      values += side;
#pragma unroll
      for (int n = 0; n < count; ++n) {
        over_xy[k][n] = j == 0 ? over_x * power[n] : over_xy[k][n] + over_x * power[n];
      }
    }
  }
  using Values = typename Vector<Real>::type;
  constexpr int lanes = Vector<Real>::lanes;
  const Real* along_z = values + (degree + 1) * side;
#pragma unroll
  for (int k = 0; k <= degree; ++k) {
#pragma unroll
    for (int z = 0; z < side; z += lanes) {
      // The same for the whole warp.
      const Values v = *reinterpret_cast<const Values*>(along_z + k * side + z);
#pragma unroll
      for (int n = 0; n < count; ++n) add_vector(v, over_xy[k][n], &sum[n][z]);
    }
  }
}

/// Shared memory of a block: the terms that were found, and the values of a batch of them.
template <int most>
struct Shared {
  static constexpr int batch = most <= 4 ? 16 : 8;  // terms in single precision, half as many in double
  alignas(16) float values[batch * values_of(most)];
  unsigned list[chunk];
  unsigned votes[chunk / 32];
};

/// Blocks of the kernel for degrees up to `most` that a multiprocessor is to hold at once.
template <int most>
constexpr int tile_blocks = blocks_at_once(most <= 2 ? blocks_wanted::orbital_low : blocks_wanted::orbital_high,
                                           threads, sizeof(Shared<most>));

/// Brings what a batch of terms needs into shared memory.
template <class Kind, class Real>
__device__ __forceinline__ void stage(const Tiles& g, const int (&first)[3], const unsigned* list, int count,
                                      Real* values, int t) {
  using Values = typename Vector<Real>::type;
  constexpr int lanes = Vector<Real>::lanes;
  constexpr int per_axis = side / lanes;
  // Along x all monomials that share y^j z^k become one sum.
  for (int e = t; e < count * side; e += threads) {
    const int n = e / side;
    const int x = e % side;
    const Meta term = g.terms[list[n]];
    const int degree = static_cast<int>(term.degree);
    const double d = g.origin[0] + (first[0] + x) * g.step[0] - __ldg(g.centres + 3 * term.centre);
    const double value = Kind::tables(g)
                             ? __ldg(g.axes + static_cast<unsigned long long>(term.row) * g.stride[0] + first[0] + x)
                             : exp(-g.exponents[list[n]] * d * d);
    const double* c = g.coefficients + term.first;
    Real* to = values + n * values_of(Kind::most) + x;
    for (int j = 0; j <= degree; ++j) {
      for (int k = 0; k <= degree - j; ++k, to += side) {
        double power = value;
        double sum = 0;
        for (int i = 0; i <= degree - j - k; ++i, power *= d) sum = fma(__ldg(c++), power, sum);
        *to = static_cast<Real>(sum);
      }
    }
  }
  if (Kind::tables(g)) {
    const Real* axes;
    if constexpr (sizeof(Real) == 4) {
      axes = g.single_axes;
    } else {
      axes = g.axes;
    }
    for (int e = t; e < count * 2 * per_axis; e += threads) {
      const int n = e / (2 * per_axis);
      const bool z = e / per_axis % 2;
      const int at = e % per_axis * lanes;
      const Meta term = g.terms[list[n]];
      const int degree = static_cast<int>(term.degree);
      const unsigned long long stride = z ? g.stride[2] : g.stride[1];
      const Real* from = axes + (z ? g.offset[2] : g.offset[1]) + term.row * stride + (z ? first[2] : first[1]) + at;
      Real* to = values + n * values_of(Kind::most) + (pairs(degree) + (z ? degree + 1 : 0)) * side + at;
#pragma unroll
      for (int p = 0; p <= Kind::most; ++p) {
        if (p <= degree) {
          *reinterpret_cast<Values*>(to + p * side) = __ldg(reinterpret_cast<const Values*>(from + p * stride));
        }
      }
    }
  } else {
    for (int e = t; e < count * 2 * side; e += threads) {
      const int n = e / (2 * side);
      const bool z = e / side % 2;
      const int at = e % side;
      const Meta term = g.terms[list[n]];
      const int degree = static_cast<int>(term.degree);
      const double d = z ? g.origin[2] + (first[2] + at) * g.step[2] - g.centres[3 * term.centre + 2]
                         : g.origin[1] + (first[1] + at) * g.step[1] - g.centres[3 * term.centre + 1];
      Real* to = values + n * values_of(Kind::most) + (pairs(degree) + (z ? degree + 1 : 0)) * side + at;
      double value = exp(-g.exponents[list[n]] * d * d);
      for (int p = 0; p <= degree; ++p, value *= d, to += side) *to = static_cast<Real>(value);
    }
  }
}

/// Which terms a pass over them adds.
enum class Part {
  all,
  single,  // those that single precision serves
  exact,   // those that need double precision
};

/// Lists in shared memory the terms begin ... begin + chunk that reach the box, in their order; returns their number.
/// `singles` counts the terms that were added in single precision so far; where they would become too many, all terms
/// of the chunk need double precision. With Part::single `others` says whether any do.
template <class Kind, Part part>
__device__ __forceinline__ int find_terms(const Tiles& g, const float (&lower)[3], const float (&upper)[3],
                                          unsigned begin, unsigned* list, unsigned* votes, int t, int& singles,
                                          bool& others) {
  unsigned reaches = 0, needs_double = 0;
  int of_warp = 0;  // terms within their cutoffs
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const unsigned mine = begin + round * threads + t;
    bool here = false;
    if (mine < Kind::term_count(g)) {
      const float4 r = __ldg(reinterpret_cast<const float4*>(g.reach) + mine);
      const float x = r.x - fminf(fmaxf(r.x, lower[0]), upper[0]);
      const float y = r.y - fminf(fmaxf(r.y, lower[1]), upper[1]);
      const float z = r.z - fminf(fmaxf(r.z, lower[2]), upper[2]);
      const float d2 = x * x + y * y + z * z;
      here = r.w >= 0 && d2 <= r.w * r.w;
      if (here || g.all_terms) reaches |= 1u << round;
      if (part != Part::all && here) {
        const float near = __ldg(g.near + mine);
        if (near >= 0 && d2 <= near * near) needs_double |= 1u << round;
      }
    }
    if (part != Part::all) of_warp += __popc(__ballot_sync(~0u, here));
  }
  unsigned chosen = reaches;
  if constexpr (part != Part::all) {
    if (t % 32 == 0) votes[t / 32] = of_warp;
    __syncthreads();
    int count = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) count += votes[w];
    const bool too_many = singles + count > most_single;
    if (too_many) {
      needs_double = reaches;
    } else {
      singles += count;
    }
    chosen &= part == Part::single ? ~needs_double : needs_double;
    if (__syncthreads_or(needs_double != 0)) others = true;
  }
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const unsigned vote = __ballot_sync(~0u, chosen >> round & 1u);
    if (t % 32 == 0) votes[round * warps + t / 32] = vote;
  }
  __syncthreads();
  // In the order of the terms, so that the sum is the same every time.
  int listed = 0;
#pragma unroll
  for (int word = 0; word < chunk / 32; ++word) {
    const unsigned vote = votes[word];
    if (word % warps == t / 32 && (chosen >> (word / warps) & 1u)) {
      list[listed + __popc(vote & ((1u << (t % 32)) - 1u))] = begin + word / warps * threads + t;
    }
    listed += __popc(vote);
  }
  __syncthreads();
  return listed;
}

/// Adds a term whose degree is known at run time only, `at` or more.
template <class Kind, int at, int count, class Real>
__device__ __forceinline__ void add_degree(unsigned degree, const Real* values, int x, int y,
                                           Real (&sum)[count][side]) {
  if constexpr (at == Kind::most) {
    add_term<at>(values, x, y, sum);
  } else {
    if constexpr ((Kind::degrees >> at & 1u) != 0) {
      if (degree == at) return add_term<at>(values, x, y, sum);
    }
    add_degree<Kind, at + 1>(degree, values, x, y, sum);
  }
}

/// Adds all terms of one part to `count` columns of a thread, from y on.
template <class Kind, Part part, int count, class Real>
__device__ __forceinline__ bool add_part(const Tiles& g, const int (&first)[3], const float (&lower)[3],
                                         const float (&upper)[3], Shared<Kind::most>& shared, int t, int y,
                                         Real (&sum)[count][side]) {
  constexpr int batch = Shared<Kind::most>::batch * 4 / static_cast<int>(sizeof(Real));
  Real* values = reinterpret_cast<Real*>(shared.values);
  const int x = t % side;
  bool others = false;
  int singles = 0;
  for (unsigned begin = 0; begin < Kind::term_count(g); begin += chunk) {
    const int listed = find_terms<Kind, part>(g, lower, upper, begin, shared.list, shared.votes, t, singles, others);
    for (int done = 0; done < listed; done += batch) {
      const int terms = min(batch, listed - done);
      stage<Kind, Real>(g, first, shared.list + done, terms, values, t);
      __syncthreads();
      for (int n = 0; n < terms; ++n) {
        const Real* of_term = values + n * values_of(Kind::most);
        const unsigned degree = g.terms[shared.list[done + n]].degree;
        add_degree<Kind, 0>(degree, of_term, x, y, sum);
      }
      __syncthreads();
    }
  }
  return others;
}

/// The work of one block.
template <class Kind>
__device__ __forceinline__ void compute_tile(const Tiles& g, Shared<Kind::most>& shared) {
  const unsigned tile = g.first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % g.tiles_x) * side,
                        static_cast<int>(tile / g.tiles_x % g.tiles_y) * side,
                        static_cast<int>(tile / g.tiles_x / g.tiles_y) * side};
  const int t = static_cast<int>(threadIdx.x);
  float lower[3], upper[3];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const double a = first[axis] * g.step[axis];
    const double b = (min(first[axis] + side, g.counts[axis]) - 1) * g.step[axis];
    lower[axis] = static_cast<float>(a < b ? a : b);
    upper[axis] = static_cast<float>(a < b ? b : a);
  }
  const int y = t / side * columns;
  const int i = first[0] + t % side;
  const int j = first[1] + y;
  const int deep = min(side, g.counts[2] - first[2]);
  const unsigned long long plane = static_cast<unsigned long long>(g.counts[0]) * g.counts[1];
  float* to = g.amplitude + i + static_cast<unsigned long long>(g.counts[0]) * j + plane * first[2];
  constexpr Part first_part = Kind::fine ? Part::single : Part::all;
  bool others;
  {
    float sum[columns][side] = {};
    others = add_part<Kind, first_part>(g, first, lower, upper, shared, t, y, sum);
#pragma unroll
    for (int n = 0; n < columns; ++n) {
      if (i >= g.counts[0] || j + n >= g.counts[1]) break;
#pragma unroll
      for (int z = 0; z < side; ++z) {
        if (z < deep) to[plane * z + static_cast<unsigned long long>(g.counts[0]) * n] = sum[n][z];
      }
    }
  }
  if constexpr (Kind::fine) {
    if (!others) return;
    // One column at a time, because double precision takes twice the registers.
    for (int n = 0; n < columns; ++n) {
      double sum[1][side] = {};
      add_part<Kind, Part::exact>(g, first, lower, upper, shared, t, y + n, sum);
      if (i >= g.counts[0] || j + n >= g.counts[1]) continue;
#pragma unroll
      for (int z = 0; z < side; ++z) {
        if (z < deep) {
          float& value = to[plane * z + static_cast<unsigned long long>(g.counts[0]) * n];
          value = static_cast<float>(value + sum[0][z]);
        }
      }
    }
  }
}

}  // namespace orbital_tiles
}  // namespace isolume
