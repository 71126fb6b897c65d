// AMBER's masks in the words of selections.
#include "molecule/selection/selection_masks.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace isolume {

namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// The items of "1-50,60,WAT".
std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> items;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    items.push_back(list.substr(0, comma));
    if (comma == list.size()) return items;
    list.remove_prefix(comma + 1);
  }
}

/// "1-50" as "1 to 50"; empty where it is no number and no range of numbers.
std::string numbers_of(std::string_view item) {
  const std::size_t dash = item.find('-', 1);
  const auto number = [](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), digit);
  };
  if (number(item)) return std::string(item);
  if (dash == std::string_view::npos || !number(item.substr(0, dash)) || !number(item.substr(dash + 1))) return {};
  return std::string(item.substr(0, dash)) + " to " + std::string(item.substr(dash + 1));
}

bool is_name(std::string_view item) {
  return !item.empty() && std::all_of(item.begin(), item.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("'*+-=_").find(c) != std::string_view::npos;
  });
}

/// One list behind ":" or "@", by numbers and by names.
std::string list_words(std::string_view list, const char* by_number, const char* by_name) {
  std::string numbers, names;
  for (const std::string_view item : items_of(list)) {
    if (const std::string range = numbers_of(item); !range.empty()) {
      numbers += " " + range;
    } else if (is_name(item)) {
      names += " " + std::string(item);
    } else {
      return {};
    }
  }
  std::replace(names.begin(), names.end(), '=', '*');  // any letters
  if (names.empty()) return by_number + numbers;
  if (numbers.empty()) return by_name + names;
  return std::string("(") + by_number + numbers + " or " + by_name + names + ")";
}

/// The longest part of `text` without an operator.
std::string_view plain_part(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && std::string_view("&|!():@<> ").find(text[end]) == std::string_view::npos) ++end;
  return text.substr(0, end);
}

}  // namespace

std::string words_of_mask(std::string_view text) {
  std::string words;
  bool negated = false, after_operand = false;
  const auto add = [&](const std::string& word) {
    const bool touches = words.empty() || words.back() == '(' || word == ")";
    words += (touches ? "" : " ") + word;
  };
  while (!text.empty()) {
    const char c = text.front();
    if (c != ':' && c != '@') {
      text.remove_prefix(1);
      if (c == '&' || c == '|') {
        add(c == '&' ? "and" : "or");
        after_operand = false;
      } else if (c == '!') {
        negated = true;
      } else if (c == '(' || c == ')') {
        if (negated) add("not");
        negated = false;
        add(std::string(1, c));
        after_operand = c == ')';
      } else if (c != ' ') {
        return {};
      }
      continue;
    }
    if (after_operand) return {};
    std::vector<std::string> parts;
    while (!text.empty() && (text.front() == ':' || text.front() == '@')) {
      const bool residues = text.front() == ':';
      text.remove_prefix(1);
      const bool type = !residues && text.starts_with('%'), element = !residues && text.starts_with('/');
      if (type || element) text.remove_prefix(1);
      const std::string_view list = plain_part(text);
      text.remove_prefix(list.size());
      parts.push_back(residues  ? list_words(list, "resid", "resname")
                      : type    ? list_words(list, "type", "type")
                      : element ? list_words(list, "element", "element")
                                : list_words(list, "serial", "name"));
      if (parts.back().empty()) return {};
    }
    std::string operand = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) operand += " and " + parts[i];
    if (negated) operand = parts.size() > 1 ? "not (" + operand + ")" : "not " + operand;
    negated = false;
    add(operand);
    after_operand = true;
  }
  return after_operand ? words : std::string();
}

}  // namespace isolume
