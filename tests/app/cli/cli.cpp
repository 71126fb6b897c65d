// The program as a process: help, exit codes, messages, info, convert.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const char* const water_pdb =
    "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n"
    "HETATM    1  O   HOH A   1       0.000   0.000   0.117  1.00  0.00           O\n"
    "HETATM    2  H1  HOH A   1       0.000   0.757  -0.467  1.00  0.00           H\n"
    "HETATM    3  H2  HOH A   1       0.000  -0.757  -0.467  1.00  0.00           H\n"
    "END\n";

const std::vector<std::vector<std::string>> subcommands = {{"info"},
                                                           {"convert"},
                                                           {"render"},
                                                           {"replay"},
                                                           {"devices"},
                                                           {"bench"},
                                                           {"compute"},
                                                           {"compute", "orbital"},
                                                           {"compute", "density"},
                                                           {"compute", "potential"},
                                                           {"compute", "energy"},
                                                           {"compute", "sasa"},
                                                           {"compute", "cavities"},
                                                           {"compute", "surface"}};

TEST(Cli, EveryHelpEndsWithAnExample) {
  for (std::vector<std::string> words : subcommands) {
    const std::string example = "Example:\n  isolume " + words.front();
    words.emplace_back("--help");
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << words.front();
    EXPECT_CONTAINS(outcome.out, example);
    EXPECT_EQ(outcome.err, "");
  }
  const auto outcome = run({"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const auto& words : subcommands) EXPECT_CONTAINS(outcome.out, words.front());
  EXPECT_EQ(run({"--version"}).out, "isolume " ISOLUME_VERSION "\n");
}

TEST(Cli, WithoutADisplayTheWindowSaysWhatToDoInstead) {
  std::vector<std::pair<std::string, std::string>> before;
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    if (const char* value = std::getenv(name)) before.emplace_back(name, value);
    unsetenv(name);
  }
  const auto outcome = run({test::data("H2O-631Gd-cart.molden")});
  for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
  if (outcome.err.find("built without its window") != std::string::npos) GTEST_SKIP() << "no window in this build";
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "isolume render FILE --out picture.png");
}

TEST(Cli, WrongUsageIsTwoAndSaysWhatThereIs) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"rendr", "x.pdb"}, "did you mean 'render'?"},
      {{"compute", "orbitel", "x.molden"}, "did you mean 'orbital'?"},
      {{"compute", "align", "x.pdb"}, "for that: compute fit"},
      {{"compute"}, "--help"},
      {{"info"}, "info needs a file"},
      {{"info", "--jason", "x.pdb"}, "did you mean --json?"},
      {{"devices", "--device", "cuda:99"}, "this machine has cpu"},
      {{"devices", "--threads", "-1"}, "--threads"},
      {{"render", test::data("H2O-631Gd-cart.molden")}, "--out"},
      {{"render", test::data("H2O-631Gd-cart.molden"), "--out", "x.bmp"}, "must be one of png"},
      {{"render", test::data("H2O-631Gd-cart.molden"), "--out", "x.png", "--size", "12"}, "expected WIDTHxHEIGHT"},
      {{"compute", "orbital", test::data("H2O-631Gd-cart.molden")}, "--out is missing"},
      {{"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--out", "x.png"}, "must be one of cube"},
      {{"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--orbital", "99", "--out", "x.cube"}, "19"},
      {{"compute", "potential", test::data("H2O-631Gd-cart.molden"), "--out", "x.dx"}, "no partial charges"},
      {{"compute", "potential", "a.pqr", "--method", "magic", "--out", "x.dx"},
       "there are direct, cutoff, msm, spme, debye-hueckel, hcp and pb"},
      {{"convert", "a.pdb"}, "convert a.pdb: the output is missing"},
      {{"convert"}, "convert takes files to read and the file to write"},
      {{"convert", "--out", "b.xyz"}, "convert b.xyz: files to read are missing"}};
  for (const auto& [words, part] : cases) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words.front() << ": " << outcome.err;
    EXPECT_CONTAINS(outcome.err, part);
    EXPECT_EQ(outcome.out, "");
  }
  for (const char* file : {"x.bmp", "x.png", "x.cube", "x.dx"}) EXPECT_FALSE(std::filesystem::exists(file));
}

