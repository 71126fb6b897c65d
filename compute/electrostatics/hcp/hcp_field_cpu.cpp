// Fields on atoms by hierarchical charge partitioning on the CPU: 16 consecutive atoms share one walk through the
// hierarchy, and each decides by itself about what is near.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"
#include "compute/electrostatics/hcp/hcp_expansion.h"
#include "compute/electrostatics/hcp/hcp_field_tile_cpu.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

HcpCharge charge_of(const PointCharge& c) {
  return {c.position.x, c.position.y, c.position.z, c.charge};
}

/// The system by coordinates; components above groups as they are.
struct System {
  HcpFieldSystem field;
  const std::vector<HcpLevel>& levels;
  std::vector<HcpComponents> components;
};

void pad(HcpChargeColumns& columns, std::size_t count) {
  columns.resize(count + hcp_charge_padding);
  for (std::size_t i = count; i < columns.size(); ++i) columns.set(i, {0, 0, 0, 0});
}

/// The dielectric, and tables of it where they are good enough: to 2e-5 of a charge that is near.
void set_law(const HcpOptions& options, HcpFieldSystem& field) {
  const Dielectric& law = options.dielectric;
  field.sigmoidal = law.kind == Dielectric::Kind::sigmoidal && law.bulk > 1;
  if (field.sigmoidal) {
    const double s = law.slope, k = 0.5 * (law.bulk - 1) * s * s * s;
    field.decay = static_cast<float>(-s * 1.4426950408889634);
    field.square = static_cast<float>(1 / s);
    field.linear = static_cast<float>(2 / (s * s));
    field.constant = static_cast<float>(2 / (s * s * s));
    field.bulk = static_cast<float>(law.bulk / k);
    field.slope = static_cast<float>(s);
  }
  if (!field.sigmoidal || !hcp_has_table_lanes() || !std::isfinite(options.thresholds[0])) return;
  // Tables reach over a factor of 16 in distance: what is near is in a group of some 8 angstrom around its centre.
  const double least = std::max(2.0, (options.thresholds[0] + 12) / 16);
  field.near = HcpLawTable(law, least, hcp_near_degree);
  field.far = HcpLawTable(law, options.thresholds[0], hcp_far_degree);
  field.by_table = std::max(field.near.field_error(), field.near.potential_error()) < 2e-5 &&
                   std::max(field.far.field_error(), field.far.potential_error()) < 2e-4;
}

std::size_t vectors_of(std::uint32_t atoms) {
  return (atoms + hcp_charge_padding - 1) / hcp_charge_padding;
}

/// Whether vectors of one group each would be full by half or more.
bool fills_vectors(const HcpLevel& groups) {
  std::size_t vectors = 0;
  for (std::size_t g = 0; g + 1 < groups.first.size(); ++g)
    vectors += vectors_of(groups.first[g + 1] - groups.first[g]);
  return vectors * hcp_charge_padding <= 2 * std::size_t{groups.first.back()};
}

/// The atoms of each group in whole vectors, each a group of its own.
void set_vectors(std::span<const PointCharge> charges, const HcpLevel& groups, const HcpComponents& components,
                 HcpFieldSystem& field, Job& job) {
  const std::size_t count = groups.first.size() - 1;
  field.first_vector.assign(count + 1, 0);
  for (std::size_t g = 0; g < count; ++g)
    field.first_vector[g + 1] =
        field.first_vector[g] + static_cast<std::uint32_t>(vectors_of(groups.first[g + 1] - groups.first[g]));
  const std::size_t vectors = field.first_vector.back(), each = field.charges_each;
  field.vectors.resize(4 * hcp_charge_padding * vectors);
  field.clear2.resize(vectors + hcp_charge_padding);
  pad(field.centres, vectors);
  for (std::size_t n = 0; n < each; ++n) pad(field.charges[n], vectors);
  const auto set = [&](std::size_t place, const HcpCharge& c) {
    float* const to =
        &field.vectors[4 * hcp_charge_padding * (place / hcp_charge_padding) + place % hcp_charge_padding];
    to[0] = c.x, to[hcp_charge_padding] = c.y, to[2 * hcp_charge_padding] = c.z, to[3 * hcp_charge_padding] = c.q;
  };
  constexpr std::size_t part = 1024;
  parallel_for((count + part - 1) / part, job, "hierarchical partitioning", [&](std::size_t p) {
    for (std::size_t g = p * part; g < std::min(count, (p + 1) * part); ++g) {
      std::size_t to = hcp_charge_padding * field.first_vector[g];
      for (std::uint32_t a = groups.first[g]; a < groups.first[g + 1]; ++a) set(to++, charge_of(charges[a]));
      // Where an atom is, so that the distance is one of those that occur anyway.
      HcpCharge none = charge_of(charges[groups.first[g]]);
      none.q = 0;
      while (to < hcp_charge_padding * field.first_vector[g + 1]) set(to++, none);
      const HcpCentre& c = components.centres[g];
      float radius = 0;
      for (std::uint32_t a = groups.first[g]; a < groups.first[g + 1]; ++a)
        radius = std::max(radius, glm::distance(charges[a].position, glm::vec3(c.x, c.y, c.z)));
      // In reach from the far side of what is nearest to the near side of what is farthest and still near.
      const float clear =
          radius + c.reach < field.near.farthest() ? 1.0001f * radius + 1e-4f + field.near.nearest() : 1e18f;
      for (std::uint32_t v = field.first_vector[g]; v < field.first_vector[g + 1]; ++v) {
        field.centres.set(v, {c.x, c.y, c.z, c.reach});
        field.clear2[v] = clear * clear;
        for (std::size_t n = 0; n < each; ++n) {
          HcpCharge charge = components.charges[g * each + n];
          if (v != field.first_vector[g]) charge.q = 0;
          field.charges[n].set(v, charge);
        }
      }
    }
  });
}

