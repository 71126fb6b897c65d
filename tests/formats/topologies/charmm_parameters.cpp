// CHARMM's parameter files, and the terms of PSF files.

#include "formats/topologies/charmm_parameters.h"
#include "molecule/base/units.h"
#include "molecule/force_field/charmm.h"
#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"
#include "tests/formats/topologies/charmm_chain.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::chain;
using test::fault;
using test::parameters;
using test::text_of;
using test::usual;
using test::with;

using test::expect_error;
using test::read_text;

constexpr double degree = units::pi / 180;
using Pair = CharmmParameters::Types<2>;
using Four = CharmmParameters::Types<4>;

TEST(CharmmParameterFile, reads_every_section) {
  const CharmmParameters p = parameters(text_of("formats/sample.prm"));
  EXPECT_EQ(p.numbers, (std::map<std::int64_t, std::string>{{7, "B1"}}));
  ASSERT_EQ(p.bonds.size(), 3u);
  EXPECT_EQ(p.bonds.at(Pair{"A1", "B1"}), (CharmmBond{300, 1.45}));
  EXPECT_EQ(p.bonds.at(Pair{"C1", "C1"}), (CharmmBond{225, 1.54}));
  ASSERT_EQ(p.angles.size(), 3u);
  EXPECT_EQ(p.angles.at({"A1", "B1", "C1"}), (CharmmAngle{50, 120 * degree, {}}));
  EXPECT_EQ(p.angles.at({"B1", "C1", "C1"}), (CharmmAngle{40, 110 * degree, {22.5, 2.5}}));
  EXPECT_EQ(p.dihedrals.size(), 3u);
  EXPECT_EQ(p.dihedrals.at(Four{"A1", "B1", "C1", "C1"}),
            (std::vector<CharmmTorsion>{{1.5, 2, 180 * degree}, {0.25, 1, 40 * degree}}));
  EXPECT_EQ(p.impropers.at(Four{"A1", "X", "X", "C1"}), (CharmmTorsion{45, 0, 0}));
  ASSERT_EQ(p.maps.size(), 1u);
  const CorrectionMap& map = p.maps.begin()->second;
  EXPECT_EQ(map.size, 4);
  EXPECT_EQ(map.energies, (std::vector<double>{0.5, -1.25, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(p.radii.at("A1"), (CharmmRadius{0.1, 2, 0.1, 2}));
  EXPECT_EQ(p.radii.at("B1"), (CharmmRadius{0.2, 1.85, 0.05, 1.55}));
  EXPECT_EQ(p.pairs.at(Pair{"A1", "C1"}), (CharmmPair{0.3, 3.5, 0.15, 3.25}));
  EXPECT_EQ(p.one_four, 0.5);
  ASSERT_EQ(p.notes.size(), 2u);
  EXPECT_NE(p.notes[0].find("HBOND"), std::string::npos);
  EXPECT_NE(p.notes[1].find("1 parameter is given again"), std::string::npos);
  EXPECT_NE(p.notes[1].find("C1 C1"), std::string::npos);
}

const std::string stream_text =
    "* Water\n*\n\n! a comment\nset nat ?NATC\nif @nat ne 0 set app append\nread rtf card append\n* residues\n*\n31 "
    "1\n\n"
    "MASS 1 HT 1.008 H\nMASS 3 OT 15.9994 O\nRESI TIP3 0.0\nGROUP\nATOM OH2 OT -0.834\nBOND OH2 H1 OH2 H2\n"
    "ANGLE H1 OH2 H2\nEND\n\nread para card flex append\n* numbers\n*\nBONDS\nHT OT 450.0 0.96\nANGLES\n"
    "HT OT HT 55.0 104.5\nNONBONDED\nHT 0 -0.05 0.2\nOT 0 -0.15 1.8\nEND\n\nBOMLEV -1\nread para card flex append\n"
    "* more\n*\nNBFIX\nHT OT -0.1 2.0\nEND\nreturn\n";

TEST(CharmmParameterFile, reads_streams_and_topology_files) {
  const CharmmParameters stream = parameters(stream_text, "water.str");
  EXPECT_EQ(stream.numbers, (std::map<std::int64_t, std::string>{{1, "HT"}, {3, "OT"}}));
  EXPECT_EQ(stream.bonds.size(), 1u);
  EXPECT_EQ(stream.pairs.size(), 1u);
  EXPECT_FALSE(stream.one_four);
  ASSERT_EQ(stream.notes.size(), 1u);
  EXPECT_NE(stream.notes[0].find("Residues"), std::string::npos);
  // By content alone.
  const CharmmParameters topology = parameters(text_of("dynamics/parv_numbers.rtf"), "types");
  EXPECT_EQ(topology.numbers.size(), 30u);
  EXPECT_EQ(topology.numbers.at(22), "CT1");
}

TEST(CharmmParameterFile, says_what_is_wrong_and_where) {
  const std::string head = "* A TITLE\n*\n";
  expect_error(head + "BANDS\nA B 1 2\n", "word.prm", 3, "expected a section");
  expect_error(head + "BONDS\nA B 300.0\n", "short.prm", 4, "expected two types, force constant, length");
  expect_error(head + "BONDS\nA B 300.0 x\n", "number.prm", 4, "length");
  expect_error(head + "BONDS\nA B nan 1\n", "nan.prm", 4, "force constant");
  expect_error(head + "ANGLES\nA B C 1 2 3\n", "ub.prm", 4, "Urey and Bradley");
  expect_error(head + "DIHEDRALS\nA B C D 1 2.5 0\n", "half.prm", 4, "periodicity");
  expect_error(head + "DIHEDRALS\nA B C D 1 - \n 99 0\n", "turns.prm", 5, "periodicity");
  expect_error(head + "NONBONDED\nA 0 0.1 2\n", "depth.prm", 4, "expected 0 or less");
  expect_error(head + "NONBONDED\nA 0 -0.1 -2\n", "radius.prm", 4, "radius");
  expect_error(head + "NONBONDED GEOM\n", "mean.prm", 3, "GEOM");
  expect_error(head + "CMAP\nA B C D B C D E 24\n1 2 3\n", "promise.prm", 4, "promises");
  expect_error(head + "CMAP\nA B C D B C D E 2\n1 2 3\nEND\n", "map.prm", 6, "after 3 of 4");
  expect_error(head + "CMAP\nA B C D B C D E 2\n1 2 3 4 5\n", "more.prm", 5, "more than its 4");
  expect_error(head + "CMAP\nA B C D B C D E 2\n1 2 3\n       \n", "less.prm", 0, "after 3 of 4");
  expect_error(head + "read rtf card\n*\n31 1\nMASS 1 HT\nEND\n", "mass.str", 6, "MASS, number, type, mass");
}

TEST(CharmmParameterFile, survives_damage) {
  EXPECT_GT(test::survives_damage(charmm_parameters_format, text_of("formats/sample.prm"), 3), 0);
  EXPECT_GT(test::survives_damage(charmm_parameters_format, stream_text, 1), 100);
  EXPECT_GT(test::survives_damage(charmm_parameters_format, text_of("dynamics/parv_numbers.rtf"), 3), 100);
}

TEST(CharmmParameterFile, later_files_count) {
  CharmmParameters p = parameters(text_of("formats/sample.prm"));
  EXPECT_EQ(p.append(p), "");
  // A number of a type that means another one now is said: a PSF with numbers would have other atoms.
  EXPECT_EQ(CharmmParameters(p).append(parameters("* N\n*\nATOMS\nMASS 7 Q1 1.0\n")),
            "1 parameter replaces one of files before (type 7, B1 before and Q1 now).");
  const CharmmParameters twice = parameters("* N\n*\nATOMS\nMASS 7 Q1 1.0\nMASS 7 Q2 1.0\n");
  ASSERT_EQ(twice.notes.size(), 1u);
  EXPECT_NE(twice.notes[0].find("type 7"), std::string::npos);
  const std::string said = p.append(
      parameters("* B\n*\nBONDS\nB1 A1 310 1.46\nZ Z 1 1\nDIHEDRALS\nC1 C1 B1 A1 7 4 0\nNONBONDED E14FAC 1.0\n"));
  EXPECT_NE(said.find("3 parameters"), std::string::npos) << said;
  EXPECT_NE(said.find("bond A1 B1"), std::string::npos) << said;
  EXPECT_EQ(p.bonds.at(Pair{"A1", "B1"}), (CharmmBond{310, 1.46}));
  EXPECT_EQ(p.dihedrals.at(Four{"A1", "B1", "C1", "C1"}), (std::vector<CharmmTorsion>{{7, 4, 0}}));
  EXPECT_EQ(p.one_four, 1.0);
}

TEST(PsfTerms, reads_the_lists_of_extended_files) {
  const Molecule molecule = read_text(text_of("formats/terms.psf"), "terms.psf");
  EXPECT_EQ(molecule.warnings, std::vector<std::string>());
  const CharmmTerms& terms = *molecule.charmm_terms;
  EXPECT_EQ(terms.unsupported, "");
  EXPECT_EQ(terms.charges, (std::vector<double>{0.1, -0.2, 0.3, -0.1, -0.1}));
  EXPECT_EQ(terms.bonds.size(), 4u);
  EXPECT_EQ(terms.angles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}));
  EXPECT_EQ(terms.dihedrals, (std::vector<std::array<std::uint32_t, 4>>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(terms.impropers, (std::vector<std::array<std::uint32_t, 4>>{{3, 1, 2, 0}}));
  EXPECT_EQ(terms.cross_terms, (std::vector<std::array<std::uint32_t, 8>>{{0, 1, 2, 3, 1, 2, 3, 4}}));
  EXPECT_EQ(terms.excluded, (std::vector<std::array<std::uint32_t, 2>>{{0, 4}, {0, 3}}));
}

// What can be seen is opened; the force field is refused, with line and reason.
TEST(PsfTerms, damaged_lists_take_the_force_field_alone) {
  const CharmmParameters p = parameters(text_of("formats/sample.prm"));
  const auto damaged = [&](const std::string& text, const std::string& where) {
    SCOPED_TRACE(where);
    const Molecule molecule = read_text(text, "damaged.psf");
    EXPECT_EQ(molecule.atom_count(), 5u);
    EXPECT_EQ(molecule.topology->bonds.size(), 4u);
    ASSERT_EQ(molecule.warnings.size(), 1u);
    EXPECT_EQ(molecule.warnings[0].find("damaged.psf:"), 0u) << molecule.warnings[0];
    EXPECT_NE(molecule.warnings[0].find(where), std::string::npos) << molecule.warnings[0];
    EXPECT_NE(molecule.warnings[0].find("No force field"), std::string::npos);
    EXPECT_NE(fault(text, p).find(where), std::string::npos) << fault(text, p);
  };
  damaged(with("       3       4       5\n", "       3       4       6\n"), ":17: angles: 6 is not in 1 to 5");
  damaged(with("3 !NTHETA", "4 !NTHETA"), ":18: expected 4 angles, found 3");
  damaged(with("3 !NTHETA", "x !NTHETA"), ":16: !NTHETA");
  damaged(with("1 !NCRTERM", "2 !NCRTERM"), "cross-terms");
  damaged(with("2 !NPHI", "99999999 !NPHI"), ":19: promises");
  damaged(with("       2       3       4       5\n", ""), "cross-terms");
  damaged(chain(usual) + "\n       1 !NPHI: dihedrals\n       1       2       3       4\n", "a second section");
  const std::string none = "       0 !NNB\n\n       0       0       0       0       0\n";
  damaged(with(none, "       2 !NNB\n       5       1\n       1       1       1       1       1\n"),
          "the last is 1 of 2");
  damaged(with(none, "       2 !NNB\n       5       1\n       1       1       0       2       2\n"), "0 after 1");
  damaged(with(none, "       1 !NNB\n       1\n       1       1       1       1       1\n"), "excludes itself");
}

TEST(PsfTerms, the_heading_after_a_list_that_is_too_short_counts) {
  // Angles stand before the bonds here, and their list ends at the heading of these.
  std::string text = chain(usual);
  const std::size_t begin = text.find("       4 !NBOND"), end = text.find("\n       3 !NTHETA");
  const std::string bonds = text.substr(begin, end - begin);
  text.erase(begin, end - begin);
  text.replace(text.find("       3 !NTHETA"), 16, "       4 !NTHETA");
  text.insert(text.find("\n       2 !NPHI"), bonds);
  const Molecule molecule = read_text(text, "order.psf");
  EXPECT_EQ(molecule.topology->bonds.size(), 4u);
  EXPECT_NE(molecule.charmm_terms->unsupported.find("expected 4 angles, found 3"), std::string::npos);
  EXPECT_EQ(molecule.charmm_terms->dihedrals.size(), 2u);
}

TEST(PsfTerms, blank_lines_may_stand_before_a_list) {
  const CharmmTerms usual_terms = *read_text(chain(usual), "chain.psf").charmm_terms;
  for (const char* heading : {"!NBOND: bonds\n", "!NTHETA: angles\n", "!NPHI: dihedrals\n", "!NIMPHI: impropers\n",
                              "!NCRTERM: cross-terms\n"}) {
    const Molecule molecule = read_text(with(heading, std::string(heading) + "\n \n"), "chain.psf");
    EXPECT_EQ(*molecule.charmm_terms, usual_terms) << heading;
    EXPECT_EQ(molecule.warnings, std::vector<std::string>()) << heading;
  }
}

TEST(PsfTerms, terms_before_atoms_are_refused) {
  expect_error("PSF\n\n       1 !NTHETA: angles\n 1 2 3\n", "order.psf", 3, "before !NATOM");
}

}  // namespace
}  // namespace isolume
