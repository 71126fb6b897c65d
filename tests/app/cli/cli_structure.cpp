// compute interactions and compute ramachandran, and scenes with names and interactions, by the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "program.h"

namespace isolume::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A lysine's nitrogen 3 angstrom from an aspartate's oxygen in the first frame, 6 in the second.
std::string write_bridge(const Folder& folder) {
  const std::string path = folder / "bridge.pdb";
  std::ofstream out(path);
  for (const double far : {0.0, 3.0}) {
    int serial = 0;
    out << "MODEL " << (far > 0 ? 2 : 1) << "\n";
    const auto atom = [&](const char* name, const char* residue, int number, double x, double y, const char* element) {
      char line[90];
      std::snprintf(line, sizeof line, "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
                    ++serial, name, residue, number, x, y, 0.0, element);
      out << line;
    };
    atom(" CE", "LYS", 1, -1.49, 0, "C");
    atom(" NZ", "LYS", 1, 0, 0, "N");
    atom(" OD1", "ASP", 2, 3.0 + far, 0, "O");
    atom(" CG", "ASP", 2, 4.1 + far, 0.6, "C");
    atom(" OD2", "ASP", 2, 4.1 + far, 1.85, "O");
    atom(" CB", "ASP", 2, 5.4 + far, -0.2, "C");
    out << "ENDMDL\n";
  }
  return path;
}

TEST(Interactions, AreATableWithOccupancyAndTimeline) {
  const Folder folder;
  const std::string path = write_bridge(folder);
  const auto done =
      run({"compute", "interactions", path, "--frames", ":", "--kinds", "salt-bridge", "--out", folder / "a.csv",
           "--occupancy", folder / "o.csv", "--timeline", folder / "t.csv", "--report", folder / "r.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "1 salt bridge in 2 frames")) << done.err;
  const std::string table = read_text(folder / "a.csv");
  EXPECT_EQ(lines(table), 2u) << table;
  EXPECT_TRUE(contains(table, "0,salt bridge,A,LYS,1,NZ,A,ASP,2,OD1,3.000,,")) << table;
  EXPECT_TRUE(contains(read_text(folder / "o.csv"), "salt bridge,A,LYS,1,A,ASP,2,1,0.5000,3.000"));
  EXPECT_TRUE(contains(read_text(folder / "t.csv"), "salt bridge,A,LYS,1,A,ASP,2,1,0\n"));
  const auto report = nlohmann::json::parse(read_text(folder / "r.json"));
  EXPECT_EQ(report["result"]["counts"]["salt bridge"], 1);
}

TEST(Interactions, AsJsonWithTheInterface) {
  const Folder folder;
  const std::string path = write_bridge(folder);
  const auto done = run({"compute", "interactions", path, "--select", "resname LYS", "--with", "resname ASP",
                         "--interface", "--out", folder / "a.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto tree = nlohmann::json::parse(read_text(folder / "a.json"));
  EXPECT_EQ(tree["interactions"][0]["kind"], "hydrogen bond");
  EXPECT_EQ(tree["interactions"][1]["second"], "A/ASP 2/OD1");
  const auto& area = tree["interface (angstrom^2)"][0];
  EXPECT_NEAR(area["area"].get<double>(),
              0.5 * (area["first"].get<double>() + area["second"].get<double>() - area["both"].get<double>()), 1e-9);
  EXPECT_GT(area["area"].get<double>(), 5);
}

TEST(Interactions, WrongRequestsAreSaidBeforeAnyWork) {
  const Folder folder;
  const std::string path = write_bridge(folder);
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "interactions", path};
    words.insert(words.end(), more.begin(), more.end());
    const auto done = run(words);
    EXPECT_EQ(done.code, 2) << done.err;
    return done.err;
  };
  EXPECT_TRUE(contains(refused({"--kinds", "halogen"}), "there is no interaction 'halogen'"));
  EXPECT_TRUE(contains(refused({"--interface"}), "--with"));
  EXPECT_TRUE(contains(refused({"--select", "resname TRP"}), "TRP"));
  EXPECT_TRUE(contains(refused({"--out", folder / "a.txt"}), "csv"));
}

TEST(Ramachandran, OfCrambinIsATable) {
  const Folder folder;
  const auto done = run({"compute", "ramachandran", examples("crambin.pdb.gz"), "--out", folder / "a.csv"});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string table = read_text(folder / "a.csv");
  EXPECT_EQ(lines(table), 1u + 44u) << "46 residues without the two ends";
  EXPECT_TRUE(contains(table, "0,A,PRO,5,proline,"));
  EXPECT_TRUE(contains(table, "0,A,CYS,4,pre-proline,"));
  EXPECT_TRUE(contains(table, "0,A,GLY,20,glycine,"));
}

TEST(Scenes, WithNamesAndInteractionsAreDrawn) {
  const Folder folder;
  write_bridge(folder);
  std::ofstream(folder / "s.isolume") << R"({"format": "isolume-scene", "version": 2,
    "molecules": [{"paths": ["bridge.pdb"]}],
    "representations": [{"selection": "@acid or @all_of_it", "style": "sticks"}],
    "interactions": [{"selection": "@acid", "other": "not @acid"}],
    "selections": [{"name": "acid", "selection": "resname ASP"}, {"name": "all_of_it", "selection": "@acid or resname LYS"}]})";
  const auto draw = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"render", folder / "s.isolume", "--size", "96x96", "--out", folder / "a.png"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  auto done = draw({});
  if (contains(done.err, "EGL")) GTEST_SKIP() << done.err;
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(draw({"--select", "@acid"}).code, 0);
  done = draw({"--select", "@base"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "there is no named selection 'base'")) << done.err;
  EXPECT_TRUE(contains(done.err, "there are acid, all_of_it")) << done.err;
  done = draw({"--set", "representations[0].selection=@acids"});
  EXPECT_NE(done.code, 0);
  EXPECT_TRUE(contains(done.err, "there are acid, all_of_it")) << done.err;
  EXPECT_EQ(draw({"--label", "@acid"}).code, 0);
  done = draw({"--set", "selections[0].selection=resid 1 or @all_of_it"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "means itself")) << done.err;
  done = draw({"--set", "selections[0].name=2nd"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "selections[0].name")) << done.err;
}

