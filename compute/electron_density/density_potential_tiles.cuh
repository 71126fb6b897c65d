// The kernels of the potential of Hermite Gaussians: a thread has one point, and sums over sources of one order.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "compute/electron_density/boys_function.cuh"
#include "compute/electron_density/hermite_density.h"

namespace isolume {
namespace potential_tiles {

constexpr int threads = 128;
constexpr int most_unrolled = 7;  // orders of R_tuv that are kept in registers

/// (t, u, v), as hermite_powers() orders them.
struct Powers {
  int of[3];
};
ISOLUME_HOST_DEVICE constexpr Powers powers_of(int place) {
  int n = 0;
  while (hermite_count(n) <= place) ++n;
  for (int t = n; t >= 0; --t) {
    for (int u = n - t; u >= 0; --u) {
      if (hermite_place(t, u, n - t - u) == place) return {{t, u, n - t - u}};
    }
  }
  return {{0, 0, 0}};
}

/// How R_tuv of one order follow from those of the order below: R[n] = X[axis] R'[lower] + factor R'[lowest].
struct Step {
  int axis, lower, lowest, factor;
};
ISOLUME_HOST_DEVICE constexpr Step step_of(int place) {
  const Powers p = powers_of(place);
  int axis = -1;
  for (int a = 0; a < 3; ++a) {
    if (p.of[a] > 0 && (axis < 0 || p.of[a] < p.of[axis])) axis = a;
  }
  if (axis < 0) return {0, 0, 0, 0};
  int q[3] = {p.of[0], p.of[1], p.of[2]};
  q[axis] -= 1;
  const int lower = hermite_place(q[0], q[1], q[2]), factor = q[axis];
  if (factor == 0) return {axis, lower, 0, 0};
  q[axis] -= 1;
  return {axis, lower, hermite_place(q[0], q[1], q[2]), factor};
}
/// Where t, u or v is one more.
ISOLUME_HOST_DEVICE constexpr int raised_of(int place, int axis) {
  const Powers p = powers_of(place);
  return hermite_place(p.of[0] + (axis == 0), p.of[1] + (axis == 1), p.of[2] + (axis == 2));
}

/// Steps and raised places of all orders, for those that are not unrolled.
struct StepTable {
  signed char axis[hermite_count(most_boys_order)];
  signed char factor[hermite_count(most_boys_order)];
  short lower[hermite_count(most_boys_order)];
  short lowest[hermite_count(most_boys_order)];
  short raised[3][hermite_count(most_boys_order - 1)];
};

/// What a launch sums over, and where.
struct Task {
  const HermiteSource* sources;
  const double* coefficients;
  const double* boys;   // the table
  unsigned begin, end;  // of the sources
  unsigned parts;       // the sources are divided among blockIdx.y
  // Points: on a grid, or in a list.
  double origin[3], step[3][3];  // bohr
  unsigned counts[2];
  const double* list;  // null for a grid
  std::size_t first;   // point of the launch
  unsigned count;      // points of the launch
  double* sums;        // by part, then value and field, then point: `count` each
  const StepTable* steps;

