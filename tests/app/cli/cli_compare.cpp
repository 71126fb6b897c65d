// isolume compute compare as a process: two methods on one grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

#include "formats/read.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const char* const ions =
    "ATOM      1  NA  ION A   1       0.000   0.000   0.000  1.0000 1.5000\n"
    "ATOM      2  CL  ION A   2       9.000   0.000   0.000 -2.0000 1.5000\nEND\n";

TEST(Compare, TwoDielectricsDifferByTheirQuotient) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  const auto outcome =
      run({"compute", "compare", folder / "ions.pqr", "--first", "direct", "--second", "direct --dielectric constant:4",
           "--spacing", "2", "--device", "cpu", "--out", folder / "d.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // The second is a quarter of the first, so that the difference is three quarters.
  const auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_NEAR(result["difference"]["relative"].get<double>(), 0.75, 1e-5);
  EXPECT_LT(result["first"]["error"]["relative"].get<double>(), 1e-5);
  EXPECT_EQ(result["first"]["all_seconds"].size(), 3u);
  const Molecule map = read_file(folder / "d.dx");
  ASSERT_EQ(map.volumes.size(), 1u);
  const Volume& volume = *map.volumes.front();
  const double k = 14.399645;  // V A / e
  for (const std::size_t i : {std::size_t{0}, volume.values.size() / 3, volume.values.size() - 1}) {
    const auto nx = static_cast<std::size_t>(volume.grid.counts.x), ny = static_cast<std::size_t>(volume.grid.counts.y);
    const glm::dvec3 p = volume.grid.point(static_cast<double>(i % nx), static_cast<double>(i / nx % ny),
                                           static_cast<double>(i / nx / ny));
    const double v = k * (1 / glm::length(p) - 2 / glm::length(p - glm::dvec3(9, 0, 0)));
    EXPECT_NEAR(static_cast<double>(volume.values[i]), -0.75 * v, 1e-4);
  }
}

TEST(Compare, FourSidesAgainstAnyOfThem) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  const auto outcome = run({"compute",
                            "compare",
                            folder / "ions.pqr",
                            "--first",
                            "direct",
                            "--second",
                            "direct --dielectric constant:2",
                            "--third",
                            "direct --dielectric constant:4",
                            "--fourth",
                            "direct --dielectric constant:8",
                            "--reference",
                            "third",
                            "--spacing",
                            "2",
                            "--device",
                            "cpu",
                            "--repeats",
                            "1",
                            "--out",
                            folder / "d.dx",
                            "--report",
                            folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_EQ(result["reference"], "third");
  ASSERT_EQ(result["sides"].size(), 4u);
  // V / e of the reference is a quarter of V: 1 - 1/4, 1/2 - 1/4 and 1/8 - 1/4 of V are 3, 1 and -1/2 of it.
  const std::pair<const char*, double> expected[] = {{"first", 3}, {"second", 1}, {"fourth", 0.5}};
  ASSERT_EQ(result["differences"].size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(result["differences"][k]["name"], expected[k].first);
    EXPECT_NEAR(result["differences"][k]["relative"].get<double>(), expected[k].second, 1e-5);
    const Molecule map = read_file(folder / ("d-" + std::string(expected[k].first) + ".dx"));
    ASSERT_EQ(map.volumes.size(), 1u);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "d-third.dx"));
  EXPECT_NE(outcome.out.find("fourth less third"), std::string::npos) << outcome.out;
  // Signs: at a point near the negative ion the fourth, weaker, is above the third.
  const Molecule written = read_file(folder / "d-fourth.dx");
  const Volume& fourth = *written.volumes.front();
  const glm::dvec3 at = fourth.grid.coordinates(glm::dvec3(11, 1, 1));
  const glm::ivec3 node(glm::round(at));
  EXPECT_GT(fourth.values[fourth.grid.index(node.x, node.y, node.z)], 0);
}

TEST(Compare, AMapOfAFileIsASide) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  const std::string map = folder / "map.dx", report = folder / "r.json";
  const auto made = run({"compute", "potential", folder / "ions.pqr", "--method", "direct", "--unit", "kT/e",
                         "--spacing", "2", "--out", map, "--device", "cpu"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto compared = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "compute",   "compare", folder / "ions.pqr", "--second", map,        "--device", "cpu",
        "--repeats", "1",       "--map-unit",        "kT/e",     "--report", report};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  // On the map's own grid and in volts: the same potential, in single precision and six digits.
  const auto same = compared({"--first", "direct"});
  ASSERT_EQ(same.code, 0) << same.err;
  auto result = test::read_json(report)["result"];
  EXPECT_LT(result["difference"]["relative"].get<double>(), 1e-5);
  EXPECT_EQ(result["second"]["map"], map);
  EXPECT_FALSE(result["second"].contains("seconds"));
  // On another grid only where that is asked for.
  const auto other = compared({"--first", "direct", "--spacing", "1.5"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--resample"), std::string::npos) << other.err;
  // A map with a value that is no number is refused where it is read.
  std::string text = test::read_text(map);
  const std::size_t data = text.find("data follows");
  const std::size_t first = text.find_first_of("-0123456789", text.find('\n', data));
  text.replace(first, text.find_first_of(" \n", first) - first, "nan");
  test::write_text(map, text);
  EXPECT_EQ(compared({"--first", "direct"}).code, 3);
}

/// Lines of numbers.
std::vector<std::vector<double>> read_rows(const std::string& path) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(test::read_text(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string word; std::getline(words, word, ',');) rows.back().push_back(std::stod(word));
  }
  return rows;
}

const char* const points = "3,1,0\n4.5,-2,2\n12,3,-1\n-2,-2,-2\n";
const std::vector<glm::dvec3> places{{3, 1, 0}, {4.5, -2, 2}, {12, 3, -1}, {-2, -2, -2}};

double coulomb(glm::dvec3 p, double first, double second) {
  return 14.3996454784 * (first / glm::length(p) + second / glm::length(p - glm::dvec3(9, 0, 0)));  // V A / e
}

TEST(Compare, AtPointsEachSideHasItsValuesAndItsError) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  test::write_text(folder / "points.csv", points);
  const auto outcome =
      run({"compute", "compare", folder / "ions.pqr", "--first", "direct", "--second", "direct --dielectric constant:4",
           "--third", "msm --lattice-spacing 1 --cutoff 6", "--at", folder / "points.csv", "--device", "cpu",
           "--repeats", "2", "--out", folder / "v.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = read_rows(folder / "v.csv");
  ASSERT_EQ(rows.size(), places.size());
  double squares = 0, values = 0, most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 5u) << "three potentials and two differences";
    const double v = coulomb(places[i], 1, -2);
    EXPECT_NEAR(rows[i][0], v, 1e-9 * std::abs(v));
    EXPECT_NEAR(rows[i][1], v / 4, 1e-9 * std::abs(v));
    EXPECT_NEAR(rows[i][3], -0.75 * v, 1e-9 * std::abs(v));
    EXPECT_NEAR(rows[i][4], rows[i][2] - rows[i][0], 1e-12);
    squares += (rows[i][2] - v) * (rows[i][2] - v);
    values += v * v;
    most = std::max(most, std::abs(rows[i][2] - v));
  }
  const auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_EQ(result["columns"],
            (std::vector<std::string>{"first", "second", "third", "second less first", "third less first"}));
  EXPECT_TRUE(result["first"]["error"].is_null()) << "a sum in double precision";
  EXPECT_EQ(result["first"]["all_seconds"].size(), 2u);
  // The error that is stated is that of the values in the table.
  const auto& error = result["third"]["error"];
  EXPECT_GT(most, 1e-7);
  EXPECT_NEAR(error["rms"].get<double>(), std::sqrt(squares / 4), 1e-6 * most);
  EXPECT_NEAR(error["max"].get<double>(), most, 1e-6 * most);
  EXPECT_NEAR(error["relative"].get<double>(), std::sqrt(squares / values), 1e-6);
  EXPECT_EQ(error["points"], 4);
  EXPECT_NEAR(result["differences"][0]["relative"].get<double>(), 0.75, 1e-9);
  EXPECT_FALSE(result["differences"][0].contains("map"));
  EXPECT_NE(outcome.out.find("exact"), std::string::npos) << outcome.out;
}

TEST(Compare, AtPointsOfOtherChargesMapsAndPoissonBoltzmann) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  test::write_text(folder / "points.csv", points);
  const auto compared = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"compute", "compare",        folder / "ions.pqr", "--at", folder / "points.csv",
                                   "--out",   folder / "v.csv", "--device",          "cpu",  "--repeats",
                                   "1",       "--report",       folder / "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto alone = compared({"--second-select", "name NA"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  auto rows = read_rows(folder / "v.csv");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double v = coulomb(places[i], 1, 0);
    EXPECT_NEAR(rows.at(i).at(1), v, 1e-9 * std::abs(v));
    EXPECT_NEAR(rows[i][2], v - rows[i][0], 1e-9);
  }
  // A map is interpolated where that is asked for, and within its grid. 12, 3, -1 is one of its points.
  const std::string map = folder / "map.cube";
  ASSERT_EQ(run({"compute", "potential", folder / "ions.pqr", "--spacing", "1", "--padding", "6", "--out", map,
                 "--device", "cpu"})
                .code,
            0);
  const auto refused = compared({"--second", map});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--resample"), std::string::npos) << refused.err;
  const auto read = compared({"--second", map, "--resample"});
  ASSERT_EQ(read.code, 0) << read.err;
  rows = read_rows(folder / "v.csv");
  const Molecule molecule = read_file(map);
  const Volume& volume = *molecule.volumes.front();
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(rows.at(i).at(1), static_cast<double>(interpolate(volume, places[i])), 1e-6);
  test::write_text(folder / "points.csv", "3,1,0\n300,1,0\n");
  const auto outside = compared({"--second", map, "--resample"});
  EXPECT_EQ(outside.code, 2);
  EXPECT_NE(outside.err.find("1 of 2 points"), std::string::npos) << outside.err;
  // In one dielectric without ions the solution is Coulomb's sum; what it says of its error holds.
  test::write_text(folder / "points.csv", points);
  const auto solved =
      compared({"--first", "direct --dielectric constant:4", "--second",
                "pb --solute-dielectric 4 --solvent-dielectric 4 --ionic-strength 0", "--spacing", "0.5"});
  ASSERT_EQ(solved.code, 0) << solved.err;
  rows = read_rows(folder / "v.csv");
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(rows.at(i).at(1), coulomb(places[i], 1, -2) / 4, 0.02) << i;
  const auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_EQ(result["second"]["error"]["points"], 4);
  EXPECT_EQ(compared({"--second", "msm", "--spacing", "0.5"}).code, 2) << "no side has a grid";
  EXPECT_EQ(compared({"--second", "msm", "--out", folder / "v.dx"}).code, 2) << "a table is no map";
}

TEST(Compare, SaysWhatIsWrong) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", ions);
  const auto code = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compute", "compare", folder / "ions.pqr", "--device", "cpu"});
    const auto outcome = run(words);
    EXPECT_FALSE(outcome.err.empty());
    return outcome.code;
  };
  EXPECT_EQ(code({}), 2);
  EXPECT_EQ(code({"--second", "magic"}), 2);
  EXPECT_EQ(code({"--second", "direct --cutoff 12"}), 2);
  EXPECT_EQ(code({"--second", "direct --unit kT/e"}), 2);
  EXPECT_EQ(code({"--second", "msm --tolerance 1e-3"}), 2);
  EXPECT_EQ(code({"--second", "direct", "--out", folder / "d.txt"}), 2);
  EXPECT_EQ(code({"--second", "direct", "--reference", "third"}), 2);
  EXPECT_EQ(code({"--second", "direct", "--third", "direct --unit kT/e"}), 2);
  EXPECT_EQ(code({"--second", folder / "missing.dx"}), 3);
}

}  // namespace
}  // namespace isolume
