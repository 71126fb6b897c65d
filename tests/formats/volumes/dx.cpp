// OpenDX grids.
#include "formats/volumes/dx.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::shared_data;

Molecule parse(const std::string& text) {
  return dx_format.read(ByteSource::from_bytes(text, "test.dx"));
}

const std::string small =
    "# unit: V\nobject 1 class gridpositions counts 2 2 3\norigin 1 2 3\n"
    "delta 0.5 0 0\ndelta 0.1 0.25 0\ndelta 0 0 1\n"
    "object 2 class gridconnections counts 2 2 3\n"
    "object 3 class array type double rank 0 items 12 data follows\n"
    "0 1 2\n10 11 12\n100 101 102\n110 111 112\n"
    "attribute \"dep\" string \"positions\"\nobject \"potential\" class field\n";

TEST(Dx, has_z_fastest_and_any_steps) {
  const Volume volume = *parse(small).volumes.at(0);
  EXPECT_EQ(volume.grid.counts, glm::ivec3(2, 2, 3));
  EXPECT_EQ(volume.grid.origin, glm::dvec3(1, 2, 3));
  EXPECT_EQ(volume.grid.step[1], glm::dvec3(0.1, 0.25, 0));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(volume.values[volume.grid.index(i, j, k)], static_cast<float>(100 * i + 10 * j + k));
      }
    }
  }
  EXPECT_EQ(volume.name, "potential");
  EXPECT_EQ(volume.unit, "V");
}

TEST(Dx, a_potential_of_apbs_has_its_name_and_unit) {
  const Volume volume =
      *parse("# Data from 1.5\n#\n# POTENTIAL (kT/e)\n#\n" + small.substr(small.find('\n') + 1)).volumes.at(0);
  EXPECT_EQ(volume.name, "electrostatic potential");
  EXPECT_EQ(volume.unit, "kT/e");
}

TEST(Dx, reads_files_of_other_programs) {
  ISOLUME_NEEDS(shared_data("volumes/mapskewed.dx"));
  // Values of the raw text; the three files hold the same array.
  for (const char* name : {"mapnumeric.dx", "mapaligned.dx", "mapskewed.dx"}) {
    const Volume volume = *read_file(shared_data(std::string("volumes/") + name)).volumes.at(0);
    EXPECT_EQ(volume.grid.origin, glm::dvec3(1, 2, 3));
    EXPECT_EQ(volume.values[volume.grid.index(0, 0, 1)], 3.4f);
    EXPECT_EQ(volume.values[volume.grid.index(1, 0, 1)], 2.3f);
    EXPECT_EQ(volume.values[volume.grid.index(1, 1, 1)], 9.1f);
  }
  EXPECT_EQ(read_file(shared_data("volumes/mapskewed.dx")).volumes[0]->grid.step[2], glm::dvec3(0, 2, 4));
  const Volume plain = *read_file(shared_data("volumes/test.dx")).volumes.at(0);
  EXPECT_EQ(plain.values[plain.grid.index(1, 0, 1)], -1e6f);
  EXPECT_EQ(plain.grid.origin, glm::dvec3(20.1, 3, -10));
  EXPECT_EQ(read_file(shared_data("volumes/test.dx.gz")).volumes[0]->values, plain.values);
  // Mean and largest value of MANIFEST.tsv.
  const Volume oblique = *read_file(shared_data("volumes/nonortho.dx")).volumes.at(0);
  double sum = 0;
  for (const float v : oblique.values) sum += v;
  EXPECT_NEAR(sum / 125000, 0.147152, 1e-9);
  EXPECT_EQ(oblique.grid.step[1], glm::dvec3(-0.282926, 0.800235, 0));
  const Volume items = *read_file(shared_data("volumes/esp/esp.dx.gz")).volumes.at(0);  // "items N follows"
  EXPECT_FLOAT_EQ(*std::max_element(items.values.begin(), items.values.end()), 19.5406f);
  const Volume apbs = *read_file(shared_data("volumes/apbs_1ajj/1ajj_vac.dx.gz")).volumes.at(0);
  EXPECT_EQ(apbs.unit, "kT/e");
  EXPECT_FLOAT_EQ(apbs.values[apbs.grid.index(0, 0, 1)], -64.91338f);
}

TEST(Dx, says_what_is_wrong_and_where) {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = small;
    text.replace(text.find(from), from.size(), to);
    try {
      parse(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("items 12", "items 13"), "test.dx:8: the grid has 2 x 2 x 3 points and the array 13 items");
  EXPECT_NE(message("110 111 112", "110 x 112").find("test.dx:12: value of the grid"), std::string::npos);
  EXPECT_NE(message("110 111 112\n", "").find("expected a number"), std::string::npos);
  EXPECT_NE(message("110 111 112", "110 111 112 113").find("more values"), std::string::npos);
  EXPECT_NE(message("data follows", "lsb ieee data follows").find("binary"), std::string::npos);
  EXPECT_NE(message("counts 2 2 3\norigin", "counts 2 99999999 99999999\norigin").find("points"), std::string::npos);
  EXPECT_NE(message("rank 0", "rank 1").find("scalar"), std::string::npos);
}

TEST(Dx, survives_damage) {
  EXPECT_GT(test::survives_damage(dx_format, small, 1, 3000), 100);
}

}  // namespace
}  // namespace isolume
