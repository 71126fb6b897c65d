// Colours of atoms from a file: a table of numbers or colours, or an alignment whose conservation is shown.
#include "app/view/colour_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "compute/structure/conservation.h"
#include "formats/bytes/text.h"
#include "formats/sequences/alignment.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr glm::u8vec4 no_colour{160, 160, 160, 255};
constexpr double least_identity = 0.3;
constexpr std::size_t most_kept = 16, most_names = 24;

enum class Key : std::uint8_t { chain, number, residue, atom, index, serial };

/// A line of a table: what its atoms have in common, and what they get.
struct Line {
  std::vector<std::pair<Key, std::string>> keys;
  float value = no_number;
  glm::u8vec4 colour{0};
  std::string label;
};

struct Contents {
  std::string title;
  bool colours = false;
  std::vector<Line> lines;
  std::vector<std::string> rows;  ///< of an alignment; then there are no lines
  SequenceKind kind = SequenceKind::protein;
  std::vector<float> conservation;
  std::map<std::string, ChainInAlignment> chains;  ///< that were looked for
};

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

std::optional<Key> key_from(const std::string& name) {
  const std::string big = upper(name);
  if (big == "CHAIN") return Key::chain;
  if (big == "NUMBER" || big == "RESID" || big == "RESI") return Key::number;
  if (big == "RESIDUE" || big == "RESNAME") return Key::residue;
  if (big == "ATOM" || big == "NAME") return Key::atom;
  if (big == "INDEX") return Key::index;
  if (big == "SERIAL") return Key::serial;
  return std::nullopt;
}

Contents read_table(const ByteSource& source) {
  Contents contents;
  LineScanner lines(source);
  std::vector<std::string> heading;
  std::vector<std::optional<Key>> keys;
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
    Line line;
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

Contents read_contents(const std::string& path) {
  const auto source = ByteSource::open(path);
  const auto first = first_lines(*source, 1);
  const std::string_view begin = first.empty() ? std::string_view() : trimmed(first.front());
  if (!begin.starts_with('>') && !begin.starts_with("# STOCKHOLM") && !starts_with_nocase(begin, "CLUSTAL") &&
      !starts_with_nocase(begin, "MUSCLE"))
    return read_table(*source);
  Contents contents;
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

struct Kept {
  std::filesystem::file_time_type time;
  std::uintmax_t size;
  std::shared_ptr<Contents> contents;
};

std::mutex kept_mutex;

/// The file as it was read last, or again where it changed. Under the mutex.
std::shared_ptr<Contents> contents_of(const std::string& path) {
  static std::map<std::string, Kept> kept;
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  const auto size = failed ? 0 : std::filesystem::file_size(path, failed);
  const auto found = kept.find(path);
  if (!failed && found != kept.end() && found->second.time == time && found->second.size == size)
    return found->second.contents;
  auto contents = std::make_shared<Contents>(read_contents(path));
  if (kept.size() >= most_kept) kept.clear();
  kept[path] = {time, size, contents};
  return contents;
}

std::string number_text(const Residue& residue) {
  return std::to_string(residue.number) + (residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
}

/// What an atom has under a key.
std::string value_of(Key key, const Topology& topology, std::size_t atom) {
  switch (key) {
    case Key::chain:
      return topology.chain_of(atom).id.empty() ? topology.chain_of(atom).segment : topology.chain_of(atom).id;
    case Key::number:
      return number_text(topology.residue_of(atom));
    case Key::residue:
      return topology.residue_of(atom).name;
    case Key::atom:
      return topology.atoms[atom].name;
    case Key::index:
      return std::to_string(atom);
    case Key::serial:
      break;
  }
  return std::to_string(topology.atoms[atom].serial);
}

/// The line of each atom, -1 for none: lines of equal keys are looked up together.
std::vector<int> lines_of_atoms(const Contents& contents, const Topology& topology) {
  std::map<std::vector<Key>, std::map<std::vector<std::string>, int>> tables;
  for (std::size_t i = 0; i < contents.lines.size(); ++i) {
    std::vector<Key> keys;
    std::vector<std::string> values;
    for (const auto& [key, value] : contents.lines[i].keys) keys.push_back(key), values.push_back(value);
    tables[keys][values] = static_cast<int>(i);
  }
  std::vector<int> result(topology.atoms.size(), -1);
  for (std::size_t atom = 0; atom < result.size(); ++atom)
    for (const auto& [keys, table] : tables) {
      std::vector<std::string> values;
      for (const Key key : keys) values.push_back(value_of(key, topology, atom));
      if (const auto found = table.find(values); found != table.end())
        result[atom] = std::max(result[atom], found->second);
    }
  return result;
}

AtomColours by_table(const std::string& path, const Contents& contents, const Topology& topology,
                     const ColourRule& rule, std::span<const std::uint8_t> mask) {
  const std::vector<int> lines = lines_of_atoms(contents, topology);
  if (std::all_of(lines.begin(), lines.end(), [](int line) { return line < 0; }))
    throw Error::in_file(path, 0, "no line of the table names an atom of the molecule");
  if (!contents.colours) {
    std::vector<float> values(lines.size(), no_number);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i] >= 0) values[i] = contents.lines[static_cast<std::size_t>(lines[i])].value;
    return colour_atoms(topology, rule, values, contents.title, {}, mask);
  }
  AtomColours result;
  result.colours.assign(lines.size(), no_colour);
  ColourKey key;
  key.title = std::filesystem::path(path).stem().string();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] < 0) continue;
    const Line& line = contents.lines[static_cast<std::size_t>(lines[i])];
    result.colours[i] = line.colour;
    if (line.label.empty() || (!mask.empty() && !mask[i]) || key.entries.size() >= most_names) continue;
    std::pair<std::string, glm::vec3> entry(line.label, glm::vec3(glm::u8vec3(line.colour)) / 255.0f);
    if (std::find(key.entries.begin(), key.entries.end(), entry) == key.entries.end()) key.entries.push_back(entry);
  }
  if (!key.entries.empty()) result.key = std::move(key);
  return result;
}

