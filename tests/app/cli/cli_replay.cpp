// Every kind of file that the program makes is made again, byte by byte, in another place; changed inputs are named.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/export/recorded_export.h"
#include "app/scene/packed_session.h"
#include "app/scene/scene_json.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::read_text;
using test::run;

/// A file, and the command that makes it of in.pqr or frames.xyz.
struct Made {
  const char* extension;
  std::vector<std::string> command;
};

void PrintTo(const Made& made, std::ostream* out) {
  *out << made.extension;
}

const std::string water =
    "ATOM      1  O   HOH A   1       0.000   0.000   0.117 -0.8340 1.5200\n"
    "ATOM      2  H1  HOH A   1       0.000   0.757  -0.469  0.4170 1.2000\n"
    "ATOM      3  H2  HOH A   1       0.000  -0.757  -0.469  0.4170 1.2000\n";

std::string frames() {
  std::string text;
  for (int frame = 0; frame < 3; ++frame) {
    text += "12\nTime=" + std::to_string(frame) + "\n";
    for (int atom = 0; atom < 12; ++atom)
      text += "C " + std::to_string(1.5 * atom) + " " + std::to_string(0.3 * frame * atom) + " 0.25\n";
  }
  return text;
}

bool has_ffmpeg() {
  return std::system("ffmpeg -version > /dev/null 2>&1") == 0;
}

class Replay : public testing::TestWithParam<Made> {
 protected:
  /// Makes the file in a folder that is moved afterwards; false where it cannot be made here.
  void make() {
    const fs::path first = folder_ / "first";
    fs::create_directory(first);
    test::write_text(first / "in.pqr", water);
    test::write_text(first / "frames.xyz", frames());
    std::vector<std::string> words = GetParam().command;
    for (std::string& word : words)
      if (word == "in.pqr" || word == "frames.xyz" || word.starts_with("made.")) word = (first / word).string();
    const auto outcome = run(words);
    for (const char* lack : {"this build writes no", "Unknown encoder"})
      if (outcome.err.find(lack) != std::string::npos) GTEST_SKIP() << outcome.err;
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    fs::rename(first, folder_ / "second");
  }
  std::string in(const std::string& name) const { return folder_ / ("second/" + name); }
  std::string extension() const { return GetParam().extension; }

  const Folder folder_;
};

