// MsmPlan: the geometry of the lattices.
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/fft/fft_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "compute/electrostatics/msm/msm_extent.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

double points(glm::ivec3 n) {
  return static_cast<double>(n.x) * static_cast<double>(n.y) * static_cast<double>(n.z);
}

constexpr int most_levels = 16;

/// Directions of the lattices' axes: cell vectors where periodic; elsewhere along the map's own steps, if those are not
/// too oblique to them.
glm::dmat3 lattice_directions(const glm::dmat3& cell, const glm::dmat3& steps, const bool (&periodic)[3],
                              int periodic_axes) {
  glm::dmat3 direction(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    direction[axis] = glm::normalize(periodic[axis] ? cell[axis] : steps[axis]);
  }
  if (periodic_axes > 0 && periodic_axes < 3 && std::abs(glm::determinant(direction)) < 0.3) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!periodic[axis]) direction[axis] = glm::dvec3(0);
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic[axis]) continue;
      // Whatever unit vector is most across those that stand.
      glm::dvec3 best(0);
      for (int free = 0; free < 3; ++free) {
        glm::dvec3 v(free == 0, free == 1, free == 2);
        glm::dmat3 basis_vectors(0.0);
        for (int i = 0, at = 0; i < 3; ++i) {
          if (glm::length(direction[i]) > 0) basis_vectors[at++] = direction[i];
        }
        glm::dvec3 e0 = basis_vectors[0];
        glm::dvec3 e1 = basis_vectors[1] - glm::dot(basis_vectors[1], e0) * e0;
        if (glm::length(e1) > 0) e1 = glm::normalize(e1);
        v -= glm::dot(v, e0) * e0;
        v -= glm::dot(v, e1) * e1;
        if (glm::length(v) > glm::length(best)) best = v;
      }
      direction[axis] = glm::normalize(best);
    }
  }
  return direction;
}

/// All levels that could be, the finest with `nodes` nodes; as many as were asked for where that is known.
std::vector<MsmLevel> possible_levels(const MsmPlan& plan, glm::ivec3 nodes, int levels_wanted) {
  const int below = plan.basis.below;
  std::vector<MsmLevel> chain;
  for (glm::ivec3 n = nodes;;) {
    MsmLevel level;
    level.counts = n;
    glm::ivec3 next(0);
    bool smaller = false;
    bool possible = true;
    for (int axis = 0; axis < 3; ++axis) {
      if (plan.periodic[axis]) {
        possible = possible && n[axis] % 2 == 0;
        next[axis] = n[axis] / 2;
      } else {
        level.shift[axis] = below;
        next[axis] = (n[axis] - 1) / 2 + 2 * below + 2;
      }
      smaller = smaller || next[axis] < n[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
      double row = 0;
      for (int j = 0; j < 3; ++j) row += plan.inverse[j][axis] * plan.inverse[j][axis];
      const int reach =
          static_cast<int>(std::ceil(2 * plan.options.cutoff * std::sqrt(row))) - 1 + msm_filter_reach(plan.basis);
      level.radius[axis] = plan.periodic[axis] ? reach : std::min(reach, n[axis] - 1);
      level.padded[axis] = plan.periodic[axis] ? n[axis] : good_fft_size(n[axis] + level.radius[axis], axis == 0);
    }
    chain.push_back(level);
    const int count = static_cast<int>(chain.size());
    if (count >= most_levels || (plan.options.levels > 0 && count >= plan.options.levels)) break;
    if (!possible || !smaller || (plan.periodic_top() && levels_wanted == count)) break;
    n = next;
  }
  return chain;
}

/// How many of the levels cost least.
int cheapest_depth(const std::vector<MsmLevel>& chain, const bool (&periodic)[3]) {
  const bool any_periodic = periodic[0] || periodic[1] || periodic[2];
  int best = static_cast<int>(chain.size());
  double least = std::numeric_limits<double>::infinity();
  double below_top = 0;
  for (int top = 0; top < static_cast<int>(chain.size()); ++top) {
    glm::ivec3 n = chain[static_cast<std::size_t>(top)].counts;
    double image_sum = 0;
    for (int axis = 0; axis < 3; ++axis) n[axis] = periodic[axis] ? n[axis] : 2 * n[axis];
    // With some periodic axes the top kernel is summed node by node, some 2000 terms each.
    if (any_periodic) image_sum = 300 * points(n);
    const double cost = below_top + points(n) + image_sum + 8000;
    if (cost < least) {
      least = cost;
      best = top + 1;
    }
    below_top += points(chain[static_cast<std::size_t>(top)].padded) + 16000;
  }
  return best;
}

/// Weights of the points of a map along one axis, whose lattice coordinates are base + step i.
MsmAxis axis_weights(const MsmBasis& basis, int count, double map_base, double map_step) {
  MsmAxis table;
  table.first.resize(static_cast<std::size_t>(count));
  table.weights.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(basis.taps()));
  for (int i = 0; i < count; ++i) {
    const double u = map_base + map_step * i;
    const double base = std::floor(u + 1e-9);
    table.first[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(base) - basis.below;
    for (int m = 0; m < basis.taps(); ++m) {
      table.weights[static_cast<std::size_t>(i * basis.taps() + m)] =
          static_cast<float>(basis.weight(m, std::max(u - base, 0.0)));
    }
  }
  return table;
}

}  // namespace

