// Name: a short text that many atoms share, in four bytes.
#pragma once

#ifndef __CUDACC__  // fmt does not compile in CUDA sources, which format no names
#include <fmt/core.h>
#endif

#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace isolume {

/// A text that is kept once for the whole program, as names of atoms and residues: a system of 10^8 atoms has some
/// hundred of them. It reads as a `const std::string&`, which lives until the program ends; to change it, assign
/// another. Equal names are equal numbers, so that comparing two is quick. Any thread may make and read names.
class Name {
 public:
  Name() = default;  ///< empty
  Name(std::string_view text) : number_(number_of(text)) {}
  Name(const std::string& text) : Name(std::string_view(text)) {}
  Name(const char* text) : Name(std::string_view(text)) {}
  Name(const Name&) = default;
  Name& operator=(const Name&) & = default;  // not of what is gone at once, as the name of an atom by value

  const std::string& text() const {
    if (number_ == 0) return no_text();
    const auto [block, place] = place_of(number_);
    return blocks_[block].load(std::memory_order_acquire)[place];
  }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }

  bool empty() const { return number_ == 0; }
  std::size_t size() const { return text().size(); }
  const char* data() const { return text().data(); }
  const char* c_str() const { return text().c_str(); }
  char operator[](std::size_t i) const { return text()[i]; }
  char front() const { return text().front(); }
  char back() const { return text().back(); }
  auto begin() const { return text().begin(); }
  auto end() const { return text().end(); }
  std::string substr(std::size_t from, std::size_t count = std::string::npos) const {
    return text().substr(from, count);
  }
  std::size_t find(std::string_view part, std::size_t from = 0) const { return text().find(part, from); }
  std::size_t find(char c, std::size_t from = 0) const { return text().find(c, from); }
  bool starts_with(std::string_view part) const { return text().starts_with(part); }
  bool starts_with(char c) const { return text().starts_with(c); }
  bool ends_with(std::string_view part) const { return text().ends_with(part); }
  bool ends_with(char c) const { return text().ends_with(c); }
  /// The same for equal names alone; the order of numbers says nothing.
  std::uint32_t number() const { return number_; }

  friend bool operator==(Name a, Name b) { return a.number_ == b.number_; }
  friend bool operator==(Name a, std::string_view b) { return a.text() == b; }
  friend bool operator==(Name a, const std::string& b) { return a.text() == b; }
  friend bool operator==(Name a, const char* b) { return a.text() == b; }
  friend std::strong_ordering operator<=>(Name a, Name b) { return a.text() <=> b.text(); }
  friend std::strong_ordering operator<=>(Name a, std::string_view b) { return std::string_view(a.text()) <=> b; }
  friend std::strong_ordering operator<=>(Name a, const std::string& b) { return a.text() <=> b; }
  friend std::string operator+(Name a, Name b) { return a.text() + b.text(); }
  friend std::string operator+(Name a, const std::string& b) { return a.text() + b; }
  friend std::string operator+(Name a, const char* b) { return a.text() + b; }
  friend std::string operator+(Name a, char b) { return a.text() + b; }
  friend std::string operator+(const std::string& a, Name b) { return a + b.text(); }
  friend std::string operator+(const char* a, Name b) { return a + b.text(); }
  friend std::string operator+(char a, Name b) { return a + b.text(); }
  friend std::ostream& operator<<(std::ostream& out, Name name) { return out << name.text(); }

  /// How many different ones there are, the empty one included.
  static std::size_t count();

 private:
  // Block k holds 256 * 2^k texts, which never move: readers need no lock.
  static constexpr std::uint32_t first_block = 256;
  static constexpr std::size_t block_count = 24;
  static std::array<std::atomic<std::string*>, block_count> blocks_;

  struct Place {
    std::size_t block, place;
  };
  static Place place_of(std::uint32_t number) {
    const std::uint64_t shifted = std::uint64_t{number} + first_block;
    const auto block = static_cast<std::size_t>(std::bit_width(shifted)) - 9;
    return {block, static_cast<std::size_t>(shifted) - (std::size_t{first_block} << block)};
  }
  static const std::string& no_text();
  static std::uint32_t number_of(std::string_view text);
  static std::uint32_t number_in_table(std::string_view text);

  std::uint32_t number_ = 0;
};

}  // namespace isolume

template <>
struct std::hash<isolume::Name> {
  std::size_t operator()(isolume::Name name) const noexcept { return std::hash<std::string>()(name.text()); }
};

#ifndef __CUDACC__
template <>
struct fmt::formatter<isolume::Name> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(isolume::Name name, Context& context) const {
    const std::string& text = name.text();
    return fmt::formatter<fmt::string_view>::format(fmt::string_view(text.data(), text.size()), context);
  }
};
#endif
