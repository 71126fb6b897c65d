// Analyses in parts: --partial of the verbs of compute and isolume merge, against the single run.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "program.h"

namespace isolume::test {
namespace {

using Words = std::vector<std::string>;

const std::string& structure() {
  static const std::string path = examples("crambin_water/crambin_water.gro.gz");
  return path;
}
const std::string& trajectory() {
  static const std::string path = examples("crambin_water/crambin_water.xtc");
  return path;
}

/// A verb with its options, the other tables that it writes, and whether its text is the same to the last digit.
struct Case {
  Words words;
  Words tables;
  bool exact = true;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {{"rmsd", "--select", "name CA", "--fit", "protein"}, {}},
      {{"rmsd", "--select", "name CA", "--reference-frame", "20", "--mass"}, {}},
      {{"gyration", "--pbc", "whole"}, {}},
      {{"distance", "--select", "resid 1", "--to", "resid 40"}, {}},
      {{"contacts", "--select", "name CA", "--cutoff", "7"}, {"--map"}},
      {{"hbonds", "--select", "protein", "--blocks", "3"}, {"--bonds", "--correlation"}},
      {{"ramachandran"}, {}},
      {{"interactions", "--select", "protein"}, {"--occupancy", "--timeline"}},
      {{"sasa", "--per-residue", "--points", "100", "--device", "cpu"}, {}},
      {{"rmsf"}, {}},
      {{"rmsf", "--select", "protein", "--fit", "name CA", "--per-atom"}, {}},
      {{"rmsf", "--select", "name CA", "--no-fit"}, {}},
      {{"rdf", "--select", "water and name OW", "--max", "8"}, {}, false},
      {{"rdf", "--select", "water and name OW", "--to", "protein", "--max", "6", "--norm", "density"}, {}, false},
      {{"rdf", "--select", "resname NA", "--max", "9", "--norm", "counts"}, {}, false},
  };
  return all;
}

Words command(const Case& of, const std::string& frames) {
  Words words{"compute", of.words.front(), structure(), trajectory(), "--frames", frames, "--quiet", "--no-record"};
  words.insert(words.end(), of.words.begin() + 1, of.words.end());
  return words;
}

/// Where the tables go, in a folder under a name.
Words outputs(const Case& of, const Folder& folder, const std::string& name) {
  Words words{"--out", folder / (name + ".csv"), "--report", folder / (name + ".json")};
  for (const std::string& table : of.tables) words.insert(words.end(), {table, folder / (name + table + ".csv")});
  return words;
}

void make_part(const Case& of, const Folder& folder, const std::string& frames, const std::string& part) {
  Words words = command(of, frames);
  words.insert(words.end(), {"--partial", folder / part});
  for (const std::string& table : of.tables) words.insert(words.end(), {table, folder / (part + table + ".csv")});
  const Outcome made = run(words);
  EXPECT_EQ(made.code, 0) << of.words.front() << ": " << made.err;
}

std::vector<double> all_numbers(const std::string& text) {
  std::vector<double> values;
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(",\n", at), text.size());
    double value = NAN;
    std::from_chars(text.data() + at, text.data() + end, value);
    values.push_back(value);
    at = end + 1;
  }
  return values;
}

void expect_same(const Case& of, const Folder& folder, const std::string& whole, const std::string& merged) {
  const std::string a = read_text(folder / (whole + ".csv")), b = read_text(folder / (merged + ".csv"));
  ASSERT_FALSE(a.empty());
  if (of.exact) {
    EXPECT_EQ(a, b) << of.words.front() << " " << merged;
    for (const std::string& table : of.tables)
      EXPECT_EQ(read_text(folder / (whole + table + ".csv")), read_text(folder / (merged + table + ".csv"))) << table;
    const bool lines = of.words.front() == "sasa" || of.words.front() == "ramachandran";  // they keep no unit
    const auto unit = read_json(folder / (whole + ".json"))["unit"];
    EXPECT_EQ(read_json(folder / (merged + ".json"))["unit"], lines ? nullptr : unit);
    return;
  }
  const auto own = all_numbers(a), its = all_numbers(b);
  ASSERT_EQ(own.size(), its.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i % 4 == 3) {
      EXPECT_EQ(own[i], its[i]) << "counts of pairs, row " << i / 4;
    } else {
      EXPECT_NEAR(own[i], its[i], 1.1e-6) << i;  // a digit of the text
    }
  }
  const auto one = read_json(folder / (whole + ".json"))["result"],
             other = read_json(folder / (merged + ".json"))["result"];
  const auto top = one["highest"]["value"].get<double>();
  EXPECT_NEAR(other["highest"]["value"].get<double>(), top, 1e-12 * top);
  EXPECT_EQ(one["coordination_number_at_maximum"], other["coordination_number_at_maximum"]);
}

