// isolume compute density-map, correlation, fit-map, and dynamics in a map, as processes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "formats/read.h"
#include "formats/write/write.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// One oxygen and one carbon; 6.66432 angstrom are 1.5 angstrom of sigma.
const char* const two_atoms =
    "ATOM      1  O   GLY A   1       0.000   0.000   0.000  1.00  0.00           O\n"
    "ATOM      2  CA  GLY A   1       4.000   0.000   0.000  1.00  0.00           C\nEND\n";
constexpr double resolution = 1.5 * std::numbers::pi * std::numbers::sqrt2;

std::string text_of(double value) {
  std::ostringstream out;
  out.precision(12);
  out << value;
  return out.str();
}

TEST(DensityMapVerb, WritesGaussians) {
  const Folder folder;
  test::write_text(folder / "two.pdb", two_atoms);
  const auto outcome =
      run({"compute", "density-map", folder / "two.pdb", "--resolution", text_of(resolution), "--spacing", "1",
           "--device", "cpu", "--out", folder / "m.mrc", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule file = read_file(folder / "m.mrc");
  const Volume& volume = *file.volumes.front();
  const double sigma = 1.5, height = std::pow(2 * std::numbers::pi * sigma * sigma, -1.5);
  double sum = 0;
  for (int k = 0; k < volume.grid.counts.z; ++k) {
    for (int j = 0; j < volume.grid.counts.y; ++j) {
      for (int i = 0; i < volume.grid.counts.x; ++i) {
        const glm::dvec3 p = volume.grid.point(i, j, k);
        const double value = static_cast<double>(volume.values[volume.grid.index(i, j, k)]);
        const glm::dvec3 d = p - glm::dvec3(4, 0, 0);
        const double expected = height * (8 * std::exp(-glm::dot(p, p) / 4.5) + 6 * std::exp(-glm::dot(d, d) / 4.5));
        ASSERT_NEAR(value, expected, 1e-5 * 8 * height);
        sum += value;
      }
    }
  }
  EXPECT_NEAR(sum, 14, 0.2);  // three sigmas beyond the outermost atom
  const auto report = test::read_json(folder / "r.json");
  EXPECT_NEAR(report["method"]["sigma"].get<double>(), 1.5, 1e-6);
  EXPECT_LT(report["error"]["relative"].get<double>(), 1e-5);
  EXPECT_NEAR(report["result"]["integral"].get<double>(), sum, 1e-3);
  EXPECT_EQ(report["unit"], "e/angstrom^3");
}

TEST(CorrelationVerb, OfAMapWithItsOwnModelIsOne) {
  const Folder folder;
  test::write_text(folder / "two.pdb", two_atoms);
  const std::vector<std::string> model{"--resolution", text_of(resolution), "--device", "cpu"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), model.begin(), model.end());
    return run(words);
  };
  ASSERT_EQ(with({"compute", "density-map", folder / "two.pdb", "--spacing", "1", "--out", folder / "m.mrc"}).code, 0);
  const auto outcome = with({"compute", "correlation", folder / "two.pdb", "--map", folder / "m.mrc", "--mask",
                             "distance", "--distance", "2", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_NEAR(result["correlation"].get<double>(), 1, 1e-6);
  EXPECT_NEAR(result["about_zero"].get<double>(), 1, 1e-6);
  // Points within 2 of two atoms 4 apart, the one in the middle once.
  EXPECT_EQ(result["frames"][0]["masked"]["points"].get<double>(), 65);
  const auto by = with({"compute", "correlation", folder / "two.pdb", "--map", folder / "m.mrc", "--by", "atom",
                        "--window", "1", "--out", folder / "atoms.csv"});
  ASSERT_EQ(by.code, 0) << by.err;
  std::istringstream table(test::read_text(folder / "atoms.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "frame,chain,segment,residue,number,atom,serial,points,correlation,correlation about zero");
  std::getline(table, line);
  EXPECT_EQ(line.rfind("0,A,,GLY,1,O,1,7,1.00000", 0), 0u) << line;
  // Of selections: the first atom's window is that of --by atom, and both atoms have the points of either.
  const auto parts = with({"compute", "correlation", folder / "two.pdb", "--map", folder / "m.mrc", "--part", "name O",
                           "--part", "all", "--window", "1", "--out", folder / "parts.csv"});
  ASSERT_EQ(parts.code, 0) << parts.err;
  EXPECT_CONTAINS(test::read_text(folder / "parts.csv"),
                  "frame,selection,points,correlation,correlation about zero\n0,name O,7,1.00000");
  EXPECT_CONTAINS(test::read_text(folder / "parts.csv"), "\n0,all,14,");
  const auto none =
      with({"compute", "correlation", folder / "two.pdb", "--map", folder / "m.mrc", "--part", "name XX"});
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "--part");
  // Map against map: one with itself, and with one of twice its values.
  const auto maps =
      run({"compute", "correlation", folder / "m.mrc", "--map", folder / "m.mrc", "--report", folder / "maps.json"});
  ASSERT_EQ(maps.code, 0) << maps.err;
  EXPECT_NEAR(test::read_json(folder / "maps.json")["result"]["correlation"].get<double>(), 1, 1e-9);
}

TEST(FitMapVerb, BringsAModelBack) {
  const Folder folder;
  // Four atoms that no turn brings onto each other.
  const char* const names[] = {"O", "C", "N", "S"};
  const double places[4][3] = {{0, 0, 0}, {5, 0, 0}, {0, 7, 0}, {1, 1, 4}};
  const auto model = [&](glm::dvec3 shift) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      char line[100];
      std::snprintf(line, sizeof(line), "HETATM%5d  %s   LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00           %s\n",
                    i + 1, names[i], places[i][0] + shift.x, places[i][1] + shift.y, places[i][2] + shift.z, names[i]);
      text += line;
    }
    return text + "END\n";
  };
  test::write_text(folder / "right.pdb", model(glm::dvec3(0)));
  test::write_text(folder / "near.pdb", model({0.7, -0.5, 0.4}));
  test::write_text(folder / "far.pdb", model({100, 50, -30}));
  ASSERT_EQ(run({"compute", "density-map", folder / "right.pdb", "--resolution", "4", "--spacing", "1", "--device",
                 "cpu", "--out", folder / "m.mrc"})
                .code,
            0);
  const auto expect_right = [&](const std::string& path) {
    const Molecule moved = read_file(path);
    const Frame frame = moved.trajectory->frame(0);
    for (std::size_t i = 0; i < 4; ++i) {
      const glm::dvec3 right(places[i][0], places[i][1], places[i][2]);
      EXPECT_LT(glm::distance(glm::dvec3(frame.positions[i]), right), 0.1) << path << " atom " << i;
    }
  };
  const auto near = run({"compute", "fit-map", folder / "near.pdb", "--map", folder / "m.mrc", "--resolution", "4",
                         "--device", "cpu", "--out", folder / "near_fitted.pdb", "--report", folder / "r.json"});
  ASSERT_EQ(near.code, 0) << near.err;
  expect_right(folder / "near_fitted.pdb");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_GT(report["result"]["correlation"].get<double>(), 0.99);
  EXPECT_LT(report["result"]["correlation_before"].get<double>(), 0.95);
  EXPECT_EQ(report["device"]["kind"], "cpu");
  // Far away nothing meets; the search finds it.
  const auto apart = run({"compute", "fit-map", folder / "far.pdb", "--map", folder / "m.mrc", "--resolution", "4"});
  EXPECT_EQ(apart.code, 2);
  EXPECT_CONTAINS(apart.err, "do not meet");
  const auto far = run({"compute", "fit-map", folder / "far.pdb", "--map", folder / "m.mrc", "--resolution", "4",
                        "--global", "--out", folder / "far_fitted.pdb", "--table", folder / "places.csv"});
  ASSERT_EQ(far.code, 0) << far.err;
  expect_right(folder / "far_fitted.pdb");
  EXPECT_CONTAINS(test::read_text(folder / "places.csv"), "rank,correlation");
}

TEST(MapVerbs, SayWhatIsWrong) {
  const Folder folder;
  test::write_text(folder / "two.pdb", two_atoms);
  const auto fails = [&](std::vector<std::string> words, int code, const std::string& part) {
    words.insert(words.begin() + 1, folder / "two.pdb");
    words.insert(words.begin(), "compute");
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, code) << part;
    EXPECT_CONTAINS(outcome.err, part);
  };
  const std::string map = folder / "m.mrc";
  fails({"density-map", "--out", map}, 2, "--resolution");
  fails({"density-map", "--resolution", "3", "--spacing", "2", "--out", map}, 2, "Nyquist");
  fails({"density-map", "--resolution", "3", "--out", folder / "m.txt"}, 2, "extension");
  fails({"density-map", "--resolution", "3", "--select", "protein and name XX", "--out", map}, 2, "no atoms");
  ASSERT_EQ(
      run({"compute", "density-map", folder / "two.pdb", "--resolution", "6", "--device", "cpu", "--out", map}).code,
      0);
  fails({"density-map", "--resolution", "3.9", "--like", map, "--out", folder / "n.mrc"}, 2, "Nyquist");
  fails({"correlation", "--resolution", "3.9", "--map", map}, 2, "Nyquist");
  fails({"correlation", "--resolution", "6", "--map", folder / "two.pdb"}, 3, "holds no volume");
  fails({"correlation", "--resolution", "6", "--map", map, "--threshold", "1"}, 2, "--mask threshold");
}

