// The multigrid hierarchy of the Poisson-Boltzmann solver on the CPU.
#include "compute/electrostatics/poisson_boltzmann/pb_multigrid_cpu.h"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>

#include "compute/base/device.h"

namespace isolume {
namespace {

using Floats = std::vector<float>;

/// Along x at a row of coarse nodes: the weighted mean over the nine rows of edges about it.
void coarser_along_x(const PbLevel& fine, PbLevel& c, int j, int k, Floats& line) {
  line.assign(static_cast<std::size_t>(fine.n.x), 0.0f);
  float total = 0;
  for (int b = -1; b <= 1; ++b) {
    for (int a = -1; a <= 1; ++a) {
      if (2 * j + a < 0 || 2 * j + a >= fine.n.y || 2 * k + b < 0 || 2 * k + b >= fine.n.z) continue;
      const float weight = static_cast<float>((2 - a * a) * (2 - b * b));
      const float* const values = fine.cx + fine.row(2 * j + a, 2 * k + b);
      pb_add_series(line.data(), weight, values, values + 1, line.size() - 2);
      total += weight;
    }
  }
  float* const out = &c.own_x[c.row(j, k)];
  for (int i = 0; i + 1 < c.n.x; ++i) out[i] = line[static_cast<std::size_t>(2 * i)] / total;
}

/// Along y or z: of the three rows about it, and of three edges of each. `next` is from a row to that at the edge's
/// end.
void coarser_across_x(const PbLevel& fine, const float* values, std::ptrdiff_t next, const std::array<int, 3>& rows,
                      PbLevel& c, float* out, Floats& line) {
  line.assign(static_cast<std::size_t>(fine.n.x), 0.0f);
  float total = 0;
  for (std::size_t b = 0; b < 3; ++b) {
    if (rows[b] < 0) continue;
    const float weight = b == 1 ? 2.0f : 1.0f;
    const float* const one = values + static_cast<std::ptrdiff_t>(rows[b]) * fine.n.x;
    pb_add_series(line.data(), weight, one, one + next, line.size());
    total += weight;
  }
  const std::size_t last = static_cast<std::size_t>(c.n.x) - 1;
  out[0] = (2 * line[0] + line[1]) / (3 * total);
  for (std::size_t i = 1; i < last; ++i) out[i] = (line[2 * i - 1] + 2 * line[2 * i] + line[2 * i + 1]) / (4 * total);
  out[last] = (2 * line[2 * last] + line[2 * last - 1]) / (3 * total);
}

/// The coefficients with steps twice as long: in series along an edge, side by side across it.
PbLevel coarser(const PbLevel& fine) {
  PbLevel c;
  c.n = (fine.n - 1) / 2 + 1;
  for (Floats* array : {&c.own_x, &c.own_y, &c.own_z, &c.own_kappa}) array->assign(c.size(), 0.0f);
  pb_for_layers(0, c.n.z, c.size(), [&](int k) {
    thread_local Floats line;
    const auto row_of = [&](int j, int z) {
      return z < 0 || z >= fine.n.z || j < 0 || j >= fine.n.y ? -1 : j + fine.n.y * z;
    };
    for (int j = 0; j < c.n.y; ++j) {
      coarser_along_x(fine, c, j, k, line);
      if (j + 1 < c.n.y)
        coarser_across_x(fine, fine.cy, fine.n.x,
                         {row_of(2 * j, 2 * k - 1), row_of(2 * j, 2 * k), row_of(2 * j, 2 * k + 1)}, c,
                         &c.own_y[c.row(j, k)], line);
      if (k + 1 < c.n.z)
        coarser_across_x(fine, fine.cz, static_cast<std::ptrdiff_t>(fine.n.x) * fine.n.y,
                         {row_of(2 * j - 1, 2 * k), row_of(2 * j, 2 * k), row_of(2 * j + 1, 2 * k)}, c,
                         &c.own_z[c.row(j, k)], line);
      if (j == 0 || k == 0 || j + 1 == c.n.y || k + 1 == c.n.z) continue;
      std::array<const float*, 9> nine;
      for (int m = 0; m < 9; ++m)
        nine[static_cast<std::size_t>(m)] = fine.kappa + fine.row(2 * j + m % 3 - 1, 2 * k + m / 3 - 1);
      pb_mean_row(nine.data(), line.data(), line.size());
      float* const kappa = &c.own_kappa[c.row(j, k)];
      for (int i = 1; i + 1 < c.n.x; ++i) {
        const auto m = static_cast<std::size_t>(2 * i);
        kappa[i] = line[m - 1] + 2 * line[m] + line[m + 1];
      }
    }
  });
  c.cx = c.own_x.data();
  c.cy = c.own_y.data();
  c.cz = c.own_z.data();
  c.kappa = c.own_kappa.data();
  return c;
}

}  // namespace

void PbLevel::invert() {
  inverse.assign(size(), 0.0f);
  rows([&](int, int, std::size_t at) { pb_inverse_row(view(at), &inverse[at]); });
}

void PbLevel::layer(const float* from, float* to, int k, int colour) const {
  const float* inverses = inverse.data();
  for (int j = 1; j < n.y - 1; ++j) {
    const std::size_t at = row(j, k);
    pb_smooth_row(view(at), (j + k + colour) & 1, from + at, inverses + at, to + at);
  }
}

int PbLevel::slabs() const {
  const int threads = std::min(thread_count(), oneapi::tbb::this_task_arena::max_concurrency());
  return size() < pb_small ? 1 : std::clamp(std::min(threads, (n.z - 2) / 4), 1, 256);
}

// Within a slab of layers the second colour follows the first a layer behind, while what it needs is still in the
// cache; the slabs' outermost layers wait for their neighbours.
template <class Prepare, class First>
void PbLevel::in_slabs(int first_colour, const float* from, float* to, const Prepare& prepare,
                       const First& first) const {
  const int count = slabs();
  pb_for_layers(0, count, size(), [&](int slab) {
    prepare(begin_of(slab, count));
    if (begin_of(slab + 1, count) - 1 > begin_of(slab, count)) prepare(begin_of(slab + 1, count) - 1);
  });
  pb_for_layers(0, count, size(), [&](int slab) {
    const int begin = begin_of(slab, count), end = begin_of(slab + 1, count);
    for (int k = begin; k < end; ++k) {
      if (k + 1 < end - 1) prepare(k + 1);
      first(k);
      if (k - 1 > begin) layer(from, to, k - 1, 1 - first_colour);
    }
  });
  pb_for_layers(0, count, size(), [&](int slab) {
    const int begin = begin_of(slab, count), end = begin_of(slab + 1, count);
    layer(from, to, begin, 1 - first_colour);
    if (end - 1 > begin) layer(from, to, end - 1, 1 - first_colour);
  });
}

void PbLevel::sweep(const float* from, float* to, int first_colour) const {
  in_slabs(
      first_colour, from, to, [](int) {}, [&](int k) { layer(from, to, k, first_colour); });
}

void PbLevel::first_layer(const float* from, float* to, int k) const {
  const float* inverses = inverse.data();
  for (int j = 1; j < n.y - 1; ++j) {
    const std::size_t at = row(j, k);
    pb_first_row(view(at), (j + k) & 1, from + at, inverses + at, to + at);
  }
}

void PbLevel::first_sweep(const float* from, float* to) const {
  in_slabs(
      0, from, to, [](int) {}, [&](int k) { first_layer(from, to, k); });
}

void PbLevel::prolong_layer(const PbLevel& coarse, float* to, int k) const {
  thread_local Floats line;
  for (int j = 1; j < n.y - 1; ++j) {
    line.assign(static_cast<std::size_t>(coarse.n.x), 0.0f);
    for (int b = 0; b <= (k & 1); ++b)
      for (int a = 0; a <= (j & 1); ++a)
        pb_add(line.data(), 1.0f / static_cast<float>((1 + (j & 1)) * (1 + (k & 1))),
               &coarse.u[coarse.row(j / 2 + a, k / 2 + b)], line.size());
    float* const u = to + row(j, k);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      u[2 * i] += line[i];
      u[2 * i + 1] += 0.5f * (line[i] + line[i + 1]);
    }
  }
}

