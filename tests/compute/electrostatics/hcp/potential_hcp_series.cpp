// Hierarchical charge partitioning where most of a system is remote from every atom, on every device.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/electrostatics/hcp/hcp_energy.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

using test::deviation;

class HcpSeries : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(HcpSeries);

struct System {
  std::vector<PointCharge> charges;
  HcpHierarchy hierarchy;
};

std::vector<glm::vec4> on_atoms(Device device, System& system, const HcpOptions& options) {
  return test::on_device<glm::vec4>(device, system.charges.size(), [&](Span<glm::vec4> out) {
    Job job;
    hcp_field_on_atoms(Span<PointCharge>(system.charges), system.hierarchy, options, out, job);
  });
}

/// A ball of `radius` cells filled by groups of 16 atoms, no two nearer than an angstrom, as in a protein: the atoms of
/// a tile are neighbours, and most groups are remote from it. One in four groups is charged, or every one.
System make_ball(int radius, bool all_charged) {
  System system;
  test::Random random(3);
  auto& [groups, subunits, wholes] = system.hierarchy.first;
  groups = {0};
  const double cell = 5.46;
  int count = 0;
  for (int k = -radius; k <= radius; ++k)
    for (int j = -radius; j <= radius; ++j)
      for (int i = -radius; i <= radius; ++i) {
        if (i * i + j * j + k * k > radius * radius) continue;
        const double net = all_charged || count % 4 == 0 ? (count % 8 < 4 ? 1 : -1) : 0;
        double sum = 0;
        for (int a = 0; a < 16; ++a) {
          const glm::dvec3 in_cell((a % 3 - 1) * cell / 3, (a / 3 % 3 - 1) * cell / 3, (a / 9 - 0.5) * cell / 2);
          const double q = a == 15 ? net - sum : random(-0.5, 0.5);
          sum += q;
          system.charges.push_back(
              {glm::vec3(cell * glm::dvec3(i, j, k) + in_cell + random.in_box(-0.4, 0.4)), static_cast<float>(q)});
        }
        groups.push_back(static_cast<std::uint32_t>(system.charges.size()));
        ++count;
      }
  subunits = {0, static_cast<std::uint32_t>(groups.size() - 1)};
  wholes = {0, 1};
  return system;
}

TEST_P(HcpSeries, FieldInALargeBallIsItsDefinition) {
  for (const bool all_charged : {false, true}) {
    System system = make_ball(9, all_charged);
    std::vector<glm::dvec3> points;
    for (std::size_t i = 0; i < system.charges.size(); i += 97) points.emplace_back(system.charges[i].position);
    for (const int charges : {1, 2}) {
      for (const Dielectric& dielectric : {Dielectric::constant(4), Dielectric::sigmoidal()}) {
        const HcpOptions options{{15, HcpOptions::never, HcpOptions::never}, charges, dielectric};
        std::vector<glm::dvec4> expected(points.size());
        hcp_reference(system.charges, system.hierarchy, points, options, expected);
        const auto values = on_atoms(GetParam(), system, options);
        for (int part = 0; part < 4; ++part) {
          std::vector<double> a, b;
          for (std::size_t i = 0; i < points.size(); ++i)
            a.push_back(values[97 * i][part]), b.push_back(expected[i][part]);
          EXPECT_LE(deviation(a, b).rms, 1e-5) << "part " << part << ", " << charges << " charges, " << all_charged;
        }
      }
    }
  }
}

TEST_P(HcpSeries, WhatIsRemoteConvergesWithTheThirdPower) {
  // Sixteen atoms without charge in a ball, and charges 50 to 60 angstrom away: all that acts is a series about the
  // ball's centre, whose field is off by the fourth derivatives of the potential times the third power of the radius.
  const auto error = [&](double radius, const Dielectric& dielectric) {
    System system;
    test::Random random(8);
    auto& [groups, subunits, wholes] = system.hierarchy.first;
    groups = {0, 16};
    for (int a = 0; a < 16; ++a)
      system.charges.push_back({glm::vec3(radius * glm::normalize(random.in_box(-1, 1))), 0});
    for (int a = 0; a < 200; ++a) {
      const glm::dvec3 away = random(50, 60) * glm::normalize(glm::dvec3(3, 1, 2) + random.in_box(-1, 1));
      system.charges.push_back({glm::vec3(away), static_cast<float>(random(0.5, 1))});
      groups.push_back(static_cast<std::uint32_t>(system.charges.size()));
    }
    subunits = {0, static_cast<std::uint32_t>(groups.size() - 1)};
    wholes = {0, 1};
    std::vector<glm::dvec3> points;
    for (int a = 0; a < 16; ++a) points.emplace_back(system.charges[a].position);
    const HcpOptions options{{15, HcpOptions::never, HcpOptions::never}, 1, dielectric};
    std::vector<glm::dvec4> expected(points.size());
    hcp_reference(system.charges, system.hierarchy, points, options, expected);
    const auto values = on_atoms(GetParam(), system, options);
    double squares = 0, scale = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const glm::dvec3 d = glm::dvec3(values[i]) - glm::dvec3(expected[i]), e(expected[i]);
      squares += glm::dot(d, d), scale += glm::dot(e, e);
    }
    return std::sqrt(squares / scale);
  };
  for (const auto& [dielectric, radius] :
       {std::pair{Dielectric::constant(4), 1.9}, std::pair{Dielectric::sigmoidal(), 6.0}}) {
    const double full = error(radius, dielectric), half = error(radius / 2, dielectric);
    EXPECT_LT(full, 3 * std::pow(radius / 50, 3));
    EXPECT_GT(full, 5.5 * half) << radius;
    EXPECT_LT(full, 12 * half) << radius;
  }
}

}  // namespace
}  // namespace isolume
