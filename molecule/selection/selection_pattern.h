// Regular expressions for names, matched in time proportional to text times pattern: no input can make them hang.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// A pattern over bytes that must match the whole text: literals, `.`, `[a-z]`, `[^a-z]`, `\d`, `\w`, `\s`, escapes,
/// groups, `|`, `*`, `+` and `?`. A Thompson automaton, without backtracking.
class Pattern {
 public:
  static constexpr std::size_t longest = 512;  ///< characters of a pattern

  /// Throws std::invalid_argument that says what is wrong.
  explicit Pattern(std::string_view regular_expression);
  /// `*` stands for any run of characters, everything else for itself, in either case of letters.
  static Pattern wildcard(std::string_view text);

  bool matches(std::string_view text) const;

 private:
  struct Parser;
  struct State {
    enum class Kind : std::uint8_t { set, split, match } kind = Kind::match;
    std::bitset<256> set;
    std::uint32_t next = 0;
    std::uint32_t other = 0;  // of a split
  };

  Pattern() = default;
  void reach(std::uint32_t state, std::vector<std::uint32_t>& open, std::vector<bool>& seen) const;

  std::vector<State> states_;
  std::uint32_t start_ = 0;
};

}  // namespace isolume