System make_system(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpOptions& options,
                   Job& job) {
  const PhaseTimer timer("hierarchical partitioning: components");
  System system{{}, levels, {}};
  HcpFieldSystem& field = system.field;
  set_law(options, field);
  const auto each = static_cast<std::size_t>(options.charges);
  field.charges_each = each;
  for (const HcpLevel& level : levels)
    system.components.push_back(hcp_components(charges, level, options.charges, job));
  if (field.by_table && fills_vectors(levels[0])) {
    set_vectors(charges, levels[0], system.components[0], field, job);
  } else {
    pad(field.atoms, charges.size());
    constexpr std::size_t part = 16384;
    parallel_for((charges.size() + part - 1) / part, job, "hierarchical partitioning", [&](std::size_t p) {
      for (std::size_t i = p * part; i < std::min(charges.size(), (p + 1) * part); ++i)
        field.atoms.set(i, charge_of(charges[i]));
    });
  }
  if (!levels.empty() && field.vectors.empty()) {
    field.first_atom = levels[0].first.data();
    const HcpComponents& groups = system.components[0];
    const std::size_t count = groups.centres.size();
    pad(field.centres, count);
    for (std::size_t n = 0; n < each; ++n) pad(field.charges[n], count);
    for (std::size_t g = 0; g < count; ++g) {
      const HcpCentre& c = groups.centres[g];
      field.centres.set(g, {c.x, c.y, c.z, c.reach});
      for (std::size_t n = 0; n < each; ++n) field.charges[n].set(g, groups.charges[g * each + n]);
    }
  }
  return system;
}

/// Into volts from the units of the sums.
float scale_of(const HcpOptions& options) {
  const Dielectric& law = options.dielectric;
  const bool sigmoidal = law.kind == Dielectric::Kind::sigmoidal && law.bulk > 1;
  return static_cast<float>(units::coulomb_volt_angstrom /
                            (sigmoidal ? 0.5 * (law.bulk - 1) * law.slope * law.slope * law.slope : law.bulk));
}

