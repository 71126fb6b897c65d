// Contributions of groups to hierarchical charge partitioning: by hand, as sums, and without any component far away.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/over_time/group_potential.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/hcp/hcp_systems.h"

namespace isolume {
namespace {

using test::make_system;
using test::System;

constexpr std::size_t group_count = 7;

HcpMethod method_of(const System& system, const HcpOptions& options) {
  return {options, std::make_shared<const HcpHierarchy>(system.hierarchy)};
}

std::vector<ChargedSphere> spheres_of(const std::vector<PointCharge>& charges) {
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : charges) spheres.push_back({c.position, c.charge, 1});
  return spheres;
}

/// Groups that cut residues and chains.
ChargeGroups groups_of(std::size_t count) {
  std::vector<std::uint32_t> group;
  for (std::size_t i = 0; i < count; ++i) group.push_back(static_cast<std::uint32_t>((i / 5) % group_count));
  return {group, group_count};
}

std::vector<glm::dvec3> some_points(std::size_t count) {
  test::Random random(3);
  std::vector<glm::dvec3> points;
  for (std::size_t p = 0; p < count; ++p) points.push_back(random.in_box(-100, 240));
  return points;
}

std::vector<GroupShare> shares_of(const System& system, const HcpOptions& options,
                                  const std::vector<glm::dvec3>& points) {
  const ChargeGroups groups = groups_of(system.charges.size());
  std::vector<GroupShare> shares(points.size() * group_count);
  Job job;
  group_potentials(spheres_of(system.charges), groups, method_of(system, options), points, shares, job);
  return shares;
}

TEST(GroupPotentialHcp, SharesOfAFarComponentByHand) {
  // Two chains of one residue each; groups 0, 1, 0, 1 in the first, group 1 in the second, which is near.
  System system;
  system.charges = {{{0, 0, 0}, 0.5f}, {{2, 0, 0}, -0.5f}, {{0, 4, 0}, 1.5f}, {{0, 0, 6}, -0.25f}, {{90, 0, 0}, 1}};
  system.hierarchy.first = {{{0, 4, 5}, {0, 1, 2}, {0, 2}}};
  const std::vector<std::uint32_t> group{0, 1, 0, 1, 1};
  const ChargeGroups groups(group, 2);
  const glm::dvec3 point(100, 5, -3);
  const auto act = [&](double q, glm::dvec3 from) {
    const glm::dvec3 d = point - from;
    const double r = glm::length(d), volts = units::coulomb_volt_angstrom * q / r;
    return GroupShare{volts, volts / (r * r) * d};
  };
  // |q|: 0.5, 0.5, 1.5, 0.25, in all 2.75.
  const glm::dvec3 centre(0.5 * 2 / 2.75, 1.5 * 4 / 2.75, 0.25 * 6 / 2.75);
  const glm::dvec3 plus(0, 1.5 * 4 / 2, 0), minus(0.5 * 2 / 0.75, 0, 0.25 * 6 / 0.75);
  for (const int charges : {1, 2}) {
    HcpOptions options{{15, HcpOptions::never, HcpOptions::never}, charges, {}};
    std::vector<GroupShare> shares(2);
    Job job;
    group_potentials(spheres_of(system.charges), groups, method_of(system, options), {&point, 1}, shares, job);
    const GroupShare first = act(2, charges == 1 ? centre : plus);
    const GroupShare far = act(-0.75, charges == 1 ? centre : minus), near = act(1, {90, 0, 0});
    EXPECT_NEAR(shares[0].potential, first.potential, 1e-13) << charges;
    EXPECT_NEAR(shares[1].potential, far.potential + near.potential, 1e-13) << charges;
    EXPECT_LE(glm::length(shares[0].field - first.field), 1e-14) << charges;
    EXPECT_LE(glm::length(shares[1].field - far.field - near.field), 1e-14) << charges;
  }
}

TEST(GroupPotentialHcp, SharesAddUpToThePotential) {
  const System system = make_system(2, 3, 30);
  const auto points = some_points(200);
  const std::vector<glm::vec3> rounded(points.begin(), points.end());
  for (const auto& thresholds : {std::array{15.0, 66.0, HcpOptions::never}, std::array{15.0, 40.0, 90.0},
                                 std::array{10.0, HcpOptions::never, HcpOptions::never}})
    for (const int charges : {1, 2})
      for (const Dielectric& dielectric : {Dielectric::constant(4), Dielectric::sigmoidal()}) {
        const HcpOptions options{thresholds, charges, dielectric};
        const std::vector<GroupShare> shares = shares_of(system, options, points);
        std::vector<glm::dvec4> expected(points.size());
        hcp_reference(system.charges, system.hierarchy, points, options, expected);
        // The body of maps, which shares no line with the sums of groups.
        std::vector<float> fast(points.size());
        Job job;
        hcp_potential_at(system.charges, system.hierarchy, rounded, options, fast, job);
        double size = 0, strength = 0, off = 0;
        for (const glm::dvec4& value : expected) {
          size += value.w * value.w / static_cast<double>(points.size());
          strength = std::max(strength, glm::length(glm::dvec3(value)));
        }
        for (std::size_t p = 0; p < points.size(); ++p) {
          GroupShare sum;
          for (std::size_t g = 0; g < group_count; ++g) {
            sum.potential += shares[p * group_count + g].potential;
            sum.field += shares[p * group_count + g].field;
          }
          EXPECT_NEAR(sum.potential, expected[p].w, 1e-11 * std::sqrt(size)) << p;
          EXPECT_LE(glm::length(sum.field - glm::dvec3(expected[p])), 1e-11 * strength) << p;
          const double difference = sum.potential - static_cast<double>(fast[p]);
          off += difference * difference / static_cast<double>(points.size());
        }
        EXPECT_LE(std::sqrt(off / size), 2e-5) << thresholds[0] << ", " << charges << " charges";
      }
}

TEST(GroupPotentialHcp, WithoutFarComponentsItIsTheDirectSum) {
  const System system = make_system(1, 3, 20);
  const auto points = some_points(20);
  const ChargeGroups groups = groups_of(system.charges.size());
  std::vector<GroupShare> direct(points.size() * group_count);
  group_potentials_reference(spheres_of(system.charges), groups, points, direct);
  // None is used; and one so large that nothing is beyond it.
  for (const double threshold : {HcpOptions::never, 1e6}) {
    const std::vector<GroupShare> shares =
        shares_of(system, {{threshold, HcpOptions::never, HcpOptions::never}, 1, {}}, points);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_NEAR(shares[i].potential, direct[i].potential, 1e-11);
      EXPECT_LE(glm::length(shares[i].field - direct[i].field), 1e-11);
    }
  }
}

TEST(GroupPotentialHcp, RefusesMissingPartsAndGradients) {
  const System system = make_system(1, 1, 3);
  const auto points = some_points(1);
  const ChargeGroups groups = groups_of(system.charges.size());
  std::vector<GroupShare> shares(group_count);
  std::vector<FieldGradient> gradients(group_count);
  Job job;
  EXPECT_THROW(group_potentials(spheres_of(system.charges), groups, HcpMethod{}, points, shares, job), Error);
  EXPECT_THROW(group_potentials(spheres_of(system.charges), groups, method_of(system, {}), points, shares, job,
                                Device::cpu(), gradients),
               Error);
}

}  // namespace
}  // namespace isolume
