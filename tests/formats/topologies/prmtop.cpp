// AMBER topology files: atoms, charges, the force field and its energies.
#include "formats/topologies/prmtop.h"

#include <cmath>

#include "molecule/base/units.h"
#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::expect_error;
using test::read_text;
using test::shared_data;

std::string sample() {
  return std::string(ByteSource::open(test::data("formats/sample.prmtop"))->text());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Prmtop, reads_atoms_residues_charges_and_radii) {
  const Molecule molecule = read_text(sample(), "sample.prmtop");
  EXPECT_EQ(molecule.format, "PRMTOP");
  EXPECT_EQ(molecule.title, "hydrogen peroxide");
  EXPECT_EQ(molecule.frame_count(), 0u);
  ASSERT_EQ(molecule.atom_count(), 5u);
  const Topology& topology = *molecule.topology;
  ASSERT_EQ(topology.residues.size(), 2u);
  EXPECT_EQ(topology.residues[1].name, "Na+");
  EXPECT_EQ(topology.residues[1].number, 2);
  EXPECT_TRUE(topology.has_charges);
  EXPECT_TRUE(topology.has_radii);
  EXPECT_TRUE(topology.has_bonds);
  EXPECT_EQ(topology.atoms[1].type, "OH");
  EXPECT_FLOAT_EQ(topology.atoms[1].charge, -0.4F);
  EXPECT_FLOAT_EQ(topology.atoms[1].mass, 16.0F);
  EXPECT_FLOAT_EQ(topology.atoms[4].radius, 1.4F);
  EXPECT_EQ(topology.atoms[4].element, 11);
  EXPECT_EQ(topology.bonds, (std::vector<Bond>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}));
}

TEST(Prmtop, reads_the_force_field) {
  const Molecule molecule = read_text(sample(), "sample.prmtop");
  ASSERT_TRUE(molecule.force_field);
  const ForceField& field = *molecule.force_field;
  EXPECT_DOUBLE_EQ(field.coulomb_constant, 18.2223 * 18.2223);
  EXPECT_NEAR(field.charges[0], 0.4, 1e-8);
  ASSERT_EQ(field.bonds.size(), 3u);
  EXPECT_EQ(field.bonds[1], (BondTerm{{2, 3}, 553, 0.96}));
  EXPECT_EQ(field.bonds[2], (BondTerm{{1, 2}, 300, 1.46}));
  ASSERT_EQ(field.angles.size(), 2u);
  EXPECT_EQ(field.angles[0], (AngleTerm{{0, 1, 2}, 50, 1.75}));
  ASSERT_EQ(field.dihedrals.size(), 1u);
  EXPECT_EQ(field.dihedrals[0], (DihedralTerm{{0, 1, 2, 3}, 1.6, 2, 0, false}));
  ASSERT_EQ(field.pairs14.size(), 1u);
  EXPECT_EQ(field.pairs14[0], (Pair14{0, 3, 1 / 1.2, 0.5}));
  EXPECT_EQ(field.excluded, (std::vector<std::uint32_t>{1, 2, 3, 2, 3, 3}));
  EXPECT_TRUE(field.excludes(3, 1));
  EXPECT_FALSE(field.excludes(3, 4));
  // The table of types is symmetric; types 1 and 3 (H and Na) have the fourth pair of coefficients.
  EXPECT_EQ(field.type_count, 3u);
  EXPECT_EQ(field.lj_a[0 * 3 + 2], 10);
  EXPECT_EQ(field.lj_b[2 * 3 + 1], 60);
  EXPECT_EQ(field.cell.lengths(), glm::dvec3(20, 21, 22));
}

TEST(Prmtop, a_truncated_octahedron_has_its_angle_three_times) {
  const std::string text = replaced(sample(), "  9.00000000E+01  2.0", "  1.09471219E+02  2.0");
  const glm::dvec3 angles = read_text(text, "octahedron.prmtop").force_field->cell.angles();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(angles[i], 109.471219, 1e-9);
}

TEST(Prmtop, files_without_scale_factors_take_those_of_amber) {
  std::string text = sample();
  for (const std::string name : {"SCEE_SCALE_FACTOR", "SCNB_SCALE_FACTOR"})
    text = replaced(text, name, "OTHER_" + name);
  const auto field = read_text(text, "old.prmtop").force_field;
  EXPECT_EQ(field->pairs14[0], (Pair14{0, 3, 1 / 1.2, 0.5}));
}

