// Files before they have their name: links, what died programs left, and text that is formatted on many threads.
#include "formats/write/unfinished_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "formats/bytes/input_files.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

class Unfinished : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "isolume-unfinished-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static void put(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
  static std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {(std::istreambuf_iterator<char>(in)), {}};
  }
  static void write_and_publish(const std::string& file, const std::string& text, bool named = false) {
    UnfinishedFile made(file, named);
    ASSERT_EQ(::write(made.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    made.sync();
    made.publish();
    made.close();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string folder_;
};

TEST_F(Unfinished, is_nothing_until_it_is_published) {
  for (const bool named : {false, true}) {
    put(path("a"), "old");
    {
      UnfinishedFile made(path("a"), named);
      EXPECT_EQ(bytes_of(path("a")), "old");
    }
    EXPECT_EQ(files(), 1u);
    write_and_publish(path("a"), "new", named);
    EXPECT_EQ(bytes_of(path("a")), "new");
    EXPECT_EQ(files(), 1u);
  }
}

TEST_F(Unfinished, of_a_killed_program_leaves_nothing) {
  const int probe = ::open(folder_.c_str(), O_RDWR | O_TMPFILE, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(probe);
  const pid_t child = fork();
  if (child == 0) {
    const UnfinishedFile made(path("a"));
    _exit(::write(made.descriptor(), "x", 1) == 1 ? 7 : 8);  // no destructor runs
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Unfinished, removes_what_nobody_has_locked) {
  put(path("a.dx.part-1-0"), "left by a program that died");
  put(path("a.dx.part-2-0"), "still written");
  put(path("b.dx.part-1-0"), "of another file");
  put(path("a.dx.part-1"), "not of ours");
  const int held = ::open(path("a.dx.part-2-0").c_str(), O_RDWR);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  { const UnfinishedFile made(path("a.dx")); }
  EXPECT_FALSE(fs::exists(path("a.dx.part-1-0")));
  EXPECT_TRUE(fs::exists(path("a.dx.part-2-0")));
  EXPECT_TRUE(fs::exists(path("b.dx.part-1-0")));
  EXPECT_TRUE(fs::exists(path("a.dx.part-1")));
  ::close(held);
}

TEST_F(Unfinished, follows_links_to_what_is_not_there_yet) {
  fs::create_symlink("target", path("link"));
  fs::create_symlink("link", path("link of link"));
  write_and_publish(path("link of link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("link of link")));
  EXPECT_EQ(bytes_of(path("target")), "new");
  fs::create_symlink("circle", path("circle"));
  EXPECT_THROW(UnfinishedFile(path("circle")), Error);
}

TEST_F(Unfinished, replaces_regular_files_alone) {
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_THROW(UnfinishedFile(path("null")), Error);
  EXPECT_THROW(UnfinishedFile(path("null"), true), Error);
  EXPECT_THROW(UnfinishedFile{folder_}, Error);
  EXPECT_EQ(fs::read_symlink(path("null")), "/dev/null");
}

TEST_F(Unfinished, outputs_are_no_inputs_whatever_they_are_called) {
  put(path("in"), "data");
  fs::create_symlink("in", path("link"));
  fs::create_hard_link(path("in"), path("hard"));
  for (const char* name : {"in", "link", "hard", "./in"}) {
    EXPECT_THROW(check_outputs({path(name)}, {path("in")}), Error) << name;
  }
  EXPECT_THROW(check_outputs({path("new"), path("./new")}, {}), Error);
  EXPECT_NO_THROW(check_outputs({path("new"), "", ""}, {path("in"), ""}));
}

TEST_F(Unfinished, volumes_have_the_same_bytes_on_every_number_of_threads) {
  Volume volume;
  volume.grid = Grid{glm::dvec3(0), glm::dmat3(0.5), glm::ivec3(41, 53, 61)};
  volume.name = "noise";
  std::mt19937 random(1);
  for (std::size_t i = 0; i < volume.grid.size(); ++i) {
    const double size = std::pow(10.0, static_cast<double>(random() % 60) - 30);
    volume.values.push_back(static_cast<float>((static_cast<double>(random()) / 2147483648.0 - 1) * size));
  }
  // What the formats say, by the C library: the third index fastest.
  std::string dx, cube;
  std::size_t column = 0;
  char text[64];
  for (int i = 0; i < 41; ++i)
    for (int j = 0; j < 53; ++j)
      for (int k = 0; k < 61; ++k) {
        const auto value = static_cast<double>(volume.values[volume.grid.index(i, j, k)]);
        std::snprintf(text, sizeof(text), "%.8e", value);
        dx += text;
        dx += ++column % 3 == 0 ? '\n' : ' ';
        std::snprintf(text, sizeof(text), "%16.8E", value);
        cube += text;
        if (k % 6 == 5 || k == 60) cube += '\n';
      }
  for (const unsigned threads : {1u, 2u, 7u}) {
    thread_limit = threads;
    write_volume(path("v.dx"), volume);
    write_volume(path("v.cube"), volume);
    EXPECT_NE(bytes_of(path("v.dx")).find("data follows\n" + dx), std::string::npos) << threads;
    EXPECT_TRUE(bytes_of(path("v.cube")).ends_with("\n" + cube)) << threads;
  }
  thread_limit = 0;
}

}  // namespace
}  // namespace isolume