MsmPlan::MsmPlan(std::span<const PointCharge> charges, const Grid& grid_, const MsmOptions& options_, Device device_)
    : options(options_),
      grid(grid_),
      frame(grid_),
      basis(options_.degree, options_.basis),
      asked(options_),
      device(device_),
      transforms(device_.is_cuda() && msm_fast_transforms()) {
  const glm::dmat3 steps(glm::dvec3(frame.ax, 0, 0), glm::dvec3(frame.bx, frame.by, 0),
                         glm::dvec3(frame.cx, frame.cy, frame.cz));
  const glm::dmat3 cell = frame.turn * options.cell.vectors;
  int periodic_axes = 0;
  for (int axis = 0; axis < 3; ++axis) {
    periodic[axis] = options.periodic[static_cast<std::size_t>(axis)];
    periodic_axes += periodic[axis] ? 1 : 0;
  }

  const glm::dmat3 direction = lattice_directions(cell, steps, periodic, periodic_axes);

  // How often the cell vectors are divided: even as many times as there are levels to halve for.
  int levels_wanted = options.levels;
  glm::ivec3 nodes(0);
  glm::dvec3 spacing(options.spacing);
  for (int axis = 0; axis < 3; ++axis) {
    if (!periodic[axis]) continue;
    const double length = glm::length(cell[axis]);
    const double least = std::ceil(length / options.spacing - 1e-9);
    if (!(least < 30000)) {
      throw Error(fmt::format("MSM: a spacing of {} angstrom in a cell of {} angstrom", options.spacing, length),
                  Error::Kind::usage);
    }
    if (periodic_axes == 3) {
      if (levels_wanted == 0) levels_wanted = 1;
      const int multiple = 1 << (levels_wanted - 1);
      const int blocks = (static_cast<int>(least) + multiple - 1) / multiple;
      nodes[axis] = multiple * good_fft_size(std::max(blocks, levels_wanted == 1 ? 4 : 1), levels_wanted == 1);
    } else {
      // Halved as long as 8 nodes remain.
      int halvings = 0;
      while (levels_wanted == 0 && halvings < most_levels && std::ldexp(least, -halvings) > 16) ++halvings;
      if (levels_wanted > 0) halvings = levels_wanted - 1;
      const int multiple = 1 << halvings;
      nodes[axis] = multiple * good_fft_size((static_cast<int>(least) + multiple - 1) / multiple, false);
    }
    spacing[axis] = length / nodes[axis];
  }
  for (int axis = 0; axis < 3; ++axis) lattice[axis] = direction[axis] * spacing[axis];
  inverse = glm::inverse(lattice);

  map_step = inverse * steps;
  const MsmExtent extent(*this, charges);
  glm::dvec3 first(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    if (periodic[axis]) continue;
    const double low = extent.low(*this, axis);
    const double high = extent.high(*this, axis);
    if (!(high - low < 30000)) {
      throw Error(fmt::format("MSM: charges and grid extend over {:.6g} angstrom, too far for lattices of {} angstrom",
                              (extent.upper[axis] - extent.lower[axis]) * spacing[axis], options.spacing),
                  Error::Kind::usage);
    }
    first[axis] = low;
    nodes[axis] = static_cast<int>(high - low) + 1;
  }
  origin = lattice * first;
  map_base = -first;
  if (points(nodes) > 2147483647.0) {
    throw Error(fmt::format("MSM: a lattice of {} x {} x {} nodes; a spacing above {} angstrom is needed", nodes.x,
                            nodes.y, nodes.z, options.spacing),
                Error::Kind::usage);
  }

  for (int axis = 0; axis < 3; ++axis) {
    images.periodic[axis] = periodic[axis];
    images.vectors[axis] = periodic[axis] ? lattice[axis] * static_cast<double>(nodes[axis]) : direction[axis];
  }
  images.inverse = glm::inverse(images.vectors);
  if (periodic_axes > 0) ewald = std::make_shared<const EwaldKernel>(Cell{images.vectors}, options.periodic);

  std::vector<MsmLevel> chain = possible_levels(*this, nodes, levels_wanted);
  const int best =
      options.levels == 0 && periodic_axes < 3 ? cheapest_depth(chain, periodic) : static_cast<int>(chain.size());
  chain.resize(static_cast<std::size_t>(best));
  options.levels = best;
  MsmLevel& top = chain.back();
  top.top = true;
  for (int axis = 0; axis < 3; ++axis) {
    top.radius[axis] = top.counts[axis] - 1;
    top.padded[axis] = periodic[axis] ? top.counts[axis] : good_fft_size(2 * top.counts[axis] - 1, axis == 0);
  }
  levels = std::move(chain);
  for (MsmLevel& level : levels) {
    // On CUDA corners of the stencil that are zero are summed too.
    const double ball = device.is_cuda() ? 1.0 : 4.19 / 8;
    const double taps = level.top ? points(level.counts) : ball * points(2 * level.radius + 1);
    const double direct = points(level.counts) * taps;
    // In multiply-adds that take as long. On CUDA a direct sum of few nodes waits for memory more than it adds up: a
    // transform is faster from some dozen nodes an axis on. Without cuFFT transforms are done on the host.
    const double fourier = !device.is_cuda() ? 2.5 * points(level.padded) * std::log2(points(level.padded) + 1) * 8
                           : transforms      ? 4e6 + 125 * points(level.padded)
                                             : 1e9 + 4000 * points(level.padded);
    level.fft = options.lattice == MsmLattice::fft || (options.lattice == MsmLattice::automatic && fourier < direct);
    if (level.top && periodic_top()) level.fft = true;
  }

  separable = true;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      if (row != column && std::abs(map_step[column][row]) * grid.counts[column] > 1e-5) separable = false;
    }
  }
  if (!separable) return;
  for (int axis = 0; axis < 3; ++axis) {
    axes[axis] = axis_weights(basis, grid.counts[axis], map_base[axis], map_step[axis][axis]);
  }
}

bool MsmPlan::serves(std::span<const PointCharge> charges, const Grid& grid_, const MsmOptions& options_,
                     Device device_) const {
  if (!(grid_ == grid) || device_ != device || transforms != (device.is_cuda() && msm_fast_transforms())) return false;
  MsmOptions same = options_;
  if (!periodic[0] && !periodic[1] && !periodic[2]) same.cell = asked.cell;  // not looked at
  if (!(same == asked)) return false;
  if (periodic_top()) return true;
  const MsmExtent extent(*this, charges);
  for (int axis = 0; axis < 3; ++axis) {
    if (periodic[axis]) continue;
    const double low = extent.low(*this, axis);
    if (low != -map_base[axis] || extent.high(*this, axis) - low + 1 != levels.front().counts[axis]) return false;
  }
  return true;
}

glm::dvec3 MsmPlan::coordinates(glm::vec3 position) const {
  glm::dvec3 u = inverse * (frame.to_frame(position) - origin);
  for (int axis = 0; axis < 3; ++axis) {
    if (!periodic[axis]) continue;
    const double n = levels.front().counts[axis];
    u[axis] -= n * std::floor(u[axis] / n);
    if (u[axis] >= n) u[axis] = 0;
  }
  return u;
}

}  // namespace isolume
