// Sessions that carry their files: what is packed comes back elsewhere, tar reads it, and strangers' archives write
// nowhere.
#include "app/scene/packed_session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "app/scene/foreign_paths.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "app/scene/unpacked_cache.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

class PackedSession : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "cache");
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    write(folder_ / "here/a.pdb", "one\n");
    write(folder_ / "there/a.pdb", std::string(700'000, 'x'));
    write(folder_ / "here/colours.csv", "");
    scene_.molecules.push_back({{(folder_ / "here/a.pdb").string()}});
    scene_.molecules.push_back({{path_of({(folder_ / "there/a.pdb").string(), PathPart::Kind::mode, 2})}});
    scene_.molecules.push_back({{(folder_ / "here/a.pdb").string()}});
    scene_.molecules[2].templates = {"tables:amber"};
    Representation coloured;
    coloured.file = (folder_ / "here/colours.csv").string();
    scene_.representations = {coloured};
    scene_.camera.height = 12;
    packed_ = (folder_ / "mail/packed.isolume").string();
    fs::create_directories(folder_ / "mail");
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path cache() const { return folder_ / "cache/isolume/sessions"; }
  std::size_t unpacked() const {
    if (!fs::exists(cache())) return 0;
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(cache()), {}));
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           (std::string("packed_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Scene scene_;
  std::string packed_;
};

TEST_F(PackedSession, ComesBackWithItsFilesWhereTheyWereNot) {
  write_packed_session(packed_, scene_);
  EXPECT_TRUE(is_packed_session(packed_));
  EXPECT_FALSE(shows_unpacked(scene_));
  fs::remove_all(folder_ / "here");
  fs::remove_all(folder_ / "there");
  const Scene back = read_scene(packed_);
  ASSERT_EQ(back.molecules.size(), 3u);
  EXPECT_EQ(text_of(back.molecules[0].paths[0]), "one\n");
  const PathPart mode = path_part(back.molecules[1].paths[0]);
  EXPECT_EQ(mode.kind, PathPart::Kind::mode);
  EXPECT_EQ(mode.number, 2);
  EXPECT_EQ(text_of(mode.file), std::string(700'000, 'x'));
  EXPECT_EQ(fs::path(mode.file).filename(), "a.pdb");
  EXPECT_EQ(back.molecules[2].paths, back.molecules[0].paths) << "a file is in it once";
  EXPECT_EQ(back.molecules[2].templates, scene_.molecules[2].templates);
  EXPECT_TRUE(fs::exists(back.representations[0].file));
  EXPECT_EQ(back.camera, scene_.camera);
  EXPECT_TRUE(foreign_paths(back, packed_).empty()) << "nothing to be asked about";
  EXPECT_TRUE(shows_unpacked(back));
  EXPECT_EQ(read_scene(packed_), back) << "unpacked once";
  EXPECT_EQ(unpacked(), 1u);
  // What was unpacked can be packed again, over itself.
  write_packed_session(packed_, back);
  const Scene again = read_scene(packed_);
  EXPECT_EQ(text_of(again.molecules[0].paths[0]), "one\n");
  EXPECT_NE(again.molecules[0].paths, back.molecules[0].paths) << "another state of the file";
}

TEST_F(PackedSession, TarReadsItAndItReadsWhatTarWrote) {
  if (std::system("tar --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "tar is not installed";
  write_packed_session(packed_, scene_);
  const std::string out = (folder_ / "out").string();
  fs::create_directories(out);
  ASSERT_EQ(std::system(("tar -C '" + out + "' -xf '" + packed_ + "'").c_str()), 0);
  EXPECT_EQ(text_of(out + "/data/0/a.pdb"), "one\n");
  EXPECT_EQ(text_of(out + "/data/1/a.pdb"), std::string(700'000, 'x'));
  EXPECT_EQ(read_scene(out + "/scene.isolume").camera, scene_.camera);
  const std::string theirs = (folder_ / "mail/theirs.isolume").string();
  ASSERT_EQ(std::system(("tar -C '" + out + "' --format=ustar -cf '" + theirs + "' scene.isolume data").c_str()), 0);
  EXPECT_EQ(text_of(read_scene(theirs).molecules[0].paths[0]), "one\n");
}

TEST_F(PackedSession, FilesElsewhereAreStillAskedAbout) {
  write(folder_ / "out/scene.isolume",
        R"({"format": "isolume-scene", "version": 2, "molecules": [{"paths": ["/etc/passwd"]}]})");
  if (std::system("tar --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "tar is not installed";
  ASSERT_EQ(
      std::system(
          ("tar -C '" + (folder_ / "out").string() + "' --format=ustar -cf '" + packed_ + "' scene.isolume").c_str()),
      0);
  EXPECT_EQ(foreign_paths(read_scene(packed_), packed_), (std::vector<std::string>{"/etc/passwd"}));
}

TEST_F(PackedSession, AStrangersArchiveWritesNothingElsewhere) {
  write_packed_session(packed_, scene_);
  const std::string good = text_of(packed_);
  const std::size_t second = good.rfind("data/0/a.pdb");  // behind the scene, which names it too
  ASSERT_NE(second, std::string::npos);
  // The header again with another name or type, and its sum.
  const auto changed = [&](std::size_t at, const std::string& by) {
    std::string bytes = good;
    for (std::size_t i = 0; i < by.size(); ++i) bytes[second + at + i] = by[i];
    unsigned sum = 0;
    for (std::size_t i = 0; i < 512; ++i)
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(bytes[second + i]);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    bytes.replace(second + 148, 6, digits);
    return bytes;
  };
  const std::string nothing(88, '\0');
  const std::vector<std::string> bad{
      changed(0, "../../evil" + nothing),
      changed(0, "/tmp/evil" + nothing),
      changed(0, "data/0/.." + nothing),
      changed(0, "data/../e" + nothing),
      changed(0, "data/0/b/c" + nothing),
      changed(0, "evil" + nothing),
      changed(156, "2"),            // a symbolic link
      changed(156, "1"),            // a link
      changed(124, "77777777777"),  // longer than the file
      changed(124, "0000000000z"),
      good.substr(0, good.size() / 2),
      good.substr(0, second + 300),
      good.substr(0, good.size() - 1024),
      std::string(good).replace(second + 20, 1, "x"),  // its sum does not fit
      good.substr(second),                             // without a scene
  };
  for (std::size_t i = 0; i < bad.size(); ++i) {
    write(packed_, bad[i]);
    EXPECT_THROW(read_scene(packed_), Error) << i;
    EXPECT_EQ(unpacked(), 0u) << i << ": nothing is left";
  }
  EXPECT_FALSE(fs::exists(folder_ / "cache/evil"));
  EXPECT_FALSE(fs::exists("/tmp/evil"));
  write(packed_, good);
  EXPECT_NO_THROW(read_scene(packed_));
}

TEST_F(PackedSession, WhatCannotBePackedIsSaidAndNothingIsWritten) {
  write(folder_ / "here/t.top", "#include \"amber.ff/forcefield.itp\"\n");
  scene_.molecules[0].paths.push_back((folder_ / "here/t.top").string());
  EXPECT_THROW(write_packed_session(packed_, scene_), Error);
  scene_.molecules[0].paths.back() = (folder_ / "here/missing.xtc").string();
  EXPECT_THROW(write_packed_session(packed_, scene_), Error);
  EXPECT_FALSE(fs::exists(packed_));
  EXPECT_FALSE(is_packed_session(packed_));
}

TEST(UnpackedSessions, OldOnesAndThenTheOldestGoButNeverOpenOnes) {
  const UnpackedLimits limits{100, 1000};
  constexpr std::int64_t now = 10'000;
  const auto gone = [&](const std::vector<UnpackedSession>& all) {
    auto found = sessions_to_remove(all, now, limits);
    std::sort(found.begin(), found.end());
    return found;
  };
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(gone({}), Numbers{});
  EXPECT_EQ(gone({{"a", 60, now}, {"b", 40, now - 1000}}), Numbers{}) << "neither too much nor too old";
  EXPECT_EQ(gone({{"a", 1, now}, {"b", 1, now - 1001}}), Numbers{1}) << "too old";
  EXPECT_EQ(gone({{"a", 60, now - 5}, {"b", 60, now - 9}, {"c", 30, now - 7}}), Numbers{1}) << "the oldest is enough";
  EXPECT_EQ(gone({{"a", 90, now - 5}, {"b", 60, now - 9}, {"c", 30, now - 7}}), (Numbers{1, 2}));
  EXPECT_EQ(gone({{"a", 90, now - 5}, {"b", 60, now - 9999, true}, {"c", 30, now - 7}}), (Numbers{0, 2}))
      << "what is open stays, however old, and counts";
  EXPECT_EQ(gone({{"a", 500, now, true}}), Numbers{});
}

TEST_F(PackedSession, WhatIsOpenInAnotherProgramStaysInTheCache) {
  write_packed_session(packed_, scene_);
  const std::string other = (folder_ / "mail/other.isolume").string();
  fs::copy_file(packed_, other);
  const fs::path open = unpacked_folder(packed_), closed = unpacked_folder(other);
  // Locks end with their process.
  const auto read_in_a_process = [&](const std::string& file, int in = -1, int out = -1) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
      read_scene(file);
    } catch (const Error&) {
      _exit(1);
    }
    char byte = 'r';
    if (out >= 0 && (::write(out, &byte, 1) != 1 || ::read(in, &byte, 1) != 1)) _exit(1);
    _exit(0);
  };
  int status = 1;
  const pid_t passer = read_in_a_process(other);
  ASSERT_EQ(::waitpid(passer, &status, 0), passer);
  ASSERT_EQ(status, 0);
  int asked[2], told[2];
  ASSERT_EQ(::pipe(asked), 0);
  ASSERT_EQ(::pipe(told), 0);
  const pid_t holder = read_in_a_process(packed_, asked[0], told[1]);
  char byte = 0;
  ASSERT_EQ(::read(told[0], &byte, 1), 1);
  ASSERT_EQ(unpacked(), 2u);

  const std::int64_t later = std::time(nullptr) + 1'000'000'000;
  fs::create_directories(cache() / "killed.isolume-1.part-abcdef/data");
  fs::create_directories(cache() / "killed.isolume-1.removed-1-0/data");
  tidy_unpacked({}, std::time(nullptr));
  EXPECT_EQ(unpacked(), 3u) << "a writer may still be at its part; what was being removed is gone";
  tidy_unpacked({}, later);
  EXPECT_TRUE(fs::exists(open / "scene.isolume"));
  EXPECT_FALSE(fs::exists(closed));
  EXPECT_EQ(unpacked(), 1u);
  ASSERT_EQ(::write(asked[1], &byte, 1), 1);
  ASSERT_EQ(::waitpid(holder, &status, 0), holder);
  EXPECT_EQ(status, 0);
  tidy_unpacked({}, later);
  EXPECT_EQ(unpacked(), 0u) << "its program has ended";
  // What is removed comes back from the session, and is held by this program.
  EXPECT_EQ(text_of(read_scene(packed_).molecules[0].paths[0]), "one\n");
  tidy_unpacked({}, later);
  EXPECT_TRUE(fs::exists(open / "scene.isolume"));
  for (const int file : {asked[0], asked[1], told[0], told[1]}) ::close(file);
}

TEST_F(PackedSession, ASceneThatNamesUnpackedFilesKeepsThem) {
  write_packed_session(packed_, scene_);
  const std::string saved = (folder_ / "mail/autosave.isolume").string();
  int status = 1;
  const pid_t child = fork();
  if (child == 0) {
    write_scene(saved, read_scene(packed_));
    _exit(0);
  }
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const Scene back = read_scene(saved);
  tidy_unpacked({}, std::time(nullptr) + 1'000'000'000);
  EXPECT_EQ(text_of(back.molecules[0].paths[0]), "one\n");
}

}  // namespace
}  // namespace isolume
