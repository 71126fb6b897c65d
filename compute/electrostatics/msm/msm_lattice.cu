// Multilevel summation on CUDA: from lattice to lattice, and the sums on each.
#include <type_traits>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/msm/msm_view.cuh"

namespace isolume {

namespace {

/// Steps from node to node of an array whose rows are `padded` long.
struct Stride {
  std::size_t axis[3];
};

Stride stride_of(const MsmView& v) {
  return {{1, static_cast<std::size_t>(v.padded[0]), static_cast<std::size_t>(v.padded[0]) * v.padded[1]}};
}

struct Weights {
  float weight[16];
  float even[8];  // of prolongation: at nodes that are the coarse lattice's own
};

/// What nodes of two lattices give to each other: nodal 0 and the odd distances up to the degree, B-splines all up to
/// half of the degree and one.
__host__ __device__ constexpr int distance(bool spline, int degree, int i) {
  if (spline) return i - (degree + 1) / 2;
  return i == degree + 1 ? 0 : 2 * i - degree;
}

/// One axis of eq. 13: node J takes nodes 2 (J - shift) + t of the fine lattice; weight[i] belongs to
/// t = distance(spline, degree, i).
template <int degree, bool spline, int axis>
__global__ void restrict_kernel(MsmView fine, Stride step, MsmView coarse, int shift, bool periodic, Weights w) {
  ISOLUME_NODE(coarse.counts);
  const int node[3] = {x, y, z};
  const int middle = 2 * (node[axis] - shift);
  const int count = fine.counts[axis];
  // The row through the node: the other coordinates are those of the fine lattice too.
  const float* row = fine.values;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    if (a != axis) row += node[a] * step.axis[a];
  }
  float sum = 0;
  const auto add = [&](int t, float weight) {
    int i = middle + t;
    if (periodic) i = wrap(i, count);
    if (i >= 0 && i < count) sum = fmaf(weight, row[static_cast<std::size_t>(i) * step.axis[axis]], sum);
  };
#pragma unroll
  for (int m = 0; m <= degree + 1; ++m) add(distance(spline, degree, m), w.weight[m]);
  coarse.values[at(coarse, x, y, z)] = sum;
}

/// One axis of eq. 16, two nodes a thread: node 2 c takes the coarse node c + shift (B-splines: and those next to it),
/// node 2 c + 1 those around it. Added for the last axis.
template <int degree, bool spline, int axis, bool add>
__global__ void prolong_kernel(MsmView coarse, Stride coarse_step, MsmView fine, Stride step, int shift, bool periodic,
                               Weights w) {
  const int pairs[3] = {axis == 0 ? (fine.counts[0] + 1) / 2 : fine.counts[0],
                        axis == 1 ? (fine.counts[1] + 1) / 2 : fine.counts[1],
                        axis == 2 ? (fine.counts[2] + 1) / 2 : fine.counts[2]};
  ISOLUME_NODE(pairs);
  const int node[3] = {x, y, z};
  const int count = coarse.counts[axis];
  const float* row = coarse.values;
  float* out = fine.values;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    if (a != axis) row += node[a] * coarse_step.axis[a];
    out += (a == axis ? 2 * node[a] : node[a]) * step.axis[a];
  }
  constexpr int below = (degree - 1) / 2;
  float even = 0;
  float odd = 0;
#pragma unroll
  for (int m = 0; m <= degree; ++m) {
    int J = node[axis] + shift - below + m;
    J = periodic ? wrap(J, count) : min(max(J, 0), count - 1);
    const float value = row[static_cast<std::size_t>(J) * coarse_step.axis[axis]];
    if (spline ? m >= below - (degree + 1) / 4 && m <= below + (degree + 1) / 4 : m == below) {
      even = spline ? fmaf(w.even[m], value, even) : value;
    }
    odd = fmaf(w.weight[m], value, odd);
  }
  out[0] = add ? out[0] + even : even;
  if (2 * node[axis] + 1 < fine.counts[axis]) {
    out[step.axis[axis]] = add ? out[step.axis[axis]] + odd : odd;
  }
}

__global__ void multiply_kernel(float2* spectrum, const float* kernel, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float k = kernel[i];
  float2 s = spectrum[i];
  s.x *= k;
  s.y *= k;
  spectrum[i] = s;
}

/// A warp per node: lanes share the stencil.
__global__ void direct_kernel(MsmView q, MsmView e, const float* stencil, int3 first, int3 size, bool px, bool py,
                              bool pz) {
  const int lane = static_cast<int>(threadIdx.x & 31u);
  const std::size_t node = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) >> 5;
  const std::size_t total = static_cast<std::size_t>(e.counts[0]) * e.counts[1] * e.counts[2];
  if (node >= total) return;
  const int x = static_cast<int>(node % e.counts[0]);
  const int y = static_cast<int>(node / e.counts[0] % e.counts[1]);
  const int z = static_cast<int>(node / e.counts[0] / e.counts[1]);
  float sum = 0;
  for (int row = 0; row < size.y * size.z; ++row) {
    int y2 = y + first.y + row % size.y;
    int z2 = z + first.z + row / size.y;
    if (py) y2 = wrap(y2, q.counts[1]);
    if (pz) z2 = wrap(z2, q.counts[2]);
    if (y2 < 0 || y2 >= q.counts[1] || z2 < 0 || z2 >= q.counts[2]) continue;
    const float* from = q.values + at(q, 0, y2, z2);
    const float* taps = stencil + static_cast<std::size_t>(row) * size.x;
    for (int a = lane; a < size.x; a += 32) {
      int x2 = x + first.x + a;
      if (px) x2 = wrap(x2, q.counts[0]);
      if (x2 >= 0 && x2 < q.counts[0]) sum = fmaf(taps[a], from[x2], sum);
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) e.values[at(e, x, y, z)] = sum;
}

