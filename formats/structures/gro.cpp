// GRO files of GROMACS: atoms of the first frame, an index of the frames.
#include "formats/structures/gro.h"

#include <algorithm>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/frame_index.h"
#include "formats/bytes/text.h"
#include "formats/bytes/text_pieces.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr std::size_t first_number = 20;  ///< bytes before the first coordinate
constexpr std::size_t shortest_line = 1;  ///< bytes that an atom takes at least, for checking counts

/// Width of a coordinate's columns: the distance between the first two decimal points (any precision is allowed).
std::size_t field_width(std::string_view line) {
  const std::size_t first = line.find('.', first_number);
  if (first == std::string_view::npos) return 0;
  const std::size_t second = line.find('.', first + 1);
  return second == std::string_view::npos ? 0 : second - first;
}

bool is_count(std::string_view line) {
  const auto count = parse_integer(line);
  return count && *count >= 0;
}

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 3);
  if (lines.size() < 3 || !is_count(lines[1])) return 0;
  const std::string_view line = lines[2];
  const std::size_t width = field_width(line);
  if (line.size() < first_number + 3 * width || width < 6 || width > 30) return 0;
  if (!parse_integer(columns(line, 1, 5)) || field(line, 6, 10).empty()) return 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!parse_real(line.substr(first_number + i * width, width))) return 0;
  }
  return 80;
}

/// The three numbers at `offset` of an atom's line, each `width` wide.
glm::dvec3 three(const LineScanner& scanner, std::size_t offset, std::size_t width, std::string_view what) {
  const std::string_view line = scanner.line();
  glm::dvec3 value(0);
  for (int i = 0; i < 3; ++i) {
    value[i] = scanner.coordinate(line.substr(offset + static_cast<std::size_t>(i) * width, width), what,
                                  units::nm_in_angstrom);
  }
  return value;
}

/// Numbers of a box line: separated by blanks, or, where they touch ("40000.0000040000.00000"), each with as many
/// decimals as the last.
std::vector<std::string_view> box_fields(std::string_view line) {
  line = trimmed(line);
  const std::size_t last_point = line.rfind('.');
  std::vector<std::string_view> fields = split(line);
  const bool plain = std::all_of(fields.begin(), fields.end(), [](std::string_view f) { return parse_real(f); });
  if (plain || last_point == std::string_view::npos) return fields;
  const std::size_t decimals = line.size() - last_point - 1;
  fields.clear();
  while (!line.empty()) {
    const std::size_t point = line.find('.');
    if (point == std::string_view::npos) break;
    const std::size_t end = std::min(line.size(), point + 1 + decimals);
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

Cell box(const LineScanner& scanner) {
  const auto fields = box_fields(scanner.line());
  if (fields.size() != 3 && fields.size() != 9) {
    scanner.fail("expected a box of 3 or 9 numbers, found \"" + clean(scanner.line(), 60) + "\"");
  }
  double v[9] = {};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    v[i] = scanner.coordinate(fields[i], "box", units::nm_in_angstrom);
  }
  Cell cell;
  cell.vectors[0] = {v[0], v[3], v[4]};
  cell.vectors[1] = {v[5], v[1], v[6]};
  cell.vectors[2] = {v[7], v[8], v[2]};
  return cell;
}

/// The time in ps out of a title ("... t= 12.5 step= 100").
std::optional<double> time_of(std::string_view title) {
  for (std::size_t at = title.rfind("t="); at != std::string_view::npos && at > 0; at = title.rfind("t=", at - 1)) {
    if (title[at - 1] != ' ' && title[at - 1] != ',') continue;
    std::string_view rest = title.substr(at + 2);
    if (const auto time = parse_real(next_token(rest))) return time;
  }
  return std::nullopt;
}

/// Reads the count on the current line and checks it against what is left of the file.
std::size_t atom_count(const LineScanner& scanner) {
  const auto count = static_cast<std::size_t>(scanner.integer(
      scanner.line(), "number of atoms", 0, static_cast<std::int64_t>(scanner.source().limits().atoms)));
  check_count(scanner.source(), scanner.number(), count, shortest_line, scanner.bytes_left(), "atoms");
  return count;
}

/// Width of the coordinates of the atom on the current line, which must reach as far as they do.
std::size_t checked_width(const LineScanner& scanner) {
  const std::string_view line = scanner.line();
  const std::size_t width = field_width(line);
  if (width < 3 || width > 60 || line.size() < first_number + 3 * width) {
    scanner.fail("expected an atom with three coordinates from column 21 on, found \"" + clean(line, 60) + "\"");
  }
  return width;
}

/// The next `count` lines: positions, velocities where all lines have them, and, where `named`, who the atoms are.
void read_atoms(LineScanner& scanner, std::size_t count, bool named, AtomPart& part) {
  Frame& frame = part.frame;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view line = scanner.require("an atom");
    const std::size_t width = checked_width(scanner);
    if (named) {
      const auto number = static_cast<std::int32_t>(
          scanner.integer(columns(line, 1, 5), "residue number (columns 1 to 5)", -9999, 99999));
      const std::string residue = clean(columns(line, 6, 10));
      Atom atom;
      atom.name = clean(columns(line, 11, 15));
      if (atom.name.empty()) scanner.fail("the atom's name (columns 11 to 15) is blank");
      atom.serial = static_cast<std::int32_t>(parse_integer(columns(line, 16, 20)).value_or(0));
      atom.element = part.elements({}, atom.name, residue);
      part.builder.add(std::move(atom), residue, number, ' ', {});
    }
    add_position(three(scanner, first_number, width, "position"), frame);
    // At once what all will take, if the file has as many as it says.
    if (i == 0) reserve_part(part, std::min(count, scanner.bytes_left() / first_number + 1));
    // Velocities have one decimal more in the same width plus none: "%8.4f" next to "%8.3f".
    const std::size_t after = first_number + 3 * width;
    if (line.size() >= after + 3 * width && frame.velocities.size() == i) {
      frame.velocities.emplace_back(three(scanner, after, width, "velocity"));
    }
  }
}

