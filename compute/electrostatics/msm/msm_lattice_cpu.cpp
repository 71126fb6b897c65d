// Multilevel summation on the CPU: the lattices, down and up.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <list>
#include <mutex>

#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/msm/msm_cpu.h"
#include "compute/electrostatics/msm/msm_virial.h"
#include "compute/fft/fft_cpu.h"

namespace isolume {

namespace {

int wrap(int i, int n) {
  return ((i % n) + n) % n;
}

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
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
  fft_forward(n, kernel.data(), transform.data(), 0, &job);
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
LargeVector<float> sum_by_fft(const MsmPlan& plan, const MsmLevel& level, const LargeVector<float>& q, Job& whole) {
  const Spectrum spectrum = spectrum_of(plan, level, JobPart(whole, 0, 0.5));
  JobPart part(whole, 0.5, 1);
  Job& job = part;
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
  fft_forward(n, source, transform.data(), 0, &job);
  const std::size_t pieces = 256;
  parallel_for(pieces, job, "lattice sums", [&](std::size_t piece) {
    const std::size_t end = transform.size() * (piece + 1) / pieces;
    for (std::size_t i = transform.size() * piece / pieces; i < end; ++i) transform[i] *= (*spectrum)[i];
  });
  if (n == m) {
    LargeVector<float> e(product(m));
    fft_backward(n, transform.data(), e.data(), 0, &job);
    return e;
  }
  fft_backward(n, transform.data(), padded.data(), 0, &job);
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

MsmNodes msm_lattices_cpu(const MsmPlan& plan, MsmNodes charges, Job& whole) {
  const std::size_t count = plan.levels.size();
  std::vector<LargeVector<float>> q(count);
  constexpr double restricted = 0.1;  // of the progress
  {
    JobPart part(whole, 0, restricted);
    Job& job = part;
    const PhaseTimer timer("MSM: restriction");
    q[0] = msm_dense(charges, job);
    charges.values = {};
    for (std::size_t l = 0; l + 1 < count; ++l) q[l + 1] = msm_restrict(plan, l, q[l], job);
  }
  // The levels' shares of the progress are those of their nodes.
  double nodes = 0;
  for (const MsmLevel& level : plan.levels) nodes += static_cast<double>(level.size());
  double done = restricted;
  const auto share = [&](const MsmLevel& level) {
    const double begin = done;
    done += (1 - restricted) * static_cast<double>(level.size()) / nodes;
    return std::pair(begin, done);
  };
  const auto [top_begin, top_end] = share(plan.levels.back());
  LargeVector<float> e = sum_level(plan, plan.levels.back(), q.back(), JobPart(whole, top_begin, top_end));
  for (std::size_t l = count - 1; l-- > 0;) {
    const auto [begin, end] = share(plan.levels[l]);
    JobPart part(whole, begin, end);
    Job& job = part;
    LargeVector<float> own = sum_level(plan, plan.levels[l], q[l], job);
    q[l] = {};
    const PhaseTimer timer("MSM: prolongation");
    glm::ivec3 size = plan.levels[l + 1].counts;
    for (int axis = 0; axis < 3; ++axis) {
      const int fine = plan.levels[l].counts[axis];
      e = msm_prolong_axis(e, size, axis, fine, plan.levels[l].shift[axis], plan.periodic[axis], plan.basis, job);
      size[axis] = fine;
    }
    const std::size_t pieces = 256;
    parallel_for(pieces, job, "prolongation", [&](std::size_t piece) {
      const std::size_t first = own.size() * piece / pieces;
      for (std::size_t i = first; i < own.size() * (piece + 1) / pieces; ++i) e[i] += own[i];
    });
  }
  MsmNodes result;
  result.counts = plan.levels.front().counts;
  result.stride = result.counts.x;
  result.values = std::move(e);
  return result;
}

}  // namespace isolume