Outcome merge(const Folder& folder, const Words& parts, const Words& rest) {
  Words words{"merge"};
  for (const std::string& part : parts) words.push_back(folder / part);
  words.insert(words.end(), {"--quiet", "--no-record"});
  words.insert(words.end(), rest.begin(), rest.end());
  return run(words);
}

TEST(Parts, MergedTheyAreTheSingleRun) {
  for (const Case& of : cases()) {
    const Folder folder;
    Words words = command(of, "0:24");
    const Words rest = outputs(of, folder, "whole");
    words.insert(words.end(), rest.begin(), rest.end());
    const Outcome whole = run(words);
    ASSERT_EQ(whole.code, 0) << whole.err;
    make_part(of, folder, "0:8", "a");
    make_part(of, folder, "8:13", "b");
    make_part(of, folder, "13:24", "c");
    const Outcome flat = merge(folder, {"c", "a", "b"}, outputs(of, folder, "flat"));
    ASSERT_EQ(flat.code, 0) << of.words.front() << ": " << flat.err;
    expect_same(of, folder, "whole", "flat");
    // In any grouping.
    ASSERT_EQ(merge(folder, {"a", "c"}, {"--partial", folder / "ac"}).code, 0);
    const Outcome grouped = merge(folder, {"b", "ac"}, outputs(of, folder, "grouped"));
    ASSERT_EQ(grouped.code, 0) << grouped.err;
    expect_same(of, folder, "whole", "grouped");
  }
}

TEST(Parts, OfProbesAreTheLinesOfFrames) {
  const Folder folder;
  const Words words{"compute",
                    "probe",
                    data("collection/over-time/probe/crambin_water_top.pqr.gz"),
                    trajectory(),
                    "--atoms",
                    "resid 12 and name N",
                    "--align",
                    "protein and name CA",
                    "--method",
                    "cutoff",
                    "--cutoff",
                    "9",
                    "--quiet",
                    "--no-record"};
  const auto probe = [&](const std::string& frames, const Words& rest) {
    const Outcome done = run(words + Words{"--frames", frames} + rest);
    EXPECT_EQ(done.code, 0) << done.err;
  };
  probe("0:9", {"--out", folder / "whole.csv"});
  probe("0:4", {"--partial", folder / "a"});
  probe("4:9", {"--partial", folder / "b"});
  ASSERT_EQ(merge(folder, {"b", "a"}, {"--out", folder / "merged.csv"}).code, 0);
  EXPECT_EQ(read_text(folder / "merged.csv"), read_text(folder / "whole.csv"));
  const Outcome means = run(words + Words{"--partial", folder / "a", "--mean-out", folder / "m.csv"});
  EXPECT_EQ(means.code, 2);
  EXPECT_CONTAINS(means.err, "--mean-out is of one run");
}

