// The molecules of small files that were read last.
#include "formats/kept_files.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "formats/bytes/kept_contents.h"
#include "molecule/treated_trajectory.h"

namespace isolume {
namespace {

constexpr std::size_t most_files = 4;
constexpr std::size_t largest = std::size_t{4} << 20;

struct Kept {
  std::shared_ptr<const ByteSource> source;
  Molecule molecule;
};

std::atomic<bool> keeping{false};
std::mutex mutex;

/// The one that was asked for last is the first.
std::list<Kept>& kept() {
  static std::list<Kept> files;
  return files;
}

/// A limit more is an error here, and not passed over.
auto all_of(const ReadLimits& limits) {
  const auto& [bytes_in, bytes_out, ratio, line, piece, atoms, grid_points, recursion] = limits;
  return std::tuple(bytes_in, bytes_out, ratio, line, piece, atoms, grid_points, recursion);
}

bool same(const ByteSource& a, const ByteSource& b) {
  return a.name() == b.name() && all_of(a.limits()) == all_of(b.limits()) && a.text() == b.text();
}

}  // namespace

void keep_read_files(bool wanted) {
  keep_contents(wanted);
  keep_last_tree(wanted);
  const std::lock_guard lock(mutex);
  keeping = wanted;
  if (!wanted) kept().clear();
}

std::optional<Molecule> kept_molecule(const ByteSource& source) {
  if (!keeping) return std::nullopt;
  const std::lock_guard lock(mutex);
  std::list<Kept>& files = kept();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const Kept& file) { return same(*file.source, source); });
  if (found == files.end()) return std::nullopt;
  files.splice(files.begin(), files, found);
  return files.front().molecule;
}

std::shared_ptr<const ByteSource> copy_to_keep(const ByteSource& source) {
  if (!keeping || source.bytes().size() > largest) return nullptr;
  std::string bytes(source.text());
  source.check_whole();
  if (bytes.starts_with("\x1f\x8b")) return nullptr;  // from_bytes() would decompress once more
  auto copy = ByteSource::from_bytes(std::move(bytes), source.name(), source.limits());
  return copy;
}

void keep_molecule(std::shared_ptr<const ByteSource> copy, const Molecule& molecule) {
  if (!keeping) return;
  const std::lock_guard lock(mutex);
  std::list<Kept>& files = kept();
  files.remove_if([&](const Kept& file) { return file.source->name() == copy->name(); });
  files.push_front({std::move(copy), molecule});
  if (files.size() > most_files) files.pop_back();
}

}  // namespace isolume
