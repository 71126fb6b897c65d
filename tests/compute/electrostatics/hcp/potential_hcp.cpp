// Potentials of hierarchical charge partitioning on every device, against the plain double-precision definition.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/electrostatics/method.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/electrostatics/energy_systems.h"
#include "tests/compute/electrostatics/hcp/hcp_systems.h"

namespace isolume {
namespace {

using test::make_system;
using test::System;

using test::deviation;

class Hcp : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(Hcp);

std::vector<float> on_grid(Device device, const System& system, const Grid& grid, const HcpOptions& options) {
  return test::on_device<float>(device, grid.size(), [&](Span<float> out) {
    Job job;
    hcp_potential(system.charges, system.hierarchy, grid, options, out, job);
  });
}

std::vector<glm::vec4> on_atoms(Device device, System& system, const HcpOptions& options) {
  return test::on_device<glm::vec4>(device, system.charges.size(), [&](Span<glm::vec4> out) {
    Job job;
    hcp_field_on_atoms(Span<PointCharge>(system.charges), system.hierarchy, options, out, job);
  });
}

std::vector<HcpOptions> cases() {
  std::vector<HcpOptions> result;
  for (const auto& thresholds : {std::array{15.0, 66.0, HcpOptions::never}, std::array{15.0, 40.0, 90.0},
                                 std::array{10.0, HcpOptions::never, HcpOptions::never},
                                 std::array{HcpOptions::never, HcpOptions::never, HcpOptions::never}})
    for (const int charges : {1, 2})
      for (const Dielectric& dielectric : {Dielectric::constant(4), Dielectric::sigmoidal()})
        result.push_back({thresholds, charges, dielectric});
  return result;
}

TEST_P(Hcp, OnAGridIsItsDefinition) {
  const System system = make_system(2, 3, 30);
  const Grid grid = test::make_skewed_grid({-60, -30, -20}, 7.3, {31, 9, 7});
  const auto points = test::grid_points(grid);
  for (const HcpOptions& options : cases()) {
    std::vector<glm::dvec4> reference(points.size());
    hcp_reference(system.charges, system.hierarchy, points, options, reference);
    std::vector<double> expected;
    for (const glm::dvec4& value : reference) expected.push_back(value.w);
    EXPECT_LE(deviation(on_grid(GetParam(), system, grid, options), expected).rms, 2e-5)
        << options.thresholds[0] << "/" << options.thresholds[1] << ", " << options.charges << " charges";
  }
}

TEST_P(Hcp, FieldOnAtomsIsItsDefinition) {
  System system = make_system(2, 3, 30);
  std::vector<glm::dvec3> points;
  for (const PointCharge& c : system.charges) points.emplace_back(c.position);
  for (const HcpOptions& options : cases()) {
    std::vector<glm::dvec4> expected(points.size());
    hcp_reference(system.charges, system.hierarchy, points, options, expected);
    const auto values = on_atoms(GetParam(), system, options);
    for (int part = 0; part < 4; ++part) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < points.size(); ++i) a.push_back(values[i][part]), b.push_back(expected[i][part]);
      EXPECT_LE(deviation(a, b).rms, 2e-5) << "part " << part << ", " << options.thresholds[0];
    }
  }
}

TEST_P(Hcp, AtPointsIsThatOnTheGrid) {
  const System system = make_system(1, 3, 40);
  const Grid grid = test::make_grid({-50, -50, -50}, {9, 10, 11}, {11, 10, 9});
  std::vector<glm::vec3> points;
  for (const glm::dvec3& p : test::grid_points(grid)) points.emplace_back(p);
  HcpOptions options;
  options.charges = 2;
  const auto at = test::on_device<float>(GetParam(), points.size(), [&](Span<float> out) {
    Job job;
    hcp_potential_at(system.charges, system.hierarchy, points, options, out, job);
  });
  EXPECT_LE(deviation(at, on_grid(GetParam(), system, grid, options)).rms, 1e-5);
}

