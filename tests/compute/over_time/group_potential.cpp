// The direct sum split by groups of charges, on every device: closed forms and the formula.
#include "compute/over_time/group_potential.h"

#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

class GroupPotential : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(GroupPotential);

/// Charges in groups of very different sizes, in no order; the fourth is empty.
struct System {
  std::vector<ChargedSphere> charges;
  std::vector<std::uint32_t> group;
  std::vector<glm::dvec3> points;
};

System system_of(std::size_t count, std::size_t points) {
  System s;
  test::Random random(11);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec3 place(random.in_box(-30, 30));
    s.charges.push_back({place, static_cast<float>(random(-1, 1)), 1});
    s.group.push_back(i % 7 < 3 ? 0 : i % 7 == 3 ? 1 : i % 2 ? 2 : 4);
  }
  for (std::size_t p = 0; p < points; ++p) s.points.push_back(random.in_box(-20, 20));
  return s;
}

TEST_P(GroupPotential, OfOneChargeIsCoulombsLaw) {
  const std::vector<ChargedSphere> charges{{{1, 2, 3}, 2, 1}, {{-4, 0, 0}, -1, 1}};
  const std::vector<std::uint32_t> group{1, 0};
  const ChargeGroups groups(group, 2);
  // 3 along x, 4 along y from the first; and the place of the second itself.
  const std::vector<glm::dvec3> points{{4, 6, 3}, {-4, 0, 0}};
  std::vector<GroupShare> shares(4);
  Job job;
  group_potentials(charges, groups, DirectOptions{}, points, shares, job, GetParam());
  const double volts = units::coulomb_volt_angstrom * 2 / 5;
  EXPECT_NEAR(shares[1].potential, volts, 1e-13 * volts);
  EXPECT_NEAR(shares[1].field.x, volts / 25 * 3, 1e-13 * volts);
  EXPECT_NEAR(shares[1].field.y, volts / 25 * 4, 1e-13 * volts);
  EXPECT_EQ(shares[1].field.z, 0);
  EXPECT_NEAR(shares[0].potential, -units::coulomb_volt_angstrom / std::sqrt(109.0), 1e-13 * volts);  // 8, 6, 3 away
  EXPECT_EQ(shares[2].potential, 0) << "a charge at the point itself is left out";
  EXPECT_EQ(shares[2].field.x, 0);
}

TEST_P(GroupPotential, AgreesWithTheFormula) {
  for (const auto& [count, points] : {std::pair<std::size_t, std::size_t>{1, 1}, {37, 3}, {5000, 10}, {1500, 70}}) {
    const System s = system_of(count, points);
    const ChargeGroups groups(s.group, 5);
    std::vector<GroupShare> shares(points * 5), expected(points * 5);
    Job job;
    group_potentials(s.charges, groups, DirectOptions{}, s.points, shares, job, GetParam());
    group_potentials_reference(s.charges, groups, s.points, expected);
    // Sums of up to 2000 terms that are rounded.
    double volts = 0, fields = 0;
    for (const GroupShare& share : expected) {
      volts = std::max(volts, std::abs(share.potential));
      fields = std::max(fields, glm::length(share.field));
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      ASSERT_NEAR(shares[i].potential, expected[i].potential, 1e-13 * volts * 50) << i;
      ASSERT_LE(glm::length(shares[i].field - expected[i].field), 1e-13 * fields * 50) << i;
    }
    for (std::size_t p = 0; p < points; ++p) EXPECT_EQ(shares[p * 5 + 3].potential, 0);
  }
}

TEST_P(GroupPotential, SharesAddUpToTheWholeInADielectric) {
  const System s = system_of(2000, 20);
  const ChargeGroups groups(s.group, 5);
  DirectOptions method;
  method.dielectric.bulk = 4;
  std::vector<GroupShare> shares(20 * 5);
  std::vector<double> whole(20);
  std::vector<glm::dvec3> field(20);
  Job job;
  group_potentials(s.charges, groups, method, s.points, shares, job, GetParam());
  potential_at(s.charges, method, s.points, whole, field, Device::cpu(), job);
  for (std::size_t p = 0; p < 20; ++p) {
    GroupShare sum;
    for (std::size_t g = 0; g < 5; ++g) {
      sum.potential += shares[p * 5 + g].potential;
      sum.field += shares[p * 5 + g].field;
    }
    EXPECT_NEAR(sum.potential, whole[p], 1e-6 * std::abs(whole[p]) + 1e-6);
    EXPECT_LE(glm::length(sum.field - field[p]), 1e-6 * glm::length(field[p]) + 1e-6);
  }
}

/// Of central differences of the field over 2 h at a point: dE_a/dx_b in the order of FieldGradient.
template <class Field>
FieldGradient differences(glm::dvec3 at, const Field& field) {
  constexpr double h = 1e-3;
  glm::dmat3 slopes(0.0);  // column b: along x_b
  for (int b = 0; b < 3; ++b) {
    glm::dvec3 step(0);
    step[b] = h;
    slopes[b] = (field(at + step) - field(at - step)) / (2 * h);
  }
  return {slopes[0][0], slopes[1][1], slopes[2][2], slopes[1][0], slopes[2][0], slopes[2][1]};
}

