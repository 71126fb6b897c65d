// Atoms get colours by names or numbers, and the colours a key.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/represent/colour.h"
#include "render/represent/palette.h"

namespace isolume {

/// Gives atoms colours, and remembers what they mean.
class AtomPainter {
 public:
  AtomPainter(std::size_t atoms, const ColourRule& rule, std::span<const std::uint8_t> shown)
      : rule_(rule), shown_(shown) {
    result_.colours.resize(atoms);
  }

  /// `of(i)` is the name and the colour of atom i; the key lists them in the order in which they come.
  template <class Of>
  void by_name(const char* title, Of&& of) {
    ColourKey key;
    key.title = title;
    std::string_view last;
    for (std::size_t i = 0; i < result_.colours.size(); ++i) {
      const std::pair<std::string_view, glm::u8vec4> entry = of(i);
      result_.colours[i] = entry.second;
      if (entry.first == last || !counts(i)) continue;
      last = entry.first;
      const bool known =
          std::any_of(key.entries.begin(), key.entries.end(), [&](const auto& e) { return e.first == last; });
      if (!known && key.entries.size() < most_names) key.entries.emplace_back(last, to_float(entry.second));
    }
    if (!key.entries.empty()) result_.key = std::move(key);
  }

  /// `of(i)` is the number of atom i, which decide (those of what is shown) the ends. Without ends in the rule, a scale
  /// reaches from the 5th to the 95th percentile, so that one loose end does not make all else dark; one with a sign as
  /// far to both sides.
  template <class Of>
  void by_number(const std::string& title, const std::string& unit, Of&& of, bool of_shown) {
    std::vector<float> values;
    for (std::size_t i = 0; i < result_.colours.size(); ++i)
      if ((!of_shown || counts(i)) && std::isfinite(of(i))) values.push_back(of(i));
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
      return values.empty() ? 0.0f : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    const bool has_sign = !values.empty() && values.front() < 0 && values.back() > 0;
    double lower = rule_.lower, upper = rule_.upper;
    if (lower == upper) {
      lower = at(0.05), upper = at(0.95);
      if (lower == upper) lower = at(0), upper = at(1);
      if (has_sign) upper = std::max(std::abs(at(0)), std::abs(at(1))), lower = -upper;
    }
    const bool diverging = rule_.map == ColourMap::automatic && has_sign && std::abs(lower + upper) < 1e-6 * upper;
    const ColourMap map = diverging ? ColourMap::red_white_blue : rule_.map;
    set_scale(title, unit, lower, upper, map, of);
  }

  template <class Of>
  void set_scale(const std::string& title, const std::string& unit, double lower, double upper, ColourMap map,
                 Of&& of) {
    set_scale(
        title, unit, lower, upper, 32, [map](double t) { return mapped_colour(map, t); }, of);
  }

  /// `colour(t)` is the colour at t from 0 to 1, `steps` how finely the key shows it.
  template <class Colour, class Of>
  void set_scale(const std::string& title, const std::string& unit, double lower, double upper, int steps,
                 Colour&& colour, Of&& of) {
    for (std::size_t i = 0; i < result_.colours.size(); ++i) {
      const auto value = static_cast<double>(of(i));
      result_.colours[i] =
          std::isfinite(value) ? colour(upper != lower ? (value - lower) / (upper - lower) : 0.5) : grey;
    }
    ColourKey key{title, unit, lower, upper, {}, {}};
    for (int i = 0; i <= steps; ++i) key.scale.push_back(to_float(colour(static_cast<double>(i) / steps)));
    result_.key = std::move(key);
  }

  bool counts(std::size_t i) const { return shown_.empty() || shown_[i]; }
  AtomColours take() { return std::move(result_); }
  AtomColours& result() { return result_; }

 private:
  static constexpr glm::u8vec4 grey{150, 150, 150, 255};  // of what is no number
  static constexpr std::size_t most_names = 24;           // a key with more would fill the picture

  static glm::vec3 to_float(glm::u8vec4 colour) { return glm::vec3(glm::u8vec3(colour)) / 255.0f; }

  const ColourRule& rule_;
  std::span<const std::uint8_t> shown_;
  AtomColours result_;
};

}  // namespace isolume
