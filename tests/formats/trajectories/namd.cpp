// Binary coordinates and velocities of NAMD: bytes written as the User's Guide describes them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// A 32-bit number of atoms, then three doubles for each.
std::string bytes_of(std::int32_t atoms, const std::vector<double>& values, bool swapped) {
  std::string bytes;
  const auto add = [&](const auto& value) {
    std::string part(sizeof(value), '\0');
    std::memcpy(part.data(), &value, sizeof(value));
    if (swapped) std::reverse(part.begin(), part.end());
    bytes += part;
  };
  add(atoms);
  for (const double value : values) add(value);
  return bytes;
}

const std::vector<double> three_atoms = {1.5, -2.25, 3, 0.125, 1e3, -7, 4, 5, 6.5};

Molecule read_bytes(const std::string& bytes, const std::string& name) {
  return read_source(ByteSource::from_bytes(bytes, name));
}

TEST(Namd, coordinates_in_both_byte_orders) {
  for (const bool swapped : {false, true}) {
    const Molecule molecule = read_bytes(bytes_of(3, three_atoms, swapped), "restart.coor");
    EXPECT_EQ(molecule.format, "NAMD coordinates");
    ASSERT_EQ(molecule.frame_count(), 1u);
    const Frame frame = molecule.trajectory->frame(0);
    const std::vector<glm::vec3> expected = {{1.5, -2.25, 3}, {0.125, 1e3, -7}, {4, 5, 6.5}};
    EXPECT_EQ(frame.positions, expected);
    EXPECT_FALSE(frame.cell.exists());
  }
  EXPECT_EQ(read_bytes(bytes_of(3, three_atoms, true), "restart.coor.old").format, "NAMD coordinates");
}

TEST(Namd, velocities_in_angstrom_per_ps) {
  const Molecule molecule = read_bytes(bytes_of(3, three_atoms, false), "restart.vel");
  EXPECT_EQ(molecule.format, "NAMD velocities");
  const Frame frame = molecule.trajectory->frame(0);
  ASSERT_EQ(frame.velocities.size(), 3u);
  EXPECT_TRUE(frame.positions.empty());
  // The unit is sqrt(kcal/(mol Da)) = sqrt(4184 J / 1e-3 kg) m/s = 2045.48 m/s.
  const double unit = std::sqrt(4184 / 1e-3) * 1e10 / 1e12;
  EXPECT_NEAR(frame.velocities[0].x, 1.5 * unit, 1e-4);
  EXPECT_NEAR(frame.velocities[1].z, -7 * unit, 1e-4);
}

TEST(Namd, damaged_files_are_refused) {
  const auto expect_error = [](const std::string& bytes, const std::string& words) {
    for (const char* name : {"a.coor", "a.vel"}) {
      try {
        read_bytes(bytes, name);
        ADD_FAILURE() << words;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::input);
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      }
    }
  };
  std::vector<double> wrong = three_atoms;
  wrong[4] = std::numeric_limits<double>::quiet_NaN();
  expect_error(bytes_of(3, wrong, false), "not finite");
  wrong[4] = 1e300;
  expect_error(bytes_of(3, wrong, true), "not finite");
  expect_error(bytes_of(4, three_atoms, false), "takes 4 and 24 for each atom");
  expect_error(bytes_of(-3, three_atoms, false), "takes 4 and 24 for each atom");
  expect_error(bytes_of(3, three_atoms, false).substr(0, 70), "takes 4 and 24 for each atom");
  expect_error(bytes_of(0x7fffffff, {}, false), "takes 4 and 24 for each atom");
  expect_error(std::string("\3\0", 2), "ends inside the number of atoms");
}

class NamdFiles : public testing::Test {
 protected:
  NamdFiles() {
    folder_ = std::filesystem::temp_directory_path() / ("isolume_namd_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~NamdFiles() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(NamdFiles, join_the_structure_with_as_many_atoms) {
  const std::string structure =
      write("water.pdb",
            "ATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n"
            "ATOM      2  H1  HOH A   1       0.957   0.000   0.000  1.00  0.00           H\n"
            "ATOM      3  H2  HOH A   1      -0.240   0.927   0.000  1.00  0.00           H\n");
  const std::string positions = write("water.coor", bytes_of(3, three_atoms, true));
  const std::string velocities = write("water.vel", bytes_of(3, std::vector<double>(9, 1.0), false));
  for (const std::vector<std::string>& paths :
       {std::vector{structure, positions, velocities}, std::vector{velocities, positions, structure}}) {
    const std::vector<Molecule> molecules = read_files(paths);
    ASSERT_EQ(molecules.size(), 1u);
    EXPECT_EQ(molecules[0].paths.size(), 3u);
    const Frame frame = molecules[0].trajectory->frame(0);
    EXPECT_EQ(frame.positions[1].y, 1e3F);
    ASSERT_EQ(frame.velocities.size(), 3u);
    EXPECT_NEAR(frame.velocities[2].z, 20.45483, 1e-4);
  }
  const std::string other = write("other.coor", bytes_of(1, {1, 2, 3}, false));
  EXPECT_THROW(read_files({structure, other}), Error);
  EXPECT_THROW(read_files({velocities}), Error) << "no structure";
  EXPECT_THROW(read_files({structure, positions, positions, velocities}), Error) << "two frames";
}

}  // namespace
}  // namespace isolume
