// The values that stand after a word: names, patterns, numbers and ranges.
#include "molecule/selection/selection_values.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "molecule/elements.h"
#include "molecule/selection/selection.h"

namespace isolume {

namespace {

using Kind = SelectionToken::Kind;

std::string capitals(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

bool is_operator(const SelectionToken& token) {
  return token.kind == Kind::symbol && token.text != "(" && token.text != ")" && token.text != "!" &&
         token.text != "&" && token.text != "|" && token.text != "&&" && token.text != "||";
}

class Values {
 public:
  Values(std::string_view text, std::size_t& at, const Word& word, const SelectionToken& word_token)
      : text_(text), at_(at), word_token_(word_token) {
    list_.attribute = word.attribute();
  }

  ListTest many() {
    for (bool first = true;; first = false) {
      const SelectionToken value = next_value(text_, at_);
      if (!is_value(value, first)) {
        if (first) {
          fail("expected " + std::string(is_text(list_.attribute) ? "names" : "numbers") + " after '" +
                   std::string(word_token_.text) + "'" +
                   (value.kind == Kind::end ? "" : ", found '" + std::string(value.text) + "'"),
               value.kind == Kind::end ? word_token_ : value);
        }
        break;
      }
      take(value, first);
    }
    return finish();
  }

  ListTest one() {
    const SelectionToken value = next_value(text_, at_);
    if (!is_value(value, true))
      fail("expected a value after '" + std::string(word_token_.text) + "'",
           value.kind == Kind::end ? word_token_ : value);
    take(value, true);
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& message, const SelectionToken& token) const {
    throw SelectionError(message, text_, token.column, token.length);
  }

  bool is_value(const SelectionToken& value, bool first) const {
    if (value.kind == Kind::pattern || value.kind == Kind::literal) return true;
    if (value.kind != Kind::word) return false;
    const Word* known = find_word(value.text);
    if (known == nullptr) return true;
    if (known->kind == Word::Kind::connective && known->connective() != Connective::to) {
      // "of" and "as" may be names; "and", "or" and "not" never are without quotes.
      return first && (known->connective() == Connective::of || known->connective() == Connective::as);
    }
    if (first) return true;
    // `chain a b`: a single letter is a word only where it goes on as one.
    if (known->text.size() == 1) return !is_operator(next_token(text_, value.end()));
    return false;
  }

  void take(const SelectionToken& value, bool first) {
    at_ = value.end();
    if (!is_text(list_.attribute)) {
      take_numbers(value);
      return;
    }
    if (value.kind == Kind::pattern && value.text.find_first_of(".[](){}|*+?\\^$") != std::string_view::npos) {
      try {
        list_.patterns.emplace_back(value.text);
      } catch (const std::invalid_argument& problem) {
        fail(std::string("the pattern cannot be used: ") + problem.what(), value);
      }
      return;
    }
    if (value.kind != Kind::word) {
      list_.exact.emplace(value.text);
      return;
    }
    if (!first) {
      // A slip in a connective would otherwise become one more name that nothing has.
      for (std::string_view meant : {"and", "not", "within", "same"}) {
        std::string sorted(value.text), other(meant);
        std::sort(sorted.begin(), sorted.end());
        std::sort(other.begin(), other.end());
        if (sorted == other && value.text != meant) {
          fail("'" + std::string(value.text) + "' looks like '" + std::string(meant) +
                   "'; put it in quotes if it is a name",
               value);
        }
      }
    }
    take_names(value);
  }

  void take_names(const SelectionToken& value) {
    std::string_view rest = value.text;
    while (!rest.empty()) {
      // ALA+GLY and ALA,GLY are lists; the sign of NA+ belongs to the name.
      std::size_t end = 1;
      while (end < rest.size() && rest[end] != ',' &&
             !(rest[end] == '+' && end + 1 < rest.size() && rest[end + 1] != '+' && rest[end + 1] != ',')) {
        ++end;
      }
      take_name(rest.substr(0, end), value);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void take_name(std::string_view name, const SelectionToken& value) {
    std::string unescaped;
    for (char c : name) {
      if (c != '\\') unescaped += c;
    }
    switch (list_.attribute) {
      case Attribute::ss:
        for (char c : capitals(unescaped)) {
          // PyMOL's H, S and L stand for all kinds of helix, strand and loop.
          const std::string_view classes = c == 'H'               ? "HGI"
                                           : c == 'S' || c == 'E' ? "E"
                                           : c == 'L' || c == 'C' ? "CT"
                                           : c == 'T'             ? "T"
                                                                  : "";
          if (classes.empty()) fail("secondary structure is H, S, L or T", value);
          for (char known : classes) list_.exact.emplace(1, known);
        }
        return;
      case Attribute::element:
        if (name.find('*') == std::string_view::npos && element_from_symbol(unescaped) == 0 &&
            capitals(unescaped) != "X") {
          fail("no element has the symbol '" + unescaped + "'", value);
        }
        [[fallthrough]];
      case Attribute::name:
      case Attribute::resname:
        if (name.find('*') != std::string_view::npos) {
          list_.patterns.push_back(Pattern::wildcard(name));
        } else {
          list_.folded.insert(capitals(unescaped));
        }
        return;
      default:
        if (name.find('*') != std::string_view::npos) {
          list_.patterns.push_back(Pattern::wildcard(name));
        } else {
          list_.exact.insert(unescaped);
        }
    }
  }

  // A number at the front of `rest`, which loses it.
  double number(std::string_view& rest, const SelectionToken& value) const {
    std::string_view digits = rest;
    if (!digits.empty() && (digits.front() == '\\' || digits.front() == '+')) digits.remove_prefix(1);
    double result = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (error != std::errc() || !std::isfinite(result)) {
      const std::string_view near = nearest_word(value.text);
      fail("expected a number, found '" + std::string(value.text) + "'" +
               (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"),
           value);
    }
    if (!is_real(list_.attribute) && result != std::floor(result)) {
      fail("'" + std::string(word_token_.text) + "' takes whole numbers", value);
    }
    rest = digits.substr(static_cast<std::size_t>(stop - digits.data()));
    return result;
  }

  // Real values are stored in single precision: what was written must meet what was read.
  void add_range(double first, double last, const SelectionToken& value) {
    if (last < first) fail("this range runs backwards", value);
    const double slack = is_real(list_.attribute) ? 1e-6 * std::max({1.0, std::abs(first), std::abs(last)}) : 0;
    list_.ranges.push_back({first - slack, last + slack});
  }

  void take_numbers(const SelectionToken& value) {
    std::string_view rest = value.text;
    if (rest.empty()) fail("expected a number", value);
    while (!rest.empty()) {
      const double first = number(rest, value);
      double last = first;
      if (list_.attribute == Attribute::resid && !rest.empty() && std::isalpha(static_cast<unsigned char>(rest[0]))) {
        if (rest.size() > 1 && rest[1] != '+' && rest[1] != ',')
          fail("expected one letter after the residue number", value);
        if (std::abs(first) > 1e9) fail("expected a residue number", value);
        list_.inserted.push_back({static_cast<std::int32_t>(first), rest[0]});
        rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
        continue;
      }
      if (!rest.empty() && (rest[0] == '-' || rest[0] == ':')) {
        rest.remove_prefix(1);
        last = number(rest, value);
      } else if (rest.empty()) {
        last = range_end(first);
      }
      add_range(first, last, value);
      if (rest.empty()) break;
      if (rest[0] != '+' && rest[0] != ',') fail("expected a number, found '" + std::string(value.text) + "'", value);
      rest.remove_prefix(1);
      if (rest.empty()) fail("expected a number at the end", value);
    }
  }

  // The number after a `to` that follows, else `first`.
  double range_end(double first) {
    const SelectionToken connective = next_value(text_, at_);
    if (connective.kind != Kind::word ||
        (connective.text != "to" && connective.text != "through" && connective.text != "-" && connective.text != ":")) {
      return first;
    }
    const SelectionToken value = next_value(text_, connective.end());
    if (value.kind == Kind::end || value.text.empty())
      fail("expected a number after '" + std::string(connective.text) + "'", connective);
    std::string_view rest = value.text;
    const double last = number(rest, value);
    if (!rest.empty()) fail("expected a number, found '" + std::string(value.text) + "'", value);
    if (last < first) fail("this range runs backwards", value);
    at_ = value.end();
    return last;
  }

  // Sorted, and joined where they overlap, so that a binary search finds the one that may hold a number.
  ListTest finish() {
    std::vector<ListTest::Range>& ranges = list_.ranges;
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<ListTest::Range> joined;
    for (const ListTest::Range& range : ranges) {
      if (!joined.empty() && range.first <= joined.back().last) {
        joined.back().last = std::max(joined.back().last, range.last);
      } else {
        joined.push_back(range);
      }
    }
    ranges = std::move(joined);
    return std::move(list_);
  }

  std::string_view text_;
  std::size_t& at_;
  const SelectionToken& word_token_;
  ListTest list_;
};

}  // namespace

ListTest parse_values(std::string_view text, std::size_t& at, const Word& word, const SelectionToken& word_token) {
  return Values(text, at, word, word_token).many();
}

ListTest parse_one_value(std::string_view text, std::size_t& at, const Word& word, const SelectionToken& word_token) {
  return Values(text, at, word, word_token).one();
}

}  // namespace isolume