// A value that an option cannot take is named as it was written, with what the option takes.
TEST(Cli, ValuesOutOfRangeAreNamedWithTheRange) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"render", "x.pdb", "--out", "x.png", "--fps", "1000"}, "--fps: 1000 is no number from 0.1 to 240;"},
      {{"render", "x.pdb", "--out", "x.png", "--opacity", "nan"}, "--opacity: nan is no number from 0 to 1;"},
      {{"render", "x.pdb", "--out", "x.png", "--spin", "gamma"}, "--spin: gamma is neither alpha nor beta;"},
      {{"compute", "potential", "x.pqr", "--threads", "1.5"}, "--threads: 1.5 is no whole number from 0 to 4096;"},
      {{"compute", "energy", "x.pqr", "--alpha", "0"}, "--alpha: 0 is no number above 0;"},
      {{"compute", "dynamics", "x.prmtop", "--vdw-switch", "-2"}, "--vdw-switch: -2 is no number of 0 or more;"}};
  for (const auto& [words, message] : wrong) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, message);
  }
}

TEST(Cli, BadInputIsThree) {
  const Folder folder;
  test::write_text(folder / "noise.pdb", std::string("\x01\x02\xff\x00noise", 9));
  test::write_text(folder / "empty.gro", "");
  test::write_text(folder / "bad.isolume", "{\"format\": \"isolume-scene\", \"version\": 1, \"frame\": \"x\"}");
  test::write_text(folder / "points.csv", "1,2,3\n4,5\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"info", folder / "absent.pdb"},
           {"info", folder.path()},
           {"info", folder / "noise.pdb"},
           {"info", folder / "empty.gro"},
           {"info", folder / "bad.isolume"},
           {"render", folder / "absent.pdb", "--out", folder / "x.png"},
           {"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--at", folder / "points.csv"},
           {"replay", folder / "absent.png", "--out", folder / "x.png"}}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 3) << words[1] << ": " << outcome.err;
    EXPECT_EQ(outcome.err.rfind("isolume: ", 0), 0u) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_CONTAINS(run({"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--at", folder / "points.csv"}).err,
                  "points.csv:2: expected three numbers");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
}

