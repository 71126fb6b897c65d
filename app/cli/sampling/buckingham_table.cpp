// Reading parameters of Buckingham's law.
#include "app/cli/sampling/buckingham_table.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume::cli {
namespace {

using Rows = std::map<std::string, std::uint32_t, std::less<>>;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.push_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return cells;
}

Rows read_rows(const ByteSource& source, std::vector<BuckinghamPair>& pairs) {
  Rows rows;
  LineScanner scanner(source);
  bool first = true;
  while (scanner.next()) {
    const std::string_view line = trimmed(scanner.line());
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> cells = cells_of(line);
    const bool headings = first && cells.size() == 4 && !parse_real(cells[1]);
    first = false;
    if (headings) continue;
    if (cells.size() != 4 || cells[0].empty())
      scanner.fail("expected \"kind,A,B,C\", found \"" + clean(line, 60) + "\"");
    const BuckinghamPair pair{scanner.real(cells[1], "A"), scanner.real(cells[2], "B"), scanner.real(cells[3], "C")};
    try {
      (void)pair.extrema();
    } catch (const Error& error) {
      scanner.fail(error.what());
    }
    if (!rows.emplace(std::string(cells[0]), static_cast<std::uint32_t>(pairs.size())).second)
      scanner.fail("the kind \"" + clean(cells[0], 40) + "\" is there twice");
    pairs.push_back(pair);
  }
  if (pairs.empty()) throw Error::in_file(source.name(), 0, "no line \"kind,A,B,C\" with parameters");
  return rows;
}

std::optional<std::uint32_t> row_of(const Rows& rows, const Atom& atom) {
  for (const std::string_view word : {std::string_view(atom.type), std::string_view(atom.name),
                                      std::string_view(element(atom.element).symbol), std::string_view("*")})
    if (const auto row = rows.find(word); row != rows.end()) return row->second;
  return std::nullopt;
}

}  // namespace

BuckinghamKinds read_buckingham_table(const std::string& path, const Topology& topology,
                                      std::span<const std::uint32_t> atoms) {
  BuckinghamKinds kinds;
  const Rows rows = read_rows(*ByteSource::open(path), kinds.pairs);
  kinds.kind_of_atom.assign(topology.atoms.size(), 0);
  for (const std::uint32_t i : atoms) {
    const Atom& atom = topology.atoms[i];
    const std::optional<std::uint32_t> row = row_of(rows, atom);
    if (!row)
      throw Error::in_file(
          path, 0,
          fmt::format("no parameters for atom {} (type \"{}\", name \"{}\", element {}); a line of one "
                      "of these is needed, or of \"*\" for all others",
                      i + 1, atom.type, atom.name, element(atom.element).symbol));
    kinds.kind_of_atom[i] = *row;
  }
  return kinds;
}

}  // namespace isolume::cli
