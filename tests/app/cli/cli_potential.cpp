// isolume compute potential as a process: every method against closed forms and against the exact sums.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "render/image/image.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

using test::pqr;
using test::volt_angstrom;

TEST(PotentialMap, OfEveryMethodAgreesWithItsReference) {
  const Folder folder;
  const auto made = run({"convert", "--make", "water:14", folder / "water.pqr"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Molecule water = read_file(folder / "water.pqr");
  EXPECT_NEAR(water.topology->total_charge(), 0, 1e-4);
  EXPECT_NEAR(water.trajectory->frame(0).cell.volume(), 14.0 * 14 * 14, 1e-3);
  struct Case {
    std::vector<std::string> words;
    double relative;  // of the report, at most
  };
  const std::vector<Case> cases{{{"--method", "direct"}, 1e-5},
                                {{"--method", "direct", "--dielectric", "sigmoidal"}, 1e-4},
                                {{"--method", "direct", "--dielectric", "constant:2"}, 1e-5},
                                {{"--method", "debye-hueckel"}, 1e-5},
                                {{"--method", "cutoff", "--cutoff", "60", "--form", "plain"}, 1e-5},
                                {{"--method", "msm"}, 4e-3},
                                {{"--method", "msm", "--published"}, 4e-3},
                                {{"--method", "msm", "--tolerance", "1e-4"}, 1e-4},
                                {{"--method", "hcp", "--thresholds", "80"}, 1e-5},  // nothing is that far: all atoms
                                {{"--method", "hcp", "--thresholds", "8", "--charges", "2"}, 3e-2},
                                {{"--method", "hcp", "--thresholds", "80", "--dielectric", "sigmoidal"}, 1e-4},
                                {{"--method", "spme", "--cutoff", "6"}, 1e-2},
                                {{"--method", "spme", "--cutoff", "6", "--order", "8", "--mesh-spacing", "0.5"}, 1e-3},
                                {{"--method", "spme", "--accuracy", "1e-4"}, 1e-4},
                                {{"--method", "spme", "--tolerance", "1e-4"}, 1e-4}};
  for (const Case& test_case : cases) {
    std::vector<std::string> words{"compute", "potential",       folder / "water.pqr", "--spacing",      "1",
                                   "--out",   folder / "phi.dx", "--report",           folder / "r.json"};
    words.insert(words.end(), test_case.words.begin(), test_case.words.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_EQ(report["method"]["name"], test_case.words[1]);
    EXPECT_LE(report["error"]["relative"].get<double>(), test_case.relative) << fmt::format("{}", outcome.err);
    EXPECT_GT(report["error"]["points"].get<int>(), 0);
    EXPECT_NEAR(report["result"]["total_charge"].get<double>(), 0, 1e-4);
    EXPECT_CONTAINS(outcome.err, "relative");
    const bool screened = test_case.words[1] == "debye-hueckel";  // its error says nothing of the model
    EXPECT_CONTAINS(outcome.err, screened ? ", arithmetic error " : ", error ");
    EXPECT_CONTAINS(test::read_text(folder / "phi.dx").substr(0, 400),
                    screened ? "rel. arithmetic error" : "rel. error");
  }
}

TEST(PotentialMap, OfPeriodicSaltHasMadelungsConstant) {
  // One cubic cell of rock salt, a = 5.64; at a point of the grid on an ion that ion itself is left out.
  const double a = 5.64, h = a / 2;
  const Folder folder;
  test::write_text(folder / "salt.pqr", pqr({{0, 0, 0, 1},
                                             {h, h, 0, 1},
                                             {h, 0, h, 1},
                                             {0, h, h, 1},
                                             {h, 0, 0, -1},
                                             {0, h, 0, -1},
                                             {0, 0, h, -1},
                                             {h, h, h, -1}},
                                            "CRYST1    5.640    5.640    5.640  90.00  90.00  90.00 P 1\n"));
  const auto outcome =
      run({"compute", "potential", folder / "salt.pqr", "--method", "msm", "--periodic", "xyz", "--spacing", "1.41",
           "--tolerance", "1e-4", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule map = read_file(folder / "phi.dx");
  const Volume& volume = *map.volumes.at(0);
  ASSERT_EQ(volume.grid.counts, glm::ivec3(4));
  const double expected = -1.7475645946 * volt_angstrom / h;
  EXPECT_NEAR(volume.values[volume.grid.index(0, 0, 0)], expected, 1e-3 * std::abs(expected));
  EXPECT_NEAR(volume.values[volume.grid.index(2, 0, 0)], -expected, 1e-3 * std::abs(expected));
  EXPECT_CONTAINS(test::read_json(folder / "r.json")["error"]["reference"].get<std::string>(), "Ewald");
}

TEST(PotentialMap, ItsGridIsMadeByCountsPaddingOrAnotherMap) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  const std::string ions = folder / "ions.pqr", out = folder / "phi.dx";
  const auto grid = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compute", "potential", ions, "--out", out});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(out).volumes.at(0)->grid;
  };
  const Grid counted = grid({"--counts", "9,5,3", "--padding", "2"});
  EXPECT_EQ(counted.counts, glm::ivec3(9, 5, 3));
  EXPECT_EQ(counted.origin, glm::dvec3(-2));
  EXPECT_EQ(counted.step, glm::dmat3(1, 0, 0, 0, 1, 0, 0, 0, 2));
  const Grid padded = grid({"--padding", "3", "--spacing", "0.5"});
  EXPECT_EQ(padded.counts, glm::ivec3(21, 13, 13));
  EXPECT_EQ(padded.origin, glm::dvec3(-3));
  std::filesystem::copy_file(out, folder / "like.dx");
  EXPECT_EQ(grid({"--like", folder / "like.dx"}), padded);
  EXPECT_EQ(grid({"--grid", folder / "like.dx", "--method", "msm"}), padded);
}

TEST(PotentialMap, SaysChargeZeroAndErrorOfAChargedPeriodicCell) {
  const Folder folder;
  test::write_text(folder / "ion.pqr",
                   pqr({{1, 2, 3, 1}, {4, 2, 3, 0.5}}, "CRYST1   12.000   12.000   12.000  90.00  90.00  90.00 P 1\n"));
  const auto outcome = run({"compute", "potential", folder / "ion.pqr", "--method", "msm", "--periodic", "xyz",
                            "--counts", "24", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["result"]["total_charge"].get<double>(), 1.5, 1e-6);
  EXPECT_CONTAINS(report["method"]["zero"].get<std::string>(), "background");
  const std::string comment = test::read_text(folder / "phi.dx").substr(0, 500);
  EXPECT_CONTAINS(comment, "rel. error");
  EXPECT_CONTAINS(comment, "max");
  EXPECT_CONTAINS(comment, "total charge 1.5 e");
  EXPECT_CONTAINS(comment, "background");
  // The mean over the cell is 0, as is said.
  const Molecule map = read_file(folder / "phi.dx");
  double sum = 0, squares = 0;
  for (const float value : map.volumes.at(0)->values) {
    sum += double(value);
    squares += double(value) * double(value);
  }
  const double n = double(map.volumes.at(0)->values.size());
  EXPECT_LT(std::abs(sum / n), 0.02 * std::sqrt(squares / n));
}

TEST(PotentialSurface, IsDrawnWithItsLegendAndReplayed) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{-6, 0, 0, -1}, {6, 0, 0, 1}}));
  const auto outcome =
      run({"render", folder / "ions.pqr", "--surface", "gaussian", "--colour-by", "potential", "--range", "5", "--size",
           "400x300", "--samples", "1", "--out", folder / "a.png", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "-5 V (red) to 5 V (blue)");
  const auto legend = test::read_json(folder / "r.json")["result"]["fields"][0]["legend"];
  EXPECT_EQ(legend["unit"], "V");
  EXPECT_EQ(legend["lower"], -5);
  EXPECT_EQ(legend["upper"], 5);
  // The bar's ends at the lower left: red, then blue, with every pixel of the bar between them.
  const Image image = read_png(folder / "a.png");
  int red_x = -1, blue_x = -1;
  for (int y = image.height * 3 / 4; y < image.height; ++y)
    for (int x = 0; x < image.width / 2; ++x) {
      const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
      if (p[0] > 190 && p[1] < 50 && p[2] < 50 && red_x < 0) red_x = x;
      if (p[2] > 190 && p[0] < 50 && p[1] < 80) blue_x = std::max(blue_x, x);
    }
  EXPECT_GE(red_x, 0);
  EXPECT_GT(blue_x, red_x + 100);
  const auto replayed = run({"replay", folder / "a.png", "--out", folder / "b.png", "--trust-paths"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
  const auto lonely = run({"render", folder / "ions.pqr", "--colour-by", "potential", "--out", folder / "c.png"});
  EXPECT_EQ(lonely.code, 2);
  EXPECT_CONTAINS(lonely.err, "--surface gaussian");
  test::write_text(folder / "bare.xyz", "1\n\nNe 0 0 0\n");
  const auto bare = run(
      {"render", folder / "bare.xyz", "--surface", "gaussian", "--colour-by", "potential", "--out", folder / "c.png"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_CONTAINS(bare.err, "isolume compute charges bare.xyz");
}

TEST(PotentialMap, RefusesWhatMakesNoSense) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", pqr({{0, 0, 0, 1}, {4, 0, 0, -2}}));
  test::write_text(folder / "bare.xyz", "1\n\nNe 0 0 0\n");
  test::write_text(folder / "zeros.pqr", pqr({{0, 0, 0, 0}, {4, 0, 0, 0}}));
  test::write_text(folder / "points.csv", "3,0,0\n");
  test::write_text(folder / "flat.pqr",
                   pqr({{0, 0, 0, 1}}, "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1\n"));
  test::write_text(folder / "box.pqr",
                   pqr({{0, 0, 0, 1}, {4, 0, 0, -1}}, "CRYST1   12.000   12.000   12.000  90.00  90.00  90.00 P 1\n"));
  const std::string box = folder / "box.pqr";
  const std::string ions = folder / "ions.pqr", flat = folder / "flat.pqr", out = folder / "x.dx";
  struct Case {
    std::vector<std::string> words;
    const char* message;
  };
  const std::vector<Case> cases{
      {{ions, "--method", "spme", "--out", out}, "has no cell"},
      {{ions, "--method", "pppm", "--out", out}, "direct, cutoff, msm, spme, debye-hueckel, hcp and pb"},
      {{ions, "--method", "hcp", "--thresholds", "15/", "--out", out}, "no list of threshold distances"},
      {{ions, "--method", "msm", "--thresholds", "15", "--out", out}, "belongs to --method hcp"},
      {{ions, "--method", "hcp", "--order", "4", "--out", out}, "belongs to --method spme"},
      {{box, "--method", "spme", "--cutoff", "9", "--out", out}, "cutoff"},
      {{box, "--method", "spme", "--dielectric", "sigmoidal", "--out", out}, "spme takes constant"},
      {{box, "--method", "spme", "--accuracy", "1e-3", "--order", "6", "--out", out}, "not both"},
      {{ions, "--field", "--out", out}, "belongs to --at"},
      {{ions, "--method", "msn", "--out", out}, "msm?"},
      {{ions, "--method", "direct", "--cutoff", "3", "--out", out}, "belongs to --method cutoff or msm or spme"},
      {{ions, "--method", "msm", "--periodic", "xyz", "--out", out}, "no cell"},
      {{ions, "--method", "msm", "--periodic", "q", "--out", out}, "--periodic q"},
      {{ions, "--method", "msm", "--dielectric", "sigmoidal", "--out", out}, "direct, cutoff or hcp"},
      {{ions, "--method", "msm", "--tolerance", "1e-3", "--at", folder / "points.csv"}, "--tolerance is for maps"},
      {{ions, "--method", "msm", "--published", "--accuracy", "1e-3", "--out", out}, "not both"},
      {{ions, "--dielectric", "constant:0.5", "--out", out}, "1 or more"},
      {{folder / "bare.xyz", "--out", out}, "no partial charges"},
      {{folder / "zeros.pqr", "--out", out}, "are 0, and so would be the potential"},
      {{box, "--select", "index 0 and charge < 0", "--out", out}, "no atoms"},
      {{ions, "--counts", "5,5", "--out", out}, "expected one number of points"},
      {{ions, "--counts", "5", "--spacing", "1", "--out", out}, "exclude each other"},
      {{ions, "--counts", "99999,99999,99999", "--out", out}, "2^32"},
      {{flat, "--method", "msm", "--periodic", "xyz", "--out", out}, "no cell"},
      {{ions, "--spacing", "0.001", "--out", out}, "points"}};
  for (const Case& test_case : cases) {
    std::vector<std::string> words{"compute", "potential"};
    words.insert(words.end(), test_case.words.begin(), test_case.words.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << test_case.message << outcome.err;
    EXPECT_CONTAINS(outcome.err, test_case.message);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  // Not a layer of the map fits: said before anything is computed.
  const auto memory = run({"compute", "potential", ions, "--spacing", "0.1", "--memory-limit", "0.0001", "--out", out});
  EXPECT_EQ(memory.code, 1);
  EXPECT_CONTAINS(memory.err, "can be had");
  EXPECT_FALSE(std::filesystem::exists(out));
  const auto cannot = run({"compute", "potential", ions, "--method", "cutoff", "--cutoff", "3", "--tolerance", "1e-6",
                           "--spacing", "1", "--out", out});
  EXPECT_EQ(cannot.code, 1);
  EXPECT_CONTAINS(cannot.err, "cannot be met");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace isolume
