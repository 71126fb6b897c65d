// From names given by a user to files: patterns, folders, and the order of numbered names.
#include "formats/file_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_single_files = 12;  // of a folder without a sequence

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// * stands for any text, ? for one character.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool readable_extension(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  for (const Format& format : formats()) {
    std::string_view rest = format.extensions;
    for (std::string_view extension = next_token(rest); !extension.empty(); extension = next_token(rest)) {
      if (name.size() > extension.size() && name.ends_with(extension) &&
          name[name.size() - extension.size() - 1] == '.') {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    std::string name = entry->path().filename().string();
    // How a file was made, next to it (app/export/made_record.h), is not read with it.
    if (entry->is_regular_file(fault) && !name.ends_with(".made.json")) names.push_back(std::move(name));
  }
  if (fault) throw Error::in_file(folder.string(), 0, "the folder cannot be read: " + fault.message());
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

std::vector<std::string> of_folder(const std::string& folder) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> sequences;
  std::vector<std::string> readable;
  for (const std::string& name : files_of(folder)) {
    if (!readable_extension(name)) continue;
    readable.push_back((fs::path(folder) / name).string());
    if (const auto sequence = sequence_name(name)) sequences[*sequence].push_back(readable.back());
  }
  std::erase_if(sequences, [](const auto& item) { return item.second.size() < 2; });
  if (sequences.size() == 1) return sequences.begin()->second;
  if (sequences.empty() && !readable.empty() && readable.size() <= most_single_files) return readable;
  std::string list;
  for (const auto& [name, files] : sequences) {
    list += fmt::format("{}{}*{} ({} files)", list.empty() ? "" : ", ", name.first, name.second, files.size());
  }
  throw Error::in_file(
      folder, 0,
      list.empty() ? fmt::format("the folder holds no numbered files of a known format (frame_000.molden, ...), and {}",
                                 readable.empty() ? "none without a number"
                                                  : std::to_string(readable.size()) + " others, too many")
                   : "the folder holds several sequences: " + list + "; name one by its pattern");
}

std::vector<std::string> of_pattern(const std::string& pattern) {
  const fs::path path(pattern);
  std::vector<std::string> found;
  for (const std::string& name : files_of(path.parent_path())) {
    if (fits(path.filename().string(), name)) found.push_back((path.parent_path() / name).string());
  }
  if (found.empty()) throw Error::in_file(pattern, 0, "no file fits the pattern");
  return found;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> sequence_name(const std::string& path) {
  const std::size_t end = path.size() - (path.ends_with(".gz") ? 3 : 0);
  const std::size_t point = path.substr(0, end).rfind('.');
  if (point == std::string::npos) return std::nullopt;
  std::size_t digits = point;
  while (digits > 0 && is_digit(path[digits - 1])) --digits;
  if (digits == point) return std::nullopt;
  return std::pair{path.substr(0, digits), path.substr(point)};
}

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    const auto number = [](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t first = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return std::string_view(text).substr(first, at - first);
    };
    const std::string_view x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if ((a.size() - i == 0) != (b.size() - j == 0)) return i == a.size();
  return a < b;  // "7" and "007": any order, but always the same one
}

std::vector<std::string> expand_paths(const std::vector<std::string>& arguments) {
  std::vector<std::string> paths;
  std::set<std::string> seen;
  for (const std::string& argument : arguments) {
    std::vector<std::string> found{argument};
    std::error_code fault;
    if (fs::is_directory(argument, fault)) {
      found = of_folder(argument);
    } else if (argument.find_first_of("*?") != std::string::npos && !fs::exists(argument, fault)) {
      found = of_pattern(argument);
    }
    // What is named by name counts as often as it is named: a trajectory may be shown twice over.
    const bool named = found.size() == 1 && found.front() == argument;
    for (std::string& path : found) {
      if (seen.insert(path).second || named) paths.push_back(std::move(path));
    }
  }
  for (auto begin = paths.begin(); begin != paths.end();) {
    const auto name = sequence_name(*begin);
    auto end = std::next(begin);
    while (name && end != paths.end() && sequence_name(*end) == name) ++end;
    std::stable_sort(begin, end, natural_less);
    begin = end;
  }
  return paths;
}

}  // namespace isolume
