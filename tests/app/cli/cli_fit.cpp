// isolume compute fit, and pictures in tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/documents/frames.h"
#include "formats/read.h"
#include "molecule/rigid_motion.h"
#include "program.h"
#include "render/image/image.h"
#include "render/tiles.h"

namespace isolume::test {
namespace {

const RigidMotion some_motion{glm::normalize(glm::dquat(0.3, -0.7, 0.2, 0.5)), {4, -2.5, 11}};

/// Five atoms without symmetry; with more frames, they tumble.
void write_xyz(const std::string& path, const RigidMotion& motion, int frames = 1) {
  std::ofstream out(path);
  out.precision(9);
  const glm::dvec3 points[] = {{0, 0, 0}, {3, 0, 0}, {0, 5, 0}, {0, 0, 4}, {-2, 1, 1}};
  const char* elements[] = {"C", "O", "N", "S", "C"};
  for (int f = 0; f < frames; ++f) {
    out << "5\n\n";
    const glm::dquat tumble = glm::angleAxis(0.4 * f, glm::dvec3(0, 0, 1));
    for (int i = 0; i < 5; ++i) {
      const glm::dvec3 p = motion(tumble * points[i]);
      out << elements[i] << ' ' << p.x << ' ' << p.y << ' ' << p.z << '\n';
    }
  }
}

class Fit : public ::testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Fit, MovesAFileOntoAnother) {
  write_xyz(folder_ / "fixed.xyz", {});
  write_xyz(folder_ / "moving.xyz", some_motion);
  const auto report = folder_ / "r.json";
  const Outcome done = run({"compute", "fit", folder_ / "moving.xyz", "--onto", folder_ / "fixed.xyz", "--out",
                            folder_ / "moved.xyz", "--report", report});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto json = read_json(report);
  EXPECT_EQ(json["result"]["pairs"], 5);
  EXPECT_LT(json["result"]["rmsd"].get<double>(), 1e-5);
  const auto q = json["result"]["rotation"];
  const glm::dquat found(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>());
  EXPECT_NEAR(std::abs(glm::dot(found, inverse(some_motion).rotation)), 1, 1e-9);
  const Molecule moved = read_file(folder_ / "moved.xyz"), fixed = read_file(folder_ / "fixed.xyz");
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_LT(glm::distance(frame_at(moved, 0).positions[i], frame_at(fixed, 0).positions[i]), 2e-4f) << i;
}

TEST_F(Fit, FramesLieOnTheOneThatIsNamed) {
  write_xyz(folder_ / "run.xyz", some_motion, 4);
  const Outcome done = run({"compute", "fit", folder_ / "run.xyz", "--onto-frame", "2", "--out", folder_ / "steady.xyz",
                            "--table", folder_ / "t.csv"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Molecule steady = read_file(folder_ / "steady.xyz"), before = read_file(folder_ / "run.xyz");
  ASSERT_EQ(steady.frame_count(), 4u);
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LT(glm::distance(frame_at(steady, f).positions[i], frame_at(before, 2).positions[i]), 2e-4f) << f;
  std::ifstream table(folder_ / "t.csv");
  std::string line;
  int lines = 0;
  while (std::getline(table, line)) ++lines;
  EXPECT_EQ(lines, 5);
}

TEST_F(Fit, SaysWhatIsWrong) {
  write_xyz(folder_ / "a.xyz", {});
  EXPECT_EQ(run({"compute", "fit", folder_ / "a.xyz", "--onto", folder_ / "a.xyz", "--select", "name X"}).code, 2);
  EXPECT_EQ(run({"compute", "fit", folder_ / "a.xyz", "--match", "colour"}).code, 2);
  EXPECT_EQ(run({"compute", "fit", folder_ / "a.xyz", "--onto-frame", "3"}).code, 2);
  EXPECT_EQ(run({"compute", "fit", folder_ / "a.xyz", "--out", folder_ / "a.xyz"}).code, 2) << "the input";
  EXPECT_EQ(run({"compute", "fit", folder_ / "a.xyz", "--frames", "1"}).code, 2) << "there is one frame";
  // Formats are found by content: what is may be called as a table is.
  write_xyz(folder_ / "onto.csv", {});
  const Outcome over =
      run({"compute", "fit", folder_ / "a.xyz", "--onto", folder_ / "onto.csv", "--table", folder_ / "onto.csv"});
  EXPECT_EQ(over.code, 2);
  EXPECT_NE(over.err.find("is an input"), std::string::npos) << over.err;
  EXPECT_EQ(read_file(folder_ / "onto.csv").atom_count(), 5u);
}

TEST_F(Fit, AtomsAreSelectedOnceForAllFrames) {
  write_xyz(folder_ / "run.xyz", {}, 4);  // turning about z, so that other atoms have x < 1 in other frames
  ASSERT_EQ(run({"compute", "fit", folder_ / "run.xyz", "--onto-frame", "0", "--select", "x < 1", "--table",
                 folder_ / "t.csv"})
                .code,
            0);
  std::ifstream table(folder_ / "t.csv");
  std::string line;
  std::getline(table, line);
  int frames = 0;
  for (; std::getline(table, line); ++frames) {
    std::string pairs = line.substr(line.find(',') + 1);
    pairs.resize(pairs.find(','));
    EXPECT_EQ(pairs, "4") << line;
    EXPECT_LT(std::stod(line.substr(line.rfind(',') + 1)), 1e-5) << "the same rigid body";
  }
  EXPECT_EQ(frames, 4);
}

TEST_F(Fit, SaysHowManyFramesTheReportLeavesOut) {
  write_xyz(folder_ / "run.xyz", {}, 10'003);
  const Outcome done =
      run({"compute", "fit", folder_ / "run.xyz", "--table", folder_ / "t.csv", "--report", folder_ / "r.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto result = read_json(folder_ / "r.json")["result"];
  EXPECT_EQ(result["frames"].size(), 10'000u);
  EXPECT_EQ(result["frames_left_out"], 3);
  EXPECT_NE(done.err.find("10000 of 10003 frames"), std::string::npos) << done.err;
  std::ifstream table(folder_ / "t.csv");
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(table), {}, '\n'), 10'004);
}

TEST_F(Fit, TilesOfAPictureAreReplayed) {
  write_xyz(folder_ / "a.xyz", {});
  write_xyz(folder_ / "b.xyz", {{1, 0, 0, 0}, {80, 0, 0}});
  const Outcome drawn = run({"render", folder_ / "a.xyz", folder_ / "b.xyz", "--tile", "--style", "spheres", "--size",
                             "402x200", "--out", folder_ / "p.png"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  ASSERT_EQ(run({"replay", folder_ / "p.png", "--out", folder_ / "again.png", "--trust-paths"}).code, 0);
  const auto bytes = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  ASSERT_EQ(run({"render", folder_ / "a.xyz", folder_ / "b.xyz", "--style", "spheres", "--size", "402x200", "--out",
                 folder_ / "together.png"})
                .code,
            0);
  EXPECT_NE(bytes(folder_ / "p.png"), bytes(folder_ / "together.png"));
  EXPECT_EQ(bytes(folder_ / "p.png"), bytes(folder_ / "again.png"));
}

TEST_F(Fit, MoleculesFitIntoNarrowTiles) {
  std::vector<std::string> command{"render"};
  for (const char* name : {"a.xyz", "b.xyz", "c.xyz", "d.xyz"}) {
    std::ofstream out(folder_ / name);
    out << "9\n\n";
    for (int i = -4; i <= 4; ++i) out << "C " << 4 * i << " 0 0\n";  // wider than a tile of a picture of this height
    command.push_back(folder_ / name);
  }
  for (const char* word : {"--tile", "--style", "spheres", "--size", "800x300", "--background", "white", "--out"})
    command.emplace_back(word);
  command.push_back(folder_ / "p.png");
  ASSERT_EQ(run(command).code, 0);
  const Image picture = read_png(folder_ / "p.png");
  const TileGrid grid = TileGrid::of(4, 0, picture.width, picture.height, 1);
  ASSERT_EQ(grid.columns, 4);
  const auto empty = [&](int x) {  // below the title
    for (int y = 60; y < picture.height; ++y)
      for (int c = 0; c < 3; ++c)
        if (picture.rgba[4 * static_cast<std::size_t>(y * picture.width + x) + static_cast<std::size_t>(c)] < 250)
          return false;
    return true;
  };
  for (int tile = 0; tile < 4; ++tile) {
    const int left = grid.corner(tile).x;
    EXPECT_TRUE(empty(left + 1)) << tile;
    EXPECT_TRUE(empty(left + grid.width - 2)) << tile;
    EXPECT_FALSE(empty(left + grid.width / 2)) << tile;
  }
}

}  // namespace
}  // namespace isolume::test
