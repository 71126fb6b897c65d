// Finding formats and joining files: structure and trajectory, topology and coordinates, orbital sequences.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "formats/joined_trajectory.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::read_text;
using test::shared_data;

TEST(DetectFormat, by_content_whatever_the_name) {
  const std::string xyz = "1\n\nO 0 0 0\n";
  EXPECT_EQ(read_text(xyz, "x.pdb").format, "XYZ");
  EXPECT_EQ(read_text(xyz, "noextension").format, "XYZ");
  EXPECT_EQ(read_text("@<TRIPOS>MOLECULE\nx\n1 0\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n", "x.txt").format,
            "MOL2");
}

TEST(DetectFormat, by_extension_where_the_content_fits_two) {
  // Columns of PDB whose last numbers may be occupancy and B factor or charge and radius.
  const std::string line = "ATOM      1  N   ALA A   1       1.000   2.000   3.000  0.50  1.50\n";
  EXPECT_EQ(read_text(line, "x.pdb").format, "PDB");
  const Molecule pqr = read_text(line, "x.pqr");
  EXPECT_EQ(pqr.format, "PQR");
  EXPECT_FLOAT_EQ(pqr.topology->atoms[0].radius, 1.5F);
}

TEST(DetectFormat, names_the_formats_where_none_fits) {
  try {
    read_text("just some words\n", "notes.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("PDB, PDBQT, mmCIF, BinaryCIF, PQR"), std::string::npos) << error.what();
  }
}

TEST(DetectFormat, noise_is_no_format) {
  std::string noise;
  std::uint32_t state = 12345;
  for (int i = 0; i < 4096; ++i) noise += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  for (const char* name : {"a.pdb", "a.cif", "a.pqr", "a.gro", "a.xyz", "a.psf", "a.mol2", "a.sdf", "a"}) {
    EXPECT_THROW(read_text(noise, name), Error) << name;
  }
}

TEST(Complete, bonds_by_distance_are_noted) {
  const Molecule molecule = read_text("3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n", "water.xyz");
  EXPECT_EQ(molecule.topology->bonds, (std::vector<Bond>{{0, 1, 1}, {0, 2, 1}}));
  ASSERT_EQ(molecule.topology->notes.size(), 1u);
  EXPECT_EQ(molecule.topology->notes[0], "Bonds were found by distance.");
}

TEST(Complete, bonds_of_the_file_stay) {
  // A bond of 3 angstrom that no distance rule would give, with its order.
  const std::string text =
      "HETATM    1  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM    2  C2  LIG A   1       3.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM    3  C3  LIG A   1       4.500   0.000   0.000  1.00  0.00           C\n"
      "CONECT    1    2    2\n";
  EXPECT_EQ(read_text(text, "l.pdb").topology->bonds, (std::vector<Bond>{{0, 1, 2}, {1, 2, 1}}));
}

TEST(ReadFiles, a_trajectory_joins_its_structure_in_either_order) {
  const std::string psf = shared_data("trajectories/tip125_tric_C36.psf");
  const std::string dcd = shared_data("trajectories/tip125_tric_C36.dcd");
  ISOLUME_NEEDS(psf);
  ISOLUME_NEEDS(dcd);
  for (const auto& paths : {std::vector{psf, dcd}, std::vector{dcd, psf}}) {
    const std::vector<Molecule> molecules = read_files(paths);
    ASSERT_EQ(molecules.size(), 1u);
    EXPECT_EQ(molecules[0].format, "PSF");
    EXPECT_EQ(molecules[0].atom_count(), 375u);
    EXPECT_EQ(molecules[0].frame_count(), read_file(dcd).frame_count());
    EXPECT_EQ(molecules[0].trajectory->frame(0).positions.size(), 375u);
  }
  const std::vector<Molecule> twice = read_files({psf, dcd, dcd});
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(twice[0].frame_count(), 2 * read_file(dcd).frame_count());
}

TEST(ReadFiles, a_trajectory_that_fits_nothing_is_an_error_with_both_counts) {
  const std::string psf = shared_data("trajectories/ala3/ala3.psf");
  const std::string dcd = shared_data("trajectories/tip125_tric_C36.dcd");
  ISOLUME_NEEDS(psf);
  ISOLUME_NEEDS(dcd);
  try {
    read_files({psf, dcd});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("375 atoms"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("42 atoms"), std::string::npos) << error.what();
  }
  EXPECT_THROW(read_files({dcd}), Error);
}

TEST(ReadFiles, psf_takes_the_coordinates_of_a_pdb) {
  const std::string psf = shared_data("structures/parv.psf");
  const std::string pdb = shared_data("structures/parv.pdb");
  ISOLUME_NEEDS(psf);
  ISOLUME_NEEDS(pdb);
  for (const auto& paths : {std::vector{psf, pdb}, std::vector{pdb, psf}}) {
    const std::vector<Molecule> molecules = read_files(paths);
    ASSERT_EQ(molecules.size(), 1u);
    EXPECT_TRUE(molecules[0].topology->has_charges);
    EXPECT_EQ(molecules[0].topology->bonds.size(), 1671u);
    EXPECT_EQ(molecules[0].frame_count(), 1u);
  }
}

TEST(ReadFiles, files_that_have_nothing_in_common_stay_apart) {
  const std::string a = shared_data("structures/1crn.pdb");
  const std::string b = shared_data("structures/c60_ih.xyz");
  ISOLUME_NEEDS(a);
  ISOLUME_NEEDS(b);
  const std::vector<Molecule> molecules = read_files({a, b});
  ASSERT_EQ(molecules.size(), 2u);
  EXPECT_EQ(molecules[0].atom_count(), 327u);
  EXPECT_EQ(molecules[1].atom_count(), 60u);
}

TEST(ReadFiles, a_map_joins_the_structure_before_it) {
  const auto place = std::filesystem::temp_directory_path() / ("isolume_read_files." + std::to_string(getpid()));
  std::filesystem::create_directory(place);
  const std::string xyz = (place / "a.xyz").string();
  const std::string cube = (place / "a.cube").string();
  const std::string other = (place / "b.cube").string();
  std::ofstream(xyz) << "1\n\nHe 0 0 0\n";
  const std::string tail = " 1 1.0 0 0\n 1 0 1.0 0\n 2 0 0 1.0\n";
  std::ofstream(cube) << "a\nb\n 1 0 0 0\n" << tail << " 2 2.0 0 0 0\n 1.0 2.0\n";
  std::ofstream(other) << "a\nb\n 1 0 0 0\n" << tail << " 10 10.0 0 0 0\n 1.0 2.0\n";  // neon, not helium
  EXPECT_EQ(read_files({xyz, cube}).size(), 1u);
  EXPECT_EQ(read_files({xyz, cube})[0].volumes.size(), 1u);
  EXPECT_EQ(read_files({xyz, other}).size(), 2u);
  std::filesystem::remove_all(place);
}

Frame frame_at(float x) {
  Frame frame;
  frame.positions = {{x, 0, 0}};
  return frame;
}

TEST(JoinedTrajectory, frames_follow_one_another) {
  const auto first = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame_at(0), frame_at(1)});
  const auto second = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame_at(2)});
  const auto joined = join_trajectories(join_trajectories(first, second), first);
  ASSERT_EQ(joined->frame_count(), 5u);
  const float expected[] = {0, 1, 2, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(joined->frame(i).positions[0].x, expected[i]);
  EXPECT_THROW(joined->frame(5), Error);
  const auto larger =
      std::make_shared<MemoryTrajectory>(std::vector<Frame>{Frame{{{0, 0, 0}, {1, 1, 1}}, {}, {}, {}, {}, 0, false}});
  EXPECT_THROW(join_trajectories(first, larger), Error);
}

}  // namespace
}  // namespace isolume