TEST_P(Replay, MakesTheSameBytesAndNamesAChangedInput) {
  const bool rendered = GetParam().command[0] == "render", view = extension() == "mvsj";
  const bool movie = rendered && GetParam().command[1] == "frames.xyz" && !view;
  if (movie && !has_ffmpeg()) GTEST_SKIP() << "movies need ffmpeg, which is not installed";
  make();
  if (IsSkipped()) return;
  const std::string made = in("made." + extension()), again = in("again." + extension());
  const auto outcome = run({"replay", made, "--out", again, "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_text(again), read_text(made));
  EXPECT_GT(fs::file_size(made), 20u);
  const bool picture = rendered && !movie && !view;
  if (!picture) {
    EXPECT_CONTAINS(outcome.err, "the same bytes as before");
    const auto record = test::read_json(made + ".made.json");
    EXPECT_CONTAINS(record.at("program").get<std::string>(), "Isolume ");
    EXPECT_EQ(record.at("inputs").size(), 1u);
    EXPECT_EQ(record.at("inputs")[0].at("sha256").get<std::string>().size(), 64u);
    EXPECT_EQ(record.dump().find(folder_.path()), std::string::npos) << "paths below its folder are relative";
    // What was made again can be made again.
    const std::string third = in("third." + extension());
    ASSERT_EQ(run({"replay", again + ".made.json", "--out", third, "--device", "cpu"}).code, 0);
    EXPECT_EQ(read_text(third), read_text(made));
    fs::remove(third);
  }
  for (const auto& entry : fs::directory_iterator(folder_ / "second"))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path() << " is left";

  const bool of_frames =
      std::find(GetParam().command.begin(), GetParam().command.end(), "frames.xyz") != GetParam().command.end();
  const std::string input = in(of_frames ? "frames.xyz" : "in.pqr");
  test::write_text(input, read_text(input) + "\n");
  fs::remove(again);
  const auto refused = run({"replay", made, "--out", again, "--device", "cpu"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_CONTAINS(refused.err, input);
  EXPECT_CONTAINS(refused.err, "is not the file that");
  EXPECT_FALSE(fs::exists(again));
  EXPECT_EQ(run({"replay", made, "--out", again, "--device", "cpu", "--force"}).code, 0);
  EXPECT_TRUE(fs::exists(again));
}

std::vector<std::string> potential(const char* out) {
  return {"compute", "potential", "in.pqr", "--method", "direct", "--spacing", "1.5", "--device", "cpu", "--out", out};
}
std::vector<std::string> surface(const char* out) {
  return {"compute", "surface", "in.pqr", "--kind", "gaussian", "--spacing", "0.8", "--device", "cpu", "--out", out};
}
std::vector<std::string> convert(const char* out) {
  return {"convert", "in.pqr", out};
}

INSTANTIATE_TEST_SUITE_P(
    kinds, Replay,
    testing::Values(
        Made{"dx", potential("made.dx")}, Made{"map", potential("made.map")}, Made{"ccp4", potential("made.ccp4")},
        Made{"cube", potential("made.cube")}, Made{"mrc", potential("made.mrc")},
        Made{"pdb.gz", convert("made.pdb.gz")}, Made{"vdb", potential("made.vdb")}, Made{"ply", surface("made.ply")},
        Made{"obj", surface("made.obj")}, Made{"stl", surface("made.stl")}, Made{"glb", surface("made.glb")},
        Made{"x3d", surface("made.x3d")}, Made{"pdb", convert("made.pdb")}, Made{"cif", convert("made.cif")},
        Made{"bcif", convert("made.bcif")}, Made{"bcif.gz", convert("made.bcif.gz")}, Made{"pqr", convert("made.pqr")},
        Made{"mol2", convert("made.mol2")}, Made{"gro", convert("made.gro")}, Made{"xyz", convert("made.xyz")},
        Made{"xtc", {"convert", "frames.xyz", "made.xtc", "--frames", "1:"}},
        Made{"dcd", {"convert", "frames.xyz", "made.dcd", "--select", "index 0 to 9"}},
        Made{"frames.pdb", {"convert", "frames.xyz", "made.frames.pdb", "--frames", ":"}},
        Made{"mvsj", {"render", "frames.xyz", "--device", "cpu", "--out", "made.mvsj"}},
        Made{"mean.mrc",
             {"compute", "volmap", "frames.xyz", "--kind", "density", "--spacing", "1", "--device", "cpu", "--out",
              "made.mean.mrc", "--error-out", "made.error.mrc"}},
        Made{"csv", {"compute", "sasa", "in.pqr", "--device", "cpu", "--out", "made.csv"}},
        Made{"npy", {"compute", "energy", "in.pqr", "--method", "direct", "--device", "cpu", "--out", "made.npy"}},
        Made{"svg", {"compute", "timeline", "frames.xyz", "--of", "rmsd", "--by", "residue", "--out", "made.svg"}},
        Made{"png",
             {"render", "in.pqr", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.png"}},
        Made{"tif",
             {"render", "in.pqr", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.tif"}},
        Made{"exr",
             {"render", "in.pqr", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.exr"}},
        Made{"picture.svg",
             {"render", "in.pqr", "--size", "160x120", "--samples", "1", "--label", "all", "--label-text", "atom",
              "--scale-bar", "--device", "cpu", "--out", "made.picture.svg"}},
        Made{"pdf",
             {"render", "in.pqr", "--size", "160x120", "--samples", "1", "--label", "all", "--label-text", "atom",
              "--scale-bar", "--device", "cpu", "--out", "made.pdf"}},
        Made{"webm",
             {"render", "frames.xyz", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.webm"}},
        Made{"gif",
             {"render", "frames.xyz", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.gif"}},
        Made{"apng",
             {"render", "frames.xyz", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.apng"}},
        Made{"turn.gif",
             {"render", "frames.xyz", "--turntable", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out",
              "made.turn.gif"}},
        Made{"path.png",
             {"render", "in.pqr", "--renderer", "path", "--size", "80x60", "--samples", "4", "--device", "cpu", "--out",
              "made.path.png"}},
        Made{"mp4",
             {"render", "frames.xyz", "--size", "160x120", "--samples", "1", "--device", "cpu", "--out", "made.mp4"}}),
    [](const auto& info) {
      std::string name = info.param.extension;
      for (char& c : name)
        if (c == '.') c = '_';
      return name;
    });

class Records : public testing::Test {
 protected:
  void SetUp() override {
    test::write_text(folder_ / "in.pqr", water);
    ASSERT_EQ(run({"convert", folder_ / "in.pqr", folder_ / "out.pdb"}).code, 0);
  }
  /// The record with a part of its text replaced.
  void change(const std::string& part, const std::string& by) {
    std::string text = read_text(folder_ / "out.pdb.made.json");
    const std::size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << text;
    test::write_text(folder_ / "out.pdb.made.json", text.replace(at, part.size(), by));
  }
  const Folder folder_;
};

TEST_F(Records, ALostFileComesBackUnderItsOwnName) {
  const std::string before = read_text(folder_ / "out.pdb");
  fs::remove(folder_ / "out.pdb");
  ASSERT_EQ(run({"replay", folder_ / "out.pdb.made.json", "--out", folder_ / "out.pdb"}).code, 0);
  EXPECT_EQ(read_text(folder_ / "out.pdb"), before);
}

TEST_F(Records, AreLeftOutWhereTheyAreNotWanted) {
  ASSERT_EQ(run({"convert", folder_ / "in.pqr", folder_ / "bare.pdb", "--no-record"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "bare.pdb.made.json"));
  const auto outcome = run({"replay", folder_ / "bare.pdb", "--out", folder_ / "again.pdb"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "bare.pdb.made.json");
}

TEST_F(Records, AreNotReadWithTheFilesOfTheirFolder) {
  const auto pattern = run({"info", folder_ / "out*", "--json"});
  EXPECT_EQ(pattern.code, 0) << pattern.err;
  const auto whole = run({"info", folder_.path(), "--json"});
  EXPECT_EQ(whole.code, 0) << whole.err;
}

TEST_F(Records, OfFramesAreOneForAll) {
  test::write_text(folder_ / "frames.xyz", frames());
  ASSERT_EQ(run({"compute", "surface", folder_ / "frames.xyz", "--kind", "gaussian", "--spacing", "1", "--frames", ":",
                 "--device", "cpu", "--out", folder_ / "s.stl"})
                .code,
            0);
  const auto outcome = run({"replay", folder_ / "s_0002.stl", "--out", folder_ / "again.stl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_text(folder_ / "again.stl"), read_text(folder_ / "s_0002.stl"));
  ASSERT_EQ(run({"replay", folder_ / "again.stl", "--out", folder_ / "third.stl"}).code, 0);
  EXPECT_EQ(read_text(folder_ / "third.stl"), read_text(folder_ / "s_0002.stl"));
}

/// What a window exports has the scene in its record, and is made again without a window.
class ExportedRecords : public testing::TestWithParam<const char*> {};

TEST_P(ExportedRecords, MakeTheSameBytesElsewhereAndNameAChangedInput) {
  const Folder folder;
  fs::create_directory(folder / "first");
  const std::string input = folder / "first/in.pqr", out = folder / (std::string("first/made.") + GetParam());
  test::write_text(input, water);
  Scene scene;
  Documents documents;
  scene.molecules = documents.open({input});
  documents.molecule(scene.molecules[0]);
  Representation sticks;
  sticks.style = Style::sticks;
  scene.representations = {sticks};
  Field surface, potential;
  surface.kind = Field::Kind::gaussian;
  surface.spacing = 0.5;
  potential.kind = Field::Kind::potential;
  potential.potential.method = PotentialMethod::direct;
  potential.spacing = 1;
  scene.fields = {surface, potential};
  // Of each kind that takes the format one.
  int made = 0;
  for (const DataSource& source : data_sources(scene, documents)) {
    if (!source.takes(GetParam())) continue;
    ++made;
    SCOPED_TRACE(static_cast<int>(source.kind));
    DataExport what;
    what.source = source;
    what.path = out;
    Job job;
    write_export_record(scene, what, Device::cpu(), export_data(scene, documents, what, Device::cpu(), job));
    fs::remove_all(folder / "second");
    fs::copy(folder / "first", folder / "second");
    const std::string there = folder / (std::string("second/made.") + GetParam());
    const std::string again = folder / (std::string("second/again.") + GetParam());
    const auto outcome = run({"replay", there, "--out", again});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_text(again), read_text(there));
    EXPECT_CONTAINS(outcome.err, "the same bytes as before");
    // Elsewhere its record still finds the files, and asks.
    fs::create_directory(folder / "second/deep");
    const std::string deep = folder / (std::string("second/deep/third.") + GetParam());
    EXPECT_EQ(run({"replay", again, "--out", deep}).code, 0);
    const std::string fourth = folder / (std::string("second/deep/fourth.") + GetParam());
    const auto asked = run({"replay", deep, "--out", fourth});
    EXPECT_EQ(asked.code, 2);
    EXPECT_CONTAINS(asked.err, "--trust-paths");
    const auto trusted = run({"replay", deep, "--out", fourth, "--trust-paths"});
    EXPECT_EQ(trusted.code, 0) << trusted.err;
    EXPECT_EQ(read_text(fourth), read_text(deep));
    test::write_text(folder / "second/in.pqr", water + "\n");
    fs::remove(again);
    const auto refused = run({"replay", there, "--out", again});
    EXPECT_EQ(refused.code, 3);
    EXPECT_CONTAINS(refused.err, "is not the file that");
    EXPECT_FALSE(fs::exists(again));
  }
  EXPECT_GT(made, 0);
}
INSTANTIATE_TEST_SUITE_P(formats, ExportedRecords,
                         testing::Values("pdb", "cif", "pqr", "xyz", "dcd", "glb", "ply", "obj", "stl", "x3d", "dx",
                                         "cube", "mrc", "vdb"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(Records, AMovieOfALostSessionIsMadeAgain) {
  if (!has_ffmpeg()) GTEST_SKIP() << "movies need ffmpeg, which is not installed";
  test::write_text(folder_ / "frames.xyz", frames());
  fs::create_directory(folder_ / "elsewhere");
  Scene scene;
  Documents documents;
  scene.molecules = documents.open({folder_ / "frames.xyz"});
  scene.camera.height = 20;
  Representation balls;
  balls.style = Style::spheres;
  scene.representations = {balls};
  const std::string session = folder_ / "elsewhere/film.isolume";
  write_scene(session, scene);
  const auto made = run({"render", session, "--frames", ":", "--size", "64x48", "--samples", "1", "--device", "cpu",
                         "--trust-paths", "--out", folder_ / "film.gif"});
  ASSERT_EQ(made.code, 0) << made.err;
  fs::remove_all(folder_ / "elsewhere");
  const auto outcome = run({"replay", folder_ / "film.gif", "--out", folder_ / "again.gif"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_text(folder_ / "again.gif"), read_text(folder_ / "film.gif"));
  // A file of the session that has changed is named, and one outside the folder asked about.
  fs::rename(folder_ / "film.gif", folder_ / "keep.gif");
  test::write_text(folder_ / "frames.xyz", frames() + "\n");
  const auto refused = run({"replay", folder_ / "film.gif.made.json", "--out", folder_ / "film.gif"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_CONTAINS(refused.err, "frames.xyz");
  test::write_text(folder_ / "frames.xyz", frames());
  fs::create_directory(folder_ / "moved");
  fs::rename(folder_ / "film.gif.made.json", folder_ / "moved/film.gif.made.json");
  std::string text = read_text(folder_ / "moved/film.gif.made.json");
  for (std::size_t at = text.find("\"frames.xyz\""); at != std::string::npos; at = text.find("\"frames.xyz\"", at))
    text.replace(at, 12, "\"" + (folder_ / "frames.xyz") + "\"");
  test::write_text(folder_ / "moved/film.gif.made.json", text);
  const auto foreign = run({"replay", folder_ / "moved/film.gif.made.json", "--out", folder_ / "moved/film.gif"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_CONTAINS(foreign.err, "--trust-paths");
}

TEST_F(Records, OfASessionThatCarriesItsFilesNameTheSession) {
  Scene scene;
  Documents documents;
  scene.molecules = documents.open({folder_ / "in.pqr"});
  scene.camera.height = 20;
  const std::string session = folder_ / "sent.isolume";
  write_packed_session(session, scene);
  fs::remove(folder_ / "in.pqr");
  // Once as it is unpacked, and once as it is in the cache.
  for (const char* name : {"first.pdb", "second.pdb"}) {
    const std::string made = folder_ / name;
    ASSERT_EQ(run({"convert", session, made}).code, 0);
    const auto inputs = test::read_json(made + ".made.json").at("inputs");
    ASSERT_EQ(inputs.size(), 1u) << inputs;
    EXPECT_EQ(inputs[0].at("path"), "sent.isolume");
  }
  // With another cache, as of somebody else.
  const std::string replay = "XDG_CACHE_HOME='" + (folder_ / "cache") + "' \"$ISOLUME\" replay '" +
                             (folder_ / "first.pdb") + "' --out '" + (folder_ / "again.pdb") + "'";
  const auto outcome = test::shell(folder_, replay);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_text(folder_ / "again.pdb"), read_text(folder_ / "first.pdb"));
  test::write_text(session, read_text(session) + std::string(512, '\0'));
  const auto refused = test::shell(folder_, replay);
  EXPECT_EQ(refused.code, 3);
  EXPECT_CONTAINS(refused.err, "sent.isolume");
  EXPECT_CONTAINS(refused.err, "is not the file that");
}

TEST_F(Records, FilesOutsideTheirFolderNeedTrust) {
  fs::create_directory(folder_ / "there");
  ASSERT_EQ(run({"convert", folder_ / "in.pqr", folder_ / "there/out.pdb"}).code, 0);
  const auto refused = run({"replay", folder_ / "there/out.pdb", "--out", folder_ / "again.pdb"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.err, "--trust-paths");
  EXPECT_EQ(run({"replay", folder_ / "there/out.pdb", "--out", folder_ / "again.pdb", "--trust-paths"}).code, 0);
}

TEST_F(Records, AStrangersRecordWritesNowhereElse) {
  test::write_text(folder_ / "precious.pdb", "mine");
  // Its command names a file of its own choice, and an output that is in order.
  const std::string block = "{\n      \"output\": \"out.pdb\"\n    }";
  change(block, "\"" + (folder_ / "precious.pdb") + "\", \"--report\", {\"output\": \"out.json\"}");
  const auto confined = run({"replay", folder_ / "out.pdb", "--out", folder_ / "again.pdb"});
  EXPECT_EQ(confined.code, 2);
  EXPECT_CONTAINS(confined.err, "writes to its own folder alone");
  EXPECT_EQ(read_text(folder_ / "precious.pdb"), "mine");
  EXPECT_FALSE(fs::exists(folder_ / "again.pdb"));
  change("\"convert\"", "\"bench\"");
  const auto outcome = run({"replay", folder_ / "out.pdb", "--out", folder_ / "again.pdb"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "names no command that makes files");
}

TEST_F(Records, WhatIsNoRecordIsSaid) {
  for (const char* text : {"", "{}", "[1, 2]", R"({"format": "isolume-made", "version": 1})",
                           R"({"format": "isolume-made", "version": 2, "program": "x"})"}) {
    test::write_text(folder_ / "out.pdb.made.json", text);
    EXPECT_EQ(run({"replay", folder_ / "out.pdb", "--out", folder_ / "again.pdb"}).code, 3) << text;
  }
  EXPECT_EQ(run({"replay", folder_ / "nothing.dx", "--out", folder_ / "again.dx"}).code, 3);
  EXPECT_EQ(run({"replay", folder_ / "out.pdb", "--out", folder_ / "in.pqr"}).code, 3);
}

TEST_F(Records, ReplayNeverReplacesAnInput) {
  ASSERT_EQ(run({"convert", folder_ / "out.pdb", folder_ / "next.pdb"}).code, 0);
  EXPECT_EQ(run({"replay", folder_ / "next.pdb", "--out", folder_ / "out.pdb"}).code, 2);
  EXPECT_EQ(run({"replay", folder_ / "next.pdb", "--out", folder_ / "next.gro"}).code, 2) << "another extension";
}

}  // namespace
}  // namespace isolume