AtomColours by_alignment(const std::string& path, Contents& contents, const Topology& topology, ColourRule rule,
                         std::span<const std::uint8_t> mask) {
  std::vector<float> values(topology.atoms.size(), no_number);
  const ResidueKind wanted = contents.kind == SequenceKind::protein ? ResidueKind::protein : ResidueKind::nucleic;
  double nearest = 0;
  bool any = false;
  for (const Chain& chain : topology.chains) {
    std::string letters;
    std::vector<std::uint32_t> residues;
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      if (residue_kind(topology, r) != wanted) continue;
      letters += residue_letter(topology.residues[r].name);
      residues.push_back(r);
    }
    if (letters.empty()) continue;
    auto found = contents.chains.find(letters);
    if (found == contents.chains.end()) {
      Job job;
      found = contents.chains.emplace(letters, find_chain(letters, contents.rows, contents.kind, job)).first;
    }
    nearest = std::max(nearest, found->second.identity);
    if (found->second.identity < least_identity) continue;
    any = true;
    for (std::size_t i = 0; i < residues.size(); ++i) {
      const int column = found->second.columns[i];
      if (column < 0) continue;
      const Residue& residue = topology.residues[residues[i]];
      for (std::uint32_t k = 0; k < residue.atom_count; ++k)
        values[residue.first_atom + k] = contents.conservation[static_cast<std::size_t>(column)];
    }
  }
  if (!any)
    throw Error::in_file(
        path, 0,
        fmt::format("no chain of the molecule is in the alignment: the nearest sequence has {:.0f} % of "
                    "its residues, {:.0f} % are needed",
                    100 * nearest, 100 * least_identity));
  if (rule.lower == rule.upper) rule.lower = 0, rule.upper = 1;
  return colour_atoms(topology, rule, values, contents.title, {}, mask);
}

}  // namespace

AtomColours colours_by_file(const std::string& path, const Topology& topology, const ColourRule& rule,
                            std::span<const std::uint8_t> mask) {
  if (path.empty()) return {colour_atoms(topology, Colouring::element, glm::u8vec4(0)), std::nullopt};
  const std::lock_guard lock(kept_mutex);
  const std::shared_ptr<Contents> contents = contents_of(path);
  return contents->rows.empty() ? by_table(path, *contents, topology, rule, mask)
                                : by_alignment(path, *contents, topology, rule, mask);
}

}  // namespace isolume
