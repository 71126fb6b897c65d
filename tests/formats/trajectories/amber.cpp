// AMBER coordinates: restart files in text, trajectories and restart files in NetCDF, joined with topologies.
#include <array>
#include <bit>
#include <cstring>
#include <fstream>

#include "formats/trajectories/amber_netcdf.h"
#include "formats/trajectories/amber_restart.h"
#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::expect_error;
using test::expect_near;
using test::read_text;
using test::shared_data;

const std::string positions =
    "three atoms\n    3  0.2500000E+01\n"
    "   1.0000000  -2.0000000   3.0000000-100.1234567-200.0000000-300.0000000\n"
    "   4.0000000   5.0000000   6.0000000\n";
const std::string velocities =
    "   1.0000000   0.0000000   0.0000000   0.0000000   2.0000000   0.0000000\n"
    "   0.0000000   0.0000000  -3.0000000\n";
const std::string cell = "  20.0000000  21.0000000  22.0000000  90.0000000 100.0000000  90.0000000\n";

TEST(AmberRestart, reads_positions_that_touch_velocities_time_and_cell) {
  const Molecule molecule = read_text(positions + velocities + cell, "some.rst7");
  EXPECT_EQ(molecule.format, "AMBER restart");
  EXPECT_EQ(molecule.title, "three atoms");
  EXPECT_FALSE(molecule.topology);
  ASSERT_EQ(molecule.frame_count(), 1u);
  const Frame frame = molecule.trajectory->frame(0);
  EXPECT_EQ(frame.positions[0], glm::vec3(1, -2, 3));
  expect_near(frame.positions[1], {-100.1234567, -200, -300}, 1e-5);
  EXPECT_EQ(frame.positions[2], glm::vec3(4, 5, 6));
  EXPECT_TRUE(frame.has_time);
  EXPECT_EQ(frame.time, 2.5);
  ASSERT_EQ(frame.velocities.size(), 3u);
  expect_near(frame.velocities[2], {0, 0, -3 * 20.455}, 1e-5);
  expect_near(glm::vec3(frame.cell.angles()), {90, 100, 90}, 1e-5);
}

TEST(AmberRestart, velocities_and_cell_may_be_missing) {
  EXPECT_FALSE(read_text(positions, "a.rst7").trajectory->frame(0).cell.exists());
  const Frame only_cell = read_text(positions + cell, "a.rst7").trajectory->frame(0);
  EXPECT_TRUE(only_cell.cell.exists());
  EXPECT_TRUE(only_cell.velocities.empty());
  const Frame only_velocities = read_text(positions + velocities, "a.rst7").trajectory->frame(0);
  EXPECT_FALSE(only_velocities.cell.exists());
  EXPECT_EQ(only_velocities.velocities.size(), 3u);
}

TEST(AmberRestart, errors_and_damage) {
  expect_error(positions.substr(0, positions.size() - 30), "cut.rst7", 2, "promises 3 atoms");
  expect_error(positions + velocities.substr(0, velocities.size() - 4), "cut.rst7", 6, "ends inside the velocities");
  expect_error(positions + velocities + cell + cell, "more.rst7", 4, "found 4 lines");
  EXPECT_GT(test::survives_damage(amber_restart_format, positions + velocities + cell), 0);
}

TEST(AmberRestart, shared_files) {
  const std::string path = shared_data("trajectories/nacl/nacl.box.rst7");
  ISOLUME_NEEDS(path);
  const Molecule molecule = read_file(path);  // first and last lines of the file
  ASSERT_EQ(molecule.trajectory->atom_count(), 64u);
  const Frame frame = molecule.trajectory->frame(0);
  expect_near(frame.positions[0], {-5.64, -2.82, -4.23}, 1e-6);
  expect_near(frame.positions[63], {2.82, 5.64, 4.23}, 1e-6);
  expect_near(glm::vec3(frame.cell.lengths()), {11.28, 11.28, 11.28}, 1e-5);
  EXPECT_FALSE(frame.has_time);
}

TEST(AmberRestart, charmm_coordinates_are_something_else) {
  for (const char* name : {"structures/1tnm.crd", "structures/ala3_solv.crd", "structures/heat1.crd"}) {
    const std::string path = shared_data(name);
    ISOLUME_NEEDS(path);
    EXPECT_EQ(amber_restart_format.sniff(*ByteSource::open(path)), 0) << name;
  }
}

