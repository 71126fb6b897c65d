// Backbone dihedrals of peptides built with known ones, and the regions of published conformations.
#include "compute/structure/ramachandran.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace isolume::test {
namespace {

/// The place at `length` from c, with the angle b-c-d and the dihedral a-b-c-d in degrees (IUPAC).
glm::dvec3 next(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, double length, double angle, double dihedral) {
  const double t = angle * M_PI / 180, d = dihedral * M_PI / 180;
  const glm::dvec3 e = glm::normalize(c - b), n = glm::normalize(glm::cross(b - a, e)), m = glm::cross(n, e);
  return c + length * (-std::cos(t) * e + std::sin(t) * std::cos(d) * m + std::sin(t) * std::sin(d) * n);
}

struct Peptide {
  Topology topology;
  Frame frame;
};

Peptide peptide(const std::vector<const char*>& names, double phi, double psi) {
  TopologyBuilder builder;
  Frame frame;
  std::vector<glm::dvec3> at{{0, 0, 0}, {1.458, 0, 0}, {2.0, 1.42, 0}};
  for (std::size_t r = 1; r < names.size(); ++r) {
    const auto back = [&](std::size_t i) { return at[at.size() - i]; };
    at.push_back(next(back(3), back(2), back(1), 1.329, 116.2, psi));
    at.push_back(next(back(3), back(2), back(1), 1.458, 121.7, 180));
    at.push_back(next(back(3), back(2), back(1), 1.525, 111, phi));
  }
  const char* const atoms[] = {"N", "CA", "C"};
  for (std::size_t i = 0; i < at.size(); ++i) {
    Atom atom;
    atom.name = atoms[i % 3];
    atom.element = i % 3 == 0 ? 7 : 6;
    builder.add(atom, names[i / 3], static_cast<int>(i / 3) + 1, ' ', "A");
    frame.positions.emplace_back(at[i]);
  }
  return {builder.finish(), frame};
}

TEST(Ramachandran, GivesTheDihedralsOfWhichAPeptideWasBuilt) {
  for (const auto& [phi, psi] : {std::pair{-57.0, -47.0}, {-139.0, 135.0}, {62.0, 42.0}, {-179.0, 175.0}}) {
    const Peptide made = peptide({"ALA", "GLY", "SER", "PRO", "LEU", "ALA"}, phi, psi);
    const auto points = ramachandran(made.topology, made.frame);
    ASSERT_EQ(points.size(), 4u) << "the first has no phi, the last no psi";
    const RamachandranClass kinds[] = {RamachandranClass::glycine, RamachandranClass::pre_proline,
                                       RamachandranClass::proline, RamachandranClass::general};
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].residue, i + 1);
      EXPECT_EQ(points[i].kind, kinds[i]);
      EXPECT_NEAR(points[i].phi, phi, 0.01);
      EXPECT_NEAR(points[i].psi, psi, 0.01);
    }
  }
}

TEST(Ramachandran, AGapHasNoDihedrals) {
  Peptide made = peptide({"ALA", "ALA", "ALA", "ALA", "ALA", "ALA"}, -60, -45);
  for (std::size_t i = 9; i < made.frame.positions.size(); ++i) made.frame.positions[i].x += 5;  // before residue 4
  const auto points = ramachandran(made.topology, made.frame);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].residue, 1u);
  EXPECT_EQ(points[1].residue, 4u);
}

RamachandranRegion general(double phi, double psi) {
  return ramachandran_region(RamachandranClass::general, phi, psi);
}

TEST(RamachandranRegion, OfTheRegularStructures) {
  // Dihedrals of IUPAC-IUB 1970 (doi:10.1021/bi00820a001) and of textbooks: antiparallel and parallel sheets,
  // polyproline II, collagen; helices right-handed and left-handed, 3-10.
  EXPECT_EQ(general(-139, 135), RamachandranRegion::normal);
  EXPECT_NE(general(-119, 113), RamachandranRegion::outside);
  EXPECT_EQ(general(-75, 145), RamachandranRegion::normal);
  EXPECT_EQ(general(-63, -43), RamachandranRegion::normal);
  EXPECT_NE(general(-57, -47), RamachandranRegion::outside);
  EXPECT_NE(general(-49, -26), RamachandranRegion::outside);
  EXPECT_EQ(general(57, 47), RamachandranRegion::outer) << "left-handed: just possible";
  for (const auto& [phi, psi] : {std::pair{60.0, -120.0}, {0.0, 0.0}, {90.0, -90.0}, {120.0, 60.0}, {-90.0, -120.0}})
    EXPECT_EQ(general(phi, psi), RamachandranRegion::outside) << phi << " " << psi;
}

double part(RamachandranClass kind) {
  const auto map = ramachandran_map(kind, 5);
  EXPECT_EQ(map.size(), 72u * 72u);
  return double(std::count_if(map.begin(), map.end(), [](auto r) { return r != RamachandranRegion::outside; })) /
         double(map.size());
}

TEST(RamachandranRegion, PartsOfTheMapThatAreAllowed) {
  // Ramachandran and Sasisekharan 1968: by the outer limits 22.5 % of the map for alanine, 61 % for glycine.
  EXPECT_NEAR(part(RamachandranClass::general), 0.225, 0.04);
  EXPECT_NEAR(part(RamachandranClass::glycine), 0.61, 0.06);
  // The C-delta behind it forbids helices (Schimmel and Flory 1968, doi:10.1016/0022-2836(68)90051-5).
  EXPECT_EQ(ramachandran_region(RamachandranClass::pre_proline, -63, -43), RamachandranRegion::outside);
  EXPECT_NE(ramachandran_region(RamachandranClass::pre_proline, -75, 150), RamachandranRegion::outside);
  // The ring holds phi.
  EXPECT_NE(ramachandran_region(RamachandranClass::proline, -65, 145), RamachandranRegion::outside);
  EXPECT_EQ(ramachandran_region(RamachandranClass::proline, -140, 145), RamachandranRegion::outside);
  EXPECT_EQ(ramachandran_region(RamachandranClass::proline, 60, 45), RamachandranRegion::outside);
}

TEST(RamachandranRegion, GlycineHasNoHand) {
  // Its two hydrogens are placed a degree from mirror images.
  for (const auto& [phi, psi] : {std::pair{-140.0, 135.0}, {-65.0, -50.0}, {-75.0, 145.0}, {70.0, 130.0}})
    EXPECT_EQ(ramachandran_region(RamachandranClass::glycine, phi, psi),
              ramachandran_region(RamachandranClass::glycine, -phi, -psi))
        << phi << " " << psi;
}

}  // namespace
}  // namespace isolume::test