MsmView view_of(DeviceArray<float>& values, int x, int y, int z) {
  return {values.data(), {x, y, z}, {x, y, z}};
}

template <int degree, bool spline>
void restrict_all(const MsmPlan& plan, const MsmLevel& level, MsmView fine, MsmView coarse, Stream& stream) {
  Weights w{};
  for (int m = 0; m <= degree + 1; ++m) {
    w.weight[m] = static_cast<float>(plan.basis.refine(distance(spline, degree, m)));
  }
  const int* n = fine.counts;
  const int* m = coarse.counts;
  DeviceArray<float> first(static_cast<std::size_t>(n[0]) * n[1] * m[2], stream, "MSM: restriction");
  DeviceArray<float> second(static_cast<std::size_t>(n[0]) * m[1] * m[2], stream, "MSM: restriction");
  const MsmView a = view_of(first, n[0], n[1], m[2]);
  const MsmView b = view_of(second, n[0], m[1], m[2]);
  launch("MSM: restriction", stream, restrict_kernel<degree, spline, 2>, cube_blocks(n[0], n[1], m[2]), cube_block,
         fine, stride_of(fine), a, level.shift.z, plan.periodic[2], w);
  launch("MSM: restriction", stream, restrict_kernel<degree, spline, 1>, cube_blocks(n[0], m[1], m[2]), cube_block, a,
         stride_of(a), b, level.shift.y, plan.periodic[1], w);
  launch("MSM: restriction", stream, restrict_kernel<degree, spline, 0>, cube_blocks(m[0], m[1], m[2]), cube_block, b,
         stride_of(b), coarse, level.shift.x, plan.periodic[0], w);
}

template <int degree, bool spline>
void prolong_all(const MsmPlan& plan, const MsmLevel& level, MsmView coarse, MsmView fine, Stream& stream) {
  Weights w{};
  for (int m = 0; m <= degree; ++m) {
    const int from = 2 * (m - plan.basis.below);
    w.weight[m] = static_cast<float>(plan.basis.refine(1 - from));
    w.even[m] = static_cast<float>(plan.basis.refine(from));
  }
  const int* n = fine.counts;
  const int* m = coarse.counts;
  DeviceArray<float> first(static_cast<std::size_t>(n[0]) * m[1] * m[2], stream, "MSM: prolongation");
  DeviceArray<float> second(static_cast<std::size_t>(n[0]) * n[1] * m[2], stream, "MSM: prolongation");
  const MsmView a = view_of(first, n[0], m[1], m[2]);
  const MsmView b = view_of(second, n[0], n[1], m[2]);
  launch("MSM: prolongation", stream, prolong_kernel<degree, spline, 0, false>, cube_blocks((n[0] + 1) / 2, m[1], m[2]),
         cube_block, coarse, stride_of(coarse), a, stride_of(a), level.shift.x, plan.periodic[0], w);
  launch("MSM: prolongation", stream, prolong_kernel<degree, spline, 1, false>, cube_blocks(n[0], (n[1] + 1) / 2, m[2]),
         cube_block, a, stride_of(a), b, stride_of(b), level.shift.y, plan.periodic[1], w);
  launch("MSM: prolongation", stream, prolong_kernel<degree, spline, 2, true>, cube_blocks(n[0], n[1], (n[2] + 1) / 2),
         cube_block, b, stride_of(b), fine, stride_of(fine), level.shift.z, plan.periodic[2], w);
}

}  // namespace

void msm_restrict_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView fine, MsmView coarse, Stream& stream) {
  const auto of = [&](auto spline) {
    constexpr bool s = decltype(spline)::value;
    const auto all = plan.basis.degree == 3   ? restrict_all<3, s>
                     : plan.basis.degree == 5 ? restrict_all<5, s>
                                              : restrict_all<7, s>;
    all(plan, level, fine, coarse, stream);
  };
  plan.basis.kind == MsmBasisKind::bspline ? of(std::true_type()) : of(std::false_type());
}

void msm_prolong_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView coarse, MsmView fine, Stream& stream) {
  const auto of = [&](auto spline) {
    constexpr bool s = decltype(spline)::value;
    const auto all = plan.basis.degree == 3   ? prolong_all<3, s>
                     : plan.basis.degree == 5 ? prolong_all<5, s>
                                              : prolong_all<7, s>;
    all(plan, level, coarse, fine, stream);
  };
  plan.basis.kind == MsmBasisKind::bspline ? of(std::true_type()) : of(std::false_type());
}

void msm_multiply_cuda(std::complex<float>* spectrum, const float* kernel, std::size_t count, Stream& stream) {
  launch("MSM: lattice product", stream, multiply_kernel, blocks_for(count), {256, 1, 1},
         reinterpret_cast<float2*>(spectrum), kernel, count);
}

void msm_direct_cuda(const MsmPlan& plan, MsmView q, MsmView e, const float* stencil, glm::ivec3 first, glm::ivec3 last,
                     Stream& stream) {
  const glm::ivec3 size = last - first + 1;
  const std::size_t nodes = static_cast<std::size_t>(e.counts[0]) * e.counts[1] * e.counts[2];
  launch("MSM: lattice sum", stream, direct_kernel, blocks_for(nodes * 32), {256, 1, 1}, q, e, stencil,
         make_int3(first.x, first.y, first.z), make_int3(size.x, size.y, size.z), plan.periodic[0], plan.periodic[1],
         plan.periodic[2]);
}

}  // namespace isolume
