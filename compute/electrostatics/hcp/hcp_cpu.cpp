// Potentials by hierarchical charge partitioning on the CPU: tiles of 16 neighbouring points share one walk through the
// hierarchy.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"
#include "compute/electrostatics/hcp/hcp_tile_cpu.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// The system as the walk reads it.
struct System {
  const std::vector<HcpLevel>& levels;
  std::vector<HcpComponents> components;
  std::vector<HcpCharge> atoms;
  std::size_t charges_each;
  HcpLaw law;
  AddCharges add;
};

/// Walks the hierarchy for one tile. What acts on all of its points is collected in one list, what acts on some in
/// another with masks, and each is summed some hundred charges at a time.
class Walk {
 public:
  Walk(const System& system, HcpTile& tile, int count) : system_(system), tile_(tile) {
    glm::vec3 low(tile.x[0], tile.y[0], tile.z[0]), high = low;
    for (int i = 1; i < count; ++i) {
      const glm::vec3 p(tile.x[i], tile.y[i], tile.z[i]);
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
    centre_ = 0.5f * (low + high);
    for (int i = 0; i < count; ++i)
      radius_ = std::max(radius_, glm::distance(centre_, glm::vec3(tile.x[i], tile.y[i], tile.z[i])));
    // Room for the rounding of the distances.
    radius_ = radius_ * 1.0001f + 1e-4f;
  }

  void run() {
    const std::size_t top = system_.levels.size();
    const std::size_t count = top == 0 ? system_.atoms.size() : system_.levels[top - 1].first.size() - 1;
    visit(top, 0, static_cast<std::uint32_t>(count), all_points);
    flush();
    flush_masked();
  }

 private:
  /// Components [begin, end) of a level, for the points in `mask`.
  void visit(std::size_t level, std::uint32_t begin, std::uint32_t end, std::uint32_t mask) {
    if (level == 0) {
      emit(&system_.atoms[begin], end - begin, mask);
      return;
    }
    const HcpComponents& components = system_.components[level - 1];
    const std::vector<std::uint32_t>& first = system_.levels[level - 1].first;
    for (std::uint32_t c = begin; c < end; ++c) {
      const HcpCentre& centre = components.centres[c];
      const HcpCharge* charges = &components.charges[c * system_.charges_each];
      const float dx = centre_.x - centre.x, dy = centre_.y - centre.y, dz = centre_.z - centre.z;
      const float distance2 = dx * dx + dy * dy + dz * dz;
      const float beyond = centre.reach + radius_, within = centre.reach - radius_;
      if (distance2 > beyond * beyond) {
        emit(charges, system_.charges_each, mask);
      } else if (within > 0 && distance2 <= within * within) {
        visit(level - 1, first[c], first[c + 1], mask);
      } else {
        const std::uint32_t far = hcp_far_points(tile_, centre) & mask;
        if (far != 0) emit(charges, system_.charges_each, far);
        if (far != mask) visit(level - 1, first[c], first[c + 1], mask & ~far);
      }
    }
  }

  void emit(const HcpCharge* charges, std::size_t count, std::uint32_t mask) {
    for (std::size_t i = 0; i < count; ++i) {
      if (charges[i].q == 0) continue;
      if (mask == all_points) {
        collected_[size_++] = charges[i];
        if (size_ == collected_.size()) flush();
      } else {
        masks_[masked_size_] = static_cast<std::uint16_t>(mask);
        masked_[masked_size_++] = charges[i];
        if (masked_size_ == masked_.size()) flush_masked();
      }
    }
  }

  void flush() {
    system_.add(collected_.data(), nullptr, size_, system_.law, tile_);
    size_ = 0;
  }
  void flush_masked() {
    system_.add(masked_.data(), masks_.data(), masked_size_, system_.law, tile_);
    masked_size_ = 0;
  }

  const System& system_;
  HcpTile& tile_;
  glm::vec3 centre_{0};
  float radius_ = 0;
  std::array<HcpCharge, 512> collected_, masked_;
  std::array<std::uint16_t, 512> masks_;
  std::size_t size_ = 0, masked_size_ = 0;
};

System make_system(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpOptions& options,
                   Job& job) {
  const PhaseTimer timer("hierarchical partitioning: components");
  System system{levels, {}, {}, static_cast<std::size_t>(options.charges), {}, nullptr};
  system.atoms.reserve(charges.size());
  for (const PointCharge& c : charges) system.atoms.push_back({c.position.x, c.position.y, c.position.z, c.charge});
  for (const HcpLevel& level : levels)
    system.components.push_back(hcp_components(charges, level, options.charges, job));
  const bool sigmoidal = options.dielectric.kind == Dielectric::Kind::sigmoidal;
  if (sigmoidal)
    system.law = {static_cast<float>(options.dielectric.bulk), static_cast<float>(0.5 * (options.dielectric.bulk - 1)),
                  static_cast<float>(options.dielectric.slope)};
  system.add = hcp_add_charges(sigmoidal);
  return system;
}

float scale_of(const HcpOptions& options) {
  const bool constant = options.dielectric.kind == Dielectric::Kind::constant;
  return static_cast<float>(units::coulomb_volt_angstrom / (constant ? options.dielectric.bulk : 1.0));
}

/// Sums one tile whose first `count` points are set and hands it over.
template <class Store>
void sum_tile(const System& system, HcpTile& tile, int count, const Store& store) {
  for (int i = count; i < tile_size; ++i) tile.x[i] = tile.x[0], tile.y[i] = tile.y[0], tile.z[i] = tile.z[0];
  std::fill_n(tile.v, tile_size, 0.0f);
  Walk(system, tile, count).run();
  for (int i = 0; i < count; ++i) store(i);
}

void sum_grid(const System& system, const Grid& grid, float scale, float* potential, Job& job) {
  const glm::ivec3 n = grid.counts;
  const glm::ivec3 tiles((n.x + tile_x - 1) / tile_x, (n.y + tile_y - 1) / tile_y, (n.z + tile_z - 1) / tile_z);
  const std::size_t rows = static_cast<std::size_t>(tiles.y) * static_cast<std::size_t>(tiles.z);
  parallel_for(rows, job, "hierarchical partitioning", [&](std::size_t row) {
    const int j0 = static_cast<int>(row % static_cast<std::size_t>(tiles.y)) * tile_y;
    const int k0 = static_cast<int>(row / static_cast<std::size_t>(tiles.y)) * tile_z;
    HcpTile tile;
    std::size_t to[tile_size];
    for (int i0 = 0; i0 < n.x; i0 += tile_x) {
      job.check();
      int count = 0;
      for (int k = k0; k < std::min(k0 + tile_z, n.z); ++k)
        for (int j = j0; j < std::min(j0 + tile_y, n.y); ++j)
          for (int i = i0; i < std::min(i0 + tile_x, n.x); ++i) {
            const glm::vec3 p(grid.point(i, j, k));
            tile.x[count] = p.x, tile.y[count] = p.y, tile.z[count] = p.z;
            to[count++] = grid.index(i, j, k);
          }
      sum_tile(system, tile, count, [&](int at) { potential[to[at]] = scale * tile.v[at]; });
    }
  });
}

/// The points in tiles of consecutive ones; `store(point, tile, place)`.
template <class Position, class Store>
void sum_points(const System& system, std::size_t points, const Position& position, const Store& store, Job& job) {
  const std::size_t tiles = (points + tile_size - 1) / tile_size;
  parallel_for(tiles, job, "hierarchical partitioning", [&](std::size_t t) {
    HcpTile tile;
    const std::size_t begin = t * tile_size;
    const int count = static_cast<int>(std::min<std::size_t>(tile_size, points - begin));
    for (int i = 0; i < count; ++i) {
      const glm::vec3 p = position(begin + static_cast<std::size_t>(i));
      tile.x[i] = p.x, tile.y[i] = p.y, tile.z[i] = p.z;
    }
    sum_tile(system, tile, count, [&](int at) { store(begin + static_cast<std::size_t>(at), tile, at); });
  });
}

}  // namespace

void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
             const HcpOptions& options, Span<float> potential, Job& job) {
  const System system = make_system(charges, levels, options, job);
  const PhaseTimer timer("hierarchical partitioning: sum");
  const float scale = scale_of(options);
  if (targets.grid) {
    sum_grid(system, *targets.grid, scale, potential.data, job);
  } else {
    sum_points(
        system, targets.points.size(), [&](std::size_t i) { return targets.points[i]; },
        [&](std::size_t i, const HcpTile& tile, int at) { potential.data[i] = scale * tile.v[at]; }, job);
  }
}

}  // namespace isolume