TEST(Scenes, NamesAreUsedWhereverASessionIsTheInput) {
  const Folder folder;
  write_bridge(folder);
  const std::string session = folder / "s.isolume", two = folder / "two.isolume";
  std::ofstream(session) << R"({"format": "isolume-scene", "version": 2, "molecules": [{"paths": ["bridge.pdb"]}],
    "selections": [{"name": "acid", "selection": "resname ASP"}, {"name": "ends", "selection": "name NZ or @acid and name OD1"}]})";
  const auto table = [&](const std::string& input, std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "distance", input, "--out", folder / "d.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  // The table is that of the file and the words.
  auto done = table(folder / "bridge.pdb", {"--select", "name NZ", "--to", "resname ASP and name OD1"});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string expected = read_text(folder / "d.csv");
  done = table(session, {"--select", "@ends and not @acid", "--to", "@ends and @acid", "--report", folder / "r.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read_text(folder / "d.csv"), expected);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "r.json"))["inputs"].size(), 2u) << "the session and its file";
  done = table(session, {"--select", "@acids", "--to", "all"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "--select: there is no named selection 'acids'; there are acid, ends")) << done.err;
  // A structure has no names.
  done = table(folder / "bridge.pdb", {"--select", "@acid", "--to", "all"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "Named selections (@name) are kept in sessions")) << done.err;
  // Of several molecules one is said, and the names are its own.
  std::ofstream(two) << R"({"format": "isolume-scene", "version": 2,
    "molecules": [{"paths": ["bridge.pdb"]}, {"paths": ["bridge.pdb"]}],
    "selections": [{"name": "end", "molecule": 0, "selection": "name CE"}, {"name": "end", "molecule": 1, "selection": "name NZ"}]})";
  done = table(two, {"--select", "@end", "--to", "name OD1"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "this session has 2 molecules; say which")) << done.err;
  done = table(two + "#molecule=1", {"--select", "@end", "--to", "name OD1"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read_text(folder / "d.csv"), expected);
  EXPECT_EQ(table(two + "#molecule=2", {"--select", "@end", "--to", "all"}).code, 2);
  // Files elsewhere are not opened without being asked for.
  EXPECT_EQ(run({"convert", session, "--select", "@acid", folder / "a.pdb"}).code, 0);
  EXPECT_TRUE(contains(read_text(folder / "a.pdb"), "ASP A   2"));
  EXPECT_FALSE(contains(read_text(folder / "a.pdb"), "LYS"));
  std::ofstream(folder / "far.isolume")
      << R"({"format": "isolume-scene", "version": 2, "molecules": [{"paths": ["/tmp/b.pdb"]}]})";
  done = table(folder / "far.isolume", {"--select", "all", "--to", "all"});
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(contains(done.err, "--trust-paths")) << done.err;
}

// An atom in a cube of 10 angstrom has 6 images at 10 angstrom and 12 more at 14.14.
TEST(Structure, SymmetryMatesOfACube) {
  const Folder folder;
  const std::string path = folder / "cube.pdb";
  write_text(path,
             "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n"
             "HETATM    1  O   HOH A   1       1.000   2.000   3.000  1.00 10.00           O\n");
  const auto atoms = [&](const char* assembly) {
    const Outcome done = run({"info", path, "--assembly", assembly, "--json"});
    EXPECT_EQ(done.code, 0) << done.err;
    return nlohmann::json::parse(done.out)["atoms"];
  };
  EXPECT_EQ(atoms("symmetry-mates 9.9"), 1);
  EXPECT_EQ(atoms("symmetry-mates 10.5"), 7);
  EXPECT_EQ(atoms("symmetry-mates 14.2"), 19);
  const Outcome wrong = run({"info", path, "--assembly", "symmetry-mates near"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "expected a distance"));
  const Outcome none = run({"render", path, "--symmetry-mates", "5", "--assembly", "1", "--out", folder / "a.png"});
  EXPECT_EQ(none.code, 2);
}

// Waters in a cube of 3 angstrom: each has a hydrogen bond with the six next to it.
TEST(Structure, PackingContactsNameTheCopy) {
  const Folder folder;
  write_text(folder / "ice.pdb",
             "CRYST1    3.000    3.000    3.000  90.00  90.00  90.00 P 1           1\n"
             "HETATM    1  O   HOH A   1       1.000   2.000   3.000  1.00 10.00           O\n");
  const Outcome done =
      run({"compute", "interactions", folder / "ice.pdb", "--assembly", "symmetry-mates 3.5", "--kinds",
           "hydrogen-bond", "--select", "segid 1_555", "--with", "not segid 1_555", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(lines(done.out), 7u) << done.out;
  for (const char* copy : {"A:1_455", "A:1_655", "A:1_545", "A:1_565", "A:1_554", "A:1_556"})
    EXPECT_TRUE(contains(done.out, copy)) << copy << done.out;
  EXPECT_TRUE(contains(done.out, "A:1_555,HOH,1,O")) << done.out;
}

}  // namespace
}  // namespace isolume::test