TEST(Parts, OfAveragesNeedNoMapOfTheirOwn) {
  const Folder folder;
  write_text(folder / "ions.pqr", "ATOM 1 N ION 1 0 0 0 1 1\nATOM 2 N ION 2 3 0 0 -0.5 1\n");
  write_text(folder / "ions.xyz", "2\n\nN 0 0 0\nN 3 0 0\n2\n\nN 0.5 0 0\nN 3 1 0\n2\n\nN 0 0.5 0\nN 4 0 0\n");
  const Words words{"compute",
                    "potential",
                    folder / "ions.pqr",
                    folder / "ions.dcd",
                    "--average",
                    "--spacing",
                    "2",
                    "--method",
                    "direct",
                    "--device",
                    "cpu",
                    "--quiet",
                    "--no-record"};
  ASSERT_EQ(run({"convert", folder / "ions.xyz", folder / "ions.dcd", "--quiet", "--no-record"}).code, 0);
  ASSERT_EQ(run(words + Words{"--out", folder / "whole.dx"}).code, 0);
  for (const char* frames : {"0:1", "1:3"}) {
    const Outcome done = run(words + Words{"--frames", frames, "--partial", folder / frames});
    ASSERT_EQ(done.code, 0) << done.err;
  }
  ASSERT_EQ(merge(folder, {"0:1", "1:3"}, {"--out", folder / "merged.dx"}).code, 0);
  // The first number of each line.
  const auto values = [&](const char* name) {
    const std::string text = read_text(folder / name);
    return all_numbers(text.substr(text.find("data follows")));
  };
  const auto own = values("whole.dx"), its = values("merged.dx");
  ASSERT_EQ(own.size(), its.size());
  ASSERT_GT(own.size(), 50u);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::isfinite(own[i])) {
      EXPECT_NEAR(own[i], its[i], 2e-6 * std::max(1.0, std::abs(own[i]))) << i;
    }
  }
}

TEST(Parts, OfLigandMapsHaveTheBlocksOfTheWhole) {
  const Folder folder;
  const Words words{"compute",
                    "ligand-map",
                    data("collection/over-time/probe/crambin_water_top.pqr.gz"),
                    trajectory(),
                    "--probe",
                    "Xe",
                    "--select",
                    "protein",
                    "--align",
                    "name CA and protein",
                    "--spacing",
                    "3",
                    "--device",
                    "cpu",
                    "--quiet",
                    "--no-record"};
  const auto maps = [&](const std::string& name) {
    return Words{"--out",        folder / (name + ".dx"),  "--error-out", folder / (name + ".e.dx"),
                 "--frames-out", folder / (name + ".f.dx")};
  };
  const Outcome whole = run(words + Words{"--frames", "3:27"} + maps("whole"));
  ASSERT_EQ(whole.code, 0) << whole.err;
  for (const char* frames : {"3:10", "10:12", "12:27"}) {
    const Outcome done = run(words + Words{"--frames", frames, "--all-frames", "3:27", "--partial", folder / frames});
    ASSERT_EQ(done.code, 0) << done.err;
  }
  const Outcome merged = merge(folder, {"12:27", "3:10", "10:12"}, maps("merged"));
  ASSERT_EQ(merged.code, 0) << merged.err;
  for (const std::string kind : {".dx", ".e.dx", ".f.dx"}) {
    const auto values = [&](const std::string& name) {
      const std::string text = read_text(folder / (name + kind));
      return all_numbers(text.substr(text.find("data follows")));
    };
    const auto own = values("whole"), its = values("merged");
    ASSERT_EQ(own.size(), its.size());
    ASSERT_GT(own.size(), 100u);
    std::size_t known = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!std::isfinite(own[i])) continue;  // not a number: a word of the file
      // Sums of a block are of 32 bits, so that their last digit depends on where parts end.
      EXPECT_NEAR(own[i], its[i], 1e-5 * std::max(1.0, std::abs(own[i]))) << kind << i;
      known += own[i] > 0;
    }
    EXPECT_GT(known, 10u) << kind;
  }
  const Outcome some = run({"merge", folder / "3:10", folder / "10:12", "--out", folder / "some.dx", "--no-record"});
  EXPECT_EQ(some.code, 0);
  EXPECT_CONTAINS(some.err, "warning: 9 of the 24 frames of all parts are there");
  const Outcome outside = run(words + Words{"--frames", "0:5", "--all-frames", "3:27", "--partial", folder / "x"});
  EXPECT_EQ(outside.code, 2);
  EXPECT_CONTAINS(outside.err, "frame 0 is none of --all-frames");
}

