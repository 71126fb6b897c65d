// Multilevel summation on the CPU: from one lattice to the next, axis by axis.
#include <algorithm>
#include <cstring>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/msm/msm_cpu.h"

namespace isolume {

namespace {

int wrap(int i, int n) {
  return ((i % n) + n) % n;
}

/// Lines of an array along one axis: `inner` neighbours in memory side by side, `outer` times.
struct Lines {
  std::size_t inner, outer;
  int from_count, to_count;
};

Lines lines(glm::ivec3 from, int axis, int to_count) {
  std::size_t inner = 1;
  std::size_t outer = 1;
  for (int i = 0; i < axis; ++i) inner *= static_cast<std::size_t>(from[i]);
  for (int i = axis + 1; i < 3; ++i) outer *= static_cast<std::size_t>(from[i]);
  return {inner, outer, from[axis], to_count};
}

/// Adds weight * from to `to`.
void add(float* to, const float* from, float weight, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += weight * from[i];
}

}  // namespace

LargeVector<float> msm_restrict_axis(const LargeVector<float>& fine, glm::ivec3 counts, int axis, int coarse, int shift,
                                     bool periodic, const MsmBasis& basis, Job& job) {
  const Lines l = lines(counts, axis, coarse);
  LargeVector<float> out(l.inner * l.outer * static_cast<std::size_t>(coarse), 0.0f);
  const int reach = basis.refine_reach();
  const auto one = [&](std::size_t o, int J, std::size_t begin, std::size_t count) {
    float* to = out.data() + (o * static_cast<std::size_t>(coarse) + static_cast<std::size_t>(J)) * l.inner + begin;
    for (int t = -reach; t <= reach; ++t) {
      const auto w = static_cast<float>(basis.refine(t));
      if (w == 0) continue;
      int i = 2 * (J - shift) + t;
      if (periodic) {
        i = wrap(i, l.from_count);
      } else if (i < 0 || i >= l.from_count) {
        continue;
      }
      add(to,
          fine.data() + (o * static_cast<std::size_t>(l.from_count) + static_cast<std::size_t>(i)) * l.inner + begin, w,
          count);
    }
  };
  if (axis == 0) {
    float weights[16];
    for (int t = -reach; t <= reach; ++t) weights[t + reach] = static_cast<float>(basis.refine(t));
    const bool nodal = basis.kind == MsmBasisKind::nodal;
    const std::size_t pieces = std::min<std::size_t>(l.outer, 512);
    parallel_for(pieces, job, "restriction", [&](std::size_t piece) {
      for (std::size_t o = l.outer * piece / pieces; o < l.outer * (piece + 1) / pieces; ++o) {
        const float* from = fine.data() + o * static_cast<std::size_t>(l.from_count);
        float* to = out.data() + o * static_cast<std::size_t>(coarse);
        for (int J = 0; J < coarse; ++J) {
          const int middle = 2 * (J - shift);
          float sum = 0;
          if (middle - reach >= 0 && middle + reach < l.from_count) {
            // Nodal: even offsets but 0 have no weight.
            const int next = nodal ? 2 : 1;
            for (int t = -reach; t <= reach; t += next) sum += weights[t + reach] * from[middle + t];
            if (nodal) sum += from[middle];
          } else {
            for (int t = -reach; t <= reach; ++t) {
              const int i = periodic ? wrap(middle + t, l.from_count) : middle + t;
              if (i >= 0 && i < l.from_count) sum += weights[t + reach] * from[i];
            }
          }
          to[J] = sum;
        }
      }
    });
  } else if (axis == 2) {
    parallel_for(static_cast<std::size_t>(coarse), job, "restriction",
                 [&](std::size_t J) { one(0, static_cast<int>(J), 0, l.inner); });
  } else {
    parallel_for(l.outer, job, "restriction", [&](std::size_t o) {
      for (int J = 0; J < coarse; ++J) one(o, J, 0, l.inner);
    });
  }
  return out;
}

LargeVector<float> msm_prolong_axis(const LargeVector<float>& coarse, glm::ivec3 counts, int axis, int fine, int shift,
                                    bool periodic, const MsmBasis& basis, Job& job) {
  const Lines l = lines(counts, axis, fine);
  LargeVector<float> out(l.inner * l.outer * static_cast<std::size_t>(fine), 0.0f);
  // Of the coarse nodes around a fine one: at an even place, and at an odd one.
  float weights[2][MsmBasis::most];
  for (int m = 0; m < basis.taps(); ++m) {
    for (int odd = 0; odd < 2; ++odd) {
      weights[odd][m] = static_cast<float>(basis.refine(odd - 2 * (m - basis.below)));
    }
  }
  const bool nodal = basis.kind == MsmBasisKind::nodal;
  const auto one = [&](std::size_t o, int i) {
    float* to = out.data() + (o * static_cast<std::size_t>(fine) + static_cast<std::size_t>(i)) * l.inner;
    const auto from = [&](int J) {
      J = periodic ? wrap(J, l.from_count) : std::clamp(J, 0, l.from_count - 1);
      return coarse.data() + (o * static_cast<std::size_t>(l.from_count) + static_cast<std::size_t>(J)) * l.inner;
    };
    const int base = i / 2 + shift;
    if (nodal && i % 2 == 0) {
      std::memcpy(to, from(base), l.inner * sizeof(float));
      return;
    }
    for (int m = 0; m < basis.taps(); ++m) {
      if (weights[i % 2][m] != 0) add(to, from(base - basis.below + m), weights[i % 2][m], l.inner);
    }
  };
  if (axis == 0) {
    const std::size_t pieces = std::min<std::size_t>(l.outer, 512);
    parallel_for(pieces, job, "prolongation", [&](std::size_t piece) {
      for (std::size_t o = l.outer * piece / pieces; o < l.outer * (piece + 1) / pieces; ++o) {
        const float* from = coarse.data() + o * static_cast<std::size_t>(l.from_count);
        float* to = out.data() + o * static_cast<std::size_t>(fine);
        const auto node = [&](int J) {
          return from[periodic ? wrap(J, l.from_count) : std::clamp(J, 0, l.from_count - 1)];
        };
        for (int i = 0; i < fine; ++i) {
          const int base = i / 2 + shift;
          float sum = 0;
          if (nodal && i % 2 == 0) {
            sum = node(base);
          } else {
            for (int m = 0; m < basis.taps(); ++m) sum += weights[i % 2][m] * node(base - basis.below + m);
          }
          to[i] = sum;
        }
      }
    });
  } else if (axis == 2) {
    parallel_for(static_cast<std::size_t>(fine), job, "prolongation",
                 [&](std::size_t i) { one(0, static_cast<int>(i)); });
  } else {
    parallel_for(l.outer, job, "prolongation", [&](std::size_t o) {
      for (int i = 0; i < fine; ++i) one(o, i);
    });
  }
  return out;
}

}  // namespace isolume
