// The multigrid hierarchy of the Poisson-Boltzmann solver on the CPU.
#include "compute/electrostatics/poisson_boltzmann/pb_multigrid_cpu.h"

#include <algorithm>
#include <array>

#include "compute/base/device.h"

namespace isolume {
namespace {

using Floats = std::vector<float>;

/// The coefficients with steps twice as long: in series along an edge, side by side across it.
PbLevel coarser(const PbLevel& fine) {
  PbLevel c;
  c.n = (fine.n - 1) / 2 + 1;
  std::array<Floats*, 3> to{&c.own_x, &c.own_y, &c.own_z};
  const std::array<const float*, 3> from{fine.cx, fine.cy, fine.cz};
  const std::array<std::ptrdiff_t, 3> stride{1, fine.n.x, static_cast<std::ptrdiff_t>(fine.n.x) * fine.n.y};
  for (Floats* array : to) array->assign(c.size(), 0.0f);
  c.own_kappa.assign(c.size(), 0.0f);
  pb_for_layers(0, c.n.z, c.size(), [&](int k) {
    for (int j = 0; j < c.n.y; ++j) {
      for (int i = 0; i < c.n.x; ++i) {
        const std::size_t at = c.row(j, k) + static_cast<std::size_t>(i);
        const glm::ivec3 coarse(i, j, k), place = 2 * coarse;
        const auto node = static_cast<std::ptrdiff_t>(fine.row(place.y, place.z)) + place.x;
        for (int axis = 0; axis < 3; ++axis) {
          if (coarse[axis] + 1 >= c.n[axis]) continue;
          const int u = (axis + 1) % 3, v = (axis + 2) % 3;
          const float* values = from[static_cast<std::size_t>(axis)];
          float sum = 0, total = 0;
          for (int a = -1; a <= 1; ++a) {
            for (int b = -1; b <= 1; ++b) {
              if (place[u] + a < 0 || place[u] + a >= fine.n[u] || place[v] + b < 0 || place[v] + b >= fine.n[v])
                continue;
              const float w = (a == 0 ? 2.0f : 1.0f) * (b == 0 ? 2.0f : 1.0f);
              const std::ptrdiff_t first =
                  node + a * stride[static_cast<std::size_t>(u)] + b * stride[static_cast<std::size_t>(v)];
              const float one = values[first], two = values[first + stride[static_cast<std::size_t>(axis)]];
              sum += w * 2 * one * two / (one + two);
              total += w;
            }
          }
          (*to[static_cast<std::size_t>(axis)])[at] = sum / total;
        }
        if (glm::any(glm::equal(coarse, glm::ivec3(0))) || glm::any(glm::equal(coarse, c.n - 1))) continue;
        float kappa = 0;
        for (int m = 0; m < 27; ++m) {
          const glm::ivec3 d(m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1);
          const float w = static_cast<float>((2 - d.x * d.x) * (2 - d.y * d.y) * (2 - d.z * d.z)) / 64;
          kappa += w * fine.kappa[node + d.x + d.y * stride[1] + d.z * stride[2]];
        }
        c.own_kappa[at] = 4 * kappa;
      }
    }
  });
  c.cx = c.own_x.data();
  c.cy = c.own_y.data();
  c.cz = c.own_z.data();
  c.kappa = c.own_kappa.data();
  return c;
}

/// coarse = 4 times the weighted mean of the residual.
void restrict_to(const PbLevel& fine, PbLevel& coarse) {
  coarse.rows([&](int j, int k, std::size_t at) {
    thread_local Floats line;
    line.assign(static_cast<std::size_t>(fine.n.x), 0.0f);
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a)
        pb_add(line.data(), static_cast<float>((2 - a * a) * (2 - b * b)) / 16,
               &fine.residual[fine.row(2 * j + a, 2 * k + b)], line.size());
    for (int i = 1; i < coarse.n.x - 1; ++i)
      coarse.source[at + static_cast<std::size_t>(i)] = line[static_cast<std::size_t>(2 * i - 1)] +
                                                        2 * line[static_cast<std::size_t>(2 * i)] +
                                                        line[static_cast<std::size_t>(2 * i + 1)];
  });
}

/// u of the fine one += the coarse one's, interpolated.
void prolong(const PbLevel& coarse, const PbLevel& fine, float* u) {
  fine.rows([&](int j, int k, std::size_t at) {
    thread_local Floats line;
    line.assign(static_cast<std::size_t>(coarse.n.x), 0.0f);
    for (int b = 0; b <= (k & 1); ++b)
      for (int a = 0; a <= (j & 1); ++a)
        pb_add(line.data(), 1.0f / static_cast<float>((1 + (j & 1)) * (1 + (k & 1))),
               &coarse.u[coarse.row(j / 2 + a, k / 2 + b)], line.size());
    float* to = u + at;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      to[2 * i] += line[i];
      to[2 * i + 1] += 0.5f * (line[i] + line[i + 1]);
    }
  });
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

// Within a slab of layers the second follows the first a layer behind, while
// what it needs is still in the cache; the slabs' outermost layers wait for their neighbours.
void PbLevel::sweep(const float* from, float* to, int first_colour) const {
  const int layers = n.z - 2;
  const int slabs = size() < pb_small ? 1 : std::clamp(std::min(thread_count(), layers / 4), 1, 256);
  const auto begin = [&](int slab) { return 1 + layers * slab / slabs; };
  pb_for_layers(0, slabs, size(), [&](int slab) {
    for (int k = begin(slab); k < begin(slab + 1); ++k) {
      layer(from, to, k, first_colour);
      if (k - 1 > begin(slab)) layer(from, to, k - 1, 1 - first_colour);
    }
  });
  pb_for_layers(0, slabs, size(), [&](int slab) {
    layer(from, to, begin(slab), 1 - first_colour);
    if (begin(slab + 1) - 1 > begin(slab)) layer(from, to, begin(slab + 1) - 1, 1 - first_colour);
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
    last.residual.assign(last.size(), 0.0f);
    const glm::ivec3 n = last.n;
    if ((n.x & 1) == 0 || (n.y & 1) == 0 || (n.z & 1) == 0 || std::min({n.x, n.y, n.z}) < 5) break;
    PbLevel next = coarser(last);
    next.u.assign(next.size(), 0.0f);
    next.source.assign(next.size(), 0.0f);
    levels_.push_back(std::move(next));
  }
}

void PbMultigrid::cycle(const Floats& source, Floats& u) {
  std::fill(u.begin(), u.end(), 0.0f);
  descend(0, source.data(), u.data());
}
void PbMultigrid::descend(std::size_t at, const float* source, float* u) {
  constexpr int sweeps = 1;
  PbLevel& level = levels_[at];
  if (at + 1 == levels_.size()) {
    // As often forwards as backwards: the cycle is a symmetric matrix.
    for (int i = 0; i < 24; ++i) level.sweep(source, u, 0);
    for (int i = 0; i < 24; ++i) level.sweep(source, u, 1);
    return;
  }
  for (int i = 0; i < sweeps; ++i) level.sweep(source, u, 0);
  level.rows([&](int, int, std::size_t row) {
    pb_residual_row(level.view(row), source + row, u + row, &level.residual[row]);
  });
  PbLevel& coarse = levels_[at + 1];
  restrict_to(level, coarse);
  std::fill(coarse.u.begin(), coarse.u.end(), 0.0f);
  descend(at + 1, coarse.source.data(), coarse.u.data());
  prolong(coarse, level, u);
  for (int i = 0; i < sweeps; ++i) level.sweep(source, u, 1);
}

}  // namespace isolume