TEST(AmberTopology, joins_a_restart_file_or_a_trajectory_in_either_order) {
  const std::string topology = shared_data("trajectories/tz2/tz2.parm7");
  const std::string trajectory = shared_data("trajectories/tz2/tz2.nc");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(trajectory);
  for (const auto& paths : {std::vector{topology, trajectory}, std::vector{trajectory, topology}}) {
    const std::vector<Molecule> molecules = read_files(paths);
    ASSERT_EQ(molecules.size(), 1u);
    EXPECT_EQ(molecules[0].atom_count(), 223u);
    EXPECT_EQ(molecules[0].frame_count(), 101u);
    EXPECT_TRUE(molecules[0].force_field);
    EXPECT_EQ(molecules[0].topology->chains.size(), 1u);
  }
}

TEST(AmberTopology, gives_its_cell_to_coordinates_without_one) {
  const std::string topology = shared_data("structures/water-box-216.prmtop");
  ISOLUME_NEEDS(topology);
  const std::string path = testing::TempDir() + "isolume_no_cell.xyz";
  {
    std::ofstream file(path);
    file << "648\n\n";
    for (int i = 0; i < 648; ++i)
      file << (i % 3 == 0 ? "O " : "H ") << i % 9 << " " << i / 9 % 9 << " " << i / 81 << "\n";
  }
  const std::vector<Molecule> molecules = read_files({topology, path});
  ASSERT_EQ(molecules.size(), 1u);
  const Frame frame = molecules[0].trajectory->frame(0);
  EXPECT_NEAR(frame.cell.lengths().x, 18.7743490, 1e-6);  // BOX_DIMENSIONS
  EXPECT_EQ(molecules[0].warnings.size(), 1u);
  // All waters are one chain, and H-H is no bond.
  EXPECT_EQ(molecules[0].topology->chains.size(), 1u);
  EXPECT_EQ(molecules[0].topology->bonds.size(), 432u);
  std::remove(path.c_str());
}

// A NetCDF file of three atoms and two records, written by the specification.
class Netcdf {
 public:
  explicit Netcdf(int version, float first_time = 1.5F) : version_(version) {
    bytes_ = std::string("CDF") + static_cast<char>(version);
    count(2);  // records
    list(10, 4);
    for (const auto& [name, length] : {std::pair("frame", 0), {"spatial", 3}, {"atom", 3}, {"cell", 3}}) {
      text(name);
      count(length);
    }
    list(12, 1);
    attribute("Conventions", "AMBER");
    list(11, 4);
    const std::size_t record = 4 + 36 + 24 + 24;
    variable("time", {0}, 5, 4, 0);
    variable("coordinates", {0, 2, 1}, 5, 36, 4);
    variable("cell_lengths", {0, 3}, 6, 24, 40);
    variable("cell_angles", {0, 3}, 6, 24, 64);
    const std::size_t begin = bytes_.size();
    for (const auto& [at, offset] : begins_) {
      const auto value = static_cast<std::uint64_t>(begin + offset);
      for (int i = 0; i < width_of_offset(); ++i)
        bytes_[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * (width_of_offset() - 1 - i)));
    }
    for (int frame = 0; frame < 2; ++frame) {
      put(std::bit_cast<std::uint32_t>(first_time + static_cast<float>(frame)), 4);
      for (int i = 0; i < 9; ++i) put(std::bit_cast<std::uint32_t>(static_cast<float>(10 * frame + i)), 4);
      for (int i = 0; i < 3; ++i) put(std::bit_cast<std::uint64_t>(20.0 + i), 8);
      for (int i = 0; i < 3; ++i) put(std::bit_cast<std::uint64_t>(90.0), 8);
    }
    EXPECT_EQ(bytes_.size(), begin + 2 * record);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  int width_of_offset() const { return version_ == 1 ? 4 : 8; }
  void put(std::uint64_t value, int width) {
    for (int i = width - 1; i >= 0; --i) bytes_ += static_cast<char>(value >> (8 * i));
  }
  void count(int value) { put(static_cast<std::uint64_t>(value), version_ == 5 ? 8 : 4); }
  void list(int tag, int items) {
    put(static_cast<std::uint64_t>(tag), 4);
    count(items);
  }
  void text(const std::string& value) {
    count(static_cast<int>(value.size()));
    bytes_ += value + std::string((4 - value.size() % 4) % 4, '\0');
  }
  void attribute(const std::string& name, const std::string& value) {
    text(name);
    put(2, 4);
    text(value);
  }
  void variable(const std::string& name, const std::vector<int>& dimensions, int type, int size, std::size_t offset) {
    text(name);
    count(static_cast<int>(dimensions.size()));
    for (const int d : dimensions) count(d);
    put(0, 4);  // no attributes
    count(0);
    put(static_cast<std::uint64_t>(type), 4);
    count(size);
    begins_.emplace_back(bytes_.size(), offset);
    put(0, width_of_offset());
  }

  int version_;
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> begins_;
};

class AmberNetcdfVersion : public testing::TestWithParam<int> {};

