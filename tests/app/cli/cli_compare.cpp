// isolume compute compare as a process: two methods on one grid.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
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
