// The contents of small gzip files that were decompressed last.
#include "formats/bytes/kept_contents.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

namespace isolume {
namespace {

constexpr std::size_t most_files = 4;
constexpr std::size_t largest = std::size_t{4} << 20;

/// A file as it is on the disk, and its content.
struct Unpacked {
  std::string packed;
  std::shared_ptr<const ByteSource> content;
};

std::atomic<bool> keeping{false};
std::mutex mutex;

/// The one that was asked for last is the first.
std::list<Unpacked>& unpacked() {
  static std::list<Unpacked> files;
  return files;
}

/// Those that a content is within; a limit more is an error here, and not passed over.
auto limits_of(const ByteSource& source) {
  const auto& [bytes_in, bytes_out, ratio, line, piece, atoms, grid_points, recursion] = source.limits();
  return std::tuple(bytes_in, bytes_out, ratio, line, piece, atoms, grid_points, recursion);
}

}  // namespace

void keep_contents(bool wanted) {
  const std::lock_guard lock(mutex);
  keeping = wanted;
  if (!wanted) unpacked().clear();
}

std::shared_ptr<const ByteSource> kept_content(const ByteSource& packed) {
  if (!keeping) return nullptr;
  const std::lock_guard lock(mutex);
  std::list<Unpacked>& files = unpacked();
  const auto found = std::find_if(files.begin(), files.end(), [&](const Unpacked& file) {
    return file.content->name() == packed.name() && limits_of(*file.content) == limits_of(packed) &&
           file.packed == packed.text();
  });
  if (found == files.end()) return nullptr;
  packed.check_whole();
  files.splice(files.begin(), files, found);
  return files.front().content;
}

void keep_content(const ByteSource& packed, std::shared_ptr<const ByteSource> content) {
  if (!keeping || packed.bytes().size() > largest || content->bytes().size() > largest) return;
  std::string bytes(packed.text());
  packed.check_whole();
  const std::lock_guard lock(mutex);
  std::list<Unpacked>& files = unpacked();
  files.remove_if([&](const Unpacked& file) { return file.content->name() == content->name(); });
  files.push_front({std::move(bytes), std::move(content)});
  if (files.size() > most_files) files.pop_back();
}

}  // namespace isolume
