// Numbers of atoms by expressions.
#include "molecule/selection/number_expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/dipole.h"
#include "molecule/selection/selection.h"

namespace isolume::test {
namespace {

struct Three {
  Topology topology;
  Frame frame;
  Three() {
    TopologyBuilder builder;
    for (int i = 0; i < 3; ++i) {
      Atom atom;
      atom.name = "C";
      atom.element = 6;
      atom.charge = 0.25f * static_cast<float>(i) - 0.25f;
      atom.b_factor = 10.0f * static_cast<float>(i);
      atom.mass = 12;
      builder.add(atom, "LIG", 5, ' ', "A");
      frame.positions.emplace_back(i, 2 * i, -i);
    }
    topology = builder.finish();
    topology.has_charges = true;
  }
};

TEST(NumberExpression, FollowsTheFormula) {
  const Three three;
  const auto values = NumberExpression("sqr(x) + 2 * abs(z) - beta / 10").values(three.topology, three.frame);
  ASSERT_EQ(values.size(), 3u);
  for (int i = 0; i < 3; ++i)
    EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>(i * i + 2 * i - i));
}

TEST(NumberExpression, KnowsWhatItNeedsAndItsUnit) {
  EXPECT_FALSE(NumberExpression("charge").depends_on_positions());
  EXPECT_TRUE(NumberExpression("x + charge").depends_on_positions());
  EXPECT_TRUE(NumberExpression("speed").depends_on_positions());
  EXPECT_EQ(NumberExpression("charge").unit(), "e");
  EXPECT_EQ(NumberExpression("beta").unit(), "angstrom^2");
  EXPECT_EQ(NumberExpression("2 * charge").unit(), "e");
  EXPECT_EQ(NumberExpression("abs(z) - 5").unit(), "angstrom");
  EXPECT_EQ(NumberExpression("x + charge").unit(), "") << "of nothing that there is";
  EXPECT_EQ(NumberExpression("sqrt(x * x + y * y)").unit(), "") << "not told";
  EXPECT_EQ(NumberExpression("charge / radius").unit(), "");
}

TEST(NumberExpression, IsNoNumberWithoutWhatItReads) {
  Three three;
  for (const float v : NumberExpression("speed").values(three.topology, three.frame)) EXPECT_TRUE(std::isnan(v));
  three.frame.velocities.assign(3, {3, 0, 4});
  for (const float v : NumberExpression("speed").values(three.topology, three.frame)) EXPECT_FLOAT_EQ(v, 5);
  three.frame.positions.clear();
  EXPECT_THROW(NumberExpression("x").values(three.topology, three.frame), Error);
}

TEST(NumberExpression, FaultsPointAtTheWord) {
  for (const auto& [text, column] : {std::pair{"charg", 0u}, {"charge >", 7u}, {"charge 5", 7u}, {"resname", 0u}}) {
    try {
      const NumberExpression expression(text);
      ADD_FAILURE() << text;
    } catch (const SelectionError& fault) {
      EXPECT_EQ(fault.column, column) << text << ": " << fault.what();
    }
  }
}

TEST(Dipole, IsTheSumOfChargeTimesPlaceInDebye) {
  const Three three;
  const std::vector<std::uint8_t> all(3, 1);
  const Dipole found = dipole(three.topology, three.frame, all);
  // 0.25 e over (2, 4, -2) angstrom; one e angstrom is 4.80320 D (CODATA 2018).
  EXPECT_NEAR(found.moment.x, 0.25 * 2 * 4.803204713, 1e-6);
  EXPECT_NEAR(found.moment.y, 0.25 * 4 * 4.803204713, 1e-6);
  EXPECT_NEAR(found.moment.z, -0.25 * 2 * 4.803204713, 1e-6);
  EXPECT_NEAR(found.charge, 0, 1e-9);
  EXPECT_NEAR(glm::distance(found.centre, glm::dvec3(1, 2, -1)), 0, 1e-6);
  // A charged part: about its own centre of mass, so that it does not depend on the origin.
  Three moved;
  for (glm::vec3& p : moved.frame.positions) p += glm::vec3(100, -50, 25);
  const Dipole part = dipole(three.topology, three.frame, all, 1, 2);
  const Dipole moved_part = dipole(moved.topology, moved.frame, all, 1, 2);
  EXPECT_NEAR(part.charge, 0.25, 1e-9);
  EXPECT_NEAR(glm::distance(part.moment, moved_part.moment), 0, 1e-4);
  Three without;
  without.topology.has_charges = false;
  EXPECT_THROW(dipole(without.topology, without.frame, all), Error);
}

}  // namespace
}  // namespace isolume::test
