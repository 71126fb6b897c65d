// The files in which indices of frames are kept.
#include "formats/bytes/index_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <vector>

#include "formats/bytes/checksum.h"
#include "molecule/base/cache_folder.h"

namespace isolume {

namespace fs = std::filesystem;

namespace {

constexpr const char* suffix = ".frames";
constexpr const char* unfinished = ".part";

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

bool write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::write(fd, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

/// Removes the indices that were not used for longest until all others take at most `total` bytes, and what writers
/// that were killed left a day ago.
void tidy(const fs::path& folder, std::uint64_t total) {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Kept> all;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code gone;  // by another program in the meantime
    const fs::path& path = at->path();
    const auto used = fs::last_write_time(path, gone);
    const std::uintmax_t size = gone ? 0 : fs::file_size(path, gone);
    if (gone) continue;
    if (path.extension() == unfinished && fs::file_time_type::clock::now() - used > std::chrono::hours(24))
      fs::remove(path, gone);
    if (path.extension() == suffix) all.push_back({used, size, path});
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used > b.used; });
  std::uint64_t sum = 0;
  for (const Kept& one : all) {
    sum += one.size;
    if (sum > total) fs::remove(one.path, fault);
  }
}

}  // namespace

std::optional<IndexedFile> file_of(const ByteSource& source) {
  struct stat info {};
  if (::stat(source.name().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (static_cast<std::uint64_t>(info.st_size) != source.bytes().size()) return std::nullopt;
  IndexedFile file;
  file.size = static_cast<std::uint64_t>(info.st_size);
  file.modified = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return file;
}

std::string index_path(const std::string& path, IndexKeeping::Where where) {
  if (where == IndexKeeping::Where::nowhere) return {};
  std::error_code fault;
  const fs::path whole = fs::canonical(path, fault);
  if (fault) return {};
  if (where == IndexKeeping::Where::beside)
    return (whole.parent_path() / ("." + whole.filename().string() + ".isolume-frames")).string();
  const fs::path folder = cache_folder("frames");
  if (folder.empty()) return {};
  Checksum sum;
  sum.add(whole.native().data(), whole.native().size());
  return (folder / fmt::format("{:016x}{}", sum.value(), suffix)).string();
}

std::optional<FrameIndexFile> read_index(const std::string& path, std::uint64_t most) {
  if (path.empty()) return std::nullopt;
  // O_NONBLOCK: a FIFO of that name must not be waited for.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat info {};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (info.st_size <= 0 || static_cast<std::uint64_t>(info.st_size) > most) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::read(file.fd, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    at += static_cast<std::size_t>(count);
  }
  auto index = index_of_bytes(bytes);
  if (index) ::futimens(file.fd, nullptr);  // used now; where that is not allowed it is the first to go
  return index;
}

bool write_index(const std::string& path, const std::string& bytes, const IndexKeeping& keeping) {
  static std::atomic<unsigned> number = 0;
  if (path.empty() || bytes.size() > keeping.total / 4) return false;
  const bool in_cache = keeping.where == IndexKeeping::Where::cache;
  const fs::path folder = fs::path(path).parent_path();
  std::error_code fault;
  if (in_cache) {
    if (fs::create_directories(folder, fault)) fs::permissions(folder, fs::perms::owner_all, fault);
    if (fault) return false;
  }
  const std::string draft = fmt::format("{}.{}.{}{}", path, ::getpid(), ++number, unfinished);
  bool written = false;
  {
    const Descriptor file{::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, in_cache ? 0600 : 0644)};
    if (file.fd < 0) return false;
    written = write_all(file.fd, bytes);
  }
  written = written && ::rename(draft.c_str(), path.c_str()) == 0;
  if (!written) ::unlink(draft.c_str());
  if (written && in_cache) tidy(folder, keeping.total);
  return written;
}

}  // namespace isolume
