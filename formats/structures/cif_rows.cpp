// The rows of a CIF's large loop, found in its text one a line.
#include "formats/structures/cif_rows.h"

#include <algorithm>
#include <atomic>

#include "formats/bytes/text.h"
#include "molecule/base/threads.h"

namespace isolume {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// "loop_", "data_x" and the like, and what CIF 1.1 keeps for itself: left to the grammar.
bool is_reserved(std::string_view value) {
  switch (value[0]) {
    case '_':
    case '#':
    case '$':
    case ';':
    case '[':
    case ']':
      return true;
    case 'd':
    case 'D':
    case 'g':
    case 'G':
    case 'l':
    case 'L':
    case 's':
    case 'S':
      for (const std::string_view word : {"DATA_", "GLOBAL_", "LOOP_", "SAVE_", "STOP_"}) {
        if (starts_with_nocase(value, word)) return true;
      }
      return false;
    default:
      return false;
  }
}

/// The line from `at` on, and where the next begins.
std::string_view line_at(std::string_view text, std::size_t at, std::size_t& next) {
  const std::size_t newline = std::min(text.find('\n', at), text.size());
  next = std::min(newline + 1, text.size());
  std::string_view line = text.substr(at, newline - at);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// True for what follows a loop's last row: nothing, a comment, a tag, or a word that begins something.
bool ends_rows(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line[0] == '#' || line[0] == '_') return true;
  return starts_with_nocase(line, "LOOP_") || starts_with_nocase(line, "DATA_") || starts_with_nocase(line, "SAVE_");
}

/// Tags and the place of the first row, of the loop whose first tag is at `at`. False where it is none.
bool read_head(std::string_view text, std::string_view prefix, std::size_t at, CifRows& rows) {
  // Before it, "loop_" alone on its line.
  if (at == 0 || text[at - 1] != '\n') return false;
  const std::size_t end = at - 1;
  const std::size_t before = text.rfind('\n', end > 0 ? end - 1 : 0);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  if (begin > end || trimmed(text.substr(begin, end - begin)) != "loop_") return false;
  rows.loop_line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1;
  rows.first_line = rows.loop_line + 1;
  std::size_t next = at;
  for (std::string_view line = line_at(text, at, next); line.starts_with(prefix); line = line_at(text, at, next)) {
    const std::string_view tag = trimmed(line);
    if (tag.find_first_of(" \t") != std::string_view::npos) return false;
    rows.tags.push_back(tag);
    ++rows.first_line;
    at = next;
    if (at >= text.size()) return false;
  }
  rows.begin = at;
  return true;
}

}  // namespace

std::string_view CifRows::line(std::string_view text, std::size_t row) const {
  std::size_t next = 0;
  return line_at(text, starts[row], next);
}

bool split_cif_row(std::string_view line, std::vector<std::string_view>& values) {
  values.clear();
  std::size_t i = 0;
  while (true) {
    while (i < line.size() && is_blank(line[i])) ++i;
    if (i == line.size()) return true;
    const std::size_t first = i;
    const char quote = line[i];
    if (quote == '\'' || quote == '"') {
      // Closed by the same quote before a blank or the end of the line: 'O5'' holds O5'.
      do {
        i = line.find(quote, i + 1);
        if (i == std::string_view::npos) return false;
      } while (i + 1 < line.size() && !is_blank(line[i + 1]));
      ++i;
    } else {
      while (i < line.size() && !is_blank(line[i])) ++i;
    }
    const std::string_view value = line.substr(first, i - first);
    if (is_reserved(value)) return false;
    values.push_back(value);
  }
}

std::optional<CifRows> find_cif_rows(std::string_view text, std::string_view prefix, std::size_t piece) {
  const std::size_t first_tag = text.find(prefix);
  CifRows rows;
  if (first_tag == std::string_view::npos || !read_head(text, prefix, first_tag, rows)) return std::nullopt;
  rows.end = rows.begin;
  std::size_t next = rows.begin;
  while (rows.end < text.size()) {
    if (ends_rows(line_at(text, rows.end, next))) break;
    rows.starts.push_back(rows.end);
    rows.end = next;
  }
  if (rows.starts.empty()) return std::nullopt;
  const std::size_t count = rows.starts.size();
  const std::size_t parts = std::clamp<std::size_t>((rows.end - rows.begin) / std::max<std::size_t>(piece, 1), 1, 64);
  std::atomic<bool> plain = true;
  on_threads(parts, [&](std::size_t part) {
    std::vector<std::string_view> values;
    for (std::size_t row = count * part / parts; row < count * (part + 1) / parts && plain; ++row) {
      const std::string_view line = rows.line(text, row);
      const bool printable =
          std::all_of(line.begin(), line.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
      if (!printable || !split_cif_row(line, values) || values.size() != rows.tags.size()) plain = false;
    }
  });
  if (!plain) return std::nullopt;
  return rows;
}

}  // namespace isolume