TEST_P(Hcp, AtSomeNodesIsTheMapThereAndNothingElsewhere) {
  const System system = make_system(2, 3, 30);
  const Grid grid = test::make_grid({-60, -30, -20}, {6.1, 5.9, 6.3}, {27, 11, 9});
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : system.charges) spheres.push_back({c.position, c.charge, 1.5F});
  test::Random random(3);
  std::vector<std::uint8_t> wanted(grid.size());
  for (std::uint8_t& mark : wanted) mark = random(0, 1) < 0.2 ? 1 : 0;
  for (const Dielectric& dielectric : {Dielectric::constant(4), Dielectric::sigmoidal()}) {
    HcpMethod method;
    method.hcp = {{15, 40, HcpOptions::never}, 1, dielectric};
    method.parts = std::make_shared<const HcpHierarchy>(system.hierarchy);
    const auto values = [&](const std::vector<std::uint8_t>& marks) {
      return test::on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
        Job job;
        potential_at_nodes(spheres, grid, method, marks, out, job);
      });
    };
    const std::vector<float> some = values(wanted), all = values({});
    std::vector<float> found;
    std::vector<double> expected;
    const std::vector<glm::dvec3> points = test::grid_points(grid);
    std::vector<glm::dvec4> reference(points.size());
    hcp_reference(system.charges, system.hierarchy, points, method.hcp, reference);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      if (wanted[i] == 0) {
        ASSERT_EQ(some[i], 0) << "node " << i;
        continue;
      }
      found.push_back(some[i]);
      expected.push_back(reference[i].w);
      ASSERT_NEAR(some[i], all[i], 1e-5 * (0.1 + std::abs(all[i]))) << "node " << i;
    }
    ASSERT_GT(found.size(), 200u);
    EXPECT_LE(deviation(found, expected).rms, 2e-5);
    EXPECT_THROW(values(std::vector<std::uint8_t>(grid.size() - 1)), Error);
  }
}

TEST_P(Hcp, WithoutThresholdsIsTheDirectSum) {
  const System system = make_system(1, 2, 30);
  const Grid grid = test::make_grid({-30, -30, -30}, {3, 3, 3}, {20, 20, 20});
  HcpOptions options;
  options.thresholds.fill(HcpOptions::never);
  std::vector<double> expected(grid.size());
  direct_potential_reference(system.charges, test::grid_points(grid), expected);
  EXPECT_LE(deviation(on_grid(GetParam(), system, grid, options), expected).rms, 1e-5);
}

TEST_P(Hcp, FarAwayOneChargeIsTheMonopoleAndTwoKeepTheDipole) {
  // A group of +1 and -1, 1 angstrom apart, and one of +2 and -1: closed formulas at 100 angstrom on the axis.
  System system;
  system.charges = {{{0, 0, 0.5f}, 1}, {{0, 0, -0.5f}, -1}, {{0, 0, 3}, 2}, {{0, 0, 4}, -1}};
  system.hierarchy.first = {std::vector<std::uint32_t>{0, 2, 4}, {0, 2}, {0, 1}};
  const Grid grid = test::make_grid({0, 0, 100}, {1, 1, 1}, {1, 1, 1});
  const double k = units::coulomb_volt_angstrom;
  const double centre = (2 * 3 + 1 * 4) / 3.0;
  HcpOptions options;
  options.thresholds = {15, HcpOptions::never, HcpOptions::never};
  EXPECT_NEAR(on_grid(GetParam(), system, grid, options)[0], k / (100 - centre), 1e-6);
  options.charges = 2;
  EXPECT_NEAR(on_grid(GetParam(), system, grid, options)[0], k * (1 / 99.5 - 1 / 100.5 + 2 / 97.0 - 1 / 96.0), 1e-6);
}

TEST_P(Hcp, FieldIsTheSlopeOfThePotential) {
  System system = make_system(1, 2, 25);
  HcpOptions options;
  options.dielectric = Dielectric::sigmoidal();
  const auto values = on_atoms(GetParam(), system, options);
  // Central differences of the double-precision potential, where no threshold is crossed.
  const double step = 1e-4;
  int compared = 0;
  for (std::size_t i = 0; i < system.charges.size(); i += 17) {
    const glm::dvec3 at(system.charges[i].position);
    System others = system;
    others.charges[i].charge = 0;
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 before = at, after = at;
      before[axis] -= step, after[axis] += step;
      const std::vector<glm::dvec3> points{before, after};
      std::vector<glm::dvec4> v(2);
      hcp_reference(others.charges, others.hierarchy, points, options, v);
      const double slope = -(v[1].w - v[0].w) / (2 * step);
      EXPECT_NEAR(values[i][axis], slope, 2e-3 * (1 + std::abs(slope))) << "atom " << i << ", axis " << axis;
      ++compared;
    }
  }
  EXPECT_GT(compared, 30);
}

TEST_P(Hcp, ErrorFallsWithTheThresholdAndWithTwoCharges) {
  System system = make_system(1, 6, 80);
  const Grid grid = test::make_grid({-70, -70, -70}, {10, 10, 10}, {15, 15, 15});
  std::vector<double> exact(grid.size());
  direct_potential_reference(system.charges, test::grid_points(grid), exact);
  const auto error = [&](double threshold, int charges) {
    const HcpOptions options{{threshold, 3 * threshold, HcpOptions::never}, charges, {}};
    return deviation(on_grid(GetParam(), system, grid, options), exact).rms;
  };
  EXPECT_LT(error(20, 1), error(10, 1));
  EXPECT_LT(error(30, 1), error(20, 1));
  EXPECT_LT(error(15, 2), 0.5 * error(15, 1));
}

