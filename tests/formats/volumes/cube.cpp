// Gaussian cube files.
#include "formats/volumes/cube.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::shared_data;

Molecule parse(const std::string& text) {
  return cube_format.read(ByteSource::from_bytes(text, "test.cube"));
}

// 2 x 2 x 3 points, values 100 i + 10 j + k, z fastest.
const std::string small =
    "title\nwhat it is unit: V\n"
    "    1    1.000000    2.000000    3.000000\n"
    "    2    0.500000    0.000000    0.000000\n"
    "    2    0.000000    0.250000    0.100000\n"
    "    3    0.000000    0.000000    1.000000\n"
    "    8    8.000000    0.100000    0.200000   -0.300000\n"
    "  0.00000E+00  1.00000E+00  2.00000E+00\n"
    "  1.00000E+01  1.10000E+01  1.20000E+01\n"
    "  1.00000D+02  1.01000D+02  1.02000D+02\n"
    "  1.10000E+02  1.11000E+02  1.12000E+02\n";

TEST(Cube, has_z_fastest_and_lengths_in_bohr) {
  const Molecule molecule = parse(small);
  ASSERT_EQ(molecule.volumes.size(), 1u);
  const Volume& volume = *molecule.volumes[0];
  EXPECT_EQ(volume.grid.counts, glm::ivec3(2, 2, 3));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(volume.values[volume.grid.index(i, j, k)], static_cast<float>(100 * i + 10 * j + k));
      }
    }
  }
  const double b = units::bohr_in_angstrom;
  EXPECT_NEAR(volume.grid.origin.z, 3 * b, 1e-12);
  EXPECT_NEAR(volume.grid.step[1].z, 0.1 * b, 1e-12);
  EXPECT_EQ(volume.unit, "V");
  EXPECT_EQ(volume.name, "title");
  ASSERT_EQ(molecule.atom_count(), 1u);
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
  EXPECT_NEAR(molecule.trajectory->frame(0).precise_positions[0].z, -0.3 * b, 1e-12);
}

TEST(Cube, reads_numbers_that_run_together) {
  std::string text = small;
  text.replace(text.find("  0.00000E+00"), 39, "-5.19709E-018-1.00000E+001-0.5000000-100");
  const Volume volume = *parse(text).volumes[0];
  EXPECT_FLOAT_EQ(volume.values[volume.grid.index(0, 0, 0)], -5.19709e-18f);
  EXPECT_EQ(volume.values[volume.grid.index(0, 0, 1)], -10.0f);
  EXPECT_EQ(volume.values[volume.grid.index(0, 0, 2)], 0.0f);  // -0.5e-100 as a float
}

