// isolume worker: a command in it does what the same command does alone.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using Json = nlohmann::json;
using test::examples;
using test::operator+;
using test::Folder;
using test::run;

/// The answers to these lines.
std::vector<Json> ask(const Folder& folder, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  test::write_text(folder / "requests", text);
  const auto outcome = test::shell(folder, "cd " + folder.path() + " && \"$ISOLUME\" worker <requests");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  std::vector<Json> answers;
  std::istringstream in(outcome.out);
  for (std::string line; std::getline(in, line);) answers.push_back(Json::parse(line));
  return answers;
}

std::string words(const std::vector<std::string>& all) {
  return Json{{"words", all}}.dump();
}

TEST(Worker, AnswersAsTheCommandsDoAlone) {
  const Folder folder;
  const std::string crambin = examples("crambin.pdb.gz");
  const std::vector<std::vector<std::string>> commands{
      {"info", crambin, "--json"},
      {"info", folder / "none.pdb"},
      {"compute", "sasa", crambin, "--spacing", "-1", "--out", folder / "a.csv"},
      {"--version"},
      {"info", crambin, "--json", "--quiet"},
  };
  std::vector<std::string> lines;
  for (const auto& command : commands) lines.push_back(words(command));
  const auto answers = ask(folder, lines);
  ASSERT_EQ(answers.size(), commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto alone = run(commands[i]);
    EXPECT_EQ(answers[i]["code"], alone.code) << i;
    EXPECT_EQ(answers[i]["out"], alone.out) << i;
    EXPECT_EQ(answers[i]["err"], alone.err) << i;
  }
}

TEST(Worker, OneCommandLeavesNothingToTheNext) {
  const Folder folder;
  const std::string pair = folder / "pair.pqr";
  test::write_text(pair,
                   "ATOM      1  O   LIG A   1       0.000   0.000   0.000  1.0000 2.0000\n"
                   "ATOM      2  C   LIG A   2       3.000   0.000   0.000 -1.0000 1.5000\n");
  const auto potential = [&](const std::string& name, const std::vector<std::string>& more) {
    return words(std::vector<std::string>{"compute", "potential", pair, "--spacing", "2", "--device", "cpu", "--report",
                                          folder / (name + ".json"), "--out", folder / (name + ".dx")} +
                 more);
  };
  // A limit, threads and files of the first; the second has none of them, the third not the second's record.
  const auto answers = ask(folder, {potential("small", {"--memory-limit", "1e-9", "--threads", "1"}),
                                    potential("first", {}), potential("second", {})});
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_NE(answers[0]["code"], 0) << "a limit of a byte";
  EXPECT_EQ(answers[1]["code"], 0) << answers[1]["err"];
  EXPECT_EQ(answers[2]["code"], 0) << answers[2]["err"];
  ASSERT_EQ(run({"compute", "potential", pair, "--spacing", "2", "--device", "cpu", "--report", folder / "alone.json",
                 "--out", folder / "alone.dx"})
                .code,
            0);
  const Json second = test::read_json(folder / "second.json"), alone = test::read_json(folder / "alone.json");
  EXPECT_EQ(second["method"], alone["method"]);
  EXPECT_EQ(second["inputs"], alone["inputs"]);
  EXPECT_EQ(second["result"], alone["result"]);
  EXPECT_EQ(second["device"]["name"], alone["device"]["name"]) << "all threads";
  // The record next to the map names what belongs to it alone.
  const std::string record = test::read_text(folder / "second.dx.made.json");
  EXPECT_CONTAINS(record, "second.dx");
  EXPECT_EQ(record.find("first.dx"), std::string::npos);
}

TEST(Worker, RunsWhereTheRequestSays) {
  const Folder folder;
  std::filesystem::create_directory(folder / "below");
  std::filesystem::copy(examples("crambin.pdb.gz"), folder / "below/here.pdb.gz");
  const auto answers = ask(folder, {Json{{"words", {"info", "here.pdb.gz"}}, {"directory", folder / "below"}}.dump(),
                                    words({"info", "here.pdb.gz"}), words({"info", "below/here.pdb.gz"}),
                                    Json{{"words", {"info"}}, {"directory", folder / "nowhere"}}.dump()});
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0]["code"], 0) << answers[0]["err"];
  EXPECT_EQ(answers[1]["code"], 3) << "the folder is the request's own";
  EXPECT_EQ(answers[2]["code"], 0) << answers[2]["err"];
  EXPECT_EQ(answers[3]["code"], 2);
  EXPECT_CONTAINS(answers[3]["err"].get<std::string>(), "nowhere");
}

