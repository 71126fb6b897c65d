// What earlier readings of a file found of its frames, in memory and on disk.
#include "formats/bytes/known_frames.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "formats/bytes/index_file.h"
#include "formats/bytes/index_folder.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

struct Memory {
  std::string name;
  std::uint64_t samples = 0;
  std::shared_ptr<const KnownFrames> frames;
  IndexedFile on_disk{};  ///< what the index on disk is of; size 0 for none
  Clock::time_point written{};
};

std::mutex mutex;
IndexKeeping keeping;
std::deque<Memory>& memories() {
  static std::deque<Memory> all;
  return all;
}

void put_memory(Memory memory) {
  constexpr std::size_t most = 16;
  const std::lock_guard lock(mutex);
  std::erase_if(memories(), [&](const Memory& m) { return m.name == memory.name; });
  memories().push_back(std::move(memory));
  if (memories().size() > most) memories().pop_front();
}

std::optional<Memory> memory_of(const std::string& name) {
  const std::lock_guard lock(mutex);
  for (const Memory& memory : memories())
    if (memory.name == name) return memory;
  return std::nullopt;
}

/// From disk, where it is of this file as it is or as it was when it was shorter.
std::shared_ptr<const KnownFrames> kept_frames(const ByteSource& source, const std::string& reader) {
  const IndexKeeping kept = indices_kept();
  if (kept.where == IndexKeeping::Where::nowhere || source.bytes().size() < kept.smallest) return nullptr;
  try {
    const auto file = file_of(source);
    if (!file) return nullptr;
    auto index = read_index(index_path(source.name()), kept.total / 4);
    if (!index || index->frames.reader != reader) return nullptr;
    const bool same = index->of.size == file->size && index->of.modified == file->modified;
    if (!same && index->of.size >= file->size) return nullptr;
    if (samples_of(source.text(), index->frames.last.offset) != index->of.samples) return nullptr;
    Memory memory{source.name(), index->of.samples, nullptr, index->of, {}};
    memory.frames = std::make_shared<const KnownFrames>(std::move(index->frames));
    put_memory(memory);
    return memory.frames;
  } catch (const std::exception&) {
    return nullptr;  // the file is scanned as if there were no index
  }
}

/// Writes the index where there is none of this file yet. One of a file that grows is written again when it has grown
/// by an eighth, or after half a minute.
void keep_on_disk(const ByteSource& source, Memory& memory) {
  const IndexKeeping kept = indices_kept();
  if (kept.where == IndexKeeping::Where::nowhere || source.bytes().size() < kept.smallest) return;
  try {
    const auto file = file_of(source);
    if (!file) return;
    IndexedFile of = *file;
    of.samples = memory.samples;
    if (of == memory.on_disk) return;
    const bool little = memory.on_disk.size > 0 && of.size > memory.on_disk.size &&
                        of.size - memory.on_disk.size < memory.on_disk.size / 8;
    const auto now = Clock::now();
    if (little && now - memory.written < std::chrono::seconds(30)) return;
    if (write_index(index_path(source.name()), index_bytes({of, *memory.frames}), kept)) memory.on_disk = of;
    memory.written = now;
  } catch (const std::exception&) {
    // Kept nowhere: the next run scans the file again.
  }
}

}  // namespace

void keep_indices(const IndexKeeping& wanted) {
  const std::lock_guard lock(mutex);
  keeping = wanted;
}

IndexKeeping indices_kept() {
  const std::lock_guard lock(mutex);
  return keeping;
}

std::shared_ptr<const KnownFrames> known_frames(const ByteSource& source, const std::string& reader) {
  if (const auto memory = memory_of(source.name())) {
    const std::size_t size = memory->frames->last.offset;
    if (memory->frames->reader == reader && source.bytes().size() >= size &&
        samples_of(source.text(), size) == memory->samples)
      return memory->frames;
  }
  return kept_frames(source, reader);
}

void remember_frames(const ByteSource& source, KnownFrames frames) {
  if (frames.last.offset < source.limits().piece) return;
  if (frames.places.empty()) return;
  Memory memory{source.name(), samples_of(source.text(), frames.last.offset), nullptr, {}, {}};
  memory.frames = std::make_shared<const KnownFrames>(std::move(frames));
  if (const auto before = memory_of(memory.name)) {
    memory.on_disk = before->on_disk;
    memory.written = before->written;
  }
  keep_on_disk(source, memory);
  put_memory(std::move(memory));
}

void forget_frames() {
  const std::lock_guard lock(mutex);
  memories().clear();
}

std::string index_path(const std::string& path) {
  return index_path(path, indices_kept().where);
}

}  // namespace isolume
