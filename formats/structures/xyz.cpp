// XYZ files, plain and extended: atoms of the first frame, an index of the frames.
#include "formats/structures/xyz.h"

#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/frame_index.h"
#include "formats/bytes/text.h"
#include "formats/bytes/text_pieces.h"
#include "formats/structures/xyz_comment.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

using xyz::Columns;
using xyz::Comment;

constexpr std::size_t shortest_line = 7;  ///< "H 0 0 0"

bool is_symbol(std::string_view text) {
  if (parse_integer(text)) return true;
  return !text.empty() && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'));
}

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 3);
  if (lines.size() < 3) return 0;
  const auto count = parse_integer(lines[0]);
  if (!count || *count < 1) return 0;
  const auto fields = split(lines[2]);
  if (lines[1].find("Properties=") != std::string_view::npos) return 85;
  if (fields.size() < 4 || !is_symbol(fields[0])) return 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (!parse_real(fields[i])) return 0;
  }
  return 70;
}

/// The count on the current line, checked against what is left of the file.
std::size_t atom_count(const LineScanner& scanner) {
  const auto count = static_cast<std::size_t>(scanner.integer(
      scanner.line(), "number of atoms", 0, static_cast<std::int64_t>(scanner.source().limits().atoms)));
  check_count(scanner.source(), scanner.number(), count, shortest_line, scanner.bytes_left() + 1, "atoms");
  return count;
}

bool is_blank(const LineScanner& scanner) {
  return trimmed(scanner.line()).empty();
}

/// An atom's line as fields; there are at least `columns.count`.
void atom_fields(LineScanner& scanner, const Columns& columns, std::vector<std::string_view>& fields) {
  split(scanner.require("an atom"), fields);
  if (fields.size() < columns.count) {
    scanner.fail("expected an atom with at least " + std::to_string(columns.count) + " columns, found " +
                 std::to_string(fields.size()));
  }
  if (columns.extended && fields.size() != columns.count) {
    scanner.fail("Properties promises " + std::to_string(columns.count) + " columns, found " +
                 std::to_string(fields.size()));
  }
}

glm::dvec3 vector_at(const LineScanner& scanner, const std::vector<std::string_view>& fields, std::size_t at,
                     std::string_view what) {
  return {scanner.real(fields[at], what), scanner.real(fields[at + 1], what), scanner.real(fields[at + 2], what)};
}

/// Who the atom of the current line is, taken apart into `fields`.
Atom read_atom(const LineScanner& scanner, const Columns& columns, const std::vector<std::string_view>& fields,
               ElementColumn& elements) {
  Atom atom;
  const std::string_view symbol = columns.species == Columns::none ? fields[columns.number] : fields[columns.species];
  atom.name = clean(symbol);
  const auto number = parse_integer(columns.number == Columns::none ? symbol : fields[columns.number]);
  if (number && !parse_real(fields[columns.position])) {
    scanner.fail("expected \"symbol x y z\", found \"" + clean(scanner.line(), 60) +
                 "\" (a Tinker file, perhaps: those are not read)");
  }
  if (number) {
    if (*number < 0 || *number >= element_count) {
      scanner.fail("atomic number " + std::to_string(*number) + " is not in 0 to 118");
    }
    atom.element = static_cast<std::uint8_t>(*number);
    if (parse_integer(symbol)) atom.name = std::string(element(atom.element).symbol);
  } else {
    atom.element = elements(symbol, atom.name, {});
  }
  if (columns.charge != Columns::none) {
    atom.charge = static_cast<float>(scanner.real(fields[columns.charge], "charge"));
  }
  if (columns.mass != Columns::none) atom.mass = static_cast<float>(scanner.real(fields[columns.mass], "mass"));
  return atom;
}

/// The next `count` lines: positions and forces, and, where `named`, who the atoms are.
void read_atoms(LineScanner& scanner, std::size_t count, const Columns& columns, bool named, AtomPart& part) {
  std::vector<std::string_view> fields;
  Frame& frame = part.frame;
  for (std::size_t i = 0; i < count; ++i) {
    atom_fields(scanner, columns, fields);
    if (named) part.builder.add(read_atom(scanner, columns, fields, part.elements), {}, 1, ' ', {});
    const std::size_t at = columns.position;
    const double x = scanner.coordinate(fields[at], "x"), y = scanner.coordinate(fields[at + 1], "y");
    add_position({x, y, scanner.coordinate(fields[at + 2], "z")}, frame);
    if (columns.force != Columns::none) {
      frame.forces.emplace_back(vector_at(scanner, fields, columns.force, "force") * units::ev_in_kcal_per_mol);
    }
  }
}

/// A frame from its number of atoms on; its comment is given back where the atoms are to be named.
AtomPart read_frame(LineScanner& scanner, std::string* title) {
  const bool named = title != nullptr;
  scanner.require("the number of atoms");
  const std::size_t atoms = atom_count(scanner);
  if (named && atoms == 0) scanner.fail("expected at least one atom, found 0");
  scanner.require("a comment");
  if (named) *title = clean(scanner.line());
  const Comment comment = xyz::read_comment(scanner);
  AtomPart part = read_in_pieces(scanner, atoms, [&](LineScanner& lines, std::size_t count, AtomPart& piece) {
    read_atoms(lines, count, comment.columns, named, piece);
  });
  part.frame.cell = comment.cell;
  part.frame.has_time = comment.time.has_value();
  part.frame.time = comment.time.value_or(0);
  Topology& draft = part.builder.topology();
  for (std::size_t i = 0; i < draft.atoms.size(); ++i) draft.atoms.set_serial(i, static_cast<std::int32_t>(i + 1));
  draft.has_charges = comment.columns.charge != Columns::none;
  if (named && comment.columns.force != Columns::none) {
    draft.notes.push_back("Forces are taken to be in eV/angstrom, as extended XYZ has them.");
  }
  return part;
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  LineScanner scanner(source, place.offset, place.line);
  return read_frame(scanner, nullptr).frame;
}

FrameStep step_over(LineScanner& scanner, bool first) {
  if (is_blank(scanner)) return {FrameStep::Kind::blank};
  const auto count = parse_integer(scanner.line());
  // Whatever is wrong with a later frame, those before it are there.
  if (!first && (!count || *count < 0)) return {FrameStep::Kind::damaged};
  const std::size_t atoms = first ? atom_count(scanner) : static_cast<std::size_t>(*count);
  // A last line that ends before its coordinates do is a frame cut short as well.
  const bool whole = skip_lines(scanner, atoms) && scanner.next() &&
                     (scanner.bytes_left() > 0 || atoms == 0 || split(scanner.line()).size() >= 4);
  return {whole ? FrameStep::Kind::frame : FrameStep::Kind::cut, atoms};
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  std::string title;
  LineScanner scanner(*source);
  AtomPart first = read_frame(scanner, &title);
  return indexed_molecule(std::move(source), std::move(title), std::move(first), step_over, decode);
}

}  // namespace

const Format xyz_format = {"XYZ", "xyz exyz extxyz", "structure", sniff, read};

}  // namespace isolume