void PbLevel::prolong_and_sweep(const PbLevel& coarse, const float* from, float* to) const {
  in_slabs(
      1, from, to, [&](int k) { prolong_layer(coarse, to, k); }, [&](int k) { layer(from, to, k, 1); });
}

// Each thread has the residual of three layers at a time, so that it need not go to memory and back.
void PbLevel::restrict_residual(const float* from, const float* to, PbLevel& coarse) const {
  const std::size_t size_of_layer = static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y);
  const int layers = coarse.n.z - 2, count = std::min(slabs(), std::max(1, layers));
  pb_for_layers(0, count, size(), [&](int slab) {
    thread_local std::array<Floats, 3> held;
    thread_local Floats line;
    for (Floats& values : held) values.assign(size_of_layer, 0.0f);
    const auto fill = [&](int k) {
      Floats& values = held[static_cast<std::size_t>(k % 3)];
      for (int j = 1; j < n.y - 1; ++j) {
        const std::size_t at = row(j, k);
        pb_residual_row(view(at), from + at, to + at,
                        &values[static_cast<std::size_t>(n.x) * static_cast<std::size_t>(j)]);
      }
    };
    const int begin = 1 + layers * slab / count, end = 1 + layers * (slab + 1) / count;
    if (begin < end) fill(2 * begin - 1);
    for (int k = begin; k < end; ++k) {
      fill(2 * k);
      fill(2 * k + 1);
      for (int j = 1; j < coarse.n.y - 1; ++j) {
        line.resize(static_cast<std::size_t>(n.x));
        std::array<const float*, 9> nine;
        for (int m = 0; m < 9; ++m)
          nine[static_cast<std::size_t>(m)] =
              &held[static_cast<std::size_t>((2 * k + m / 3 - 1) % 3)]
                   [static_cast<std::size_t>(n.x) * static_cast<std::size_t>(2 * j + m % 3 - 1)];
        pb_mean_row(nine.data(), line.data(), line.size());
        float* const sources = &coarse.source[coarse.row(j, k)];
        for (int i = 1; i < coarse.n.x - 1; ++i) {
          const auto m = static_cast<std::size_t>(2 * i);
          sources[i] = line[m - 1] + 2 * line[m] + line[m + 1];
        }
      }
    }
  });
}

