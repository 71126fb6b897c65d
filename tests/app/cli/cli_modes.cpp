// isolume compute modes: the table and the frames of normal modes.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "formats/read.h"
#include "molecule/frames.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    auto& row = rows.emplace_back(1);
    for (const char c : line) {
      if (c == ',') {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
  }
  return rows;
}

// PySCF's analysis (qm-fields/MANIFEST.md), whose masses are of isotopes: reduced masses differ by those.
TEST(Modes, OfWaterAreTheStoredOnes) {
  const Folder folder;
  const std::string file = test::shared_data("qm-fields/vibrations/water_vib.molden");
  const auto json = test::read_json(test::shared_data("qm-fields/vibrations/water_vib.json"));
  const auto outcome = run({"compute", "modes", file, "--out", folder / "m.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = rows_of(test::read_text(folder / "m.csv"));
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(test::numbers(rows[i + 1][1])[0], json.at("frequencies_cm1")[i].get<double>(), 0.01);
    EXPECT_NEAR(test::numbers(rows[i + 1][2])[0], json.at("ir_intensities_km_mol")[i].get<double>(), 0.01);
    EXPECT_EQ(rows[i + 1][3], "");
    EXPECT_NEAR(test::numbers(rows[i + 1][4])[0], json.at("reduced_masses_amu")[i].get<double>(), 1e-3);
  }
  const auto result = test::read_json(folder / "r.json").at("result");
  EXPECT_EQ(result.at("imaginary"), 0);
  EXPECT_LT(result.at("largest_overlap_of_modes").get<double>(), 1e-3);
}

TEST(Modes, AreFramesOfOnePeriod) {
  const Folder folder;
  const std::string file = test::shared_data("qm-fields/vibrations/water_vib.molden");
  const auto outcome = run({"compute", "modes", file, "--mode", "2", "--steps", "8", "--amplitude", "0.2",
                            "--trajectory", folder / "t.xyz", "--out", folder / "m.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule frames = read_file(folder / "t.xyz");
  ASSERT_EQ(frames.frame_count(), 8u);
  const auto still = frame_at(frames, 0).positions, far = frame_at(frames, 2).positions;
  float longest = 0;
  for (std::size_t a = 0; a < 3; ++a) longest = std::max(longest, glm::distance(still[a], far[a]));
  EXPECT_NEAR(longest, 0.2f, 1e-4f);
}

TEST(Modes, RefuseFilesWithoutThemAndModesThatAreNotThere) {
  const Folder folder;
  const std::string file = test::shared_data("qm-fields/vibrations/water_vib.molden");
  const auto none = run({"compute", "modes", test::shared_data("qm-fields/hi_ecp.molden"), "--out", folder / "m.csv"});
  EXPECT_EQ(none.code, 3);
  EXPECT_CONTAINS(none.err, "[FREQ]");
  const auto far = run({"compute", "modes", file, "--mode", "4", "--trajectory", folder / "t.xyz"});
  EXPECT_EQ(far.code, 2);
  EXPECT_CONTAINS(far.err, "1 to 3");
  EXPECT_EQ(run({"compute", "modes", file, "--mode", "1"}).code, 2);
  // A mode that ends early.
  std::string text = test::read_text(file);
  text.resize(text.rfind('\n', text.size() - 60));
  test::write_text(folder / "cut.molden", text);
  const auto cut = run({"compute", "modes", folder / "cut.molden", "--out", folder / "m.csv"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_CONTAINS(cut.err, "atoms");
}

}  // namespace
}  // namespace isolume