TEST(Prmtop, signs_of_dihedrals_leave_out_the_pair_and_mark_impropers) {
  const std::string row = "       0       3       6       9       1";
  const auto with = [&](const std::string& other) {
    return read_text(replaced(sample(), row, other), "signs.prmtop").force_field;
  };
  EXPECT_TRUE(with("       0       3      -6       9       1")->pairs14.empty());
  const auto improper = with("       0       3       6      -9       1");
  EXPECT_TRUE(improper->pairs14.empty());
  EXPECT_TRUE(improper->dihedrals[0].improper);
}

TEST(Prmtop, errors_name_the_section_and_what_was_expected) {
  const std::string text = sample();
  expect_error("%ERROR  VERSION_STAMP\n" + text, "first.prmtop", 1, "%VERSION");
  expect_error(replaced(text, "%FLAG CHARGE", "%FLAG CHARGES"), "charges.prmtop", 0, "no section %FLAG CHARGE");
  expect_error(replaced(text, "%FLAG MASS", "%FLAG CHARGE"), "twice.prmtop", 20, "a second %FLAG CHARGE");
  expect_error(replaced(text, "%FORMAT(5E16.8)", "%FORMAT(5Q16.8)"), "format.prmtop", 15, "%FORMAT(5E16.8)");
  expect_error(replaced(text, "       1       2       2       1       3", "       1       2       2       1       4"),
               "type.prmtop", 25, "not in 1 to 3");
  expect_error(replaced(text, "       0       3       1       6       9       1",
                        "       0       3       1       6      15       1"),
               "atom.prmtop", 0, "three times an atom's index");
  expect_error(replaced(text, "       1       5\n", "       1       6\n"), "residue.prmtop", 0, "RESIDUE_POINTER");
  expect_error(text.substr(0, text.find("%FLAG RADII")) + "%FLAG RADII\n", "cut.prmtop", 0, "the file ends after");
}

TEST(Prmtop, survives_damage) {
  EXPECT_GT(test::survives_damage(prmtop_format, sample(), 3), 0);
}

