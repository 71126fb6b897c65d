// Colours of atoms from a file: a table of numbers or colours, or an alignment whose conservation is shown.
#include "app/view/colour_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "app/view/colour_table.h"
#include "compute/structure/conservation.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr glm::u8vec4 no_colour{160, 160, 160, 255};
constexpr double least_identity = 0.3;
constexpr std::size_t most_kept = 16, most_names = 24;

struct Kept {
  std::filesystem::file_time_type time;
  std::uintmax_t size;
  std::shared_ptr<ColourFileContents> contents;
};

std::mutex kept_mutex;

/// The file as it was read last, or again where it changed. Under the mutex.
std::shared_ptr<ColourFileContents> contents_of(const std::string& path) {
  static std::map<std::string, Kept> kept;
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  const auto size = failed ? 0 : std::filesystem::file_size(path, failed);
  const auto found = kept.find(path);
  if (!failed && found != kept.end() && found->second.time == time && found->second.size == size)
    return found->second.contents;
  auto contents = std::make_shared<ColourFileContents>(read_colour_file(path));
  if (kept.size() >= most_kept) kept.clear();
  kept[path] = {time, size, contents};
  return contents;
}

std::string number_text(const Residue& residue) {
  return std::to_string(residue.number) + (residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
}

/// What an atom has under a key.
std::string value_of(ColourFileKey key, const Topology& topology, std::size_t atom) {
  switch (key) {
    case ColourFileKey::chain:
      return topology.chain_of(atom).id.empty() ? topology.chain_of(atom).segment : topology.chain_of(atom).id;
    case ColourFileKey::number:
      return number_text(topology.residue_of(atom));
    case ColourFileKey::residue:
      return topology.residue_of(atom).name;
    case ColourFileKey::atom:
      return topology.atoms[atom].name;
    case ColourFileKey::index:
      return std::to_string(atom);
    case ColourFileKey::serial:
      break;
  }
  return std::to_string(topology.atoms[atom].serial);
}

/// The line of each atom, -1 for none: lines of equal keys are looked up together.
std::vector<int> lines_of_atoms(const ColourFileContents& contents, const Topology& topology) {
  std::map<std::vector<ColourFileKey>, std::map<std::vector<std::string>, int>> tables;
  for (std::size_t i = 0; i < contents.lines.size(); ++i) {
    std::vector<ColourFileKey> keys;
    std::vector<std::string> values;
    for (const auto& [key, value] : contents.lines[i].keys) keys.push_back(key), values.push_back(value);
    tables[keys][values] = static_cast<int>(i);
  }
  std::vector<int> result(topology.atoms.size(), -1);
  for (std::size_t atom = 0; atom < result.size(); ++atom)
    for (const auto& [keys, table] : tables) {
      std::vector<std::string> values;
      for (const ColourFileKey key : keys) values.push_back(value_of(key, topology, atom));
      if (const auto found = table.find(values); found != table.end())
        result[atom] = std::max(result[atom], found->second);
    }
  return result;
}

/// Throws Error::in_file where no atom has a line.
std::vector<int> some_lines_of_atoms(const std::string& path, const ColourFileContents& contents,
                                     const Topology& topology) {
  std::vector<int> lines = lines_of_atoms(contents, topology);
  if (std::all_of(lines.begin(), lines.end(), [](int line) { return line < 0; }))
    throw Error::in_file(path, 0, "no line of the table names an atom of the molecule");
  return lines;
}

std::vector<float> numbers_of(const ColourFileContents& contents, const std::vector<int>& lines) {
  std::vector<float> values(lines.size(), no_number);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i] >= 0) values[i] = contents.lines[static_cast<std::size_t>(lines[i])].value;
  return values;
}

AtomColours by_table(const std::string& path, const ColourFileContents& contents, const Topology& topology,
                     const ColourRule& rule, std::span<const std::uint8_t> mask) {
  const std::vector<int> lines = some_lines_of_atoms(path, contents, topology);
  if (!contents.colours) return colour_atoms(topology, rule, numbers_of(contents, lines), contents.title, {}, mask);
  AtomColours result;
  result.colours.assign(lines.size(), no_colour);
  ColourKey key;
  key.title = std::filesystem::path(path).stem().string();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] < 0) continue;
    const ColourFileLine& line = contents.lines[static_cast<std::size_t>(lines[i])];
    result.colours[i] = line.colour;
    if (line.label.empty() || (!mask.empty() && !mask[i]) || key.entries.size() >= most_names) continue;
    std::pair<std::string, glm::vec3> entry(line.label, glm::vec3(glm::u8vec3(line.colour)) / 255.0f);
    if (std::find(key.entries.begin(), key.entries.end(), entry) == key.entries.end()) key.entries.push_back(entry);
  }
  if (!key.entries.empty()) result.key = std::move(key);
  return result;
}

AtomColours by_alignment(const std::string& path, ColourFileContents& contents, const Topology& topology,
                         ColourRule rule, std::span<const std::uint8_t> mask) {
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
  const std::shared_ptr<ColourFileContents> contents = contents_of(path);
  return contents->rows.empty() ? by_table(path, *contents, topology, rule, mask)
                                : by_alignment(path, *contents, topology, rule, mask);
}

AtomNumbers numbers_by_file(const std::string& path, const Topology& topology) {
  const std::lock_guard lock(kept_mutex);
  const std::shared_ptr<ColourFileContents> contents = contents_of(path);
  if (!contents->rows.empty() || contents->colours)
    throw Error::in_file(path, 0, "holds no column of numbers for atoms");
  return {numbers_of(*contents, some_lines_of_atoms(path, *contents, topology)), contents->title};
}

}  // namespace isolume
