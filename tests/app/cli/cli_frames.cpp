// isolume compute map, rmsd-matrix, cluster, pca and msd, as processes.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "formats/read.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// Four atoms of which the first moves along x, by these places; the others are far apart and still.
std::string frames_of(const std::vector<double>& places) {
  std::ostringstream out;
  for (const double x : places) out << "4\nframe\nC " << x << " 0 0\nC 20 0 0\nC 0 20 0\nC 0 0 20\n";
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(RmsdMatrixVerb, OfFramesAsTheyAreIsTheDistanceMoved) {
  const Folder folder;
  test::write_text(folder / "run.xyz", frames_of({0, 2, 6}));
  const auto outcome = run({"compute", "rmsd-matrix", folder / "run.xyz", "--no-fit", "--out", folder / "m.csv",
                            "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // Of four atoms one moves: half of its distance.
  EXPECT_EQ(test::read_text(folder / "m.csv"),
            "frame,0,1,2\n0,0.0000,1.0000,3.0000\n1,1.0000,0.0000,2.0000\n2,3.0000,2.0000,0.0000\n");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["mean"].get<double>(), 2, 1e-6);
  EXPECT_EQ(report["result"]["farthest_frames"], (nlohmann::json{0, 2}));
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_EQ(run({"compute", "rmsd-matrix", folder / "run.xyz", "--frames", "1", "--out", folder / "x.csv"}).code, 2);
}

TEST(ClusterVerb, ListsGroupsAndTheirMiddles) {
  const Folder folder;
  test::write_text(folder / "run.xyz", frames_of({0, 2, 4, 20, 22}));
  const auto outcome = run({"compute", "cluster", folder / "run.xyz", "--no-fit", "--cutoff", "1.1", "--out",
                            folder / "c.csv", "--table", folder / "t.csv", "--middles", folder / "m.xyz"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(test::read_text(folder / "c.csv"), "frame,cluster\n0,1\n1,1\n2,1\n3,2\n4,2\n");
  const auto table = lines_of(test::read_text(folder / "t.csv"));
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table[1], "1,3,1,1.0000");
  EXPECT_EQ(table[2], "2,2,3,1.0000");
  EXPECT_EQ(read_file(folder / "m.xyz").frame_count(), 2u);
  const auto refused = run({"compute", "cluster", folder / "run.xyz", "--count", "2", "--out", folder / "c.csv"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--method average"), std::string::npos) << refused.err;
}

TEST(PcaVerb, WritesProjectionsAndAMode) {
  const Folder folder;
  test::write_text(folder / "run.xyz", frames_of({0, 1, 2, 3, 4}));
  const auto outcome =
      run({"compute", "pca", folder / "run.xyz", "--no-fit", "--components", "1", "--out", folder / "p.csv",
           "--trajectory", folder / "mode.xyz", "--steps", "8", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(test::read_text(folder / "p.csv"));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[1], "0,-2.000000");
  EXPECT_EQ(lines[5], "4,2.000000");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["variances"][0].get<double>(), 2.5, 1e-9);  // of 0 to 4
  EXPECT_NEAR(report["result"]["parts"][0].get<double>(), 1, 1e-9);
  const Molecule mode = read_file(folder / "mode.xyz");
  ASSERT_EQ(mode.frame_count(), 8u);
  // Two standard deviations away after a quarter of the period.
  EXPECT_NEAR(mode.trajectory->frame(2).positions[0].x, 2 + 2 * std::sqrt(2.5), 1e-3);
}

TEST(MeanStructureVerb, WritesTheMeanAndNamesTheNearestFrame) {
  const Folder folder;
  test::write_text(folder / "run.xyz", frames_of({0, 2, 4, 10}));
  const auto outcome = run({"compute", "mean-structure", folder / "run.xyz", "--no-fit", "--out", folder / "mean.pdb",
                            "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule mean = read_file(folder / "mean.pdb");
  ASSERT_EQ(mean.frame_count(), 1u);
  EXPECT_NEAR(mean.trajectory->frame(0).positions[0].x, 4, 1e-3);
  // Mean square 14 of the one that moves; B = 8 pi^2 / 3 of it.
  EXPECT_NEAR(mean.topology->atoms[0].b_factor, 8 * M_PI * M_PI / 3 * 14, 0.01);
  EXPECT_EQ(mean.topology->atoms[1].b_factor, 0);
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["nearest_frame"], 2);
  EXPECT_NEAR(report["result"]["rmsf"].get<double>(), std::sqrt(14.0 / 4), 1e-6);
  EXPECT_EQ(
      run({"compute", "mean-structure", folder / "run.xyz", "--no-fit", "--fit", "all", "--out", folder / "m.pdb"})
          .code,
      2);
  EXPECT_EQ(
      run({"compute", "mean-structure", folder / "run.xyz", "--select", "resid 9", "--out", folder / "m.pdb"}).code, 2);
}

TEST(MsdVerb, OfAStraightLineSaysThatItIsNoDiffusion) {
  const Folder folder;
  std::vector<double> places;
  for (int i = 0; i < 40; ++i) places.push_back(0.5 * i);
  test::write_text(folder / "run.xyz", frames_of(places));
  const auto outcome = run({"compute", "msd", folder / "run.xyz", "--select", "index 0", "--step", "2", "--out",
                            folder / "m.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("no diffusion"), std::string::npos) << outcome.err;
  const auto lines = lines_of(test::read_text(folder / "m.csv"));
  ASSERT_EQ(lines.size(), 41u);
  EXPECT_EQ(lines[11].substr(0, 6), "20,25,");  // ten frames of 0.5 angstrom, after 20 ps
  EXPECT_NEAR(test::read_json(folder / "r.json")["result"]["exponent"].get<double>(), 2, 1e-6);
  const auto no_time = run({"compute", "msd", folder / "run.xyz", "--select", "index 0", "--out", folder / "x.csv"});
  EXPECT_EQ(no_time.code, 2);
  EXPECT_NE(no_time.err.find("--step"), std::string::npos) << no_time.err;
}

TEST(MapVerb, SubtractsTheMapOfAModel) {
  const Folder folder;
  test::write_text(folder / "two.pdb",
                   "ATOM      1  O   GLY A   1       0.000   0.000   0.000  1.00  0.00           O\n"
                   "ATOM      2  CA  GLY A   1       4.000   0.000   0.000  1.00  0.00           C\nEND\n");
  ASSERT_EQ(run({"compute", "density-map", folder / "two.pdb", "--resolution", "4", "--spacing", "1", "--out",
                 folder / "m.mrc"})
                .code,
            0);
  const auto outcome = run({"compute", "map", folder / "m.mrc", "--minus", folder / "two.pdb", "--resolution", "4",
                            "--out", folder / "d.mrc", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["maximum"].get<double>(), 0, 1e-6);
  EXPECT_NEAR(report["result"]["minimum"].get<double>(), 0, 1e-6);
  const auto twice = run({"compute", "map", folder / "m.mrc", "--plus", folder / "m.mrc", "--step", "2", "--out",
                          folder / "s.dx", "--quiet"});
  ASSERT_EQ(twice.code, 0) << twice.err;
  const Molecule before = read_file(folder / "m.mrc"), after = read_file(folder / "s.dx");
  const Volume &a = *before.volumes[0], &b = *after.volumes[0];
  EXPECT_EQ(b.grid.counts, (a.grid.counts + 1) / 2);
  EXPECT_NEAR(b.values[b.grid.index(2, 2, 2)], 2 * a.values[a.grid.index(4, 4, 4)], 1e-5);
  const auto clash = run({"compute", "map", folder / "m.mrc", "--out", folder / "m.mrc"});
  EXPECT_EQ(clash.code, 2);
  EXPECT_EQ(run({"compute", "map", folder / "m.mrc", "--dust", "3", "--out", folder / "x.mrc"}).code, 2);
}

}  // namespace
}  // namespace isolume
