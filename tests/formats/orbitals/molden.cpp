// Molden files: parsing, their order of components, and what is wrong with damaged ones.
#include "formats/orbitals/molden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/orbitals/molden_order.h"
#include "molecule/base/error.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;
using test::shared_data;

Molecule parse(const std::string& text) {
  return molden_format.read(ByteSource::from_bytes(text, "test.molden"));
}

const std::string hydrogen =
    "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\n[GTO]\n1 0\ns 1 1.00\n 1.0 1.0\n\n[MO]\n"
    "Occup= 1\nSpin= Alpha\nEne= -0.5\nSym= 1a\n1 1.0D+00\n";

TEST(Molden, reads_keys_in_any_order_and_missing_coefficients_as_zero) {
  std::string text = hydrogen;
  text.replace(text.find("s 1 1.00\n 1.0 1.0"), 17, "sp 1 1.00\n 1.0 1.0 1.0");
  text += "Sym= 1b\nSpin= Beta\nEne= 0.25\nOccup= 0\n 3 1.0\n";
  const Molecule molecule = parse(text);
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  ASSERT_EQ(orbitals.count(), 2u);
  EXPECT_TRUE(orbitals.unrestricted);
  EXPECT_EQ(orbitals.orbitals[0].energy, -0.5);
  EXPECT_EQ(orbitals.orbitals[0].symmetry, "1a");
  EXPECT_EQ(orbitals.orbitals[1].spin, Spin::beta);
  const std::vector<double> expected = {1, 0, 0, 0, 0, 0, 1, 0};
  EXPECT_EQ(orbitals.coefficients, expected);
  EXPECT_LT(orbitals.norm_residual, 1e-14);
  EXPECT_TRUE(molecule.warnings.empty());
}

TEST(Molden, needs_no_orbitals_and_no_basis) {
  const Molecule molecule = parse("[Molden Format]\n[Atoms] Angs\nO 1 8 0 0 1.5\n");
  EXPECT_EQ(molecule.atom_count(), 1u);
  EXPECT_TRUE(molecule.orbitals.empty());
  EXPECT_EQ(molecule.trajectory->frame(0).positions[0].z, 1.5f);
}

TEST(Molden, gives_every_geometry_a_frame_and_one_of_them_the_orbitals) {
  const std::string geometries = "[GEOMETRIES] XYZ\n1\nfirst\nH 0 0 1\n1\nsecond\nH 0.0 0.0 0.0\n";
  std::string text = hydrogen;
  text.insert(text.find("[GTO]"), geometries);
  const Molecule molecule = parse(text);
  ASSERT_EQ(molecule.frame_count(), 2u);
  EXPECT_EQ(molecule.orbitals_at(0), nullptr);
  ASSERT_NE(molecule.orbitals_at(1), nullptr);
  EXPECT_EQ(molecule.trajectory->frame(0).positions[0].z, 1.0f);
  EXPECT_EQ(parse("[Molden Format]\n" + geometries).frame_count(), 2u);
}

TEST(Molden, knows_which_shells_are_spherical_and_which_unit_lengths_have) {
  const auto text = [](const std::string& sections, const std::string& unit, double z) {
    std::string shells;
    for (const char* l : {"sp", "D", "f", "g", "h"}) {
      shells += fmt::format("{} 1 1.00\n 0.7 1.0{}\n", l, std::string(l) == "sp" ? " 1.0" : "");
    }
    return fmt::format("[Molden Format]\n[Atoms] {}\nH 1 1 0 0 {}\n{}\n[GTO]\n1 0\n{}\n[MO]\n Ene= 1\n 1 1.0\n", unit,
                       z, sections, shells);
  };
  struct Case {
    const char* sections;
    bool d, f, g, h;
  };
  for (const Case& c :
       {Case{"", false, false, false, false}, Case{"[5D]", true, true, false, false},
        Case{"[5D7F]", true, true, false, false}, Case{"[5D10F]", true, false, false, false},
        Case{"[7F]", false, true, false, false}, Case{"[5D]\n[9G]", true, true, true, false},
        Case{"[5D]\n[9G]\n[11H]", true, true, true, true}, Case{"[6D]\n[10F]\n[15G]", false, false, false, false}}) {
    for (const char* unit : {"AU", "(AU)", "Angs", "ANGSTROM"}) {
      const bool angstrom = unit[1] == 'N' || unit[1] == 'n';
      const Molecule molecule = parse(text(c.sections, unit, 1.5));
      const Basis& basis = *molecule.orbitals_at(0)->basis;
      ASSERT_EQ(basis.shells.size(), 6u);  // sp is two
      EXPECT_EQ(basis.shells[0].l, 0);
      EXPECT_EQ(basis.shells[1].l, 1);
      EXPECT_EQ(basis.shells[2].spherical, c.d) << c.sections;
      EXPECT_EQ(basis.shells[3].spherical, c.f) << c.sections;
      EXPECT_EQ(basis.shells[4].spherical, c.g) << c.sections;
      EXPECT_EQ(basis.shells[5].spherical, c.h) << c.sections;
      const double z = molecule.trajectory->frame(0).precise_positions[0].z;
      EXPECT_NEAR(z, angstrom ? 1.5 : 1.5 * 0.529177210903, 1e-9) << unit;
    }
  }
}

