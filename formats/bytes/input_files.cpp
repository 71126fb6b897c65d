// Files that were opened for reading, so that nothing that is written replaces one of them; and the memory for them.
#include "formats/bytes/input_files.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/opened_files.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using Identity = std::pair<dev_t, ino_t>;

std::atomic<bool> keeping{false};
std::atomic<std::uint64_t> openings{0};
std::atomic<std::uint64_t> most_content{0};
std::mutex mutex;

std::set<Identity>& opened() {
  static std::set<Identity> files;
  return files;
}

std::vector<std::string>& opened_paths() {
  static std::vector<std::string> paths;
  return paths;
}

/// Where a file is or would be: its folder resolved, and its own link too where it leads to something.
fs::path place_of(const std::string& path) {
  std::error_code failed;
  fs::path place = fs::canonical(path, failed);
  if (!failed) return place;
  const fs::path given(path);
  place = fs::weakly_canonical(given.has_parent_path() ? given.parent_path() : fs::path("."), failed);
  return place / given.filename();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) || place_of(a) == place_of(b);
}

}  // namespace

void keep_inputs() {
  const std::lock_guard lock(mutex);
  opened().clear();
  opened_paths().clear();
  keeping = true;
}

void note_input(const struct stat& file) {
  if (!keeping) return;
  const std::lock_guard lock(mutex);
  opened().emplace(file.st_dev, file.st_ino);
}

bool keeps_inputs() {
  return keeping;
}

void note_opened(const std::string& path) {
  ++openings;
  if (!keeping) return;
  const std::lock_guard lock(mutex);
  std::vector<std::string>& paths = opened_paths();
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
}

std::uint64_t times_opened() {
  return openings;
}

std::vector<std::string> opened_files() {
  const std::lock_guard lock(mutex);
  return opened_paths();
}

bool is_input(const std::string& path) {
  struct stat file {};
  if (!keeping || ::stat(path.c_str(), &file) != 0) return false;
  const std::lock_guard lock(mutex);
  return opened().contains({file.st_dev, file.st_ino});
}

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const std::string& input : inputs) {
      if (!input.empty() && same_file(input, outputs[i]))
        throw Error(outputs[i] + ": is an input as well; write to another file", Error::Kind::usage);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!outputs[j].empty() && same_file(outputs[j], outputs[i]))
        throw Error(outputs[i] + ": is named for two outputs; they need files of their own", Error::Kind::usage);
    }
  }
}

void set_content_limit(std::uint64_t bytes) {
  most_content = bytes;
}

std::uint64_t content_limit(const ReadLimits& limits) {
  const std::uint64_t most = most_content;
  return most > 0 ? std::min(most, limits.bytes_out) : limits.bytes_out;
}

}  // namespace isolume