TEST(Parts, FramesMayTakeTurns) {
  const Folder folder;
  const Case of{{"hbonds", "--select", "protein"}, {"--bonds"}};
  Words words = command(of, "0:16");
  const Words rest = outputs(of, folder, "whole");
  words.insert(words.end(), rest.begin(), rest.end());
  ASSERT_EQ(run(words).code, 0);
  make_part(of, folder, "0:16:2", "even");
  make_part(of, folder, "1:16:2", "odd");
  const Outcome done = merge(folder, {"odd", "even"}, outputs(of, folder, "merged"));
  ASSERT_EQ(done.code, 0) << done.err;
  expect_same(of, folder, "whole", "merged");
}

TEST(Parts, SelectionsAreLookedUpInOneFrameForAll) {
  const Folder folder;
  // Which waters are near changes from frame to frame.
  const Case of{{"gyration", "--select", "water within 4 of protein", "--atoms-from", "5"}, {}};
  Case whole = of;
  whole.words.resize(3);
  Words words = command(whole, "5:15");
  const Words rest = outputs(of, folder, "whole");
  words.insert(words.end(), rest.begin(), rest.end());
  const Outcome done = run(words);
  ASSERT_EQ(done.code, 0) << done.err;
  make_part(of, folder, "5:9", "a");
  make_part(of, folder, "9:15", "b");
  ASSERT_EQ(merge(folder, {"a", "b"}, outputs(of, folder, "merged")).code, 0);
  expect_same(of, folder, "whole", "merged");
  words.insert(words.end(), {"--atoms-from", "5"});
  const Outcome alone = run(words);
  EXPECT_EQ(alone.code, 2);
  EXPECT_CONTAINS(alone.err, "--atoms-from belongs to --partial");
}

TEST(Parts, GoOnFromWhatIsThere) {
  const Folder folder;
  const Case of{{"rmsf", "--select", "name CA"}, {}};
  Words words = command(of, "0:20");
  words.insert(words.end(), {"--out", folder / "whole.csv"});
  ASSERT_EQ(run(words).code, 0);
  make_part(of, folder, "0:9", "part");
  Words rest = command(of, "0:20");
  rest.erase(std::find(rest.begin(), rest.end(), "--quiet"));
  rest.insert(rest.end(), {"--partial", folder / "part", "--out", folder / "resumed.csv"});
  const Outcome resumed = run(rest);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_CONTAINS(resumed.err, "has 9 frames already");
  EXPECT_EQ(read_text(folder / "resumed.csv"), read_text(folder / "whole.csv"));
  // All is there: nothing is computed, the result is the same.
  EXPECT_EQ(run(rest).code, 0);
  EXPECT_EQ(read_text(folder / "resumed.csv"), read_text(folder / "whole.csv"));
  Words other = command(of, "3:20");
  other.insert(other.end(), {"--partial", folder / "part"});
  const Outcome elsewhere = run(other);
  EXPECT_EQ(elsewhere.code, 3);
  EXPECT_CONTAINS(elsewhere.err, "cannot go on");
  Words more = command({{"rmsf", "--select", "name CA", "--no-fit"}, {}}, "0:20");
  more.insert(more.end(), {"--partial", folder / "part"});
  const Outcome option = run(more);
  EXPECT_EQ(option.code, 3);
  EXPECT_CONTAINS(option.err, "it has no --no-fit");
}

