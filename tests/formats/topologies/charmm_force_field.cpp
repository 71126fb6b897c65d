// Force fields that CHARMM's parameters and the terms of a PSF file make together.
#include <cmath>

#include "molecule/base/units.h"
#include "molecule/force_field/charmm.h"
#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"
#include "tests/formats/topologies/charmm_chain.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;
using Pair = CharmmParameters::Types<2>;
using Four = CharmmParameters::Types<4>;
using test::chain;
using test::combined;
using test::fault;
using test::parameters;
using test::text_of;
using test::usual;
using test::with;

constexpr double degree = units::pi / 180;

TEST(CharmmForceField, has_the_terms_of_the_psf) {
  const ForceField f = combined(chain(usual), parameters(text_of("formats/sample.prm")));
  EXPECT_EQ(f.charges, (std::vector<double>{0.05, 0.15, 0.25, 0.35, 0.45}));
  EXPECT_EQ(f.bonds, (std::vector<BondTerm>{
                         {{0, 1}, 300, 1.45}, {{2, 1}, 250.5, 1.5}, {{2, 3}, 225, 1.54}, {{3, 4}, 225, 1.54}}));
  ASSERT_EQ(f.angles.size(), 3u);
  EXPECT_EQ(f.angles[1], (AngleTerm{{1, 2, 3}, 40, 110 * degree}));
  EXPECT_EQ(f.urey_bradley, (std::vector<BondTerm>{{{1, 3}, 22.5, 2.5}, {{2, 4}, 11.16, 2.561}}));
  // Two periodicities of the entry without wildcards; the other, written backwards, by its wildcards.
  EXPECT_EQ(f.dihedrals, (std::vector<DihedralTerm>{{{0, 1, 2, 3}, 1.5, 2, 180 * degree, false},
                                                    {{0, 1, 2, 3}, 0.25, 1, 40 * degree, false},
                                                    {{4, 3, 2, 1}, 0.2, 3, 0, false}}));
  EXPECT_EQ(f.impropers, (std::vector<ImproperTerm>{{{3, 1, 2, 0}, 45, 0}}));
  ASSERT_EQ(f.corrections.size(), 1u);
  EXPECT_EQ(f.corrections[0], (CorrectionTerm{{0, 1, 2, 3, 1, 2, 3, 4}, 0}));
  EXPECT_EQ(f.coulomb_constant, units::coulomb_kcal_angstrom);
  // Two and three bonds apart: all pairs of five atoms but the first and the last.
  EXPECT_EQ(f.excluded.size(), 9u);
  EXPECT_FALSE(f.excludes(0, 4));
  EXPECT_EQ(f.pairs14, (std::vector<Pair14>{{0, 3, 0.5, 1}, {1, 4, 0.5, 1}}));
}

TEST(CharmmForceField, combines_radii) {
  const ForceField f = combined(chain(usual), parameters(text_of("formats/sample.prm")));
  ASSERT_EQ(f.type_count, 3u);
  const auto expect = [&](std::size_t at, double depth, double distance, double depth14, double distance14) {
    const auto near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-12 * std::abs(b)); };
    near(f.lj_a[at], depth * std::pow(distance, 12));
    near(f.lj_b[at], 2 * depth * std::pow(distance, 6));
    near(f.lj14_a[at], depth14 * std::pow(distance14, 12));
    near(f.lj14_b[at], 2 * depth14 * std::pow(distance14, 6));
  };
  expect(1, std::sqrt(0.1 * 0.2), 3.85, std::sqrt(0.1 * 0.05), 3.55);  // A1 with B1
  expect(3, std::sqrt(0.1 * 0.2), 3.85, std::sqrt(0.1 * 0.05), 3.55);
  expect(2, 0.3, 3.5, 0.15, 3.25);  // A1 with C1: NBFIX
  expect(8, 0.0225, 4.5, 0.0225, 4.5);
}

TEST(CharmmForceField, impropers_by_charmms_order_of_wildcards) {
  CharmmParameters p = parameters(text_of("formats/sample.prm"));
  // C1 B1 C1 A1 of the chain, from the least to the most sought for.
  std::vector<std::pair<Four, double>> entries = {{{"X", "X", "C1", "A1"}, 1},
                                                  {{"X", "B1", "C1", "X"}, 2},
                                                  {{"X", "B1", "C1", "A1"}, 3},
                                                  {{"C1", "X", "X", "A1"}, 4},
                                                  {{"A1", "C1", "B1", "C1"}, 5}};
  p.impropers.clear();
  for (const auto& [types, force] : entries) {
    p.impropers[charmm_key(types)] = {force, 0, 0.1};
    const ForceField f = combined(chain(usual), p);
    ASSERT_EQ(f.impropers.size(), 1u);
    EXPECT_EQ(f.impropers[0].force, force);
  }
  // With a periodicity it is a cosine, and a dihedral without one a parabola, as CHARMM has it.
  p.impropers[charmm_key(entries.back().first)] = {2, 3, 0.5};
  p.dihedrals[charmm_key(Four{"A1", "B1", "C1", "C1"})] = {{6, 0, 0.25}};
  const ForceField f = combined(chain(usual), p);
  EXPECT_EQ(f.impropers, (std::vector<ImproperTerm>{{{0, 1, 2, 3}, 6, 0.25}}));
  EXPECT_EQ(f.dihedrals.back(), (DihedralTerm{{3, 1, 2, 0}, 2, 3, 0.5, true}));
}