  __device__ void position(unsigned n, double (&to)[3]) const {
    const std::size_t at = first + n;
    if (list) {
      for (int axis = 0; axis < 3; ++axis) to[axis] = list[3 * at + axis];
      return;
    }
    const std::size_t plane = static_cast<std::size_t>(counts[0]) * counts[1];
    const auto k = static_cast<double>(at / plane), j = static_cast<double>(at % plane / counts[0]),
               i = static_cast<double>(at % counts[0]);
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = origin[axis] + i * step[0][axis] + j * step[1][axis] + k * step[2][axis];
  }
};

/// What all points begin with: the nuclei in the first part, 0 in the others.
template <bool field>
__global__ void __launch_bounds__(threads)
    start_kernel(const __grid_constant__ Task task, const double* nuclei, unsigned nucleus_count) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= task.count) return;
  double value = 0, slope[3] = {};
  if (blockIdx.y == 0) {
    double position[3];
    task.position(n, position);
    for (unsigned a = 0; a < nucleus_count; ++a) {
      const double* nucleus = nuclei + 4 * a;  // x, y, z, charge
      const double x = position[0] - nucleus[0], y = position[1] - nucleus[1], z = position[2] - nucleus[2];
      const double r2 = x * x + y * y + z * z, part = nucleus[3] / sqrt(r2);
      value += part;
      if constexpr (field) {
        slope[0] = fma(part / r2, x, slope[0]);
        slope[1] = fma(part / r2, y, slope[1]);
        slope[2] = fma(part / r2, z, slope[2]);
      }
    }
  }
  double* to = task.sums + static_cast<std::size_t>(blockIdx.y) * (field ? 4 : 1) * task.count + n;
  to[0] = value;
  if constexpr (field) {
    for (int axis = 0; axis < 3; ++axis) to[static_cast<std::size_t>(1 + axis) * task.count] = slope[axis];
  }
}

/// Where the sums go: numbers at points, or one number on a grid.
struct Output {
  double* potential;  // by point; null on a grid
  double* field;      // three a point
  float* values;
  double factor;
};

/// Adds up the parts.
template <bool field>
__global__ void __launch_bounds__(threads) finish_kernel(const __grid_constant__ Task task, Output out) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= task.count) return;
  double sums[field ? 4 : 1] = {};
  for (unsigned part = 0; part < task.parts; ++part) {
    for (int k = 0; k < (field ? 4 : 1); ++k)
      sums[k] +=
          task.sums[(static_cast<std::size_t>(part) * (field ? 4 : 1) + static_cast<unsigned>(k)) * task.count + n];
  }
  const std::size_t to = task.first + n;
  if (out.potential) {
    out.potential[to] = sums[0];
    if constexpr (field) {
      for (int axis = 0; axis < 3; ++axis) out.field[3 * to + axis] = sums[1 + axis];
    }
    return;
  }
  double value = sums[0];
  if constexpr (field) value = sqrt(sums[1] * sums[1] + sums[2] * sums[2] + sums[3] * sums[3]);
  out.values[to] = static_cast<float>(fmin(out.factor * value, 1e30));
}

template <int place, int size>
__device__ __forceinline__ void raise(double (&r)[size], const double (&x)[3]) {
  constexpr Step step = step_of(place);
  if constexpr (step.factor == 0) {
    r[place] = x[step.axis] * r[step.lower];
  } else if constexpr (step.factor == 1) {
    r[place] = fma(x[step.axis], r[step.lower], r[step.lowest]);
  } else {
    r[place] = fma(x[step.axis], r[step.lower], static_cast<double>(step.factor) * r[step.lowest]);
  }
}

/// One step of the recursion in place: from the highest down, since what a value needs comes before it.
template <int size, int... n>
__device__ __forceinline__ void raise_all(double (&r)[size], const double (&x)[3], std::integer_sequence<int, n...>) {
  (raise<static_cast<int>(sizeof...(n)) - n>(r, x), ...);
}

template <int order, int level, int size>
__device__ __forceinline__ void recur(double (&r)[size], const double (&x)[3], const double (&boys)[order + 1]) {
  if constexpr (level < order) {
    recur<order, level + 1>(r, x, boys);
    raise_all(r, x, std::make_integer_sequence<int, hermite_count(order - level) - 1>());
  }
  r[0] = boys[level];
}

template <int axis, int size, int... n>
__device__ __forceinline__ double raised_sum(const double (&r)[size], const double* c,
                                             std::integer_sequence<int, n...>) {
  double sum = 0;
  ((sum = fma(c[n], r[std::integral_constant<int, raised_of(n, axis)>::value], sum)), ...);
  return sum;
}

