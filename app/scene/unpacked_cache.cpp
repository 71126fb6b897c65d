// The cache of unpacked sessions: what is in use is locked, and what is old or too much is removed.
#include "app/scene/unpacked_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "app/scene/path_part.h"
#include "molecule/base/cache_folder.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";  // no archive has a file of this name (packed_session.cpp)
constexpr const char* scene_name = "scene.isolume";
constexpr const char* removed = ".removed-";
constexpr const char* unfinished = ".part-";
constexpr std::int64_t day = 24 * 3600;

/// An open file; -1 for none.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  operator int() const { return file_; }

 private:
  int file_;
};

Descriptor open_lock(const fs::path& folder) {
  return Descriptor(::open((folder / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

/// Whether the open file is still the one of that name: whoever removes a folder gives it another name first.
bool is_there(int file, const fs::path& path) {
  struct stat own {
  }, named{};
  return ::fstat(file, &own) == 0 && ::lstat(path.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

std::mutex mutex;

/// Open as long as the program runs: what it has opened it may look at until then.
std::map<std::string, Descriptor>& held() {
  static std::map<std::string, Descriptor> all;
  return all;
}

std::optional<std::int64_t> time_of(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return std::nullopt;
  return static_cast<std::int64_t>(info.st_mtim.tv_sec);
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t sum = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    if (!at->is_regular_file(gone) || gone) continue;
    const std::uintmax_t size = at->file_size(gone);
    if (!gone) sum += size;
  }
  return sum;
}

/// An exclusive lock, where nobody else has one; it ends with the descriptor.
bool is_free(int lock, const fs::path& folder) {
  return lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0 && is_there(lock, folder / lock_name);
}

/// When its session was opened last. One without a lock was unpacked by an earlier version: then its folder says when.
std::int64_t used_at(const fs::path& folder, std::int64_t otherwise) {
  if (const auto used = time_of(folder / lock_name)) return *used;
  return time_of(folder).value_or(otherwise);
}

/// Unless somebody has opened it meanwhile. Under another name first, so that nobody finds half of it: who waits for
/// the lock then unpacks it again.
void remove(const UnpackedSession& session) {
  static std::atomic<unsigned> number{0};
  const fs::path away = fmt::format("{}{}{}-{}", session.folder, removed, ::getpid(), number.fetch_add(1));
  std::error_code failed;
  {
    const std::int64_t used = used_at(session.folder, session.used);
    const Descriptor lock = open_lock(session.folder);
    if (used != session.used || !is_free(lock, session.folder)) return;
    fs::rename(session.folder, away, failed);
  }
  if (!failed) fs::remove_all(away, failed);
}

}  // namespace

std::vector<std::size_t> sessions_to_remove(std::span<const UnpackedSession> all, std::int64_t now,
                                            const UnpackedLimits& limits) {
  std::vector<std::size_t> order(all.size()), gone;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].used < all[b].used; });
  std::uint64_t sum = 0;
  for (const UnpackedSession& one : all) sum += one.bytes;
  for (const std::size_t i : order) {
    if (all[i].open || (now - all[i].used <= limits.seconds && sum <= limits.bytes)) continue;
    gone.push_back(i);
    sum -= all[i].bytes;
  }
  return gone;
}

bool hold_unpacked(const fs::path& folder) {
  const std::lock_guard lock(mutex);
  std::error_code failed;
  const auto known = held().find(folder.string());
  if (known != held().end()) {
    if (is_there(known->second, folder / lock_name)) {
      ::futimens(known->second, nullptr);
      return fs::is_regular_file(folder / scene_name, failed);
    }
    held().erase(known);
  }
  if (!fs::is_regular_file(folder / scene_name, failed)) return false;
  Descriptor file = open_lock(folder);
  if (file < 0) return fs::is_regular_file(folder / scene_name, failed);  // a cache that can only be read
  while (::flock(file, LOCK_SH) != 0 && errno == EINTR) {
  }
  ::futimens(file, nullptr);
  if (!is_there(file, folder / lock_name) || !fs::is_regular_file(folder / scene_name, failed)) return false;
  held().emplace(folder.string(), std::move(file));
  return true;
}

void hold_unpacked(const Scene& scene) {
  const fs::path cache = cache_folder("sessions");
  if (cache.empty()) return;
  const std::string inside = (cache / "").string();
  const auto hold = [&](const std::string& path) {
    if (!path.starts_with(inside)) return;
    const std::string rest = path.substr(inside.size());
    hold_unpacked(cache / rest.substr(0, rest.find('/')));
  };
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      for (const std::string& path : *paths) hold(file_of(path));
  for (const Representation& shown : scene.representations) hold(shown.file);
}

void tidy_unpacked(const UnpackedLimits& limits, std::int64_t now) {
  const fs::path cache = cache_folder("sessions");
  if (cache.empty()) return;
  std::vector<UnpackedSession> all;
  std::error_code failed;
  for (fs::directory_iterator at(cache, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path folder = at->path();
    std::error_code gone;
    if (!at->is_directory(gone) || at->is_symlink(gone) || gone) continue;
    const std::string name = folder.filename().string();
    const auto made = time_of(folder);
    if (name.find(removed) != std::string::npos ||
        (name.find(unfinished) != std::string::npos && made && now - *made > day)) {
      fs::remove_all(folder, gone);
      continue;
    }
    if (name.find(unfinished) != std::string::npos || !fs::is_regular_file(folder / scene_name, gone)) continue;
    const bool marked = time_of(folder / lock_name).has_value();
    const std::int64_t used = used_at(folder, now);
    const Descriptor lock = open_lock(folder);
    if (!marked && lock >= 0) {  // it is not used now
      const timespec when[2] = {{static_cast<time_t>(used), 0}, {static_cast<time_t>(used), 0}};
      ::futimens(lock, when);
    }
    const bool free = is_free(lock, folder);
    all.push_back({folder.string(), bytes_below(folder), used, !free});
  }
  for (const std::size_t i : sessions_to_remove(all, now, limits)) remove(all[i]);
}

}  // namespace isolume