TEST(Cli, InfoSaysWhatIsInAFile) {
  const Folder folder;
  test::write_text(folder / "water.pdb", water_pdb);
  const auto outcome = run({"info", "--json", folder / "water.pdb"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["format"], "PDB");
  EXPECT_EQ(json["atoms"], 3);
  EXPECT_EQ(json["residues"], 1);
  EXPECT_EQ(json["residue_kinds"]["water"], 1);
  EXPECT_EQ(json["elements"]["H"], 2);
  EXPECT_EQ(json["bonds"], 2);
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(json["box"]["lengths"][0], 20.0);
  EXPECT_TRUE(json["charges"].is_null());
  EXPECT_TRUE(json["orbitals"].is_null());
  const auto text = run({"info", folder / "water.pdb"});
  EXPECT_CONTAINS(text.out, "atoms      3 (2 H, 1 O)");
}

TEST(Cli, InfoSaysWhatATrajectoryOrParametersHoldAlone) {
  const Folder folder;
  test::write_text(folder / "water.pdb", water_pdb);
  ASSERT_EQ(run({"convert", folder / "water.pdb", folder / "water.dcd"}).code, 0);
  const auto frames = run({"info", "--json", folder / "water.dcd"});
  ASSERT_EQ(frames.code, 0) << frames.err;
  const auto json = nlohmann::json::parse(frames.out);
  EXPECT_EQ(json["atoms"], 3);
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(json["box"]["lengths"][0], 20.0);
  EXPECT_CONTAINS(run({"info", folder / "water.dcd"}).out, "a structure file goes with them");
  EXPECT_EQ(run({"render", folder / "water.dcd", "--out", folder / "p.png"}).code, 3) << "there is nothing to draw";
  const auto parameters = run({"info", "--json", test::data("formats/sample.prm")});
  ASSERT_EQ(parameters.code, 0) << parameters.err;
  EXPECT_EQ(nlohmann::json::parse(parameters.out)["parameters"]["bonds"], 3);
  EXPECT_CONTAINS(run({"info", test::data("formats/sample.prm")}).out, "3 bonds, 3 angles, 3 dihedrals");
  test::write_text(folder / "cut.dcd", test::read_text(folder / "water.dcd").substr(0, 200));
  EXPECT_EQ(run({"info", folder / "cut.dcd"}).code, 3);
}

TEST(Cli, InfoKnowsOrbitals) {
  const auto outcome = run({"info", "--json", test::data("H2O-631Gd-cart.molden")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["basis"]["functions"], 19);  // 6-31G* with Cartesian d: O 3s 2p 1d, H 2s each
  EXPECT_FALSE(json["basis"]["spherical"]);
  EXPECT_EQ(json["orbitals"]["count"], 19);
  EXPECT_EQ(json["orbitals"]["electrons"], 10);
  EXPECT_EQ(json["orbitals"]["homo"]["number"], 5);
  EXPECT_LT(json["orbitals"]["norm_residual"].get<double>(), 1e-8);
}

TEST(Cli, ConvertWritesAtomsThatReadBack) {
  const Folder folder;
  test::write_text(folder / "water.pdb", water_pdb);
  ASSERT_EQ(run({"convert", folder / "water.pdb", folder / "o.xyz", "--select", "element O"}).code, 0);
  const auto json = nlohmann::json::parse(run({"info", "--json", folder / "o.xyz"}).out);
  EXPECT_EQ(json["atoms"], 1);
  EXPECT_EQ(json["elements"]["O"], 1);
  EXPECT_CONTAINS(test::read_text(folder / "o.xyz"), "0.117");
  ASSERT_EQ(run({"convert", folder / "water.pdb", "--out", folder / "p.xyz", "--select", "element O"}).code, 0);
  EXPECT_EQ(test::read_text(folder / "p.xyz"), test::read_text(folder / "o.xyz"));
  EXPECT_EQ(run({"convert", folder / "water.pdb", folder / "n.xyz", "--select", "element N"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "n.xyz"));
  EXPECT_EQ(run({"convert", folder / "water.pdb", folder / "water.pdb"}).code, 2);
  EXPECT_EQ(test::read_text(folder / "water.pdb"), water_pdb);
}

TEST(Cli, ConvertTakesFrames) {
  const Folder folder;
  std::string frames;
  for (int i = 0; i < 7; ++i) frames += "1\nframe\nAr " + std::to_string(i) + ".5 0 0\n";
  test::write_text(folder / "ar.xyz", frames);
  const std::vector<std::pair<std::string, std::vector<double>>> cases = {{":", {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5}},
                                                                          {"2", {2.5}},
                                                                          {"-1", {6.5}},
                                                                          {"1:6:2", {1.5, 3.5, 5.5}},
                                                                          {"::3", {0.5, 3.5, 6.5}},
                                                                          {"-2:", {5.5, 6.5}},
                                                                          {":2", {0.5, 1.5}}};
  for (const auto& [text, expected] : cases) {
    ASSERT_EQ(run({"convert", folder / "ar.xyz", folder / "out.xyz", "--frames=" + text}).code, 0) << text;
    const std::string out = test::read_text(folder / "out.xyz");
    std::vector<double> found;
    for (std::size_t at = out.find("Ar "); at != std::string::npos; at = out.find("Ar ", at + 1)) {
      std::size_t digit = at + 2;
      while (out[digit] == ' ') ++digit;
      found.push_back(test::numbers(out.substr(digit, out.find(' ', digit) - digit)).front());
    }
    EXPECT_EQ(found, expected) << text;
  }
  for (const char* text : {"7", "-8", "1:2:3:4", "a", "5:2", "::0", "::-1"})
    EXPECT_EQ(run({"convert", folder / "ar.xyz", folder / "no.xyz", std::string("--frames=") + text}).code, 2) << text;
  EXPECT_FALSE(std::filesystem::exists(folder / "no.xyz"));
}

TEST(Cli, DevicesAsJson) {
  const auto outcome = run({"devices", "--json", "--device", "cpu", "--threads", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["used"], "cpu");
  EXPECT_EQ(json["threads"], 3);
  EXPECT_EQ(json["devices"][0]["kind"], "cpu");
  EXPECT_GT(json["devices"][0]["memory_total"].get<double>(), 1e6);
}

// As an installed program is: without the benchmarks next to it.
TEST(Cli, BenchTimesTheProgramWhereNoBenchmarksAreInstalled) {
  const Folder folder;
  std::filesystem::copy_file(test::program(), folder / "isolume");
  const auto alone = [&](const std::string& words) {
    return std::system(fmt::format("'{0}' bench {1} > '{2}' 2>&1", folder / "isolume", words, folder / "out").c_str());
  };
  ASSERT_EQ(alone("--quick --json --device cpu"), 0) << test::read_text(folder / "out");
  const auto json = nlohmann::json::parse(test::read_text(folder / "out"));
  ASSERT_EQ(json["benchmarks"].size(), 3u);
  for (const auto& entry : json["benchmarks"]) {
    EXPECT_GT(entry["pairs_per_second"], 0);
    EXPECT_NEAR(entry["pairs_per_second"].get<double>() * entry["seconds"].get<double>(),
                entry["charges"].get<double>() * entry["points"].get<double>(), 1);
  }
  EXPECT_NE(alone("potential"), 0);
  EXPECT_CONTAINS(test::read_text(folder / "out"), "bench --quick");
}

}  // namespace
}  // namespace isolume
