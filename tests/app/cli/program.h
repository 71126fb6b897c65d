// Runs the program that was built, as a user would.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/data.h"

extern char** environ;

namespace isolume::test {

/// The program under test; ISOLUME_PROGRAM in the environment wins.
std::string program();
/// A file of resources/examples; ISOLUME_EXAMPLES in the environment wins.
std::string examples(const std::string& name);

/// A folder of its own for each test, removed at its end.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("isolume_") + test->test_suite_name() + "_" + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

/// What a run gave: its exit code (128 + n for signal n), stdout and stderr.
struct Outcome {
  int code = -1;
  std::string out, err;
};

inline pid_t start(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) {
  std::vector<std::string> words{program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = -1;
  const int fault = posix_spawn(&child, words[0].c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return fault == 0 ? child : -1;
}

inline int wait_for(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline Outcome run(const std::vector<std::string>& arguments) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string stem = std::string(testing::TempDir()) + "/isolume_" + test->test_suite_name() + "_" +
                           test->name() + "_" + std::to_string(getpid());
  Outcome outcome;
  outcome.code = wait_for(start(arguments, stem + ".out", stem + ".err"));
  outcome.out = read_text(stem + ".out");
  outcome.err = read_text(stem + ".err");
  std::filesystem::remove(stem + ".out");
  std::filesystem::remove(stem + ".err");
  return outcome;
}

/// A command of the shell, in which $ISOLUME is the program. Quotes of paths are the caller's.
inline Outcome shell(const Folder& folder, const std::string& command) {
  setenv("ISOLUME", test::program().c_str(), 1);
  const std::string out = folder / "shell.out", err = folder / "shell.err";
  const int status = std::system(("(" + command + ") >" + out + " 2>" + err).c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::read_text(out),
                  test::read_text(err)};
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return outcome;
}

/// The words of a command with more behind them.
inline std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Numbers of a text, one per line.
inline std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    double value = 0;
    std::from_chars(text.data() + at, text.data() + end, value);
    values.push_back(value);
    at = end + 1;
  }
  return values;
}

}  // namespace isolume::test

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
