// Multilevel summation on the CPU: the lattices, down and up.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <list>
#include <mutex>

#include "compute/fft/fft_cpu.h"
#include "compute/parallel_for.h"
#include "compute/potential/msm_cpu.h"
#include "compute/timing.h"

namespace isolume {

namespace {

int wrap(int i, int n) {
  return ((i % n) + n) % n;
}

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
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

/// One axis of eq. 13: node J of the coarse lattice takes node 2 (J - shift) + t of the fine one with Phi(t/2).
LargeVector<float> restrict_axis(const LargeVector<float>& fine, glm::ivec3 counts, int axis, int coarse, int shift,
                                 bool periodic, const MsmBasis& basis, Job& job) {
  const Lines l = lines(counts, axis, coarse);
  LargeVector<float> out(l.inner * l.outer * static_cast<std::size_t>(coarse), 0.0f);
  const int reach = 2 * (basis.below + 1) - 1;
  const auto one = [&](std::size_t o, int J, std::size_t begin, std::size_t count) {
    float* to = out.data() + (o * static_cast<std::size_t>(coarse) + static_cast<std::size_t>(J)) * l.inner + begin;
    for (int t = -reach; t <= reach; ++t) {
      const auto w = static_cast<float>(basis.phi(0.5 * t));
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
    for (int t = -reach; t <= reach; ++t) weights[t + reach] = static_cast<float>(basis.phi(0.5 * t));
    const std::size_t pieces = std::min<std::size_t>(l.outer, 512);
    parallel_for(pieces, job, "restriction", [&](std::size_t piece) {
      for (std::size_t o = l.outer * piece / pieces; o < l.outer * (piece + 1) / pieces; ++o) {
        const float* from = fine.data() + o * static_cast<std::size_t>(l.from_count);
        float* to = out.data() + o * static_cast<std::size_t>(coarse);
        for (int J = 0; J < coarse; ++J) {
          const int middle = 2 * (J - shift);
          float sum = 0;
          if (middle - reach >= 0 && middle + reach < l.from_count) {
            // Even offsets but 0 have no weight.
            for (int t = -reach; t <= reach; t += 2) sum += weights[t + reach] * from[middle + t];
            sum += from[middle];
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

/// One axis of eq. 16: node i of the fine lattice takes the coarse lattice at i/2 + shift.
LargeVector<float> prolong_axis(const LargeVector<float>& coarse, glm::ivec3 counts, int axis, int fine, int shift,
                                bool periodic, const MsmBasis& basis, Job& job) {
  const Lines l = lines(counts, axis, fine);
  LargeVector<float> out(l.inner * l.outer * static_cast<std::size_t>(fine), 0.0f);
  float half[8];
  for (int m = 0; m < basis.taps(); ++m) half[m] = static_cast<float>(basis.weight(m, 0.5));
  const auto one = [&](std::size_t o, int i) {
    float* to = out.data() + (o * static_cast<std::size_t>(fine) + static_cast<std::size_t>(i)) * l.inner;
    const auto from = [&](int J) {
      J = periodic ? wrap(J, l.from_count) : std::clamp(J, 0, l.from_count - 1);
      return coarse.data() + (o * static_cast<std::size_t>(l.from_count) + static_cast<std::size_t>(J)) * l.inner;
    };
    const int base = i / 2 + shift;
    if (i % 2 == 0) {
      std::memcpy(to, from(base), l.inner * sizeof(float));
    } else {
      for (int m = 0; m < basis.taps(); ++m) add(to, from(base - basis.below + m), half[m], l.inner);
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
          if (i % 2 == 0) {
            sum = node(base);
          } else {
            for (int m = 0; m < basis.taps(); ++m) sum += half[m] * node(base - basis.below + m);
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

using Spectrum = std::shared_ptr<const LargeVector<float>>;

/// The kernel's transform, real because the kernel is even, divided by the number of nodes of the transform.
Spectrum make_spectrum(const MsmPlan& plan, const MsmLevel& level, Job& job) {
  const PhaseTimer timer("MSM: kernels");
  const glm::ivec3 n = level.padded;
  LargeVector<float> kernel(product(n), 0.0f);
  const auto at = [&](glm::ivec3 i) -> float& {
    for (int axis = 0; axis < 3; ++axis) i[axis] = wrap(i[axis], n[axis]);
    return kernel[(static_cast<std::size_t>(i.z) * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(i.y)) *
                      static_cast<std::size_t>(n.x) +
                  static_cast<std::size_t>(i.x)];
  };
  const MsmStencil stencil = msm_stencil(plan, level, job);
  const float* value = stencil.values.data();
  for (int k = stencil.first.z; k <= stencil.last.z; ++k) {
    for (int j = stencil.first.y; j <= stencil.last.y; ++j) {
      for (int i = stencil.first.x; i <= stencil.last.x; ++i) at({i, j, k}) += *value++;
    }
  }
  const bool split = level.top && plan.periodic_top();
  const MsmPlan::Split parts = split ? plan.top_split() : MsmPlan::Split{};
  LargeVector<std::complex<float>> transform(fft_spectrum_size(n));
  fft_forward(n, kernel.data(), transform.data());
  auto spectrum = std::make_shared<LargeVector<float>>(transform.size());
  const double norm = 1.0 / static_cast<double>(product(n));
  const int half = n.x / 2 + 1;
  parallel_for(static_cast<std::size_t>(n.z), job, "kernels", [&](std::size_t z) {
    for (int y = 0; y < n.y; ++y) {
      for (int x = 0; x < half; ++x) {
        const std::size_t index =
            (z * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(y)) * static_cast<std::size_t>(half) +
            static_cast<std::size_t>(x);
        double value = static_cast<double>(transform[index].real());
        if (split) {
          const int kz = static_cast<int>(z);
          value += plan.split_far(parts, {x, y > n.y / 2 ? y - n.y : y, kz > n.z / 2 ? kz - n.z : kz});
          if (x == 0 && y == 0 && z == 0) value += parts.constant * static_cast<double>(product(n));
        }
        (*spectrum)[index] = static_cast<float>(value * norm);
      }
    }
  });
  return spectrum;
}

/// Kernels repeat from frame to frame: the last few transforms are kept.
Spectrum spectrum_of(const MsmPlan& plan, const MsmLevel& level, Job& job) {
  const MsmKernelKey key = msm_kernel_key(plan, level);
  static std::mutex mutex;
  static std::list<std::pair<MsmKernelKey, Spectrum>> kept;
  constexpr std::size_t most = 16;
  constexpr std::size_t most_bytes = std::size_t{1} << 29;
  {
    const std::lock_guard lock(mutex);
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if (it->first == key) {
        kept.splice(kept.begin(), kept, it);
        return kept.front().second;
      }
    }
  }
  Spectrum made = make_spectrum(plan, level, job);
  const std::lock_guard lock(mutex);
  kept.emplace_front(key, made);
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (auto it = kept.begin(); it != kept.end();) {
    bytes += it->second->size() * sizeof(float);
    if (++count > most || (count > 1 && bytes > most_bytes)) {
      it = kept.erase(it);
    } else {
      ++it;
    }
  }
  return made;
}

/// Eqs. 14 and 15 by Fourier transforms: the charges of a level become its potentials.
LargeVector<float> sum_by_fft(const MsmPlan& plan, const MsmLevel& level, const LargeVector<float>& q, Job& job) {
  const Spectrum spectrum = spectrum_of(plan, level, job);
  const PhaseTimer timer("MSM: lattice sums by FFT");
  const glm::ivec3 n = level.padded;
  const glm::ivec3 m = level.counts;
  LargeVector<float> padded;
  const float* source = q.data();
  if (n != m) {
    padded.assign(product(n), 0.0f);
    parallel_for(static_cast<std::size_t>(m.z), job, "lattice sums", [&](std::size_t k) {
      for (int j = 0; j < m.y; ++j) {
        const float* from = q.data() + (k * static_cast<std::size_t>(m.y) + static_cast<std::size_t>(j)) *
                                           static_cast<std::size_t>(m.x);
        std::copy(from, from + m.x,
                  padded.data() + (k * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(j)) *
                                      static_cast<std::size_t>(n.x));
      }
    });
    source = padded.data();
  }
  LargeVector<std::complex<float>> transform(fft_spectrum_size(n));
  fft_forward(n, source, transform.data());
  job.check();
  const std::size_t pieces = 256;
  parallel_for(pieces, job, "lattice sums", [&](std::size_t piece) {
    const std::size_t end = transform.size() * (piece + 1) / pieces;
    for (std::size_t i = transform.size() * piece / pieces; i < end; ++i) transform[i] *= (*spectrum)[i];
  });
  if (n == m) {
    LargeVector<float> e(product(m));
    fft_backward(n, transform.data(), e.data());
    return e;
  }
  fft_backward(n, transform.data(), padded.data());
  job.check();
  LargeVector<float> e(product(m));
  parallel_for(static_cast<std::size_t>(m.z), job, "lattice sums", [&](std::size_t k) {
    for (int j = 0; j < m.y; ++j) {
      const float* from = padded.data() + (k * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(j)) *
                                              static_cast<std::size_t>(n.x);
      std::copy(
          from, from + m.x,
          e.data() + (k * static_cast<std::size_t>(m.y) + static_cast<std::size_t>(j)) * static_cast<std::size_t>(m.x));
    }
  });
  return e;
}

/// Eqs. 14 and 15 as they stand.
LargeVector<float> sum_directly(const MsmPlan& plan, const MsmLevel& level, const LargeVector<float>& q, Job& job) {
  const PhaseTimer timer("MSM: lattice sums directly");
  const glm::ivec3 m = level.counts;
  const MsmStencil stencil = msm_stencil(plan, level, job);
  const glm::ivec3 size = stencil.size();
  const std::vector<float>& kernel = stencil.values;
  LargeVector<float> e(product(m), 0.0f);
  parallel_for(static_cast<std::size_t>(m.z), job, "lattice sums", [&](std::size_t kk) {
    const int k = static_cast<int>(kk);
    job.check();
    for (int c = stencil.first.z; c <= stencil.last.z; ++c) {
      int k2 = k + c;
      if (plan.periodic[2]) k2 = wrap(k2, m.z);
      if (k2 < 0 || k2 >= m.z) continue;
      for (int j = 0; j < m.y; ++j) {
        float* to = e.data() +
                    (kk * static_cast<std::size_t>(m.y) + static_cast<std::size_t>(j)) * static_cast<std::size_t>(m.x);
        for (int b = stencil.first.y; b <= stencil.last.y; ++b) {
          int j2 = j + b;
          if (plan.periodic[1]) j2 = wrap(j2, m.y);
          if (j2 < 0 || j2 >= m.y) continue;
          const float* from =
              q.data() + (static_cast<std::size_t>(k2) * static_cast<std::size_t>(m.y) + static_cast<std::size_t>(j2)) *
                             static_cast<std::size_t>(m.x);
          const float* taps =
              kernel.data() + (static_cast<std::size_t>(c - stencil.first.z) * static_cast<std::size_t>(size.y) +
                               static_cast<std::size_t>(b - stencil.first.y)) *
                                  static_cast<std::size_t>(size.x);
          for (int a = stencil.first.x; a <= stencil.last.x; ++a) {
            const float w = taps[a - stencil.first.x];
            if (w == 0) continue;
            if (!plan.periodic[0]) {
              const int begin = std::max(0, -a);
              const int end = std::min(m.x, m.x - a);
              for (int i = begin; i < end; ++i) to[i] += w * from[i + a];
            } else {
              for (int i = 0; i < m.x; ++i) to[i] += w * from[wrap(i + a, m.x)];
            }
          }
        }
      }
    }
  });
  return e;
}

LargeVector<float> sum_level(const MsmPlan& plan, const MsmLevel& level, const LargeVector<float>& q, Job& job) {
  return level.fft ? sum_by_fft(plan, level, q, job) : sum_directly(plan, level, q, job);
}

}  // namespace

MsmNodes msm_lattices_cpu(const MsmPlan& plan, MsmNodes charges, Job& job) {
  const std::size_t count = plan.levels.size();
  std::vector<LargeVector<float>> q(count);
  {
    const PhaseTimer timer("MSM: restriction");
    const glm::ivec3 n = charges.counts;
    q[0].resize(product(n));
    parallel_for(static_cast<std::size_t>(n.z), job, "restriction", [&](std::size_t k) {
      for (int j = 0; j < n.y; ++j) {
        const float* from = charges.row(j, static_cast<int>(k));
        std::copy(from, from + n.x,
                  q[0].data() + (k * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(j)) *
                                    static_cast<std::size_t>(n.x));
      }
    });
    charges.values = {};
    for (std::size_t l = 0; l + 1 < count; ++l) {
      glm::ivec3 size = plan.levels[l].counts;
      LargeVector<float> work;
      for (int axis = 2; axis >= 0; --axis) {
        const int coarse = plan.levels[l + 1].counts[axis];
        work = restrict_axis(axis == 2 ? q[l] : work, size, axis, coarse, plan.levels[l].shift[axis],
                             plan.periodic[axis], plan.basis, job);
        size[axis] = coarse;
      }
      q[l + 1] = std::move(work);
    }
  }
  LargeVector<float> e = sum_level(plan, plan.levels.back(), q.back(), job);
  for (std::size_t l = count - 1; l-- > 0;) {
    LargeVector<float> own = sum_level(plan, plan.levels[l], q[l], job);
    q[l] = {};
    const PhaseTimer timer("MSM: prolongation");
    glm::ivec3 size = plan.levels[l + 1].counts;
    for (int axis = 0; axis < 3; ++axis) {
      const int fine = plan.levels[l].counts[axis];
      e = prolong_axis(e, size, axis, fine, plan.levels[l].shift[axis], plan.periodic[axis], plan.basis, job);
      size[axis] = fine;
    }
    const std::size_t pieces = 256;
    parallel_for(pieces, job, "prolongation", [&](std::size_t piece) {
      const std::size_t begin = own.size() * piece / pieces;
      add(e.data() + begin, own.data() + begin, 1.0f, own.size() * (piece + 1) / pieces - begin);
    });
  }
  MsmNodes result;
  result.counts = plan.levels.front().counts;
  result.stride = result.counts.x;
  result.values = std::move(e);
  return result;
}

}  // namespace isolume
