// Which orbital is which.
#include "molecule/quantum/orbitals.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

Orbitals orbitals(std::vector<Orbital> list, bool unrestricted = false) {
  Orbitals result;
  auto basis = std::make_shared<Basis>();
  for (std::size_t i = 0; i < list.size(); ++i)
    basis->shells.push_back({0, 0, false, {1.0 + static_cast<double>(i)}, {1}});
  result.basis = basis;
  result.centres = {{0, 0, 0}};
  result.coefficients.assign(list.size() * list.size(), 0.0);
  for (std::size_t i = 0; i < list.size(); ++i) result.coefficients[i * list.size() + i] = 1;
  result.orbitals = std::move(list);
  result.unrestricted = unrestricted;
  return result;
}

// Water in a minimal basis, with two orbitals out of order in the file.
const Orbitals water = orbitals({{-20.2, 2, Spin::alpha, "1a1"},
                                 {-1.3, 2, Spin::alpha, "2a1"},
                                 {-0.6, 2, Spin::alpha, "1b2"},
                                 {-0.4, 2, Spin::alpha, "1b1"},
                                 {-0.5, 2, Spin::alpha, "3a1"},
                                 {0.7, 0, Spin::alpha, "2b2"},
                                 {0.6, 0, Spin::alpha, "4a1"}});

TEST(Orbitals, FrontierFollowsEnergyNotFileOrder) {
  EXPECT_EQ(water.homo(), 3u);
  EXPECT_EQ(water.lumo(), 6u);
  EXPECT_EQ(water.find("homo"), 3u);
  EXPECT_EQ(water.find("HOMO-1"), 4u);
  EXPECT_EQ(water.find("homo - 4"), 0u);
  EXPECT_EQ(water.find("lumo+1"), 5u);
  EXPECT_EQ(water.find("homo+1"), 6u);
  EXPECT_EQ(water.find("7"), 6u);
  EXPECT_EQ(water.role(3), "HOMO");
  EXPECT_EQ(water.role(0), "HOMO-4");
  EXPECT_EQ(water.role(6), "LUMO");
  EXPECT_EQ(water.role(5), "LUMO+1");
  EXPECT_DOUBLE_EQ(water.electron_count(), 10);
  for (std::size_t i = 0; i < water.count(); ++i) EXPECT_EQ(water.find(water.role(i)), i);
}

TEST(Orbitals, FindNamesWhatThereIs) {
  for (const char* text :
       {"99", "0", "-1", "homo-5", "lumo+2", "homo-99999999999999999999", "somo", "", "homo1", "3x"}) {
    try {
      water.find(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_NE(std::string(error.what()).find("1 to 7"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(water.find("1", Spin::beta), Error);
  EXPECT_FALSE(water.homo(Spin::beta).has_value());
  EXPECT_THROW(water.row(7), Error);
  EXPECT_EQ(water.row(6)[6], 1);
}

TEST(Orbitals, SpinsAreCountedApart) {
  const Orbitals triplet = orbitals({{-2, 1, Spin::alpha, ""},
                                     {-1, 1, Spin::alpha, ""},
                                     {0.5, 0, Spin::alpha, ""},
                                     {-1.8, 1, Spin::beta, ""},
                                     {0.1, 0, Spin::beta, ""},
                                     {0.9, 0, Spin::beta, ""}},
                                    true);
  EXPECT_EQ(triplet.count(Spin::beta), 3u);
  EXPECT_EQ(triplet.index_of(Spin::beta, 1), 4u);
  EXPECT_THROW(triplet.index_of(Spin::beta, 3), Error);
  EXPECT_EQ(triplet.find("homo", Spin::beta), 3u);
  EXPECT_EQ(triplet.find("homo", Spin::alpha), 1u);
  EXPECT_EQ(triplet.find("2", Spin::beta), 4u);
  EXPECT_EQ(triplet.role(4), "LUMO");
  EXPECT_DOUBLE_EQ(triplet.electron_count(), 3);
}

TEST(Orbitals, AnEmptyOrbitalBelowAnOccupiedOneIsTheLumo) {
  const Orbitals excited = orbitals({{-2, 2, Spin::alpha, ""}, {-1, 0, Spin::alpha, ""}, {-0.5, 2, Spin::alpha, ""}});
  EXPECT_EQ(excited.homo(), 2u);
  EXPECT_EQ(excited.lumo(), 1u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(excited.find(excited.role(i)), i);
}

}  // namespace
}  // namespace isolume
