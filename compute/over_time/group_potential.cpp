// The potential and the field at points, split by groups of charges.
#include "compute/over_time/group_potential.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::size_t lanes = 8;   // summed side by side, so that they need not wait for each other
constexpr double nearest = 1e-4;   // angstrom: as in every method
constexpr double far_away = 1e30;  // where the charges that fill up a group are: they are 0

/// The charges group after group, each group filled up to whole lanes.
struct PackedCharges {
  std::vector<double> x, y, z, charge;
  std::vector<std::size_t> starts{0};

  PackedCharges(std::span<const ChargedSphere> charges, const ChargeGroups& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i) {
        const ChargedSphere& sphere = charges[groups.order[i]];
        add(glm::dvec3(sphere.position), static_cast<double>(sphere.charge));
      }
      while (x.size() % lanes != 0) add(glm::dvec3(far_away, 0, 0), 0);
      starts.push_back(x.size());
    }
  }

 private:
  void add(glm::dvec3 place, double q) {
    x.push_back(place.x);
    y.push_back(place.y);
    z.push_back(place.z);
    charge.push_back(q);
  }
};

GroupShare direct_share(const PackedCharges& packed, std::size_t group, glm::dvec3 point) {
  std::array<double, lanes> v{}, ex{}, ey{}, ez{};
  const double *const x = packed.x.data(), *const y = packed.y.data(), *const z = packed.z.data(),
                      *const q = packed.charge.data();
  for (std::size_t i = packed.starts[group]; i < packed.starts[group + 1]; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double dx = point.x - x[i + l], dy = point.y - y[i + l], dz = point.z - z[i + l];
      const double squared = dx * dx + dy * dy + dz * dz;
      const bool counts = squared > nearest * nearest;
      const double inverse = 1 / std::sqrt(counts ? squared : 1.0);
      const double part = counts ? q[i + l] * inverse : 0.0, along = part * inverse * inverse;
      v[l] += part;
      ex[l] += along * dx;
      ey[l] += along * dy;
      ez[l] += along * dz;
    }
  GroupShare share;
  for (std::size_t l = 0; l < lanes; ++l) {
    share.potential += v[l];
    share.field += glm::dvec3(ex[l], ey[l], ez[l]);
  }
  return share;
}

}  // namespace

ChargeGroups::ChargeGroups(std::span<const std::uint32_t> group, std::size_t count) : starts(count + 1, 0) {
  for (const std::uint32_t g : group) {
    if (g >= count) throw Error(fmt::format("group {} of {} groups of charges", g, count), Error::Kind::usage);
    ++starts[g + 1];
  }
  for (std::size_t g = 0; g < count; ++g) starts[g + 1] += starts[g];
  order.resize(group.size());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (std::uint32_t i = 0; i < group.size(); ++i) order[next[group[i]]++] = i;
}

bool adds_up(PotentialMethod method) {
  return method != PotentialMethod::hcp && method != PotentialMethod::pb && method != PotentialMethod::gb &&
         method != PotentialMethod::automatic;
}

void group_potentials(std::span<const ChargedSphere> charges, const ChargeGroups& groups,
                      const PotentialOptions& method, std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                      Job& job) {
  if (!adds_up(method_of(method)))
    throw Error("contributions of groups add up for direct, cutoff, msm, spme and debye-hueckel alone",
                Error::Kind::usage);
  if (groups.order.size() != charges.size() || shares.size() != points.size() * groups.size())
    throw Error(fmt::format("contributions of {} groups at {} points need {} values, not {}", groups.size(),
                            points.size(), groups.size() * points.size(), shares.size()),
                Error::Kind::usage);
  if (std::holds_alternative<DirectOptions>(method) && !has_sigmoidal_dielectric(method)) {
    const PackedCharges packed(charges, groups);
    const double scale = units::coulomb_volt_angstrom / charge_divisor(method);
    for (std::size_t p = 0; p < points.size(); ++p) {
      job.check();
      for (std::size_t g = 0; g < groups.size(); ++g) {
        GroupShare share = direct_share(packed, g, points[p]);
        share.potential *= scale;
        share.field *= scale;
        shares[p * groups.size() + g] = share;
      }
    }
    return;
  }
  std::vector<ChargedSphere> some;
  std::vector<double> potential(points.size());
  std::vector<glm::dvec3> field(points.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    job.check();
    some.clear();
    for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i) some.push_back(charges[groups.order[i]]);
    potential_at(some, method, points, potential, field, Device::cpu(), job);
    for (std::size_t p = 0; p < points.size(); ++p) shares[p * groups.size() + g] = {potential[p], field[p]};
  }
}

}  // namespace isolume
