// The program as a process: inputs that stay, names of files, and words that nobody knows.
#include <gtest/gtest.h>

#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;
using test::shell;

const std::string two_ions = test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}});

TEST(CliSafety, NoOutputReplacesAnInput) {
  const Folder folder;
  const std::string ions = folder / "ions.pqr", points = folder / "points.csv", map = folder / "map.dx",
                    json = folder / "in.json", link = folder / "link.csv", hard = folder / "hard.csv";
  test::write_text(ions, two_ions);
  test::write_text(points, "1,2,3\n");
  test::write_text(map, "object 1\n");
  test::write_text(json, "{}\n");
  std::filesystem::create_symlink("points.csv", link);
  std::filesystem::create_hard_link(points, hard);
  const std::vector<std::vector<std::string>> commands = {
      {"info", json, "--report", json},
      {"compute", "potential", ions, "--at", points, "--out", points},
      {"compute", "potential", ions, "--at", points, "--out", link},
      {"compute", "potential", ions, "--at", points, "--out", hard},
      {"compute", "potential", ions, "--at", folder / "./points.csv", "--out", points},
      {"compute", "orbital", ions, "--at", points, "--out", points},
      {"compute", "density", ions, "--at", points, "--out", points},
      {"compute", "potential", ions, "--like", map, "--out", map},
      {"compute", "potential", ions, "--grid", map, "--out", map},
      {"compute", "density", ions, "--minus", ions, "--out", map, "--grid", map},
      {"convert", folder / "i*.pqr", ions},
      {"compute", "rmsd", ions, "--reference", points, "--out", points},
      {"compute", "surface", ions, "--colour-by", "map", "--map", folder / "mesh.ply", "--out", folder / "mesh.ply"}};
  test::write_text(folder / "mesh.ply", "ply\n");
  for (const auto& words : commands) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << " " << words[1] << ": " << outcome.err;
    EXPECT_CONTAINS(outcome.err, "is an input as well; write to another file");
  }
  const auto twice = run({"compute", "potential", ions, "--out", folder / "o.dx", "--report", folder / "o.json"});
  EXPECT_EQ(twice.code, 0) << twice.err;
  const auto same = run({"compute", "cavities", ions, "--out", folder / "c.csv", "--mesh", folder / "./c.csv"});
  EXPECT_EQ(same.code, 2);
  EXPECT_CONTAINS(same.err, "is named for two outputs");
  EXPECT_EQ(test::read_text(ions), two_ions);
  EXPECT_EQ(test::read_text(points), "1,2,3\n");
  EXPECT_EQ(test::read_text(map), "object 1\n");
  EXPECT_EQ(test::read_text(json), "{}\n");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

// What no option names is found where it is written: an OBJ's colours go into a file of their own.
TEST(CliSafety, WhatIsWrittenBesideAnOutputReplacesNoInput) {
  const Folder folder;
  test::write_text(folder / "x.mtl", two_ions);
  const auto outcome =
      run({"compute", "surface", folder / "x.mtl", "--colour-by", "element", "--out", folder / "x.obj"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "is an input as well");
  EXPECT_EQ(test::read_text(folder / "x.mtl"), two_ions);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.obj"));
}

TEST(CliSafety, WhatCannotBeWrittenIsSaidBeforeAnythingIsRead) {
  const auto outcome = run({"render", "absent.pdb", "--out", "/proc/x.png"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "/proc/x.png: cannot be written");
}

TEST(CliSafety, MoviesReplaceOnlyRegularFiles) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", two_ions);
  std::filesystem::create_symlink("/dev/null", folder / "null.mp4");
  const auto outcome = run({"render", folder / "ions.pqr", "--out", folder / "null.mp4"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "is no regular file");
  EXPECT_EQ(std::filesystem::read_symlink(folder / "null.mp4"), "/dev/null");
}

TEST(CliSafety, NamesSendNoEscapeSequencesToTheTerminal) {
  const std::string name =
      "\x1b[31mred\x07\xc2\x9b"
      "2J.pdb";
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"info", name}, {"render", name, "--out", "x.png"}, {"convert", name, "y.pdb"}, {"info", "--" + name}}) {
    const auto outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(outcome.err.find_first_of("\x1b\x07"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("\xc2\x9b"), std::string::npos) << outcome.err;
  }
}

TEST(CliSafety, TheReportsCommandIsOneOfTheShell) {
  const Folder folder;
  test::write_text(folder / "two ions.pqr", two_ions);
  const std::string report = folder / "r.json";
  const std::vector<std::string> words{"info", folder / "two ions.pqr", "--report", report, "--quiet"};
  ASSERT_EQ(run(words).code, 0);
  const auto json = test::read_json(report);
  EXPECT_EQ(json["arguments"], words);
  const auto command = json["command"].get<std::string>();
  ASSERT_TRUE(command.starts_with("isolume "));
  std::filesystem::remove(report);
  EXPECT_EQ(shell(folder, "$ISOLUME " + command.substr(8)).code, 0);
  EXPECT_TRUE(std::filesystem::exists(report));
}

TEST(CliSafety, UnknownWordsWithADashAreWrongUsage) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"--foo"}, {"a.pdb", "--foo"}, {"-x"}}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, words.back() + ": neither a subcommand nor an option of the window");
  }
  EXPECT_EQ(run({"-V"}).out, "isolume " ISOLUME_VERSION "\n");
  EXPECT_EQ(run({"-v"}).out, "isolume " ISOLUME_VERSION "\n");
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "compute", "potential"}).out, run({"compute", "potential", "--help"}).out);
  EXPECT_EQ(run({"help", "nothing"}).code, 2);
}

TEST(CliSafety, SizesSayWhatIsWrongWithThem) {
  const auto message = [](const std::string& size) {
    return run({"render", "a.pdb", "--out", "x.png", "--size", size}).err;
  };
  EXPECT_CONTAINS(message("100000x100000"), "more than 32768 pixels on a side");
  EXPECT_CONTAINS(message("99999999999x10"), "more than 32768 pixels on a side");
  EXPECT_CONTAINS(message("0x10"), "a side needs at least one pixel");
  EXPECT_CONTAINS(message("10by10"), "expected WIDTHxHEIGHT");
}

TEST(CliSafety, DevicesAreRefusedWhereNoneComputes) {
  const auto outcome = run({"info", "a.pdb", "--device", "cuda"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "works on the processor alone");
  EXPECT_EQ(run({"info", "a.pdb", "--device", "cpu"}).code, 3);
}

TEST(CliSafety, ReportsNameStartAndCheckAndThePeakOfTheProcessor) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", two_ions);
  ASSERT_EQ(run({"compute", "potential", folder / "ions.pqr", "--counts", "200", "--method", "direct", "--device",
                 "cpu", "--out", folder / "o.mrc", "--report", folder / "r.json"})
                .code,
            0);
  const auto json = test::read_json(folder / "r.json");
  EXPECT_GT(json["time"]["check"].get<double>(), 0);
  EXPECT_GE(json["time"]["start"].get<double>(), 0);
  EXPECT_GE(json["memory"]["peak"].get<std::size_t>(), 200u * 200 * 200 * 4);  // the map itself
}

}  // namespace
}  // namespace isolume
