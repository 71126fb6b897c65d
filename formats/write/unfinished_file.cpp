// A file without its name yet: nothing is left of it unless it is published.
#include "formats/write/unfinished_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "formats/bytes/input_files.h"
#include "formats/bytes/opened_files.h"
#include "formats/write/published_files.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(path + ": " + what + ": " + std::strerror(errno));
}

/// Where a path leads, link by link, so that one that leads to nothing yet is followed too.
std::string target_of(const std::string& path) {
  fs::path place(path);
  constexpr int most = 40;  // as the kernel
  for (int links = 0; links < most; ++links) {
    std::error_code failed;
    const fs::path next = fs::read_symlink(place, failed);
    if (failed) return place.string();
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  throw Error(path + ": a circle of symbolic links", Error::Kind::usage);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::mutex mutex;

std::set<std::string>& names() {
  static std::set<std::string> all;
  return all;
}

std::vector<std::string>& published() {
  static std::vector<std::string> all;
  return all;
}

std::atomic<bool> durable{true};

/// The folder that alone may be written to, empty for any.
std::string& only_folder() {
  static std::string folder;
  return folder;
}

void check_confined(const std::string& target) {
  if (only_folder().empty()) return;
  const fs::path only(only_folder());
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(fs::absolute(folder_of(target)), failed);
  const bool below = std::mismatch(only.begin(), only.end(), folder.begin(), folder.end()).first == only.end();
  if (failed || !below) throw Error(target + ": a replayed command writes to its own folder alone", Error::Kind::usage);
}

constexpr const char* ending = ".part-";

/// Whether `name` is that of an unfinished file, and of which: the name before ".part-12-3", else empty.
std::string finished_name(const std::string& name) {
  const std::size_t at = name.rfind(ending);
  if (at == std::string::npos || at == 0) return {};
  const std::string tail = name.substr(at + std::strlen(ending));
  const std::size_t dash = tail.find('-');
  const auto digits = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (dash == std::string::npos || !digits(tail.substr(0, dash)) || !digits(tail.substr(dash + 1))) return {};
  return name.substr(0, at);
}

/// The unfinished files of a folder by what they were to become, as it was when this program first wrote there.
std::map<std::string, std::vector<std::string>> unfinished_in(const std::string& folder) {
  std::map<std::string, std::vector<std::string>> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (const std::string finished = finished_name(name); !finished.empty()) found[finished].push_back(name);
  }
  return found;
}

/// Removes what programs that are gone have left of `target`: who writes holds a lock.
void tidy(const std::string& target) {
  static std::map<std::string, std::map<std::string, std::vector<std::string>>> folders;
  const std::string folder = folder_of(target);
  std::vector<std::string> left;
  {
    const std::lock_guard lock(mutex);
    auto known = folders.find(folder);
    if (known == folders.end()) known = folders.emplace(folder, unfinished_in(folder)).first;
    left = std::move(known->second[fs::path(target).filename().string()]);
    known->second.erase(fs::path(target).filename().string());
  }
  for (const std::string& name : left) {
    const std::string path = (fs::path(folder) / name).string();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    struct stat info {};
    const bool ours = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid();
    if (ours && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
    ::close(file);
  }
}

std::string new_name(const std::string& target) {
  static std::atomic<unsigned> number{0};
  return target + ending + std::to_string(::getpid()) + "-" + std::to_string(number.fetch_add(1));
}

/// All of one file into another, for file systems that give a file without a name none.
bool copy_content(int from, int to) {
  std::vector<char> block(std::size_t{1} << 20);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, block.data(), block.size(), at);
    if (got < 0) return false;
    if (got == 0) return true;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(to, block.data() + done, static_cast<std::size_t>(got - done));
      if (put < 0) return false;
      done += put;
    }
    at += got;
  }
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path, bool named) {
  if (path.empty()) throw Error("a file to be written needs a name", Error::Kind::usage);
  target_ = target_of(path);
  check_confined(target_);
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) throw Error(path + ": is a folder", Error::Kind::usage);
  if (exists && !S_ISREG(old.st_mode))
    throw Error(path + ": is no regular file and cannot be replaced by one", Error::Kind::usage);
  if (is_input(target_)) throw Error(path + ": is an input as well; write to another file", Error::Kind::usage);
  tidy(target_);
  if (!named && ::access("/proc/self/fd", X_OK) == 0)
    descriptor_ = ::open(folder_of(target_).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor_ < 0) open_named();
  if (descriptor_ < 0) fail(path, "cannot be written");
  if (exists && ::fchmod(descriptor_, old.st_mode & 07777) != 0) {
    const int reason = errno;
    ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
    errno = reason;
    fail(path, "cannot be given its rights");
  }
  if (!name_.empty()) {
    const std::lock_guard lock(mutex);
    names().insert(name_);
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (name_.empty()) return;
  const std::lock_guard lock(mutex);
  if (!published_) ::unlink(name_.c_str());
  names().erase(name_);
}

