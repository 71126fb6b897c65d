// Files that list their atoms in another order than the blocks of their basis: read right, put right, or complained of.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/bytes_of.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Molecule read_lines(const Lines& lines, const std::string& name) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return read_source(ByteSource::from_bytes(std::move(text), name));
}

std::size_t line_with(const Lines& lines, const std::string& part, std::size_t from = 0) {
  for (std::size_t i = from; i < lines.size(); ++i)
    if (lines[i].find(part) != std::string::npos) return i;
  throw std::runtime_error("no line has " + part);
}

/// Those of the one frame that has some.
std::shared_ptr<const Orbitals> orbitals_of(const Molecule& molecule) {
  for (std::size_t i = molecule.frame_count(); i-- > 0;)
    if (auto orbitals = molecule.orbitals_at(i)) return orbitals;
  throw std::runtime_error("no frame has orbitals");
}

/// The place of the centre of every shell: the same where a file is read right, in whatever order its atoms are.
std::vector<glm::dvec3> places_of_shells(const Molecule& molecule) {
  std::vector<glm::dvec3> places;
  const auto orbitals = orbitals_of(molecule);
  for (const Shell& shell : orbitals->basis->shells) places.push_back(orbitals->centres[shell.centre]);
  return places;
}

void expect_places(const Molecule& molecule, const std::vector<glm::dvec3>& expected) {
  EXPECT_LT(orbitals_of(molecule)->norm_residual, 1e-4);
  const std::vector<glm::dvec3> places = places_of_shells(molecule);
  ASSERT_EQ(places.size(), expected.size());
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_LT(glm::distance(places[i], expected[i]), 1e-6) << i;
}

void expect_order_warning(const Molecule& molecule, const std::string& order) {
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(
      molecule.warnings[0].find("The basis lists the atoms in another order than the geometry. It is read for the "
                                "atoms " +
                                order + ", so that the orbitals are orthonormal"),
      std::string::npos)
      << molecule.warnings[0];
}

class MoldenOrder : public testing::Test {
 protected:
  const Lines lines = lines_of(bytes_of(test::data("H2O-631Gd-cart.molden")));
  const std::size_t atoms = line_with(lines, "[Atoms]") + 1;
  const std::vector<glm::dvec3> places = places_of_shells(read_lines(lines, "made.molden"));
};

TEST_F(MoldenOrder, atoms_are_found_by_their_numbers) {
  Lines made = lines;
  // H 3, O 1, H 2
  std::rotate(made.begin() + static_cast<long>(atoms), made.begin() + static_cast<long>(atoms) + 2,
              made.begin() + static_cast<long>(atoms) + 3);
  const Molecule molecule = read_lines(made, "made.molden");
  EXPECT_TRUE(molecule.warnings.empty()) << molecule.warnings[0];
  EXPECT_EQ(molecule.topology->atoms[1].element, 8);
  expect_places(molecule, places);
}

TEST_F(MoldenOrder, blocks_of_the_basis_are_found_by_their_numbers) {
  // The block of oxygen (15 functions) after that of the first hydrogen (2).
  const std::size_t first = line_with(lines, "  1 0"), second = line_with(lines, "  2 0"),
                    third = line_with(lines, "  3 0");
  Lines made = lines;
  std::rotate(made.begin() + static_cast<long>(first), made.begin() + static_cast<long>(second),
              made.begin() + static_cast<long>(third));
  for (std::size_t i = line_with(lines, "[MO]") + 1; i < made.size(); ++i) {
    std::istringstream in(made[i]);
    int function = 0;
    double value = 0;
    if (!(in >> function >> value) || function > 17) continue;
    made[i].replace(0, 5, std::to_string(function <= 15 ? function + 2 : function - 15));
  }
  const Molecule molecule = read_lines(made, "made.molden");
  EXPECT_TRUE(molecule.warnings.empty()) << molecule.warnings[0];
  EXPECT_LT(orbitals_of(molecule)->norm_residual, 1e-6);
  EXPECT_EQ(orbitals_of(molecule)->basis->shells[0].centre, 1u);
}

TEST_F(MoldenOrder, a_geometry_in_another_order_is_put_right_and_said) {
  Lines made = lines;
  const auto begin = made.begin() + static_cast<long>(atoms);
  std::swap(begin[0], begin[2]);
  begin[0].replace(5, 1, "1");
  begin[2].replace(5, 1, "3");
  const Molecule molecule = read_lines(made, "made.molden");
  expect_order_warning(molecule, "3 2 1");
  // The hydrogens are mirror images of each other, so only the shells of oxygen have one place.
  EXPECT_LT(orbitals_of(molecule)->norm_residual, 1e-6);
  EXPECT_LT(glm::distance(places_of_shells(molecule)[0], places[0]), 1e-9);
}