TEST(CharmmForceField, names_types_by_numbers_where_a_file_does) {
  CharmmParameters p = parameters(text_of("formats/sample.prm"));
  const std::string numbers = chain({"3", "7", "9", "9", "9"});
  EXPECT_NE(fault(numbers, p).find("its types as numbers"), std::string::npos);
  p.numbers[3] = "A1";
  p.numbers[9] = "C1";
  const ForceField by_number = combined(numbers, p);
  const ForceField by_name = combined(chain(usual), p);
  EXPECT_EQ(by_number.bonds, by_name.bonds);
  EXPECT_EQ(by_number.lj_a, by_name.lj_a);
  EXPECT_EQ(by_number.dihedrals, by_name.dihedrals);
}

TEST(CharmmForceField, names_what_is_missing) {
  CharmmParameters p = parameters(text_of("formats/sample.prm"));
  p.bonds.erase(Pair{"C1", "C1"});
  p.maps.clear();
  EXPECT_EQ(fault(chain(usual), p),
            "no parameters for 3 terms of 2 kinds: bond C1 C1, CMAP A1 B1 C1 C1 B1 C1 C1 C1; open the parameter files "
            "that have them as well");
  EXPECT_NE(fault(chain({"A1", "B1", "Q", "Q", "Z"}), p).find("and "), std::string::npos);
  EXPECT_NE(fault(chain(usual, "PSF EXT DRUDE"), p).find("Drude"), std::string::npos);
  std::string with_sites = chain(usual);
  with_sites.replace(with_sites.find("       0       0 !NUMLP"), 16, "       2       6");
  EXPECT_NE(fault(with_sites, p).find("2 lone pairs"), std::string::npos);
}

TEST(CharmmForceField, keeps_the_exclusions_of_the_file) {
  std::string psf = chain(usual);
  const std::string none = "       0 !NNB\n\n       0       0       0       0       0\n";
  psf.replace(psf.find(none), none.size(),
              "       2 !NNB\n       5       1\n       1       1       1       2       2\n");
  const Molecule molecule = read_text(psf, "excluded.psf");
  // Atom 1 with 5, atom 4 with 1, which was a 1-4 pair.
  EXPECT_EQ(molecule.charmm_terms->excluded, (std::vector<std::array<std::uint32_t, 2>>{{0, 4}, {0, 3}}));
  const ForceField f = combined(psf, parameters(text_of("formats/sample.prm")));
  EXPECT_TRUE(f.excludes(0, 4));
  EXPECT_EQ(f.pairs14, (std::vector<Pair14>{{1, 4, 0.5, 1}}));
}

TEST(CharmmForceField, comes_of_files_that_are_opened_together) {
  const std::string psf = shared_data("structures/ala3_solv.psf");
  ISOLUME_NEEDS(psf);
  const auto molecules = read_files({psf, test::data("dynamics/made_up.prm"), shared_data("structures/ala3_solv.crd"),
                                     test::data("dynamics/ala3_numbers.rtf")});
  ASSERT_EQ(molecules.size(), 1u);
  EXPECT_EQ(molecules[0].paths.size(), 4u);
  ASSERT_TRUE(molecules[0].force_field);
  const ForceField& f = *molecules[0].force_field;
  // The headings of the PSF; its dihedrals by several periodicities.
  EXPECT_EQ(f.bonds.size(), 2735u);
  EXPECT_EQ(f.angles.size(), 958u);
  EXPECT_GE(f.dihedrals.size(), 74u);
  EXPECT_EQ(f.impropers.size(), 5u);
  EXPECT_EQ(f.corrections.size(), 1u);
  try {
    read_files({psf, test::data("formats/sample.prm")});
    ADD_FAILURE() << "parameters of other types were taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), psf);
  }
  EXPECT_THROW(read_files({test::data("formats/sample.prm")}), Error);
}

}  // namespace
}  // namespace isolume
