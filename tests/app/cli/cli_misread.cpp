// Orbitals that fail the self-check of their file: warnings, the report,
// refusal, --force.
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// A hydrogen atom whose orbital has this coefficient instead of 1.
std::string hydrogen(const Folder& folder, const std::string& coefficient) {
  const std::string path = folder / ("h" + coefficient + ".molden");
  test::write_text(path,
                   "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\n[GTO]\n1 "
                   "0\ns 1 1.00\n 1.0 1.0\n\n[MO]\n"
                   "Ene= -0.5\nSpin= Alpha\nOccup= 1\n1 " +
                       coefficient + "\n");
  return path;
}

std::vector<std::string> made(const Folder& folder, const std::string& verb, const std::string& file) {
  if (verb == "render")
    return {"render", file,    "--size",         "64x64",    "--samples",
            "1",      "--out", folder / "p.png", "--report", folder / "r.json"};
  return {"compute", verb, file, "--spacing", "0.5", "--out", folder / "p.cube", "--report", folder / "r.json"};
}

class Misread : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Verbs, Misread, testing::Values("orbital", "density", "render"));

TEST_P(Misread, IsWarnedOfOnStderrAndInTheReport) {
  const Folder folder;
  const auto outcome = run(made(folder, GetParam(), hydrogen(folder, "1.005")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("orbitals are not orthonormal over the basis"), std::string::npos) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  ASSERT_EQ(report["result"]["warnings"].size(), 1u);
  EXPECT_NE(report["result"]["warnings"][0].get<std::string>().find("residual 0.01)"), std::string::npos);
}

TEST_P(Misread, IsRefusedBeyondATenth) {
  const Folder folder;
  const std::string file = hydrogen(folder, "1.2");
  const auto refused = run(made(folder, GetParam(), file));
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("residual 0.44)"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  auto words = made(folder, GetParam(), file);
  words.push_back("--force");
  const auto forced = run(words);
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_NE(forced.err.find("warning: The o"), std::string::npos) << forced.err;
}

TEST_P(Misread, IsNotSaidOfSoundOrbitals) {
  const Folder folder;
  const auto outcome = run(made(folder, GetParam(), hydrogen(folder, "1.0")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_FALSE(test::read_json(folder / "r.json")["result"].contains("warnings"));
}

}  // namespace
}  // namespace isolume