TEST_F(MoldenOrder, without_all_orbitals_it_is_a_complaint) {
  Lines made = lines;
  std::swap(made[atoms], made[atoms + 2]);
  made[atoms].replace(5, 1, "1");
  made[atoms + 2].replace(5, 1, "3");
  // The last orbital goes: from its symmetry on.
  std::size_t last = 0;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i].find("Sym=") != std::string::npos) last = i;
  made.resize(last);
  const Molecule molecule = read_lines(made, "made.molden");
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("not orthonormal over this basis by any convention known"), std::string::npos);
  EXPECT_GT(orbitals_of(molecule)->norm_residual, 1e-2);
}

/// A file with the coordinates of two atoms exchanged.
struct Swap {
  const char* file;
  const char* head;           ///< of the coordinates
  std::size_t skip;           ///< lines after it
  std::size_t first, second;  ///< atoms from 0
  std::size_t column;         ///< where coordinates begin
  const char* order;          ///< expected, or null for a complaint: formats whose orbitals are never complete
};

class ExchangedAtoms : public testing::TestWithParam<Swap> {};

TEST_P(ExchangedAtoms, are_put_right_or_complained_of) {
  const Swap& swap = GetParam();
  const std::string path = test::shared_data(std::string("qm/") + swap.file);
  ISOLUME_NEEDS(path);
  Lines lines = lines_of(bytes_of(path));
  const Molecule right = read_lines(lines, swap.file);
  ASSERT_TRUE(right.warnings.empty()) << right.warnings[0];
  const std::size_t at = line_with(lines, swap.head) + swap.skip;
  std::string &one = lines[at + swap.first], &other = lines[at + swap.second];
  const std::string kept = one.substr(swap.column);
  one = one.substr(0, swap.column) + other.substr(swap.column);
  other = other.substr(0, swap.column) + kept;
  const Molecule molecule = read_lines(lines, swap.file);
  if (swap.order) {
    expect_order_warning(molecule, swap.order);
    expect_places(molecule, places_of_shells(right));
  } else {
    ASSERT_EQ(molecule.warnings.size(), 1u);
    EXPECT_NE(molecule.warnings[0].find("not orthonormal"), std::string::npos) << molecule.warnings[0];
  }
}

INSTANTIATE_TEST_SUITE_P(
    files, ExchangedAtoms,
    testing::Values(Swap{"cclib_gamess/MoOCl4-sp.out", "COORDINATES (BOHR)", 2, 1, 2, 17, "1 3 2 4 5 6"},
                    Swap{"cclib_g09/BH3CO-sp.log", "Input orientation:", 5, 0, 4, 34, "5 2 3 4 1 6"},
                    Swap{"wfn/h2o_sto3g.wfn", "  O    1    (CENTRE  1)", 0, 0, 1, 24, nullptr}),
    [](const auto& info) {
      std::string name = info.param.file;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

// A checkpoint says of each shell on which atom it is; its coordinates are one list.
TEST(CheckpointOrder, follows_the_map_and_mends_the_coordinates) {
  const std::string path = test::shared_data("qm/fchk/h2o_sto3g.fchk");
  ISOLUME_NEEDS(path);
  const Lines lines = lines_of(bytes_of(path));
  const auto places = places_of_shells(read_lines(lines, "made.fchk"));
  const std::size_t at = line_with(lines, "Current cartesian coordinates") + 1;
  // The atoms as H, O, H: only the coordinates, and then the map too.
  Lines made = lines;
  made[at] = " -2.58401495E+00  3.55136194E+00  0.00000000E+00 -4.44734101E+00  3.39697999E+00";
  made[at + 1] = "  0.00000000E+00 -4.92380519E+00  5.20496220E+00  0.00000000E+00";
  const Molecule mended = read_lines(made, "made.fchk");
  expect_order_warning(mended, "2 1 3");
  EXPECT_LT(glm::distance(places_of_shells(mended)[0], places[0]), 1e-6);
  made[line_with(made, "Shell to atom map") + 1] = "           2           2           1           3";
  const Molecule mapped = read_lines(made, "made.fchk");
  EXPECT_TRUE(mapped.warnings.empty()) << mapped.warnings[0];
  expect_places(mapped, places);
}

}  // namespace
}  // namespace isolume
