// Reading files of colours: tables in CSV, and alignments.
#include "app/view/colour_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "compute/structure/conservation.h"
#include "formats/bytes/text.h"
#include "formats/sequences/alignment.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += line[++i];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) cell = clean(cell);
  return cells;
}

std::optional<glm::u8vec4> colour_from(std::string_view text) {
  std::uint32_t number = 0;
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  const auto [end, fault] = std::from_chars(text.data() + 1, text.data() + 7, number, 16);
  if (fault != std::errc() || end != text.data() + 7) return std::nullopt;
  return glm::u8vec4(number >> 16, (number >> 8) & 255, number & 255, 255);
}

std::optional<ColourFileKey> key_from(const std::string& name) {
  const std::string big = upper(name);
  if (big == "CHAIN") return ColourFileKey::chain;
  if (big == "NUMBER" || big == "RESID" || big == "RESI") return ColourFileKey::number;
  if (big == "RESIDUE" || big == "RESNAME") return ColourFileKey::residue;
  if (big == "ATOM" || big == "NAME") return ColourFileKey::atom;
  if (big == "INDEX") return ColourFileKey::index;
  if (big == "SERIAL") return ColourFileKey::serial;
  return std::nullopt;
}

ColourFileContents read_table(const ByteSource& source) {
  ColourFileContents contents;
  LineScanner lines(source);
  std::vector<std::string> heading;
  std::vector<std::optional<ColourFileKey>> keys;
  std::optional<std::size_t> value, colour, label;
  while (lines.next()) {
    const std::string_view text = trimmed(lines.line());
    if (text.empty() || text.front() == '#') continue;
    const std::vector<std::string> cells = cells_of(text);
    if (heading.empty()) {
      heading = cells;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        keys.push_back(key_from(cells[i]));
        const std::string big = upper(cells[i]);
        if (big == "COLOUR" || big == "COLOR") colour = i;
        if (big == "LABEL") label = i;
        if (big == "VALUE") value = i;
      }
      if (std::none_of(keys.begin(), keys.end(), [](const auto& key) { return key.has_value(); }))
        lines.fail("expected a heading that names atoms: chain, number, residue, atom, index or serial, found '" +
                   clean(text) + "'");
      if (!value && !colour && !keys.back()) value = cells.size() - 1;
      if (!value && !colour) lines.fail("expected a column 'value' or 'colour'");
      contents.colours = colour.has_value();
      if (value) contents.title = heading[*value];
      continue;
    }
    if (cells.size() != heading.size())
      lines.fail(fmt::format("expected {} columns as in the heading, found {}", heading.size(), cells.size()));
    ColourFileLine line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (keys[i] && !cells[i].empty()) line.keys.emplace_back(*keys[i], cells[i]);
    if (colour) {
      const auto found = colour_from(cells[*colour]);
      if (!found) lines.fail(fmt::format("expected a colour such as #0072b2, found '{}'", cells[*colour]));
      line.colour = *found;
      if (label) line.label = cells[*label];
    } else if (!cells[*value].empty()) {
      line.value = static_cast<float>(lines.real(cells[*value], heading[*value]));
    }
    contents.lines.push_back(std::move(line));
  }
  if (contents.lines.empty()) throw Error::in_file(source.name(), 0, "the table has no lines under its heading");
  return contents;
}

}  // namespace

ColourFileContents read_colour_file(const std::string& path) {
  const auto source = ByteSource::open(path);
  const auto first = first_lines(*source, 1);
  const std::string_view begin = first.empty() ? std::string_view() : trimmed(first.front());
  if (!begin.starts_with('>') && !begin.starts_with("# STOCKHOLM") && !starts_with_nocase(begin, "CLUSTAL") &&
      !starts_with_nocase(begin, "MUSCLE"))
    return read_table(*source);
  ColourFileContents contents;
  contents.title = "Conservation";
  std::size_t letters = 0, of_bases = 0;
  for (SequenceFile::Row& row : read_alignment(*source).rows) {
    for (const char c : row.letters) {
      letters += c != '-';
      of_bases += c == 'A' || c == 'C' || c == 'G' || c == 'T' || c == 'U' || c == 'N';
    }
    contents.rows.push_back(std::move(row.letters));
  }
  contents.kind = 10 * of_bases > 9 * letters ? SequenceKind::nucleic : SequenceKind::protein;
  contents.conservation = column_conservation(contents.rows, contents.kind);
  return contents;
}

}  // namespace isolume