TEST_P(AmberNetcdfVersion, reads_records_and_survives_damage) {
  const std::string bytes = Netcdf(GetParam()).bytes();
  const Molecule molecule = read_text(bytes, "small.nc");
  EXPECT_EQ(molecule.format, "AMBER NetCDF");
  ASSERT_EQ(molecule.frame_count(), 2u);
  const Frame frame = molecule.trajectory->frame(1);
  EXPECT_EQ(frame.positions[2], glm::vec3(16, 17, 18));
  EXPECT_EQ(frame.time, 2.5);
  EXPECT_EQ(frame.cell.lengths(), glm::dvec3(20, 21, 22));
  EXPECT_GT(test::survives_damage(amber_netcdf_format, bytes), 0);
}

INSTANTIATE_TEST_SUITE_P(Classic, AmberNetcdfVersion, testing::Values(1, 2, 5));

TEST(AmberNetcdf, times_that_were_never_written_are_none) {
  const Molecule molecule = read_text(Netcdf(1, 9.9692099683868690e+36F).bytes(), "small.nc");
  const Frame frame = molecule.trajectory->frame(1);
  EXPECT_FALSE(frame.has_time);
  EXPECT_EQ(frame.time, 0);
}

TEST(AmberNetcdf, a_file_that_is_cut_keeps_its_whole_frames) {
  const std::string bytes = Netcdf(2).bytes();
  const Molecule molecule = read_text(bytes.substr(0, bytes.size() - 10), "cut.nc");
  EXPECT_EQ(molecule.frame_count(), 1u);
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("cut short"), std::string::npos);
}

// Values by netCDF4 1.7 for Python.
TEST(AmberNetcdf, shared_files_have_the_values_that_another_program_finds) {
  struct Case {
    const char* name;
    std::size_t atoms, frames, frame;
    glm::dvec3 first, last, velocity, force, lengths;
    double time;
  };
  for (const Case& c : {Case{"trajectories/ace/ace_tip3p.nc",
                             1398,
                             10,
                             9,
                             {14.392318725585938, 16.360231399536133, 14.511795997619629},
                             {5.749868392944336, 15.999696731567383, 6.985483646392822},
                             {-17.508176788091657, -0.7841467527672648, 1.6384381827712058},
                             {7.51982307434082, -11.11516284942627, -16.297704696655273},
                             {26.981402543256944, 26.475821011280114, 25.958463039531708},
                             10},
                        {"structures/jac/JAC.inpcrd",
                         23558,
                         1,
                         0,
                         {35.33373666021882, 19.607777828671935, 36.363604186525365},
                         {50.54962192437055, 10.022778491103352, 34.266478358946756},
                         {-13.63982477529646, 5.551092659571211, -4.605886291919603},
                         {},
                         {61.64472315757705, 61.64472315757705, 61.64472315757705},
                         999.9999999832647},
                        {"trajectories/scaled_traj.nc",
                         1938,
                         26,
                         25,
                         {0.6324499934911728, 0.6324499934911728, 0},
                         {14.371775999069214, 13.772340784072876, 5.197888226509094},
                         {5.64581901550293, -3.1276801567077634, 1.9015859718322754},
                         {},
                         {},
                         0.5},
                        {"trajectories/version-5.nc",  // velocities in angstrom/fs
                         1576,
                         11,
                         0,
                         {7.72130012512207, 12.982532501220703, 52.82361602783203},
                         {23.25, 22.083648681640625, 60.14065170288086},
                         {},
                         {},
                         {},
                         0}}) {
    const std::string path = shared_data(c.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(c.name);
    const Molecule molecule = read_file(path);
    ASSERT_EQ(molecule.trajectory->atom_count(), c.atoms);
    ASSERT_EQ(molecule.frame_count(), c.frames);
    const Frame frame = molecule.trajectory->frame(c.frame);
    expect_near(frame.positions.front(), c.first, 1e-5);
    expect_near(frame.positions.back(), c.last, 1e-5);
    if (!frame.velocities.empty()) expect_near(frame.velocities.back(), c.velocity, 1e-5);
    if (!frame.forces.empty()) expect_near(frame.forces.back(), c.force, 1e-5);
    if (c.lengths.x > 0) {
      expect_near(glm::vec3(frame.cell.lengths()), c.lengths, 1e-5);
    } else {
      EXPECT_FALSE(frame.cell.exists());
    }
    EXPECT_NEAR(frame.time, c.time, 1e-6);
  }
}

TEST(AmberNetcdf, velocities_in_angstrom_per_femtosecond) {
  const std::string path = shared_data("trajectories/version-5.nc");
  ISOLUME_NEEDS(path);
  const Frame frame = read_file(path).trajectory->frame(0);
  expect_near(frame.velocities.front(), {1.8595855217427015, 1.194846467114985, 1.1290621478110552}, 1e-6);
}

}  // namespace
}  // namespace isolume
