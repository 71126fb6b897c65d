// Name: the table of texts.
#include "molecule/base/name.h"

#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "molecule/base/error.h"

namespace isolume {
namespace {

struct Table {
  std::shared_mutex mutex;
  std::unordered_map<std::string_view, std::uint32_t> numbers;  ///< keys are the texts in their blocks
  std::uint32_t next = 1;
};

// Never destroyed: names are read until the very end.
Table& table() {
  static auto* const one = new Table;
  return *one;
}

// The names of eight bytes at most that a thread made last. Readers make one for each atom, on all threads.
struct Recent {
  std::uint64_t text = 0;  ///< 0: none, as the empty name is never looked for
  std::uint32_t number = 0;
};
constexpr std::size_t recent_count = 256;  // a power of two
thread_local std::array<Recent, recent_count> recent;

}  // namespace

constinit std::array<std::atomic<std::string*>, Name::block_count> Name::blocks_ = {};

const std::string& Name::no_text() {
  static const auto* const none = new std::string;
  return *none;
}

std::uint32_t Name::number_of(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() > sizeof(std::uint64_t)) return number_in_table(text);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data(), text.size());
  // Bytes of 0 could make two texts the same.
  if (text.find('\0') != std::string_view::npos) return number_in_table(text);
  Recent& kept = recent[static_cast<std::size_t>((bytes * 0x9e3779b97f4a7c15u) >> 56) % recent_count];
  if (kept.text != bytes) kept = {bytes, number_in_table(text)};
  return kept.number;
}

std::uint32_t Name::number_in_table(std::string_view text) {
  Table& all = table();
  {
    const std::shared_lock lock(all.mutex);
    if (const auto found = all.numbers.find(text); found != all.numbers.end()) return found->second;
  }
  const std::unique_lock lock(all.mutex);
  if (const auto found = all.numbers.find(text); found != all.numbers.end()) return found->second;
  if (all.next == std::numeric_limits<std::uint32_t>::max()) throw Error("more than 4294967295 different names");
  const auto [block, place] = place_of(all.next);
  std::string* texts = blocks_[block].load(std::memory_order_relaxed);
  if (texts == nullptr) texts = new std::string[std::size_t{first_block} << block];
  texts[place] = text;
  all.numbers.emplace(texts[place], all.next);
  blocks_[block].store(texts, std::memory_order_release);
  return all.next++;
}

std::size_t Name::count() {
  Table& all = table();
  const std::shared_lock lock(all.mutex);
  return all.next;
}

}  // namespace isolume