TEST(Molden, says_what_is_wrong_and_where) {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = hydrogen;
    text.replace(text.find(from), from.size(), to);
    try {
      parse(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("1 1.0D+00", "2 1.0"),
            "test.molden:9: an orbital has a coefficient for function 2; the basis has 1");
  EXPECT_EQ(message("1 0\ns", "2 0\ns"), "test.molden:5: number of the atom: 2 is not in 1 to 1");
  EXPECT_NE(message("s 1 1.00", "x 1 1.00").find("test.molden:6: shell \"x\""), std::string::npos);
  EXPECT_NE(message("s 1 1.00", "s 99999 1.00").find("test.molden:6"), std::string::npos);
  EXPECT_NE(message(" 1.0 1.0", " -1.0 1.0").find("positive"), std::string::npos);
  EXPECT_NE(message(" 1.0 1.0", " 1.0 0.0").find("norm 0"), std::string::npos);
  EXPECT_NE(message("[GTO]", "[STO]").find("Slater"), std::string::npos);
  EXPECT_NE(message("H 1 1 0 0 0", "H 1 1 0 nan 0").find("test.molden:3"), std::string::npos);
}

TEST(Molden, drops_an_orbital_that_was_cut) {
  ISOLUME_NEEDS(shared_data("malformed/derived/truncated_mo.molden"));
  const Molecule molecule = read_file(shared_data("malformed/derived/truncated_mo.molden"));
  EXPECT_EQ(molecule.orbitals_at(0)->count(), 32u);
  EXPECT_LT(molecule.orbitals_at(0)->norm_residual, 1e-5);
  EXPECT_NE(molecule.warnings.at(0).find("orbital 33"), std::string::npos);
}

TEST(Molden, orders_every_component_once) {
  for (int l = 0; l <= 6; ++l) {
    std::vector<std::array<int, 3>> seen;
    for (int n = 0; n < (l + 1) * (l + 2) / 2; ++n) {
      const glm::ivec3 p = molden_powers(l, n);
      EXPECT_EQ(p.x + p.y + p.z, l);
      seen.push_back({p.x, p.y, p.z});
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  }
}

TEST(Molden, takes_files_one_after_another_for_frames) {
  ISOLUME_NEEDS(shared_data("qm/molden/psi4_molden1_scf.molden"));
  const Molecule molecule = read_file(shared_data("qm/molden/psi4_molden1_scf.molden"));
  ASSERT_EQ(molecule.frame_count(), 18u);  // "[Molden Format]" is in it 18 times
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_NEAR(molecule.orbitals_at(i)->electron_count(), 10, 1e-9);
    EXPECT_LT(molecule.orbitals_at(i)->norm_residual, 1e-8);
  }
}

TEST(Molden, survives_damage) {
  EXPECT_GT(test::survives_damage(molden_format, hydrogen, 1, 3000), 50);
  ISOLUME_NEEDS(shared_data("qm/molden/h_fonly_sph_cfour.molden"));
  const std::string bytes = bytes_of(shared_data("qm/molden/h_fonly_sph_cfour.molden"));
  EXPECT_GT(test::survives_damage(molden_format, bytes, 1, 1000), 50);
}

}  // namespace
}  // namespace isolume
