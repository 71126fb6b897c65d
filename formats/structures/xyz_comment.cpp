// The comment line of an XYZ frame: lattice, columns and time.
#include "formats/structures/xyz_comment.h"

#include <utility>

namespace isolume::xyz {
namespace {

/// key=value pairs: values may be quoted by " or ' or enclosed in {} or []. Words without "=" are skipped.
std::vector<std::pair<std::string_view, std::string_view>> key_values(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  std::size_t at = 0;
  const auto blank = [&](std::size_t i) { return text[i] == ' ' || text[i] == '\t' || text[i] == ','; };
  while (at < text.size()) {
    while (at < text.size() && blank(at)) ++at;
    const std::size_t key_start = at;
    while (at < text.size() && text[at] != '=' && !blank(at)) ++at;
    const std::string_view key = text.substr(key_start, at - key_start);
    if (at >= text.size() || text[at] != '=') continue;
    ++at;
    if (at >= text.size()) break;
    constexpr std::string_view openers = "\"'{[";
    constexpr std::string_view closers = "\"'}]";
    const std::size_t kind = openers.find(text[at]);
    std::size_t start = at;
    std::size_t end = at;
    if (kind != std::string_view::npos) {
      start = at + 1;
      end = std::min(text.find(closers[kind], start), text.size());
      at = std::min(end + 1, text.size());
    } else {
      while (at < text.size() && text[at] != ' ' && text[at] != '\t') ++at;
      end = at;
    }
    pairs.emplace_back(key, text.substr(start, end - start));
  }
  return pairs;
}

Cell lattice(const LineScanner& scanner, std::string_view value) {
  std::vector<std::string_view> fields;
  std::string spaced(value);
  for (char& c : spaced) {
    if (c == ',' || c == '[' || c == ']' || c == '{' || c == '}') c = ' ';
  }
  split(spaced, fields);
  if (fields.size() != 9) {
    scanner.fail("Lattice: expected 9 numbers, found " + std::to_string(fields.size()) + " fields");
  }
  Cell cell;
  for (int i = 0; i < 9; ++i) {
    cell.vectors[i / 3][i % 3] = scanner.coordinate(fields[static_cast<std::size_t>(i)], "Lattice");
  }
  return cell;
}

Columns properties(const LineScanner& scanner, std::string_view value) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= value.size();) {
    const std::size_t end = std::min(value.find(':', start), value.size());
    parts.push_back(value.substr(start, end - start));
    start = end + 1;
  }
  if (parts.size() % 3 != 0) {
    scanner.fail("Properties: expected name:type:columns triples, found " + std::to_string(parts.size()) + " parts");
  }
  Columns columns;
  columns.extended = true;
  columns.species = columns.position = Columns::none;
  columns.count = 0;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::string_view name = parts[i];
    const std::string_view type = parts[i + 1];
    if (type != "S" && type != "R" && type != "I" && type != "L") {
      scanner.fail("Properties: the type of \"" + clean(name, 40) + "\" is \"" + clean(type, 40) +
                   "\"; known are S, R, I, L");
    }
    const auto width =
        static_cast<std::size_t>(scanner.integer(parts[i + 2], "Properties: number of columns", 1, 1000));
    const bool one_number = width == 1 && (type == "R" || type == "I");
    const bool vector = width == 3 && type == "R";
    const std::size_t at = columns.count;
    if (name == "species" && type == "S" && width == 1) columns.species = at;
    if (name == "pos" && vector) columns.position = at;
    if ((name == "Z" || name == "numbers") && one_number) columns.number = at;
    if ((name == "charge" || name == "charges" || name == "initial_charges" || name == "q") && one_number) {
      columns.charge = at;
    }
    if ((name == "mass" || name == "masses") && one_number) columns.mass = at;
    if ((name == "force" || name == "forces") && vector) columns.force = at;
    columns.count += width;
  }
  if (columns.position == Columns::none) scanner.fail("Properties: no pos:R:3 among them");
  if (columns.species == Columns::none && columns.number == Columns::none) {
    scanner.fail("Properties: neither species:S:1 nor Z:I:1 among them");
  }
  return columns;
}

/// CP2K writes " i = 10, time = 5.000, E = -17.2" with the time in fs.
std::optional<double> cp2k_time(std::string_view text) {
  if (!trimmed(text).starts_with("i =")) return std::nullopt;
  const std::size_t at = text.find("time =");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + 6);
  std::string_view token = next_token(rest);
  if (token.ends_with(',')) token.remove_suffix(1);
  const auto femtoseconds = parse_real(token);
  if (!femtoseconds) return std::nullopt;
  return *femtoseconds * 1e-3;
}

}  // namespace

Comment read_comment(const LineScanner& scanner) {
  Comment comment;
  comment.time = cp2k_time(scanner.line());
  for (const auto& [key, value] : key_values(scanner.line())) {
    if (starts_with_nocase(key, "LATTICE") && key.size() == 7) comment.cell = lattice(scanner, value);
    if (starts_with_nocase(key, "PROPERTIES") && key.size() == 10) comment.columns = properties(scanner, value);
  }
  return comment;
}

}  // namespace isolume::xyz
