// Files that are written whole or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "tests/formats/write/fixture.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;

class Replaced : public test::WrittenFiles {};

TEST_F(Replaced, replaces_the_old_file_by_the_whole_new_one) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  chmod(path("a.txt").c_str(), 0640);
  write_atomically(path("a.txt"), [&](std::ostream& out) {
    out << "new";
    EXPECT_EQ(bytes_of(path("a.txt")), "old");
  });
  EXPECT_EQ(bytes_of(path("a.txt")), "new");
  EXPECT_EQ(files(), 1u);
  struct stat info {};
  stat(path("a.txt").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);  // its rights stay
}

TEST_F(Replaced, keeps_the_old_file_when_writing_fails) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  EXPECT_THROW(write_atomically(path("a.txt"),
                                [](std::ostream& out) {
                                  out << std::string(1'000'000, 'x');
                                  throw std::runtime_error("no");
                                }),
               std::runtime_error);
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replaced, keeps_the_old_file_when_the_directory_is_closed_to_it) {
  EXPECT_THROW(write_atomically(path("nowhere/a.txt"), [](std::ostream& out) { out << "x"; }), Error);
  EXPECT_THROW(write_atomically(folder_, [](std::ostream& out) { out << "x"; }), Error);
  EXPECT_THROW(write_atomically("/dev/null", [](std::ostream& out) { out << "x"; }), Error);
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  chmod(folder_.c_str(), 0555);
  EXPECT_EXIT(
      {
        if (geteuid() == 0 && seteuid(65534) != 0) _exit(1);  // root may write anywhere
        try {
          write_atomically(path("a.txt"), [](std::ostream& out) { out << "x"; });
        } catch (const Error& error) {
          std::fputs(error.what(), stderr);
          _exit(7);
        }
        _exit(0);
      },
      testing::ExitedWithCode(7), "a.txt: cannot be written: Permission denied");
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
}

TEST_F(Replaced, says_that_the_disk_is_full) {
  // A limit on the size of files stands for a full disk: write() fails half-way.
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  EXPECT_EXIT(
      {
        struct rlimit limit {};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 300'000;
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        try {
          write_atomically(path("a.txt"), [](std::ostream& out) { out << std::string(1'000'000, 'x'); });
        } catch (const Error& error) {
          std::fputs(error.what(), stderr);
          _exit(7);
        }
        _exit(0);
      },
      testing::ExitedWithCode(7), "cannot be written: File too large");
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replaced, follows_links_to_the_file) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  fs::create_symlink(path("a.txt"), path("link.txt"));
  write_atomically(path("link.txt"), [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(bytes_of(path("a.txt")), "new");
}

}  // namespace
}  // namespace isolume
