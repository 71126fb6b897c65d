// CCP4 and MRC maps.
#include "formats/volumes/ccp4.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/cell.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::shared_data;

struct Reference {
  const char* file;
  glm::ivec3 counts, at;
  float value;
  glm::dvec3 position;
  double mean;
};

class Ccp4Reference : public testing::TestWithParam<Reference> {};

// Shape, the value at one point, where that point is, and the mean, by gemmi 0.7 (reordered, NSTART, cell).
TEST_P(Ccp4Reference, agrees_with_gemmi) {
  const Reference& r = GetParam();
  ISOLUME_NEEDS(shared_data(std::string("volumes/") + r.file));
  const Molecule molecule = read_file(shared_data(std::string("volumes/") + r.file));
  const Volume& volume = *molecule.volumes.at(0);
  ASSERT_EQ(volume.grid.counts, r.counts);
  EXPECT_FLOAT_EQ(volume.values[volume.grid.index(r.at.x, r.at.y, r.at.z)], r.value);
  const glm::dvec3 position = volume.grid.point(r.at.x, r.at.y, r.at.z);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(position[i], r.position[i], 2e-5);
  double sum = 0;
  for (const float v : volume.values) sum += v;
  EXPECT_NEAR(sum / static_cast<double>(volume.values.size()), r.mean, 1e-8 * std::max(1.0, std::abs(r.mean)));
}

INSTANTIATE_TEST_SUITE_P(
    files, Ccp4Reference,
    testing::Values(
        Reference{"1cbs_2fofc.map",
                  {82, 71, 96},
                  {54, 47, 64},
                  1.43076682f,
                  {25.678126, 25.478572, 35.381030},
                  0.00126930786},
        Reference{
            "1jzv.ccp4", {76, 96, 70}, {50, 64, 46}, -0.485510319f, {14.721428, 32.714285, 82.926251}, -0.000580109004},
        Reference{"3nzd/3nzd.ccp4.gz",
                  {105, 100, 103},
                  {70, 66, 68},
                  -0.508957684f,
                  {-14.102084, -2.035460, 12.931250},
                  -0.00796663898},
        Reference{
            "5i55_tiny.ccp4", {6, 8, 10}, {4, 5, 6}, 1.86778975f, {-10.483913, 24.062500, 21.115697}, 0.347120486},
        Reference{
            "EMD-3001.map", {43, 25, 73}, {28, 16, 48}, 0.0500351675f, {1.476756, 1.570000, 21.957264}, 0.000532966682},
        Reference{
            "fav8/fav8.guv.O.1.ccp4", {32, 48, 54}, {21, 32, 36}, 0.0f, {5.340592, 5.527320, 10.562941}, 0.13857747},
        Reference{"iota_yzx.ccp4.gz", {4, 1, 2}, {2, 0, 1}, 145.0f, {90, 440, -40}, 123.5},
        Reference{"test.ccp4", {8, 4, 6}, {5, 2, 4}, 137.0f, {3.75, 1.0, 2.666667}, 96.5}));

TEST(Ccp4, is_the_dx_of_the_same_map) {
  ISOLUME_NEEDS(shared_data("volumes/fav8/fav8.dx"));
  const auto map = read_file(shared_data("volumes/fav8/fav8.guv.O.1.ccp4")).volumes.at(0);
  const auto dx = read_file(shared_data("volumes/fav8/fav8.dx")).volumes.at(0);
  ASSERT_EQ(map->grid.counts, dx->grid.counts);
  for (std::size_t i = 0; i < map->values.size(); ++i) {
    ASSERT_NEAR(map->values[i], dx->values[i], 1e-5 * std::abs(dx->values[i]) + 1e-9);
  }
  for (int i = 0; i < 3; ++i) EXPECT_LT(glm::length(map->grid.step[i] - dx->grid.step[i]), 2e-6);
}

// Where PyMOL's own test of these files expects the first point; the values are those of the cube next to them.
TEST(Ccp4, begins_where_start_origin_and_skew_say) {
  ISOLUME_NEEDS(shared_data("volumes/elf/h2o-elf.cube.gz"));
  const auto cube = read_file(shared_data("volumes/elf/h2o-elf.cube.gz")).volumes.at(0);
  const std::pair<const char*, glm::dvec3> files[] = {{"h2o-elf-skwtrn.ccp4", {1.2, 3.4, 5.6}},
                                                      {"h2o-elf-nstart-skwtrn.ccp4", {1.8, 3.85, 6.35}},
                                                      {"h2o-elf-nstart-origin.mrc", {1.2, 3.4, 5.6}},
                                                      {"h2o-elf-nstart.ccp4", {0.6, 0.45, 0.75}}};
  for (const auto& [name, origin] : files) {
    const auto map = read_file(shared_data(std::string("volumes/elf/") + name)).volumes.at(0);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(map->grid.origin[i], origin[i], 1e-5) << name;
    EXPECT_NEAR(map->grid.step[1].y, 0.15, 1e-6);
    EXPECT_EQ(map->values, cube->values) << name;
  }
}