void UnfinishedFile::open_named() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name_ = new_name(target_);
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      const bool taken = errno == EEXIST;
      name_.clear();
      if (taken) continue;
      return;
    }
    // Where the file system has no locks, none can be taken by those who tidy either.
    struct stat info {};
    const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && ::fstat(descriptor_, &info) == 0 && info.st_nlink > 0) return;
    ::close(descriptor_);  // another program tidied it away between the two calls
    descriptor_ = -1;
    name_.clear();
  }
  errno = EEXIST;
}

/// Gives a file without a name one next to its target.
void UnfinishedFile::link() {
  const std::string own = "/proc/self/fd/" + std::to_string(descriptor_);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) fail(target_, "cannot be locked");
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = new_name(target_);
    if (::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      name_ = name;
      break;
    }
    if (errno != EEXIST) break;
  }
  if (name_.empty()) {
    const int unnamed = descriptor_;
    open_named();
    if (descriptor_ < 0 || descriptor_ == unnamed || !copy_content(unnamed, descriptor_))
      fail(target_, "cannot be given its name");
    ::close(unnamed);
  }
  const std::lock_guard lock(mutex);
  names().insert(name_);
}

void UnfinishedFile::sync() {
  if (!durable) return;
  // In runs, since nothing can interrupt fsync(): one is waited for while the disk has the next. What fails here fails
  // again in fsync(). Who writes what a stopped computation has so far is not stopped again.
  constexpr off_t run = off_t{16} << 20;
  const bool stopped = stop_requested();
  struct stat info {};
  const off_t size = ::fstat(descriptor_, &info) == 0 ? info.st_size : 0;
  for (off_t at = 0; at < size && !stopped; at += run) {
    ::sync_file_range(descriptor_, at + run, run, SYNC_FILE_RANGE_WRITE);
    ::sync_file_range(descriptor_, at, run,
                      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    check_stop();
  }
  if (::fsync(descriptor_) != 0) fail(target_, "cannot be made durable");
}

void UnfinishedFile::publish() {
  if (published_) return;
  if (name_.empty()) link();
  {
    const std::lock_guard lock(mutex);
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be given its name");
    names().erase(name_);
    published_ = true;
    std::vector<std::string>& all = published();
    if (keeps_inputs() && std::find(all.begin(), all.end(), target_) == all.end()) all.push_back(target_);
  }
  // The name is durable when the directory is; a file system that cannot do that is no reason to fail now.
  const int directory = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    if (durable) ::fsync(directory);
    ::close(directory);
  }
}

void UnfinishedFile::close() {
  const int file = descriptor_;
  descriptor_ = -1;
  if (file >= 0 && ::close(file) != 0) fail(target_, "cannot be written");
}

void confine_outputs(const std::string& folder) {
  only_folder() = fs::canonical(folder).string();
}

void make_files_durable(bool wanted) {
  durable = wanted;
}

void forget_published_files() {
  const std::lock_guard lock(mutex);
  published().clear();
}

std::vector<std::string> published_files() {
  const std::lock_guard lock(mutex);
  return published();
}

void remove_unfinished_files() noexcept {
  const std::lock_guard lock(mutex);
  for (const std::string& name : names()) ::unlink(name.c_str());
}

}  // namespace isolume