// Counts and sums by ParmEd 4 (bonds, angles, dihedrals, impropers among them, 1-4 pairs, sums of the constants and of
// q^2); charges as in MANIFEST.tsv.
TEST(Prmtop, shared_files_have_the_terms_that_another_program_finds) {
  struct Case {
    const char* name;
    std::size_t atoms, residues, bonds, angles, dihedrals, impropers, pairs;
    double bond_sum, angle_sum, dihedral_sum, charge, squares;
  };
  for (const Case& c :
       {Case{"structures/ala2/alanine-dipeptide.prmtop", 2269, 752, 2268, 36, 52, 4, 41, 1250597, 1801, 52.05, 0,
             783.583912},
        {"structures/t4l/complex.prmtop.gz", 2621, 163, 2641, 4764, 8433, 522, 6848, 1015274.4, 245641.8, 7629.610001,
         8.0002, 315.100228},
        {"structures/jac/JAC.prmtop.gz", 23558, 7182, 23592, 4561, 8166, 512, 6556, 12622698, 237132, 7603.630001, -11,
         7619.057155},
        {"structures/water-box-216.prmtop", 648, 216, 648, 0, 0, 0, 0, 358344, 0, 0, 0, 225.360144},
        {"trajectories/nacl/nacl.box.parm7", 64, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64},
        {"trajectories/spc/spcbox.parm7.gz", 10053, 3351, 10053, 0, 0, 0, 0, 5559309, 0, 0, 0, 3611.167089},
        {"trajectories/tz2/tz2.ortho.parm7.gz", 5293, 1704, 5300, 402, 853, 55, 570, 2895630, 22357, 1006.555556, 2,
         1786.339319},
        {"trajectories/tz2/tz2.parm7", 223, 13, 230, 408, 731, 55, 576, 91184, 21347, 941.24, 2, 22.037486}}) {
    const std::string path = shared_data(c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    const ForceField& field = *molecule.force_field;
    EXPECT_EQ(molecule.atom_count(), c.atoms);
    EXPECT_EQ(molecule.topology->residues.size(), c.residues);
    EXPECT_NEAR(molecule.topology->total_charge(), c.charge, 2e-4);
    EXPECT_EQ(field.bonds.size(), c.bonds);
    EXPECT_EQ(field.angles.size(), c.angles);
    EXPECT_EQ(field.dihedrals.size(), c.dihedrals);
    EXPECT_EQ(field.pairs14.size(), c.pairs);
    std::size_t impropers = 0;
    double bonds = 0, angles = 0, dihedrals = 0, squares = 0;
    for (const BondTerm& term : field.bonds) bonds += term.force;
    for (const AngleTerm& term : field.angles) angles += term.force;
    for (const DihedralTerm& term : field.dihedrals) {
      dihedrals += std::abs(term.force);
      impropers += term.improper ? 1 : 0;
    }
    for (const double q : field.charges) squares += q * q;
    EXPECT_EQ(impropers, c.impropers);
    EXPECT_NEAR(bonds, c.bond_sum, 1e-3);
    EXPECT_NEAR(angles, c.angle_sum, 1e-3);
    EXPECT_NEAR(dihedrals, c.dihedral_sum, 1e-4);
    EXPECT_NEAR(squares, c.squares, 1e-5);
  }
}

// Energies of the force field in plain loops, kcal/mol.
struct Energies {
  double bonds = 0, angles = 0, dihedrals = 0, lennard_jones = 0, coulomb = 0;

  Energies(const ForceField& f, const std::vector<glm::vec3>& positions) {
    const auto at = [&](std::uint32_t atom) { return glm::dvec3(positions[atom]); };
    for (const BondTerm& t : f.bonds) {
      const double d = glm::distance(at(t.atoms[0]), at(t.atoms[1])) - t.length;
      bonds += t.force * d * d;
    }
    for (const AngleTerm& t : f.angles) {
      const glm::dvec3 u = glm::normalize(at(t.atoms[0]) - at(t.atoms[1]));
      const glm::dvec3 v = glm::normalize(at(t.atoms[2]) - at(t.atoms[1]));
      const double d = std::acos(glm::dot(u, v)) - t.angle;
      angles += t.force * d * d;
    }
    for (const DihedralTerm& t : f.dihedrals) {
      const glm::dvec3 a = at(t.atoms[1]) - at(t.atoms[0]);
      const glm::dvec3 b = at(t.atoms[2]) - at(t.atoms[1]);
      const glm::dvec3 c = at(t.atoms[3]) - at(t.atoms[2]);
      const glm::dvec3 m = glm::cross(a, b);
      const glm::dvec3 n = glm::cross(b, c);
      const double phi = std::atan2(glm::length(b) * glm::dot(a, n), glm::dot(m, n));
      dihedrals += t.force * (1 + std::cos(t.periodicity * phi - t.phase));
    }
    const auto pair = [&](std::uint32_t a, std::uint32_t b, double charge_factor, double factor) {
      const double r = glm::distance(at(a), at(b));
      const std::size_t entry = f.types[a] * std::size_t{f.type_count} + f.types[b];
      lennard_jones += factor * (f.lj_a[entry] / std::pow(r, 12) - f.lj_b[entry] / std::pow(r, 6));
      coulomb += charge_factor * f.coulomb_constant * f.charges[a] * f.charges[b] / r;
    };
    for (std::uint32_t a = 0; a < f.atom_count(); ++a) {
      std::size_t next = f.exclusion_offsets[a];
      for (std::uint32_t b = a + 1; b < f.atom_count(); ++b) {
        if (next < f.exclusion_offsets[a + 1] && f.excluded[next] == b) {
          ++next;
        } else {
          pair(a, b, 1, 1);
        }
      }
    }
    for (const Pair14& p : f.pairs14) pair(p.a, p.b, p.coulomb, p.lennard_jones);
  }
};

// T4 lysozyme with p-xylene, no box; energies by OpenMM 8.6 (Reference platform, NoCutoff, no constraints), whose
// Coulomb constant is 332.06371 kcal angstrom / (mol e^2).
TEST(Prmtop, energies_are_those_of_another_program) {
  const std::string topology = shared_data("structures/t4l/complex.prmtop.gz");
  const std::string coordinates = shared_data("structures/t4l/complex.crd");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(coordinates);
  const std::vector<Molecule> molecules = read_files({topology, coordinates});
  ASSERT_EQ(molecules.size(), 1u);
  const ForceField& field = *molecules[0].force_field;
  const Energies e(field, molecules[0].trajectory->frame(0).positions);
  EXPECT_NEAR(e.bonds, 503.996151, 2e-3);  // positions are of single precision
  EXPECT_NEAR(e.angles, 774.329640, 2e-3);
  EXPECT_NEAR(e.dihedrals, 1010.050653, 2e-3);
  EXPECT_NEAR(e.lennard_jones, -640.291144, 2e-2);
  const double coulomb = (-6028.565626 + 640.291144) * field.coulomb_constant / 332.06371;
  EXPECT_NEAR(e.coulomb, coulomb, 2e-5 * std::abs(coulomb));
}

}  // namespace
}  // namespace isolume
