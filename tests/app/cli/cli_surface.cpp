// isolume compute surface, sasa and cavities as a process: formulas, another program's areas, files and assemblies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::data;
using test::Folder;
using test::run;
using test::shared_data;

constexpr double pi = 3.14159265358979323846;

// Two atoms with charges and radii of their own; 20 angstrom apart, so that each has a sphere.
void write_pair(const std::string& path) {
  test::write_text(path,
                   "ATOM      1  O   LIG A   1       0.000   0.000   0.000  1.0000 2.0000\n"
                   "ATOM      2  C   LIG A   2      20.000   0.000   0.000 -1.0000 1.5000\n");
}

TEST(CliSurface, reports_area_volume_and_parts_of_spheres) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  for (const auto& [kind, extra] : {std::pair{"ses", 0.0}, {"sas", 1.4}}) {
    const auto outcome = run({"compute", "surface", folder / "pair.pqr", "--kind", kind, "--spacing", "0.2", "--out",
                              folder / "s.ply", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto result = test::read_json(folder / "r.json")["result"];
    const double a = 2 + extra, b = 1.5 + extra;
    EXPECT_NEAR(result["area"].get<double>(), 4 * pi * (a * a + b * b), 0.01 * 4 * pi * (a * a + b * b)) << kind;
    EXPECT_NEAR(result["volume"].get<double>(), 4 * pi / 3 * (a * a * a + b * b * b), 0.1 * (a * a + b * b)) << kind;
    EXPECT_EQ(result["euler_characteristic"], 4);
    EXPECT_EQ(result["parts"], 2);
    EXPECT_EQ(result["border_edges"], 0);
  }
}

TEST(CliSurface, wraps_one_ball_for_each_residue) {
  // Two residues of two atoms, 2 and 4 angstrom apart, whose balls have R^2 = (5/3) R_g^2 + <r^2>, by mass.
  const Folder folder;
  test::write_text(folder / "two.pqr",
                   "ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.0000 2.0000\n"
                   "ATOM      2  C   LIG A   1       2.000   0.000   0.000  1.0000 1.5000\n"
                   "ATOM      3  C   LIG A   2      60.000   0.000   0.000  1.0000 2.0000\n"
                   "ATOM      4  C   LIG A   2      64.000   0.000   0.000 -1.0000 2.0000\n");
  // Where a Gaussian of width 1 that ends at 4 is 0.5.
  const double end = std::exp(-8.0);
  double low = 0, high = 4;
  for (int k = 0; k < 60; ++k) {
    const double d = (low + high) / 2;
    (std::exp(-d * d / 2) - end * d * d / 16 > 0.5 ? low : high) = d;
  }
  const double first = 5.0 / 3 * 1 + (4 + 2.25) / 2, second = 5.0 / 3 * 4 + 4;
  const auto outcome = run({"compute", "surface", folder / "two.pqr", "--beads", "residues", "--quality", "maximum",
                            "--spacing", "0.25", "--out", folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["beads"], "residues");
  EXPECT_EQ(report["method"]["cutoff_sigmas"], 4);
  EXPECT_EQ(report["result"]["parts"], 2);
  const double expected = 4 * pi * low * low * (first + second);
  EXPECT_NEAR(report["result"]["area"].get<double>(), expected, 0.005 * expected);
  EXPECT_EQ(
      run({"compute", "surface", folder / "two.pqr", "--kind", "ses", "--beads", "residues", "--out", folder / "s.ply"})
          .code,
      2);
}

TEST(CliSurface, colours_by_the_potential_along_the_normal) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  const auto outcome =
      run({"compute", "surface", folder / "pair.pqr", "--kind", "ses", "--spacing", "0.4", "--colour-by", "potential",
           "--offset", "1.4", "--out", folder / "s.glb", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto range = test::read_json(folder / "r.json")["result"]["scalars"]["potential"];
  // 14.3996 V angstrom (e / 4 pi epsilon_0), 3.4 from one charge and 16.6 to 23.4 from the other.
  EXPECT_NEAR(range["maximum"].get<double>(), 14.39964 * (1 / 3.4 - 1 / 23.4), 0.03);
  EXPECT_NEAR(range["minimum"].get<double>(), -14.39964 * (1 / 2.9 - 1 / 22.9), 0.03);
  const std::string bytes = test::read_text(folder / "s.glb");
  EXPECT_NE(bytes.find("_POTENTIAL"), std::string::npos);
  EXPECT_NE(bytes.find("\"unit\":\"V\""), std::string::npos);
  EXPECT_NE(bytes.find("\"command\":\"isolume compute surface"), std::string::npos);
}

TEST(CliSurface, writes_curvature) {
  const Folder folder;
  test::write_text(folder / "one.xyz", "1\n\nHe 0 0 0\n");
  const auto outcome =
      run({"compute", "surface", folder / "one.xyz", "--kind", "sas", "--probe", "2.6", "--spacing", "0.2", "--smooth",
           "5", "--colour-by", "curvature", "--out", folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = test::read_json(folder / "r.json")["result"];
  const double radius = std::sqrt(result["area"].get<double>() / (4 * pi));
  EXPECT_NEAR(result["scalars"]["mean curvature"]["minimum"].get<double>(), 1 / radius, 0.1 / radius);
  EXPECT_NEAR(result["scalars"]["mean curvature"]["maximum"].get<double>(), 1 / radius, 0.1 / radius);
  EXPECT_NE(test::read_text(folder / "s.ply").find("property float mean_curvature"), std::string::npos);
}

TEST(CliSurface, smooths_and_keeps_the_volume) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  double volumes[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    const auto outcome = run({"compute", "surface", folder / "pair.pqr", "--smooth", i == 0 ? "0" : "8", "--out",
                              folder / "s.ply", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    volumes[i] = test::read_json(folder / "r.json")["result"]["volume"].get<double>();
  }
  EXPECT_NEAR(volumes[1], volumes[0], 1e-4 * volumes[0]);
  EXPECT_EQ(test::read_json(folder / "r.json")["method"]["smoothing"]["steps"], 8);
}

TEST(CliSurface, writes_frames_as_numbered_files_or_one_animation) {
  const Folder folder;
  std::string xyz;
  for (int frame = 0; frame < 3; ++frame) xyz += "1\n\nC " + std::to_string(frame) + " 0 0\n";
  test::write_text(folder / "run.xyz", xyz);
  auto outcome = run({"compute", "surface", folder / "run.xyz", "--frames", ":", "--out", folder / "s.stl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"s_0000.stl", "s_0001.stl", "s_0002.stl"})
    EXPECT_GT(test::read_text(folder / name).size(), 1000u) << name;
  outcome = run({"compute", "surface", folder / "run.xyz", "--frames", ":", "--fps", "10", "--out", folder / "s.glb"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string bytes = test::read_text(folder / "s.glb");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, 4);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  EXPECT_EQ(json["meshes"].size(), 3u);
  EXPECT_EQ(json["animations"][0]["channels"].size(), 3u);
}

// A ball at a corner of its cell: eight pieces of one sphere, cut at the faces, or the whole sphere.
TEST(CliSurface, repeats_atoms_along_the_cell) {
  const Folder folder;
  test::write_text(folder / "corner.pqr",
                   "CRYST1   12.000   14.000   11.000  80.00  75.00  70.00 P 1           1\n"
                   "ATOM      1  O   LIG A   1      12.000   0.000   0.000  1.0000 2.0000\n");
  const double area = 4 * pi * 3.4 * 3.4;
  auto outcome = run({"compute", "surface", folder / "corner.pqr", "--kind", "sas", "--spacing", "0.25", "--periodic",
                      "--out", folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["area"].get<double>(), area, 0.01 * area);
  EXPECT_GT(report["result"]["border_edges"].get<int>(), 100);
  EXPECT_GT(report["result"]["parts"].get<int>(), 4);
  EXPECT_EQ(report["method"]["periodic"], true);
  EXPECT_TRUE(report["result"]["volume"].is_null());
  outcome = run({"compute", "surface", folder / "corner.pqr", "--kind", "sas", "--spacing", "0.25", "--out",
                 folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["area"].get<double>(), area, 0.01 * area);
  EXPECT_EQ(report["result"]["parts"], 1);
  write_pair(folder / "pair.pqr");
  outcome = run({"compute", "surface", folder / "pair.pqr", "--periodic", "--out", folder / "s.ply"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "needs a periodic cell");
}

TEST(CliSurface, explains_what_makes_no_sense) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  EXPECT_EQ(
      run({"compute", "surface", folder / "pair.pqr", "--kind", "ses", "--isovalue", "1", "--out", folder / "s.ply"})
          .code,
      2);
  EXPECT_EQ(run({"compute", "surface", folder / "pair.pqr", "--colour-by", "map", "--out", folder / "s.ply"}).code, 2);
  const auto outcome = run({"compute", "surface", folder / "pair.pqr", "--assembly", "1", "--out", folder / "s.ply"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "describes none");
}

// Lysozyme and haemoglobin; FreeSASA 2.1.2 (Debian), --lee-richards --resolution=1000: 6522.613 and 25585.426.
TEST(CliSasa, agrees_with_freesasa) {
  const Folder folder;
  for (const auto& [name, expected, atoms] : {std::tuple{"1aki", 6522.613, 1001}, {"4hhb", 25585.426, 4384}}) {
    const std::string path = shared_data(std::string("structures/") + name + ".pdb");
    ISOLUME_NEEDS(path);
    const auto outcome = run({"compute", "sasa", path, "--radii", "protor", "--select", "protein", "--out",
                              folder / "a.csv", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto result = test::read_json(folder / "r.json")["result"];
    EXPECT_EQ(result["atoms"], atoms);
    EXPECT_NEAR(result["area"].get<double>(), expected, 1e-3 * expected);  // as sasa.h promises
  }
}

TEST(CliSasa, sums_over_residues) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  auto outcome = run({"compute", "sasa", folder / "pair.pqr", "--per-residue"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.out, "frame,chain,segment,residue,number,area (angstrom^2)\n0,A,,LIG,1,145.267");
  EXPECT_CONTAINS(outcome.out, "\n0,A,,LIG,2,105.683");
  outcome = run({"compute", "sasa", folder / "pair.pqr", "--probe", "0"});
  EXPECT_CONTAINS(outcome.out, ",O,2.000,50.2655\n");
}

TEST(CliCavities, lists_none_of_two_atoms) {
  const Folder folder;
  write_pair(folder / "pair.pqr");
  const auto outcome = run({"compute", "cavities", folder / "pair.pqr", "--select", "all"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "cavity,kind,volume (angstrom^3),x (angstrom),y (angstrom),z (angstrom),atoms,residues\n");
}

TEST(CliAssembly, is_listed_built_and_converted) {
  const Folder folder;
  test::write_text(folder / "two.pdb",
                   "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
                   "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
                   "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
                   "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"
                   "REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000       30.00000\n"
                   "REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000\n"
                   "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000\n"
                   "ATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00  0.00           C\n");
  auto outcome = run({"info", folder / "two.pdb", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["assemblies"][0]["operators"], 2);
  EXPECT_EQ(json["assemblies"][0]["atoms"], 2);
  EXPECT_CONTAINS(run({"info", folder / "two.pdb"}).out, "1: 2 operators, 2 atoms");
  EXPECT_CONTAINS(run({"info", test::examples("crambin.pdb.gz")}).out, "1: 1 operator, 831 atoms");
  outcome = run({"info", folder / "two.pdb", "--assembly", "1", "--json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["atoms"], 2);
  outcome = run({"convert", folder / "two.pdb", folder / "two.xyz", "--assembly", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(test::read_text(folder / "two.xyz"), "29");
  outcome = run({"convert", folder / "two.pdb", folder / "two.xyz", "--assembly", "7"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "has 1");
  outcome = run({"compute", "surface", folder / "two.pdb", "--assembly", "1", "--out", folder / "s.ply", "--report",
                 folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(test::read_json(folder / "r.json")["result"]["parts"], 2);
}

}  // namespace
}  // namespace isolume