/// Two maps with errors on a line: what is within two standard errors of the difference becomes 0.
TEST(MapVerbs, DifferencesAreFadedWithinTheirErrors) {
  const Folder folder;
  const auto write = [&](const char* name, double start, std::vector<float> values) {
    const Grid grid{glm::dvec3(start, 0, 0), glm::dmat3(1), glm::ivec3(static_cast<int>(values.size()), 2, 2)};
    std::vector<float> all;
    for (int layer = 0; layer < 4; ++layer) all.insert(all.end(), values.begin(), values.end());
    write_volume(folder / name, VolumeView(grid, all, name, "V"), nullptr, 0, "");
  };
  write("a.dx", 0, {5, 5, 5, 5, 5});
  write("b.dx", 0, {0, 0, 0, 0, 4});
  write("a_error.dx", 0, {3, 1.5f, 0.6f, 1, 0});
  write("b_error.dx", 0, {4, 0.8f, 0.8f, -1, 0});
  write("shifted.dx", -0.5, {1, 1, 1, -1, 1, 1});
  const auto map = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compute",       "map",   folder / "a.dx", "--minus",
                                   folder / "b.dx", "--out", folder / "d.dx"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto outcome = map({"--error", folder / "a_error.dx", "--minus-error", folder / "b_error.dx", "--error-out",
                            folder / "e.dx", "--faded-out", folder / "f.dx"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err,
                  "significant (above 2 standard errors) at 60.0 % of the points, without an error at 20.0 %");
  const Volume error = *read_file(folder / "e.dx").volumes.at(0), faded = *read_file(folder / "f.dx").volumes.at(0);
  // 5 +- 5: nothing. 5 +- 1.7, 2.94 errors: 0.47 of it. 5 +- 1: all. One error is not known; an error of 0 leaves all.
  const double errors[] = {5, 1.7, 1, -1, 0}, shown[] = {0, 5 * (5 / 1.7 / 2 - 1), 5, 0, 1};
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(error.values[i], errors[i % 5], 1e-6) << i;
    EXPECT_NEAR(faded.values[i], shown[i % 5], 1e-5) << i;
  }
  // Interpolated, an error is not known next to where it is not known.
  const auto fails = [&](std::vector<std::string> more, const char* part) {
    const auto refused = map(std::move(more));
    EXPECT_EQ(refused.code, 2) << part;
    EXPECT_CONTAINS(refused.err, part);
  };
  fails({"--error", folder / "shifted.dx", "--error-out", folder / "x.dx"}, "--resample");
  const auto asked = map({"--error", folder / "shifted.dx", "--resample", "--error-out", folder / "x.dx"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  const Volume between = *read_file(folder / "x.dx").volumes.at(0);
  const double expected[] = {1, 1, -1, -1, 1};
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(between.values[i], expected[i % 5], 1e-6) << i;
  fails({"--faded-out", folder / "x.dx"}, "need the standard error of a map");
  fails({"--error", folder / "a_error.dx"}, "go with --error-out or --faded-out");
  fails({"--error", folder / "a_error.dx", "--faded-out", folder / "x.dx", "--step", "2"}, "plain --minus");
}

// The hairpin of trpzip2 in one conformation is pulled into a map of another.
TEST(DynamicsInAMap, MovesAModelIntoIt) {
  const std::string topology = test::shared_data("trajectories/tz2/tz2.parm7");
  const std::string coordinates = test::shared_data("trajectories/tz2/tz2.nc");
  ISOLUME_NEEDS(topology);
  const Folder folder;
  ASSERT_EQ(run({"compute", "density-map", topology, coordinates, "--select", "not hydrogen", "--frame", "1",
                 "--resolution", "6", "--spacing", "1", "--device", "cpu", "--out", folder / "m.mrc"})
                .code,
            0);
  const auto outcome = run({"compute",
                            "dynamics",
                            topology,
                            coordinates,
                            "--frame",
                            "0",
                            "--map",
                            folder / "m.mrc",
                            "--map-scale",
                            "0.5",
                            "--map-restraints",
                            "centres",
                            "--resolution",
                            "6",
                            "--method",
                            "direct",
                            "--dielectric",
                            "constant:80",
                            "--time",
                            "10",
                            "--friction",
                            "10",
                            "--every",
                            "1000",
                            "--out",
                            folder / "run.dcd",
                            "--report",
                            folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  const auto& correlation = report["result"]["correlation"];
  EXPECT_GT(correlation["last"].get<double>(), correlation["first"].get<double>() + 0.1);
  EXPECT_GT(report["method"]["map"]["restraints"]["peptides"].get<int>(), 10);
  EXPECT_EQ(report["device"]["kind"], "cpu");
  const Molecule target = read_files({topology, coordinates}).front(),
                 moved = read_files({topology, folder / "run.dcd"}).front();
  const auto a = target.trajectory->frame(1).positions, start = target.trajectory->frame(0).positions;
  const auto b = moved.trajectory->frame(moved.frame_count() - 1).positions;
  const auto rmsd = [&](const std::vector<glm::vec3>& x) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Name name = target.topology->atoms[i].name;
      if (name != "CA" && name != "C" && name != "N") continue;
      sum += glm::dot(glm::dvec3(x[i] - a[i]), glm::dvec3(x[i] - a[i]));
      count += 1;
    }
    return std::sqrt(sum / count);
  };
  EXPECT_GT(rmsd(start), 2.5);
  EXPECT_LT(rmsd(b), 1.0);
}

}  // namespace
}  // namespace isolume
