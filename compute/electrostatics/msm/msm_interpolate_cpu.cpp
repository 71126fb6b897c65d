// Multilevel summation on the CPU: the potentials of the finest lattice onto the map.
#include <algorithm>
#include <cmath>

#include "compute/electrostatics/msm/msm_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/msm/msm_interpolate_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// out[i] = sum_m weights[m] in[m][i]
void combine_rows(const float* const* in, const float* weights, int taps, int count, float* out) {
  const hn::ScalableTag<float> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, in[0] + i));
    for (int m = 1; m < taps; ++m) sum = hn::MulAdd(hn::Set(d, weights[m]), hn::LoadU(d, in[m] + i), sum);
    hn::StoreU(sum, d, out + i);
  }
  for (; i < count; ++i) {
    float sum = 0;
    for (int m = 0; m < taps; ++m) sum += weights[m] * in[m][i];
    out[i] = sum;
  }
}

/// out[i] = sum_m weights[m * pitch + i] in[first[i] + m]
void gather_row(const float* in, const std::int32_t* first, const float* weights, std::size_t pitch, int taps,
                int count, float* out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto at = hn::LoadU(di, first + i);
    auto sum = hn::Mul(hn::LoadU(d, weights + i), hn::GatherIndex(d, in, at));
    for (int m = 1; m < taps; ++m) {
      sum = hn::MulAdd(hn::LoadU(d, weights + static_cast<std::size_t>(m) * pitch + i), hn::GatherIndex(d, in + m, at),
                       sum);
    }
    hn::StoreU(sum, d, out + i);
  }
  for (; i < count; ++i) {
    float sum = 0;
    for (int m = 0; m < taps; ++m)
      sum += weights[static_cast<std::size_t>(m) * pitch + static_cast<std::size_t>(i)] * in[first[i] + m];
    out[i] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(combine_rows);
HWY_EXPORT(gather_row);

namespace {

int wrap(int i, int n) {
  return ((i % n) + n) % n;
}

}  // namespace

void msm_interpolate_cpu(const MsmPlan& plan, const MsmNodes& e, const NearTile& tile) {
  const int taps = plan.basis.taps();
  const auto taps_size = static_cast<std::size_t>(taps);
  const glm::ivec3 n = e.counts;
  if (!plan.separable) {
    for (int dk = 0; dk < tile.rows_k; ++dk) {
      for (int dj = 0; dj < tile.rows_j; ++dj) {
        for (int i = 0; i < tile.count; ++i) {
          const glm::dvec3 u = plan.map_base + plan.map_step * glm::dvec3(tile.i + i, tile.j + dj, tile.k + dk);
          const glm::dvec3 base = glm::floor(u + 1e-9);
          const glm::dvec3 t = glm::max(u - base, glm::dvec3(0));
          float w[3][8];
          int node[3][8];
          for (int axis = 0; axis < 3; ++axis) {
            for (int m = 0; m < taps; ++m) {
              w[axis][m] = static_cast<float>(plan.basis.weight(m, t[axis]));
              node[axis][m] = static_cast<int>(base[axis]) - plan.basis.below + m;
              node[axis][m] =
                  plan.periodic[axis] ? wrap(node[axis][m], n[axis]) : std::clamp(node[axis][m], 0, n[axis] - 1);
            }
          }
          float sum = 0;
          for (int c = 0; c < taps; ++c) {
            for (int b = 0; b < taps; ++b) {
              const float* row = e.row(node[1][b], node[2][c]);
              float part = 0;
              for (int a = 0; a < taps; ++a) part += w[0][a] * row[node[0][a]];
              sum += w[1][b] * w[2][c] * part;
            }
          }
          tile.row(dj, dk)[i] = sum;
        }
      }
    }
    return;
  }
  const auto& ax = plan.axes[0];
  const auto& ay = plan.axes[1];
  const auto& az = plan.axes[2];
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int x_first = ax.first[at(tile.i)];
  const int x_count = ax.first[at(tile.i + tile.count - 1)] + taps - x_first;
  const int y_first = ay.first[at(tile.j)];
  const int y_count = ay.first[at(tile.j + tile.rows_j - 1)] + taps - y_first;
  // Weights along x by tap.
  static thread_local std::vector<float> weights;
  static thread_local std::vector<std::int32_t> first;
  weights.resize(taps_size * at(tile.count));
  first.resize(at(tile.count));
  for (int i = 0; i < tile.count; ++i) {
    first[at(i)] = ax.first[at(tile.i + i)] - x_first;
    for (int m = 0; m < taps; ++m) {
      weights[at(m) * at(tile.count) + at(i)] = ax.weights[at(tile.i + i) * taps_size + at(m)];
    }
  }
  static thread_local std::vector<float> copies;  // lattice rows that wrap around
  static thread_local std::vector<float> layer;   // y_count rows at one z of the map
  static thread_local std::vector<float> line;    // one row at one (y, z) of the map
  layer.resize(at(y_count) * at(x_count));
  line.resize(at(x_count) + 16);
  const bool wraps = plan.periodic[0] && (x_first < 0 || x_first + x_count > n.x);
  if (wraps) copies.resize(taps_size * at(x_count));
  for (int dk = 0; dk < tile.rows_k; ++dk) {
    const std::size_t k = at(tile.k + dk);
    for (int j = 0; j < y_count; ++j) {
      const int jj = plan.periodic[1] ? wrap(y_first + j, n.y) : std::clamp(y_first + j, 0, n.y - 1);
      const float* in[8];
      for (int m = 0; m < taps; ++m) {
        const int kk = az.first[k] + m;
        const float* row = e.row(jj, plan.periodic[2] ? wrap(kk, n.z) : std::clamp(kk, 0, n.z - 1));
        if (wraps) {
          float* copy = copies.data() + at(m) * at(x_count);
          for (int i = 0; i < x_count; ++i) copy[i] = row[wrap(x_first + i, n.x)];
          in[m] = copy;
        } else {
          in[m] = row + x_first;
        }
      }
      HWY_DYNAMIC_DISPATCH(combine_rows)
      (in, az.weights.data() + k * taps_size, taps, x_count, layer.data() + at(j) * at(x_count));
    }
    for (int dj = 0; dj < tile.rows_j; ++dj) {
      const std::size_t j = at(tile.j + dj);
      const float* in[8];
      for (int m = 0; m < taps; ++m) in[m] = layer.data() + at(ay.first[j] - y_first + m) * at(x_count);
      HWY_DYNAMIC_DISPATCH(combine_rows)(in, ay.weights.data() + j * taps_size, taps, x_count, line.data());
      HWY_DYNAMIC_DISPATCH(gather_row)
      (line.data(), first.data(), weights.data(), at(tile.count), taps, tile.count, tile.row(dj, dk));
    }
  }
}

}  // namespace isolume
#endif  // HWY_ONCE