TEST(Cube, says_what_is_wrong_and_where) {
  const auto message = [](std::string text) {
    try {
      parse(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(small.substr(0, small.find("  1.10000E+02"))), "test.cube:10: the file ends after 9 of 12 values");
  std::string word = small;
  word.replace(word.find("1.01000D+02"), 11, "***********");
  EXPECT_NE(message(word).find("test.cube:10: value of the grid: expected a number, found \"****"), std::string::npos);
  std::string nan = small;
  nan.replace(nan.find("1.01000D+02"), 11, "nan        ");
  EXPECT_NE(message(nan).find("nan"), std::string::npos);
  std::string huge = small;
  huge.replace(huge.find("    2    0.5"), 12, " 99999999 .5");
  EXPECT_NE(message(huge).find("promises"), std::string::npos);
  std::string flat = small;
  flat.replace(flat.find("0.250000    0.1"), 15, "0.000000    0.0");
  EXPECT_NE(message(flat).find("one plane"), std::string::npos);
}

struct Reference {
  const char* file;
  glm::ivec3 counts;
  double min, max, sum_dv;  // dV in bohr^3, from MANIFEST.tsv
};

TEST(Cube, agrees_with_the_sums_of_real_files) {
  for (const Reference& r : {
           Reference{"qm/cube/Orbitals.exited-homo.cube.gz", {64, 44, 67}, -2.62647, 2.62446, -0.208379},
           Reference{"qm/cube/acrolein1gs.cube.gz", {77, 69, 96}, 3.4889e-24, 7.34741, 22.0257},
           Reference{"qm/cube/aelta.cube", {12, 12, 12}, 1.5967e-09, 5.71847, 3057.79},
           Reference{"qm/cube/benzene-homo.cube.gz", {55, 55, 40}, -0.21246, 0.212535, 9.9721e-05},
           Reference{"qm/cube/cubegen_h2o_5points.cube", {5, 5, 5}, 3.81249e-13, 297.621, 4570.68},
           Reference{"qm/gold_ch4_d/d-only.cube.gz", {61, 61, 61}, -0.466575, 0.0739856, -1.44291e-05},
           Reference{"qm/gold_h2o_dimer/h2o_dimer_pbe_sto3g-dens.cube", {14, 12, 14}, -13.731, 1.5843, -8.08182},
       }) {
    ISOLUME_NEEDS(shared_data(r.file));
    const Molecule molecule = read_file(shared_data(r.file));
    ASSERT_EQ(molecule.volumes.size(), 1u) << r.file;
    const Volume& volume = *molecule.volumes[0];
    EXPECT_EQ(volume.grid.counts, r.counts);
    const auto [low, high] = std::minmax_element(volume.values.begin(), volume.values.end());
    EXPECT_FLOAT_EQ(*low, static_cast<float>(r.min));
    EXPECT_FLOAT_EQ(*high, static_cast<float>(r.max));
    double sum = 0, absolute = 0;
    for (const float v : volume.values) {
      sum += v;
      absolute += std::abs(v);
    }
    const double dv = std::abs(glm::determinant(volume.grid.step)) / std::pow(units::bohr_in_angstrom, 3);
    // Six digits in the manifest; the values are floats here.
    EXPECT_NEAR(sum * dv, r.sum_dv, 1e-5 * std::abs(r.sum_dv) + 1e-7 * absolute * dv) << r.file;
  }
}

TEST(Cube, reads_several_orbitals) {
  ISOLUME_NEEDS(shared_data("qm/cube/grid20mo6-8.cube.gz"));
  const Molecule molecule = read_file(shared_data("qm/cube/grid20mo6-8.cube.gz"));
  ASSERT_EQ(molecule.volumes.size(), 3u);
  const double squares[] = {0.95376, 0.99691, 1.0195};  // MANIFEST.tsv
  for (std::size_t i = 0; i < 3; ++i) {
    const Volume& volume = *molecule.volumes[i];
    EXPECT_EQ(volume.name, "orbital " + std::to_string(6 + i));
    double sum = 0;
    for (const float v : volume.values) sum += static_cast<double>(v) * v;
    const double dv = std::abs(glm::determinant(volume.grid.step)) / std::pow(units::bohr_in_angstrom, 3);
    EXPECT_NEAR(sum * dv, squares[i], 1e-4);
  }
}

TEST(Cube, takes_negative_counts_for_angstrom) {
  ISOLUME_NEEDS(shared_data("qm/cube/grid20ang.cube.gz"));
  const Molecule bohr = read_file(shared_data("qm/cube/grid20.cube.gz"));
  const Molecule angstrom = read_file(shared_data("qm/cube/grid20ang.cube.gz"));
  EXPECT_EQ(bohr.volumes[0]->values, angstrom.volumes[0]->values);
  EXPECT_NEAR(angstrom.volumes[0]->grid.origin.x, -7.230385, 1e-12);
  EXPECT_NEAR(bohr.volumes[0]->grid.origin.x, -7.230385 * units::bohr_in_angstrom, 1e-12);
}

TEST(Cube, reads_touching_columns_of_a_density_map) {
  ISOLUME_NEEDS(shared_data("volumes/3ek3-2fofc.cub.gz"));
  const Molecule molecule = read_file(shared_data("volumes/3ek3-2fofc.cub.gz"));
  EXPECT_EQ(molecule.atom_count(), 1751u);
  EXPECT_EQ(molecule.volumes[0]->grid.counts, glm::ivec3(55, 64, 61));
  EXPECT_FLOAT_EQ(molecule.volumes[0]->values[0], -5.19709e-18f);
}

TEST(Cube, is_no_table_of_four_columns) {
  std::string text = "#Frame  Pme[vdw]  Pme[elec]  Pme[total]\n";
  for (int i = 1; i < 12; ++i)
    text += "  " + std::to_string(i) + "  2502.59" + std::to_string(i * 7 % 10) + "  -21563.6" + std::to_string(i) +
            "  -19061.04" + std::to_string(i * i % 10) + "\n";
  test::expect_error(text, "pme.dat.save", 0, "neither content nor extension");
}

TEST(Cube, survives_damage) {
  EXPECT_GT(test::survives_damage(cube_format, small, 1, 3000), 100);
  ISOLUME_NEEDS(shared_data("malformed/derived/short.cube"));
  EXPECT_THROW(read_file(shared_data("malformed/derived/short.cube")), Error);
}

}  // namespace
}  // namespace isolume