TEST(Parts, GoOnWithATrajectoryThatHasGrown) {
  const Folder folder;
  for (const char* frames : {"0:20", "20:40"})
    ASSERT_EQ(run({"convert", structure(), trajectory(), folder / (std::string(frames) + ".xtc"), "--frames", frames,
                   "--quiet", "--no-record"})
                  .code,
              0);
  const std::string first = read_text(folder / "0:20.xtc"), second = read_text(folder / "20:40.xtc");
  const Words words{"compute", "gyration", structure(), folder / "run.xtc", "--quiet", "--no-record"};
  write_text(folder / "run.xtc", first);
  ASSERT_EQ(run(words + Words{"--partial", folder / "part"}).code, 0);
  write_text(folder / "run.xtc", first + second);
  ASSERT_EQ(run(words + Words{"--out", folder / "whole.csv"}).code, 0);
  ASSERT_EQ(run(words + Words{"--partial", folder / "part", "--out", folder / "part.csv"}).code, 0);
  EXPECT_EQ(read_text(folder / "part.csv"), read_text(folder / "whole.csv"));
  // Other bytes under the same name and of the same size.
  write_text(folder / "run.xtc", second + first);
  const Outcome other = run(words + Words{"--partial", folder / "part"});
  EXPECT_EQ(other.code, 3);
  EXPECT_CONTAINS(other.err, "of the files crambin_water.gro.gz");
}

TEST(Parts, OfSomethingElseAreRefused) {
  const Folder folder;
  const Case gyration{{"gyration", "--select", "name CA"}, {}};
  make_part(gyration, folder, "0:10", "part");
  make_part(gyration, folder, "5:15", "overlap");
  make_part(gyration, folder, "20:30", "far");
  make_part({{"gyration", "--select", "name CB"}, {}}, folder, "10:20", "selection");
  make_part({{"gyration", "--select", "name CA", "--no-mass"}, {}}, folder, "10:20", "option");
  make_part({{"distance", "--select", "name CA", "--to", "name CB"}, {}}, folder, "10:20", "kind");
  // The same frames in another file.
  ASSERT_EQ(run({"convert", structure(), trajectory(), folder / "copy.xtc", "--frames", "0:30", "--quiet"}).code, 0);
  ASSERT_EQ(run({"compute", "gyration", structure(), folder / "copy.xtc", "--select", "name CA", "--frames", "10:20",
                 "--partial", folder / "file", "--quiet"})
                .code,
            0);
  const auto said = [&](const std::string& other, const std::string& text) {
    const Outcome done = merge(folder, {"part", other}, {"--out", folder / "x.csv"});
    EXPECT_EQ(done.code, 3) << other;
    EXPECT_CONTAINS(done.err, text);
    EXPECT_FALSE(std::filesystem::exists(folder / "x.csv")) << other;
  };
  said("overlap", "has frame 5, which another part has too (and 4 more)");
  said("far", "no part has the frames 10:20; --allow-gaps");
  said("selection", "its --select is name CB, not name CA");
  said("option", "it has --no-mass true, and the other has none");
  said("kind", "of distance, not of gyration");
  said("file", "of the files crambin_water.gro.gz");
  const Outcome gaps = run({"merge", folder / "part", folder / "far", "--allow-gaps", "--out", folder / "x.csv"});
  EXPECT_EQ(gaps.code, 0);
  EXPECT_CONTAINS(gaps.err, "warning: no part has the frames 10:20");
  const Outcome map = merge(folder, {"part"}, {"--map", folder / "m.csv"});
  EXPECT_EQ(map.code, 2);
  EXPECT_CONTAINS(map.err, "the parts have no map of contacts");
  const Outcome nowhere = merge(folder, {"part"}, {});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_CONTAINS(nowhere.err, "where should the result go");
  const std::string before = read_text(folder / "part");
  const Outcome over = merge(folder, {"part", "far"}, {"--allow-gaps", "--partial", folder / "part"});
  EXPECT_NE(over.code, 0);
  EXPECT_EQ(read_text(folder / "part"), before);
}