TEST(Worker, ReadsAFileAgainThatWasChanged) {
  const Folder folder;
  const auto water = [](const std::string& x) { return "3\nw\nO 0 0 0\nH " + x + " 0 0\nH 0 0.96 0\n"; };
  test::write_text(folder / "narrow.xyz", water("0.9375"));
  test::write_text(folder / "wide.xyz", water("1.0625"));
  std::vector<std::string> lines;
  for (const char* from : {"narrow.xyz", "wide.xyz", "wide.xyz"}) {
    lines.push_back(words({"convert", folder / from, folder / "water.xyz"}));
    for (const char* to : {"a.xyz", "b.xyz"})
      lines.push_back(words({"convert", folder / "water.xyz", folder / (from[0] + std::string(to))}));
  }
  for (const auto& answer : ask(folder, lines)) EXPECT_EQ(answer["code"], 0) << answer["err"];
  for (const char* name : {"na.xyz", "nb.xyz"}) EXPECT_CONTAINS(test::read_text(folder / name), "0.9375");
  for (const char* name : {"wa.xyz", "wb.xyz"}) EXPECT_CONTAINS(test::read_text(folder / name), "1.0625");
}

TEST(Worker, MakesMoleculesWholeByTheFileAsItIs) {
  // A hydrogen behind the boundary of the cell, of 10, of 9.95 and again of 10 angstrom. The second time a file comes,
  // what makes it whole is kept.
  const Folder folder;
  const auto water = [](const std::string& edge) {
    return "CRYST1   " + edge + "   " + edge + "   " + edge + "  90.00  90.00  90.00 P 1\n" +
           "ATOM      1  O   HOH A   1       0.200   0.000   0.000 -0.8340 1.5200\n"
           "ATOM      2  H1  HOH A   1       9.400   0.500   0.000  0.4170 1.2000\n"
           "ATOM      3  H2  HOH A   1       0.800   0.750   0.000  0.4170 1.2000\n";
  };
  test::write_text(folder / "point.csv", "3,1,2\n");
  test::write_text(folder / "narrow.pqr", water("10.000"));
  test::write_text(folder / "wide.pqr", water(" 9.950"));
  const auto potential = [&](const std::string& file) {
    return std::vector<std::string>{"compute",  "potential", file,     "--at", folder / "point.csv",
                                    "--device", "cpu",       "--quiet"};
  };
  std::vector<std::string> lines;
  for (const char* name : {"narrow.pqr", "wide.pqr", "narrow.pqr"}) {
    lines.push_back(words({"convert", folder / name, folder / "here.pqr", "--quiet"}));
    for (int i = 0; i < 2; ++i) lines.push_back(words(potential(folder / "here.pqr")));
  }
  const auto answers = ask(folder, lines);
  ASSERT_EQ(answers.size(), 9u);
  for (const auto& answer : answers) EXPECT_EQ(answer["code"], 0) << answer["err"];
  const auto narrow = run(potential(folder / "narrow.pqr")), wide = run(potential(folder / "wide.pqr"));
  EXPECT_NE(narrow.out, wide.out);
  for (const std::size_t i : {1, 2, 7, 8}) EXPECT_EQ(answers[i]["out"], narrow.out) << i;
  for (const std::size_t i : {4, 5}) EXPECT_EQ(answers[i]["out"], wide.out) << i;
}

TEST(Worker, RefusesWhatIsNoRequest) {
  const Folder folder;
  const std::vector<std::string> wrong{"hello",
                                       "{}",
                                       "[]",
                                       R"({"words": "info"})",
                                       R"({"words": [1]})",
                                       R"({"words": ["a\u0000b"]})",
                                       words({"worker"}),
                                       words({}),
                                       words({"crambin.pdb"}),
                                       R"({"words": ["info"], "directory": 5})",
                                       R"({"words": ["info"], "durable": 1})"};
  const auto answers = ask(folder, wrong);
  ASSERT_EQ(answers.size(), wrong.size());
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(answers[i]["code"], 2) << wrong[i];
    EXPECT_CONTAINS(answers[i]["err"].get<std::string>(), "isolume: ");
  }
  EXPECT_EQ(run({"worker", "--quiet"}).code, 2);
}

}  // namespace
}  // namespace isolume