/// The sources between begin and end that one block has.
struct Range {
  unsigned begin, end;
  __device__ explicit Range(const Task& task) {
    const unsigned long long all = task.end - task.begin;
    begin = task.begin + static_cast<unsigned>(all * blockIdx.y / task.parts);
    end = task.begin + static_cast<unsigned>(all * (blockIdx.y + 1) / task.parts);
  }
};

template <bool field>
__device__ __forceinline__ void add_sums(const Task& task, unsigned n, double value, const double (&slope)[3]) {
  double* to = task.sums + static_cast<std::size_t>(blockIdx.y) * (field ? 4 : 1) * task.count + n;
  to[0] += value;
  if constexpr (field) {
    for (int axis = 0; axis < 3; ++axis) to[static_cast<std::size_t>(1 + axis) * task.count] += slope[axis];
  }
}

/// Sources of one order. A thread adds to its own sums, so that the order of additions does not depend on the launch.
template <int source_order, bool field>
__global__ void __launch_bounds__(threads) unrolled_kernel(const __grid_constant__ Task task) {
  constexpr int order = source_order + (field ? 1 : 0);
  constexpr int size = hermite_count(order), count = hermite_count(source_order);
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= task.count) return;
  double position[3];
  task.position(n, position);
  const Range range(task);
  double value = 0, slope[3] = {};
  for (unsigned s = range.begin; s < range.end; ++s) {
    const HermiteSource& source = task.sources[s];
    const double x[3] = {source.centre.x - position[0], source.centre.y - position[1], source.centre.z - position[2]};
    const double p = source.exponent;
    double boys[order + 1];
    scaled_boys<order>(task.boys, p * fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])), p, order, boys);
    double r[size];
    recur<order, 0>(r, x, boys);
    const double* c = task.coefficients + source.first;
#pragma unroll
    for (int h = 0; h < count; ++h) value = fma(c[h], r[h], value);
    if constexpr (field) {
      // d/dr of R(P - r) is -R of one power more, and E = -dV/dr.
      slope[0] += raised_sum<0>(r, c, std::make_integer_sequence<int, count>());
      slope[1] += raised_sum<1>(r, c, std::make_integer_sequence<int, count>());
      slope[2] += raised_sum<2>(r, c, std::make_integer_sequence<int, count>());
    }
  }
  add_sums<field>(task, n, value, slope);
}

/// The same for any order, with the recursion's values in local memory.
template <bool field>
__global__ void __launch_bounds__(threads) any_order_kernel(const __grid_constant__ Task task, int source_order) {
  const int order = source_order + (field ? 1 : 0);
  const int count = hermite_count(source_order);
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= task.count) return;
  double position[3];
  task.position(n, position);
  const Range range(task);
  const StepTable& steps = *task.steps;
  double value = 0, slope[3] = {};
  double r[hermite_count(most_boys_order)];
  for (unsigned s = range.begin; s < range.end; ++s) {
    const HermiteSource& source = task.sources[s];
    const double x[3] = {source.centre.x - position[0], source.centre.y - position[1], source.centre.z - position[2]};
    const double p = source.exponent;
    double boys[most_boys_order + 1];
    scaled_boys<most_boys_order>(task.boys, p * fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])), p, order, boys);
    r[0] = boys[order];
    for (int level = order - 1; level >= 0; --level) {
      for (int h = hermite_count(order - level) - 1; h > 0; --h)
        r[h] = fma(x[steps.axis[h]], r[steps.lower[h]], steps.factor[h] * r[steps.lowest[h]]);
      r[0] = boys[level];
    }
    const double* c = task.coefficients + source.first;
    for (int h = 0; h < count; ++h) {
      value = fma(c[h], r[h], value);
      if constexpr (field) {
        for (int axis = 0; axis < 3; ++axis) slope[axis] = fma(c[h], r[steps.raised[axis][h]], slope[axis]);
      }
    }
  }
  add_sums<field>(task, n, value, slope);
}

}  // namespace potential_tiles
}  // namespace isolume