TEST_P(GroupPotential, GradientsOfAChargeAreThoseOfCoulombsLaw) {
  const std::vector<ChargedSphere> charges{{{0, 0, 0}, 2, 1}};
  const std::vector<std::uint32_t> group{0};
  const std::vector<glm::dvec3> points{{0, 0, 4}, {0, 0, 0}};
  std::vector<GroupShare> shares(2);
  std::vector<FieldGradient> gradients(2);
  Job job;
  group_potentials(charges, ChargeGroups(group, 1), DirectOptions{}, points, shares, job, GetParam(), gradients);
  const double across = 2 * units::coulomb_volt_angstrom / 64;  // k q / r^3
  EXPECT_NEAR(gradients[0][0], across, 1e-13 * across);
  EXPECT_NEAR(gradients[0][1], across, 1e-13 * across);
  EXPECT_NEAR(gradients[0][2], -2 * across, 1e-13 * across);
  for (std::size_t n = 3; n < 6; ++n) EXPECT_EQ(gradients[0][n], 0) << n;
  EXPECT_EQ(gradients[1], FieldGradient{}) << "a charge at the point itself is left out";
  EXPECT_NEAR(principal_gradient(gradients[0]), -2 * across, 1e-12 * across);
  EXPECT_NEAR(shares[0].field.z, 4 * across, 1e-13 * across) << "the field is there as well";
}

TEST_P(GroupPotential, GradientsAreDifferencesOfTheFieldOfEachGroup) {
  const System s = system_of(300, 6);
  const ChargeGroups groups(s.group, 5);
  DirectOptions dielectric;
  dielectric.dielectric.bulk = 4;
  DebyeHueckelOptions screened;
  screened.ionic_strength = 0.5;
  for (const PotentialOptions& method : {PotentialOptions(dielectric), PotentialOptions(screened)}) {
    ASSERT_TRUE(has_gradients(method));
    const double kappa = method_of(method) == PotentialMethod::debye_hueckel ? screened.inverse_debye_length() : 0;
    std::vector<GroupShare> shares(6 * 5);
    std::vector<FieldGradient> gradients(6 * 5);
    Job job;
    group_potentials(s.charges, groups, method, s.points, shares, job, GetParam(), gradients);
    for (std::size_t p = 0; p < 6; ++p)
      for (std::size_t g = 0; g < 5; ++g) {
        const FieldGradient expected = differences(s.points[p], [&](glm::dvec3 at) {
          std::vector<GroupShare> near(5);
          group_potentials(s.charges, groups, method, {&at, 1}, near, job, GetParam());
          return near[g].field;
        });
        const FieldGradient& found = gradients[p * 5 + g];
        double size = 1e-3;
        for (const double value : expected) size = std::max(size, std::abs(value));
        for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(found[n], expected[n], 1e-5 * size) << p << g << n;
        // No charge is at a point; in the electrolyte there is that of the ions.
        EXPECT_NEAR(found[0] + found[1] + found[2], -kappa * kappa * shares[p * 5 + g].potential, 1e-9 * size);
      }
  }
}

TEST_P(GroupPotential, GradientsAgreeWithTheFormula) {
  const System s = system_of(1501, 9);
  const ChargeGroups groups(s.group, 5);
  std::vector<GroupShare> shares(9 * 5), expected_shares(9 * 5);
  std::vector<FieldGradient> found(9 * 5), expected(9 * 5);
  Job job;
  group_potentials(s.charges, groups, DirectOptions{}, s.points, shares, job, GetParam(), found);
  group_potentials_reference(s.charges, groups, s.points, expected_shares, expected);
  double size = 0;
  for (const FieldGradient& gradient : expected)
    for (const double value : gradient) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t n = 0; n < 6; ++n) ASSERT_NEAR(found[i][n], expected[i][n], 1e-12 * size) << i << n;
}

TEST_P(GroupPotential, RefusesGradientsThatItDoesNotHave) {
  const System s = system_of(10, 2);
  const ChargeGroups groups(s.group, 5);
  std::vector<GroupShare> shares(10);
  std::vector<FieldGradient> gradients(10), few(9);
  Job job;
  EXPECT_FALSE(has_gradients(CutoffOptions{}));
  EXPECT_THROW(group_potentials(s.charges, groups, CutoffOptions{}, s.points, shares, job, GetParam(), gradients),
               Error);
  EXPECT_THROW(group_potentials(s.charges, groups, DirectOptions{}, s.points, shares, job, GetParam(), few), Error);
}

TEST_P(GroupPotential, RefusesOtherSizes) {
  const System s = system_of(10, 2);
  const ChargeGroups groups(s.group, 5);
  std::vector<GroupShare> shares(9);
  Job job;
  EXPECT_THROW(group_potentials(s.charges, groups, DirectOptions{}, s.points, shares, job, GetParam()), Error);
}

}  // namespace
}  // namespace isolume
