// Bad input of charges and of Poisson-Boltzmann: named, with an exit status that is not 0, and nothing is written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::pqr;
using test::run;

// Each bad input by name, with an exit status that is not 0 and without a file.
TEST(CliBadInput, PoissonBoltzmannNamesItAndWritesNothing) {
  const Folder folder;
  const auto line = [](int number, double x, double charge, double radius) {
    return fmt::format("ATOM  {:5} NA   ION A{:4}    {:8.3f}   0.000   0.000 {} {}\n", number, number, x, charge,
                       radius);
  };
  const auto refused = [&](const std::string& text, std::vector<std::string> options, int code, const char* message) {
    test::write_text(folder / "in.pqr", text + "END\n");
    for (const char* verb : {"potential", "energy"}) {
      std::vector<std::string> words{"compute", verb, folder / "in.pqr", "--method", "pb", "--device", "cpu"};
      const std::string out = folder / "o.dx", report = folder / "o.json", atoms = folder / "o.npy";
      const bool map = std::string(verb) == "potential";
      if (!map && std::find(options.begin(), options.end(), "--like") != options.end()) continue;
      words.insert(words.end(), options.begin(), options.end());
      const std::vector<std::string> outputs{map ? "--out" : "--atoms", map ? out : atoms, "--report", report};
      words.insert(words.end(), outputs.begin(), outputs.end());
      const auto outcome = run(words);
      EXPECT_EQ(outcome.code, code) << verb << ": " << outcome.err;
      EXPECT_CONTAINS(outcome.err, message);
      EXPECT_EQ(outcome.out, "");
      for (const std::string& path : {out, atoms, report, out + ".made.json", atoms + ".made.json"})
        EXPECT_FALSE(std::filesystem::exists(path)) << path;
    }
  };
  refused(line(1, 0, 1e6, 2) + line(2, 5, -1e6, 2), {"--nonlinear", "--spacing", "1"}, 1, "no convergence");
  refused(line(1, 0, 1, 2) + line(2, 0.05, 1, 2), {}, 2, "atoms 1 and 2 overlap");
  refused(line(1, 0, 1, 0.3) + line(2, 8, 1, 0.3) + line(3, 13.7, 1, 0.3), {"--spacing", "3"}, 2,
          "steps of 3 angstrom are too long");
  refused(line(1, 0, 1, 2) + line(2, 8, 1, 0), {}, 2, "the charge of atom 2 is outside of every atom's radius");
  test::write_text(folder / "ion.pqr", pqr({{0, 0, 0, 1}}));
  const std::string like = folder / "like.dx";
  ASSERT_EQ(run({"compute", "potential", folder / "ion.pqr", "--spacing", "1", "--padding", "8", "--method", "pb",
                 "--device", "cpu", "--out", like})
                .code,
            0);
  const std::string far = line(1, 0, 1, 2) + line(2, 40, 1, 2);
  refused(far, {"--like", like, "--no-focus"}, 2, "the charge of atom 2 at (40.00, 0.00, 0.00) is outside of the grid");
  // With larger boxes about it the same grid can be solved; that is said.
  const auto outcome = run({"compute", "potential", folder / "in.pqr", "--method", "pb", "--device", "cpu", "--like",
                            like, "--out", folder / "o.dx"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "1 of 2 charges are outside of the grid");
}

TEST(CliBadInput, StrictChargesOfUnknownResiduesAreNotWritten) {
  const test::Folder folder;
  ASSERT_EQ(run({"convert", test::data("charges/crambin_pdb2pqr.pqr.gz"), folder / "bare.pdb", "--select",
                 "not element H", "--quiet"})
                .code,
            0);
  std::ifstream whole(folder / "bare.pdb");
  const std::string text{std::istreambuf_iterator<char>(whole), {}};
  test::write_text(folder / "more.pdb",
                   text.substr(0, text.rfind("END")) +
                       "HETATM 9001 FE1  XYZ Z   1      60.000  60.000  60.000  1.00  0.00          FE\n"
                       "HETATM 9002 FE2  XYZ Z   1      62.500  60.000  60.000  1.00  0.00          FE\nEND\n");
  const std::string out = folder / "o.pqr", table = folder / "o.csv";
  const auto with = [&](const char* file, std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "charges", folder / file, "--out", out, "--table", table};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  auto outcome = with("more.pdb", {"--strict"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "--strict: XYZ 1 Z");
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(table));
  // Without it the residue is named, and what is known is written.
  outcome = with("more.pdb", {});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "XYZ 1 Z");
  EXPECT_TRUE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace isolume