/// A frame from its title on, which is given back where the atoms are to be named.
AtomPart read_frame(LineScanner& scanner, std::string* title) {
  const bool named = title != nullptr;
  const auto time = time_of(scanner.require("a title"));
  if (named) *title = clean(scanner.line());
  scanner.require("the number of atoms");
  const std::size_t atoms = atom_count(scanner);
  AtomPart part = read_in_pieces(scanner, atoms, [named](LineScanner& lines, std::size_t count, AtomPart& piece) {
    read_atoms(lines, count, named, piece);
  });
  Frame& frame = part.frame;
  if (frame.velocities.size() != atoms) frame.velocities.clear();
  frame.time = time.value_or(0);
  frame.has_time = time.has_value();
  scanner.require("the box");
  frame.cell = box(scanner);
  return part;
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  LineScanner scanner(source, place.offset, place.line);
  return read_frame(scanner, nullptr).frame;
}

FrameStep step_over(LineScanner& scanner, bool first) {
  const std::string_view rest = scanner.source().text().substr(scanner.offset());
  if (trimmed(scanner.line()).empty() && rest.find_first_not_of(" \n\r\t") == std::string_view::npos) {
    return {FrameStep::Kind::end};  // blank lines at the end
  }
  if (!scanner.next()) return {FrameStep::Kind::cut};
  if (!first && !is_count(scanner.line())) return {FrameStep::Kind::damaged};
  const auto atoms = first ? atom_count(scanner) : static_cast<std::size_t>(*parse_integer(scanner.line()));
  return {skip_lines(scanner, atoms) && scanner.next() ? FrameStep::Kind::frame : FrameStep::Kind::cut, atoms};
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  std::string title;
  LineScanner scanner(*source);
  AtomPart first = read_frame(scanner, &title);
  if (first.frame.positions.empty()) throw Error::in_file(source->name(), 2, "expected at least one atom, found 0");
  return indexed_molecule(std::move(source), std::move(title), std::move(first), step_over, decode);
}

}  // namespace

const Format gro_format = {"GRO", "gro", "structure", sniff, read};

}  // namespace isolume
