// Coordinate files of CHARMM: one frame, atoms by columns.
#include "formats/topologies/charmm_crd.h"

#include <limits>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

/// First and last column of each field, counted from 1.
struct Columns {
  struct Range {
    std::size_t first, last;
  };
  Range serial, residue_count, residue, name;
  std::size_t position, width;  ///< three numbers of this width begin here
  Range segment, residue_number;
  std::size_t least;  ///< of an atom's line: up to the coordinates' end
};
constexpr Columns normal{{1, 5}, {6, 10}, {12, 15}, {17, 20}, 21, 10, {52, 55}, {57, 60}, 50};
constexpr Columns extended{{1, 10}, {11, 20}, {23, 30}, {33, 40}, 41, 20, {103, 110}, {113, 120}, 100};

std::string_view take(std::string_view line, Columns::Range range) {
  return field(line, range.first, range.last);
}

std::string_view coordinate(std::string_view line, const Columns& c, std::size_t axis) {
  return field(line, c.position + axis * c.width, c.position + (axis + 1) * c.width - 1);
}

/// "2776" or "2776  EXT"; nothing where the line is something else.
std::optional<std::pair<std::int64_t, bool>> parse_count(std::string_view line) {
  const auto fields = split(line);
  if (fields.empty() || fields.size() > 2 || (fields.size() == 2 && fields[1] != "EXT")) return std::nullopt;
  const auto count = parse_integer(fields[0]);
  if (!count || *count < 1) return std::nullopt;
  return std::pair{*count, fields.size() == 2};
}

bool is_atom(std::string_view line, const Columns& c) {
  if (line.size() < c.least || !parse_integer(take(line, c.serial)) || !parse_integer(take(line, c.residue_count))) {
    return false;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view text = coordinate(line, c, axis);
    if (text.find('.') == std::string_view::npos || !parse_real(text)) return false;
  }
  return !take(line, c.name).empty();
}

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 200);
  std::size_t at = 0;
  while (at < lines.size() && lines[at].starts_with("*")) ++at;
  if (at == 0 || at >= lines.size()) return 0;
  const auto count = parse_count(lines[at]);
  if (!count) return 0;
  return at + 1 < lines.size() && is_atom(lines[at + 1], count->second ? extended : normal) ? 92 : 60;
}

/// Residue number and insertion code of "52" or "52A"; where it is neither, the residue counted from 1.
std::pair<std::int32_t, char> residue_number(std::string_view text, std::int64_t counted) {
  char insertion = ' ';
  std::string_view digits = text;
  if (!text.empty() && !parse_integer(text) && text.back() > ' ' && text.back() <= '~') {
    insertion = text.back();
    digits.remove_suffix(1);
  }
  const auto value = parse_integer(digits);
  if (!value || *value < -1000000000 || *value > 1000000000) return {static_cast<std::int32_t>(counted), ' '};
  return {static_cast<std::int32_t>(*value), insertion};
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  Molecule molecule;
  for (scanner.require("a title"); scanner.line().starts_with("*"); scanner.require("the number of atoms")) {
    std::string_view text = scanner.line();
    text.remove_prefix(1);
    if (molecule.title.empty()) molecule.title = clean(text);
  }
  const auto count = parse_count(scanner.line());
  if (!count) {
    scanner.fail("expected the number of atoms, perhaps with EXT, found \"" + clean(scanner.line(), 40) + "\"");
  }
  const Columns& c = count->second ? extended : normal;
  const auto atoms = static_cast<std::uint64_t>(count->first);
  if (atoms > source->limits().atoms) scanner.fail("more atoms than the limit allows");
  check_count(*source, scanner.number(), atoms, c.least, scanner.bytes_left(), "atoms");
  TopologyBuilder builder;
  ElementColumn elements;
  Frame frame;
  frame.positions.reserve(atoms);
  for (std::uint64_t i = 0; i < atoms; ++i) {
    const std::string_view line = scanner.require("an atom");
    if (line.size() < c.least) {
      scanner.fail("expected an atom with its position in columns " + std::to_string(c.position) + " to " +
                   std::to_string(c.least) + ", found \"" + clean(line, 60) + "\"");
    }
    const std::int64_t counted = scanner.integer(take(line, c.residue_count), "residue", 0, 2000000000);
    Atom atom;
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.name = clean(take(line, c.name));
    if (atom.name.empty()) scanner.fail("the atom's name is blank");
    const std::string residue = clean(take(line, c.residue));
    atom.element = elements({}, atom.name, residue);
    glm::dvec3 position;
    for (std::size_t axis = 0; axis < 3; ++axis)
      position[static_cast<int>(axis)] = scanner.coordinate(coordinate(line, c, axis), "position");
    add_position(position, frame);
    const auto [number, insertion] = residue_number(take(line, c.residue_number), counted);
    builder.add(std::move(atom), residue, number, insertion, {}, clean(take(line, c.segment)));
  }
  elements.add_notes(builder.topology());
  molecule.topology = std::make_shared<Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  return molecule;
}

}  // namespace

const Format charmm_crd_format = {"CHARMM CRD", "crd cor", "structure", sniff, read};

}  // namespace isolume