TEST_P(Hcp, CancelsAndLeavesNothing) {
  const System system = make_system(1, 4, 100);
  const Grid grid = test::make_grid({-60, -60, -60}, {1, 1, 1}, {120, 120, 120});
  DeviceArray<float> out(grid.size(), GetParam(), "test");
  test::expect_cancelled(GetParam(),
                         [&](Job& job) { hcp_potential(system.charges, system.hierarchy, grid, {}, out.span(), job); });
}

TEST_P(Hcp, SaysWhatIsWrong) {
  const System good = make_system(1, 2, 3);
  const Grid grid = test::make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  System bad = good;
  bad.hierarchy.first[0][1] = 0;
  EXPECT_THROW(on_grid(GetParam(), bad, grid, {}), Error);  // a group without atoms
  bad = good;
  bad.hierarchy.first[1].back() += 1;
  EXPECT_THROW(on_grid(GetParam(), bad, grid, {}), Error);
  bad = good;
  bad.charges.pop_back();
  EXPECT_THROW(on_grid(GetParam(), bad, grid, {}), Error);
  EXPECT_THROW(on_grid(GetParam(), good, grid, HcpOptions{{0, 1, 2}, 1, {}}), Error);
  EXPECT_THROW(on_grid(GetParam(), good, grid, HcpOptions{{15, 66, 99}, 3, {}}), Error);
  EXPECT_THROW(on_grid(GetParam(), good, grid, HcpOptions{{15, 66, 99}, 1, Dielectric::constant(0.5)}), Error);
}

class HcpSimd : public test::InstructionSetTest {};
INSTANTIATE_TEST_SUITE_P(Targets, HcpSimd, testing::ValuesIn(test::instruction_sets()), test::instruction_set_name);

TEST_P(HcpSimd, FieldOnAtomsIsItsDefinition) {
  System system = make_system(2, 3, 30);
  std::vector<glm::dvec3> points;
  for (const PointCharge& c : system.charges) points.emplace_back(c.position);
  for (const HcpOptions& options : cases()) {
    std::vector<glm::dvec4> expected(points.size());
    hcp_reference(system.charges, system.hierarchy, points, options, expected);
    const auto values = on_atoms(Device::cpu(), system, options);
    for (int part = 0; part < 4; ++part) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < points.size(); ++i) a.push_back(values[i][part]), b.push_back(expected[i][part]);
      EXPECT_LE(deviation(a, b).rms, 2e-5) << "part " << part << ", " << options.thresholds[0];
    }
  }
}

TEST_P(Hcp, ADielectricOfOneAndFarAtomsAreNoDivisionByZero) {
  // Sigmoidal with D = 1 is the vacuum; atoms 2 000 angstrom apart lie where the exponential is none.
  System system = make_system(1, 2, 20);
  const std::size_t half = system.charges.size();
  for (std::size_t i = 0; i < half; ++i) {
    PointCharge c = system.charges[i];
    c.position.x += 2000;
    system.charges.push_back(c);
  }
  auto& [groups, subunits, wholes] = system.hierarchy.first;
  const std::size_t group_count = groups.size(), subunit_count = subunits.size();
  for (std::size_t g = 1; g < group_count; ++g) groups.push_back(groups[g] + static_cast<std::uint32_t>(half));
  for (std::size_t s = 1; s < subunit_count; ++s)
    subunits.push_back(subunits[s] + static_cast<std::uint32_t>(group_count - 1));
  wholes = {0, static_cast<std::uint32_t>(subunits.size() - 1)};
  std::vector<glm::dvec3> points;
  for (const PointCharge& c : system.charges) points.emplace_back(c.position);
  for (const Dielectric& dielectric : {Dielectric::sigmoidal(1), Dielectric::sigmoidal()}) {
    const HcpOptions options{{15, 66, HcpOptions::never}, 1, dielectric};
    std::vector<glm::dvec4> expected(points.size());
    hcp_reference(system.charges, system.hierarchy, points, options, expected);
    const auto values = on_atoms(GetParam(), system, options);
    for (int part = 0; part < 4; ++part) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < points.size(); ++i) a.push_back(values[i][part]), b.push_back(expected[i][part]);
      EXPECT_LE(deviation(a, b).rms, 2e-5) << "part " << part << ", D = " << dielectric.bulk;
    }
  }
}

}  // namespace
}  // namespace isolume