PbMultigrid::PbMultigrid(const PbProblem& p, const float* kappa) {
  PbLevel finest;
  finest.n = p.counts;
  finest.cx = p.cx.data();
  finest.cy = p.cy.data();
  finest.cz = p.cz.data();
  finest.kappa = kappa;
  levels_.push_back(std::move(finest));
  while (true) {
    PbLevel& last = levels_.back();
    last.invert();
    const glm::ivec3 n = last.n;
    if ((n.x & 1) == 0 || (n.y & 1) == 0 || (n.z & 1) == 0 || std::min({n.x, n.y, n.z}) < 5) break;
    PbLevel next = coarser(last);
    next.u.assign(next.size(), 0.0f);
    next.source.assign(next.size(), 0.0f);
    levels_.push_back(std::move(next));
  }
}

void PbMultigrid::cycle(const Floats& source, Floats& u) {
  descend(0, source.data(), u.data());
}

// u is 0 on the faces; what it is inside does not matter.
void PbMultigrid::descend(std::size_t at, const float* source, float* u) {
  PbLevel& level = levels_[at];
  level.first_sweep(source, u);
  if (at + 1 == levels_.size()) {
    // As often forwards as backwards: the cycle is a symmetric matrix.
    for (int i = 1; i < 24; ++i) level.sweep(source, u, 0);
    for (int i = 0; i < 24; ++i) level.sweep(source, u, 1);
    return;
  }
  PbLevel& coarse = levels_[at + 1];
  level.sweep(source, u, 0);
  level.restrict_residual(source, u, coarse);
  descend(at + 1, coarse.source.data(), coarse.u.data());
  level.prolong_and_sweep(coarse, source, u);
  level.sweep(source, u, 1);
}

}  // namespace isolume