TEST(Parts, DamagedOnesAreRefused) {
  const Folder folder;
  make_part({{"gyration", "--select", "name CA"}, {}}, folder, "0:10", "part");
  const std::string bytes = read_text(folder / "part");
  const auto refused = [&](const std::string& text, const char* says) {
    write_text(folder / "bad", text);
    const Outcome done = merge(folder, {"bad"}, {"--out", folder / "x.csv"});
    EXPECT_EQ(done.code, 3);
    EXPECT_CONTAINS(done.err, says);
  };
  refused(bytes.substr(0, bytes.size() - 20), "no whole part");
  refused(bytes.substr(0, 10), "no whole part");
  refused("", "no whole part");
  refused("ISOLUME PART 1\n" + bytes.substr(15), "another version");
  std::string changed = bytes;
  changed[bytes.size() - 12] ^= 1;
  refused(changed, "checksum");
  std::string longer = bytes;  // a header that claims more than there is
  for (std::size_t i = 15; i < 23; ++i) longer[i] = '\x7f';
  refused(longer, "cut off");
}

TEST(Parts, OtherVerbsSayWhoHasThem) {
  const Folder folder;
  const Outcome done = run({"compute", "pca", structure(), trajectory(), "--partial", folder / "p"});
  EXPECT_EQ(done.code, 2);
  EXPECT_CONTAINS(done.err, "results of frames that are kept in parts are those of compute density, potential, volmap");
  EXPECT_CONTAINS(done.err, "rdf");
  const Outcome backwards =
      run({"compute", "rmsd", structure(), trajectory(), "--frames", "10:0:-1", "--partial", folder / "p"});
  EXPECT_EQ(backwards.code, 2);
  const Outcome folderless = run({"compute", "rmsd", structure(), trajectory(), "--partial", folder / "none/p"});
  EXPECT_EQ(folderless.code, 1);
  EXPECT_CONTAINS(folderless.err, "there is no folder");
}

TEST(Parts, ASlurmArrayMakesThem) {
  const Folder folder;
  const Case of{{"gyration", "--select", "name CA"}, {}};
  Words words = command(of, "0:20");
  words.insert(words.end(), {"--out", folder / "whole.csv"});
  ASSERT_EQ(run(words).code, 0);
  // The scheduler's part is a loop over its variables; one task is given twice.
  const std::string array = examples("../slurm/isolume_array.sh");
  const Outcome done =
      shell(folder, "cd " + folder.path() + " && for i in 4 6 5 6; do SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_MIN=4 " +
                        "SLURM_ARRAY_TASK_MAX=6 SLURM_CPUS_PER_TASK=1 sh " + array + " 20 parts gyration " +
                        structure() + " " + trajectory() +
                        " --select 'name CA' || exit 1; done; $ISOLUME merge parts/part.* --out merged.csv");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read_text(folder / "merged.csv"), read_text(folder / "whole.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder / "parts/part.00002"));
  EXPECT_FALSE(std::filesystem::exists(folder / "parts/part.00003"));
}

TEST(Parts, MoviesOfShardsAreJoinedWithoutEncodingThem) {
  const Folder folder;
  if (shell(folder, "command -v ffmpeg").code != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const auto film = [&](const std::string& frames, const std::string& name) {
    const Outcome done =
        run({"render", structure(), trajectory(), "--select", "protein", "--size", "96x64", "--samples", "1",
             "--frames", frames, "--resume", "--quiet", "--no-record", "--out", folder / name});
    EXPECT_EQ(done.code, 0) << done.err;
  };
  film("0:3", "film.0.mp4");
  film("3:7", "film.1.mp4");
  const auto pictures = [&](const std::string& file) {
    const Outcome done = shell(folder, "cd " + folder.path() + " && ffmpeg -loglevel error -i " + file +
                                           " -f framehash -hash md5 - | grep -v '^#' | sed 's/.*, *//'");
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  };
  const Outcome joined =
      shell(folder, "cd " + folder.path() + " && for f in film.?.mp4; do echo \"file '$f'\"; done > list.txt && " +
                        "ffmpeg -loglevel error -f concat -i list.txt -c copy film.mp4");
  ASSERT_EQ(joined.code, 0) << joined.err;
  const std::string all = pictures("film.mp4");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 7);
  EXPECT_EQ(all, pictures("film.0.mp4") + pictures("film.1.mp4"));
}

}  // namespace
}  // namespace isolume::test
