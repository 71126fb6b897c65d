// The bytes of an index of frames that is kept on disk.
#include "formats/bytes/index_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "formats/bytes/checksum.h"

namespace isolume {
namespace {

constexpr std::string_view magic = "isolume frames1\n";
constexpr std::uint64_t longest_text = std::uint64_t{1} << 20;
constexpr std::uint64_t most_lines = std::uint64_t{1} << 62;

std::uint64_t checksum_of(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes.data(), bytes.size());
  return sum.value();
}

void put(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void put_text(std::string& out, std::string_view text) {
  text = text.substr(0, longest_text);
  put(out, text.size());
  out += text;
}

/// Numbers of untrusted bytes; `fine` is false from the first that is not there on.
struct Numbers {
  std::string_view left;
  bool fine = true;

  std::uint64_t take() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left.empty()) break;
      const auto byte = static_cast<unsigned char>(left.front());
      left.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fine = false;
    return 0;
  }

  std::string text() {
    const std::uint64_t size = take();
    if (!fine || size > left.size() || size > longest_text) {
      fine = false;
      return {};
    }
    std::string result(left.substr(0, size));
    left.remove_prefix(size);
    return result;
  }

  /// A count of things that take at least `bytes` each.
  std::uint64_t count(std::uint64_t bytes) {
    const std::uint64_t value = take();
    if (value > left.size() / bytes) fine = false;
    return fine ? value : 0;
  }
};

/// The place that is `numbers` after `before`; the offset rises, the line does not fall.
FramePlace next_place(Numbers& numbers, FramePlace before, bool first, std::uint64_t size) {
  const std::uint64_t bytes = numbers.take(), lines = numbers.take();
  const auto line = static_cast<std::uint64_t>(before.line);
  if ((bytes == 0 && !first) || bytes > size - before.offset || lines > most_lines - line) numbers.fine = false;
  if (!numbers.fine) return before;
  return {before.offset + bytes, static_cast<std::int64_t>(line + lines)};
}

}  // namespace

void read_ahead(std::string_view bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size() - begin;
  // Of no effect where it fails: the bytes are read when they are looked at.
  if (!bytes.empty()) ::posix_madvise(reinterpret_cast<void*>(begin), length, POSIX_MADV_WILLNEED);
}

std::uint64_t samples_of(std::string_view text, std::size_t size) {
  size = std::min(size, text.size());
  Checksum sum;
  const auto add = [&](std::size_t at, std::size_t count) { sum.add(text.data() + at, std::min(count, size - at)); };
  constexpr std::size_t ends = 4096, pieces = 64;
  for (std::size_t i = 0; i < pieces; ++i) read_ahead(text.substr(size / pieces * i, 256));
  add(0, ends);
  for (std::size_t i = 1; i < pieces; ++i) add(size / pieces * i, 256);
  add(size > ends ? size - ends : 0, ends);
  return sum.value();
}

std::string index_bytes(const FrameIndexFile& index) {
  const KnownFrames& frames = index.frames;
  std::string out(magic);
  out.reserve(1024 + 5 * frames.places.size());
  put_text(out, frames.reader);
  put(out, index.of.size);
  put(out, static_cast<std::uint64_t>(index.of.modified));
  put(out, index.of.samples);
  put_text(out, frames.title);
  put(out, frames.atoms);
  put(out, frames.passed);
  put(out, frames.left_out.size());
  for (const LeftOut& left : frames.left_out) {
    put(out, left.model);
    put(out, left.atoms);
  }
  put(out, frames.places.size());
  FramePlace before{0, 0};
  const auto put_place = [&](const FramePlace& place) {
    put(out, place.offset - before.offset);
    put(out, static_cast<std::uint64_t>(place.line - before.line));
    before = place;
  };
  for (const FramePlace& place : frames.places) put_place(place);
  put_place(frames.last);
  const std::uint64_t sum = checksum_of(out);
  for (int i = 0; i < 8; ++i) out += static_cast<char>(sum >> (8 * i));
  return out;
}

std::optional<FrameIndexFile> index_of_bytes(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 8) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - 8);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 8; ++i)
    sum |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[body.size() + i])) << (8 * i);
  if (sum != checksum_of(body)) return std::nullopt;
  Numbers numbers{body.substr(magic.size())};
  FrameIndexFile index;
  KnownFrames& frames = index.frames;
  frames.reader = numbers.text();
  index.of.size = numbers.take();
  index.of.modified = static_cast<std::int64_t>(numbers.take());
  index.of.samples = numbers.take();
  frames.title = numbers.text();
  frames.atoms = numbers.take();
  frames.passed = numbers.take();
  frames.left_out.resize(numbers.count(2));
  for (LeftOut& left : frames.left_out) {
    left.model = numbers.take();
    left.atoms = numbers.take();
  }
  frames.places.resize(numbers.count(2));
  if (frames.places.empty() || frames.passed > index.of.size) return std::nullopt;
  FramePlace before{0, 0};
  for (std::size_t i = 0; i < frames.places.size() && numbers.fine; ++i)
    before = frames.places[i] = next_place(numbers, before, i == 0, index.of.size);
  frames.last = next_place(numbers, before, false, index.of.size);
  if (!numbers.fine || !numbers.left.empty() || frames.last.offset >= index.of.size) return std::nullopt;
  return index;
}

}  // namespace isolume