/// A map of 2 x 3 x 4 points whose value at (x, y, z) is 100 x + 10 y + z, by hand.
std::string make_map(glm::ivec3 axes, int mode, bool swap) {
  const glm::ivec3 n(2, 3, 4);
  std::string bytes(1024, '\0');
  const auto put = [&](std::size_t offset, auto value) {
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    if (swap) std::reverse(raw, raw + sizeof(value));
    if (bytes.size() < offset + sizeof(value)) bytes.resize(offset + sizeof(value));
    std::memcpy(&bytes[offset], raw, sizeof(value));
  };
  glm::ivec3 counts;
  for (int i = 0; i < 3; ++i) counts[i] = n[axes[i] - 1];
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(i);
    put(4 * i, std::int32_t{counts[k]});
    put(16 + 4 * i, std::int32_t{10 * axes[k]});  // NSTART: 10, 20, 30 along x, y, z
    put(28 + 4 * i, std::int32_t{n[k]});
    put(40 + 4 * i, static_cast<float>(n[k]));
    put(52 + 4 * i, 90.0f);
    put(64 + 4 * i, std::int32_t{axes[k]});
  }
  put(12, std::int32_t{mode});
  put(92, std::int32_t{80});  // one symmetry operator
  std::memcpy(&bytes[208], "MAP ", 4);
  std::size_t at = 1024 + 80;
  for (int s = 0; s < counts.z; ++s) {
    for (int r = 0; r < counts.y; ++r) {
      for (int c = 0; c < counts.x; ++c) {
        glm::ivec3 p;
        p[axes.x - 1] = c, p[axes.y - 1] = r, p[axes.z - 1] = s;
        const int value = 100 * p.x + 10 * p.y + p.z;
        if (mode == 0) put(at++, static_cast<std::int8_t>(value - 60));
        if (mode == 1) put(at, static_cast<std::int16_t>(value)), at += 2;
        if (mode == 2) put(at, static_cast<float>(value)), at += 4;
        if (mode == 6) put(at, static_cast<std::uint16_t>(value + 40000)), at += 2;
      }
    }
  }
  return bytes;
}

TEST(Ccp4, reads_all_axis_orders_modes_and_byte_orders) {
  const glm::ivec3 orders[] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
  for (const glm::ivec3 axes : orders) {
    for (const int mode : {0, 1, 2, 6}) {
      for (const bool swap : {false, true}) {
        const auto source = ByteSource::from_bytes(make_map(axes, mode, swap), "made.map");
        EXPECT_GE(ccp4_format.sniff(*source), 80);
        const auto volume = ccp4_format.read(source).volumes.at(0);
        ASSERT_EQ(volume->grid.counts, glm::ivec3(2, 3, 4));
        EXPECT_EQ(volume->grid.origin, glm::dvec3(10, 20, 30));
        const int shift = mode == 0 ? -60 : mode == 6 ? 40000 : 0;
        for (int x = 0; x < 2; ++x) {
          for (int y = 0; y < 3; ++y) {
            for (int z = 0; z < 4; ++z) {
              EXPECT_EQ(volume->values[volume->grid.index(x, y, z)], static_cast<float>(100 * x + 10 * y + z + shift));
            }
          }
        }
      }
    }
  }
}

TEST(Ccp4, is_written_and_read_back) {
  Volume volume;
  volume.grid.counts = {4, 3, 5};
  const Cell cell = Cell::from_lengths_angles({4, 6, 7}, {80, 100, 110});
  for (int i = 0; i < 3; ++i) volume.grid.step[i] = cell.vectors[i] / 10.0;
  volume.grid.origin = {-1.5, 2.25, 30};
  for (std::size_t i = 0; i < volume.grid.size(); ++i) volume.values.push_back(std::sin(static_cast<float>(i)));
  const std::string folder = std::filesystem::temp_directory_path().string();
  for (const char* name : {"/isolume-test.mrc", "/isolume-test.map", "/isolume-test.ccp4", "/isolume-test.mrc.gz"}) {
    write_volume(folder + name, volume, nullptr, 0, "made by a test");
    const Molecule again = read_file(folder + name);
    std::filesystem::remove(folder + name);
    EXPECT_EQ(again.volumes[0]->values, volume.values);
    EXPECT_EQ(again.volumes[0]->name, "made by a test");
    for (int i = 0; i < 3; ++i) {
      EXPECT_LT(glm::length(again.volumes[0]->grid.step[i] - volume.grid.step[i]), 1e-6);
      EXPECT_NEAR(again.volumes[0]->grid.origin[i], volume.grid.origin[i], 1e-6);
    }
  }
  volume.grid.step[0] = {0.4, 0.1, 0};
  EXPECT_THROW(write_volume(folder + "/isolume-test.mrc", volume), Error);
}

TEST(Ccp4, refuses_promises_that_the_file_does_not_keep) {
  for (const char* name : {"malformed/maps/ccp4_mx0_SIGFPE.map", "malformed/maps/ccp4_nx65536_16GB.map",
                           "malformed/derived/huge_dims.ccp4", "malformed/derived/truncated.ccp4"}) {
    ISOLUME_NEEDS(shared_data(name));
    EXPECT_THROW(read_file(shared_data(name)), Error) << name;
  }
  std::string bytes = make_map({1, 2, 3}, 2, false);
  bytes[12] = 4;
  try {
    ccp4_format.read(ByteSource::from_bytes(bytes, "complex.map"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "complex.map: byte 12: maps of mode 4 are not read; only 0, 1, 2 and 6 are");
  }
}

TEST(Ccp4, survives_damage) {
  EXPECT_GT(test::survives_damage(ccp4_format, make_map({2, 1, 3}, 2, false), 1, 5000), 100);
  ISOLUME_NEEDS(shared_data("volumes/5i55_tiny.ccp4"));
  EXPECT_GT(test::survives_damage(ccp4_format, bytes_of(shared_data("volumes/5i55_tiny.ccp4")), 1, 5000), 100);
}

}  // namespace
}  // namespace isolume
