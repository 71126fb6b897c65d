// isolume compute compare as a process: two methods on one grid.
#include <gtest/gtest.h>

#include <cmath>

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
}

}  // namespace
}  // namespace isolume