/// Collects what acts on the atoms of a tile. Parts of the hierarchy that only some of the atoms look into come after
/// the others, each with its mask.
class Walk {
 public:
  Walk(const System& system, const HcpTile& tile, int count, HcpFieldLists& lists)
      : system_(system), tile_(tile), lists_(lists), all_((1u << count) - 1u) {
    glm::vec3 low(tile.x[0], tile.y[0], tile.z[0]), high = low;
    for (int i = 1; i < count; ++i) {
      const glm::vec3 p(tile.x[i], tile.y[i], tile.z[i]);
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
    const glm::vec3 centre = 0.5f * (low + high);
    for (int i = 0; i < count; ++i)
      radius_ = std::max(radius_, glm::distance(centre, glm::vec3(tile.x[i], tile.y[i], tile.z[i])));
    // Room for the rounding of the distances.
    radius_ = radius_ * 1.0001f + 1e-4f;
    for (int c = 0; c < 3; ++c) centre_[c] = centre[c];
  }

  void run() {
    lists_.clear();
    const float remote = hcp_remote(radius_, system_.field.sigmoidal, system_.field.square);
    lists_.remote2 = remote * remote;
    const std::size_t top = system_.levels.size();
    later_.push_back({top, 0, static_cast<std::uint32_t>(system_.levels[top - 1].first.size() - 1), all_, false});
    while (!later_.empty()) {
      const Part part = later_.back();
      later_.pop_back();
      const std::size_t begin = lists_.far.size, begin_larger = lists_.larger.size, begin_remote = lists_.remote.size;
      part.is_far ? emit(part.level, part.begin) : visit(part.level, part.begin, part.end, part.mask);
      lists_.far.close_segment(begin, part.mask);
      lists_.larger.close_segment(begin_larger, part.mask);
      lists_.remote.close_segment(begin_remote, part.mask);
    }
    hcp_add_series(system_.field, centre_, tile_, lists_);
    if (system_.field.by_table) hcp_look_at_reach(system_.field, centre_, radius_, lists_);
  }

 private:
  /// Components of a level; `is_far`: the one stands for itself.
  struct Part {
    std::size_t level;
    std::uint32_t begin, end;
    std::uint32_t mask;
    bool is_far;
  };

  void visit(std::size_t level, std::uint32_t begin, std::uint32_t end, std::uint32_t mask) {
    if (level == 1) {
      const std::vector<std::uint32_t>& vector = system_.field.first_vector;
      if (!vector.empty()) begin = vector[begin], end = vector[end];
      hcp_split_groups(system_.field, begin, end, centre_, radius_, static_cast<std::int32_t>(mask), lists_);
      return;
    }
    const std::vector<std::uint32_t>& first = system_.levels[level - 1].first;
    for (std::uint32_t c = begin; c < end; ++c) {
      const HcpCentre& centre = system_.components[level - 1].centres[c];
      const float dx = centre_[0] - centre.x, dy = centre_[1] - centre.y, dz = centre_[2] - centre.z;
      const float distance2 = dx * dx + dy * dy + dz * dz;
      const float beyond = centre.reach + radius_;
      if (distance2 > beyond * beyond) {
        emit(level, c);
        continue;
      }
      const std::uint32_t far = hcp_far_points(tile_, centre) & mask;
      if (far == 0) {
        visit(level - 1, first[c], first[c + 1], mask);
      } else {
        later_.push_back({level, c, c + 1, far, true});
        if (far != mask) later_.push_back({level - 1, first[c], first[c + 1], mask & ~far, false});
      }
    }
  }

  void emit(std::size_t level, std::uint32_t c) {
    const std::size_t each = system_.field.charges_each;
    lists_.larger.reserve(each);
    lists_.remote.reserve(each);
    for (std::size_t n = 0; n < each; ++n) {
      const HcpCharge& charge = system_.components[level - 1].charges[c * each + n];
      if (charge.q == 0) continue;
      const float dx = centre_[0] - charge.x, dy = centre_[1] - charge.y, dz = centre_[2] - charge.z;
      HcpFarCharges& to = dx * dx + dy * dy + dz * dz > lists_.remote2 ? lists_.remote : lists_.larger;
      to.charges.set(to.size++, charge);
    }
  }

  const System& system_;
  const HcpTile& tile_;
  HcpFieldLists& lists_;
  float centre_[3] = {};
  float radius_ = 0;
  std::uint32_t all_;
  std::vector<Part> later_;
};

}  // namespace

void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets&,
             const HcpOptions& options, bool potential, Span<glm::vec4> values, Job& job) {
  System system = make_system(charges, levels, options, job);
  system.field.potential = potential;
  const PhaseTimer timer("hierarchical partitioning: sum");
  const float scale = scale_of(options);
  oneapi::tbb::enumerable_thread_specific<HcpFieldLists> lists_of_threads;
  parallel_for((charges.size() + tile_size - 1) / tile_size, job, "hierarchical partitioning", [&](std::size_t t) {
    HcpFieldLists& lists = lists_of_threads.local();
    HcpTile tile;
    const std::size_t begin = t * tile_size;
    const int count = static_cast<int>(std::min<std::size_t>(tile_size, charges.size() - begin));
    for (int i = 0; i < tile_size; ++i) {
      const glm::vec3 p = charges[begin + static_cast<std::size_t>(std::min(i, count - 1))].position;
      tile.x[i] = p.x, tile.y[i] = p.y, tile.z[i] = p.z;
    }
    lists.everything = levels.empty();
    if (!lists.everything) {
      Walk(system, tile, count, lists).run();
      lists.reserve_own(system.field);
    }
    for (int i = 0; i < count; ++i) {
      if (lists.everything) job.check();
      float sums[4];
      hcp_sum_atom(system.field, lists, tile, i, sums);
      values.data[begin + static_cast<std::size_t>(i)] = scale * glm::vec4(sums[0], sums[1], sums[2], sums[3]);
    }
  });
}

}  // namespace isolume
