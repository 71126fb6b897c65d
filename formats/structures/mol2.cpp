// MOL2 files: atoms and bonds of the first molecule, an index of the others.
#include "formats/structures/mol2.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/frames.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr std::string_view mark = "@<TRIPOS>";

int sniff(const ByteSource& source) {
  for (const std::string_view line : first_lines(source, 400)) {
    if (line.starts_with(mark)) return 95;
    const std::string_view text = trimmed(line);
    if (!text.empty() && text[0] != '#') return 0;
  }
  return 0;
}

bool is_skipped(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text[0] == '#';
}

/// Counts and charge type of a MOLECULE record.
struct Header {
  std::string name;
  std::size_t atoms = 0;
  std::size_t bonds = 0;
  bool charges = false;
};

/// Reads the lines after @<TRIPOS>MOLECULE: name, counts, type, charge type.
Header read_header(LineScanner& scanner) {
  Header header;
  header.name = clean(scanner.require("the molecule's name"));
  std::string_view counts = scanner.require("the numbers of atoms and bonds");
  const auto most = static_cast<std::int64_t>(scanner.source().limits().atoms);
  header.atoms = static_cast<std::size_t>(scanner.integer(next_token(counts), "number of atoms", 0, most));
  const std::string_view bonds = next_token(counts);
  if (!bonds.empty()) {
    header.bonds = static_cast<std::size_t>(scanner.integer(bonds, "number of bonds", 0, 8 * most));
  }
  check_count(scanner.source(), scanner.number(), header.atoms, 10, scanner.bytes_left(), "atoms");
  check_count(scanner.source(), scanner.number(), header.bonds, 6, scanner.bytes_left(), "bonds");
  scanner.require("the molecule's type");
  header.charges = !starts_with_nocase(trimmed(scanner.require("the type of charges")), "NO_CHARGES");
  return header;
}

/// The next line of a section that is not blank and no comment.
std::string_view require_row(LineScanner& scanner, std::string_view what) {
  do {
    scanner.require(what);
  } while (is_skipped(scanner.line()));
  if (scanner.line().starts_with(mark)) scanner.fail("a new section where " + std::string(what) + " was expected");
  return scanner.line();
}

glm::dvec3 position(const LineScanner& scanner, const std::vector<std::string_view>& fields) {
  return {scanner.coordinate(fields[2], "x"), scanner.coordinate(fields[3], "y"), scanner.coordinate(fields[4], "z")};
}

void require_atom(LineScanner& scanner, std::vector<std::string_view>& fields) {
  split(require_row(scanner, "an atom"), fields);
  if (fields.size() < 6) {
    scanner.fail("expected an atom with number, name, x, y, z and type, found \"" + clean(scanner.line(), 60) + "\"");
  }
}

/// The symbol that a type names: "C.ar" carbon, "Cl" chlorine; force fields' "CA" or "OS" name none.
std::string_view symbol_of(std::string_view type) {
  const std::size_t point = type.find('.');
  if (point != std::string_view::npos) return type.substr(0, point);
  return element(element_from_symbol(type)).symbol == type ? type : std::string_view();
}

/// "ALA12" of substructure 12 is ALA; other names stay as they are.
std::string residue_name(std::string_view name, std::string_view number) {
  if (name.size() > number.size() && name.ends_with(number)) name.remove_suffix(number.size());
  return clean(name);
}

/// CRYSIN: a, b, c, alpha, beta, gamma, space group, setting.
Cell read_cell(LineScanner& scanner, std::vector<std::string>* warnings) {
  const auto fields = split(require_row(scanner, "the cell"));
  glm::dvec3 lengths(0);
  glm::dvec3 angles(0);
  bool good = fields.size() >= 6;
  for (std::size_t i = 0; good && i < 6; ++i) {
    const auto value = parse_real(fields[i]);
    good = value.has_value();
    if (good) (i < 3 ? lengths : angles)[static_cast<int>(i % 3)] = *value;
  }
  try {
    if (good) return Cell::from_lengths_angles(lengths, angles);
  } catch (const Error&) {
  }
  if (warnings) {
    warnings->push_back("The cell (CRYSIN, line " + std::to_string(scanner.number()) +
                        ") makes no sense: expected six numbers; there is none.");
  }
  return {};
}

void read_atoms(LineScanner& scanner, const Header& header, TopologyBuilder& builder) {
  ElementColumn elements;
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < header.atoms; ++i) {
    require_atom(scanner, fields);
    position(scanner, fields);
    Atom atom;
    atom.name = clean(fields[1]);
    atom.type = clean(fields[5]);
    atom.serial =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(parse_integer(fields[0]).value_or(0), 0, 2147483647));
    // Some files leave the substructure out and have the charge in its place.
    const bool substructure = fields.size() > 6 && parse_integer(fields[6]);
    const std::string_view number = substructure ? fields[6] : std::string_view("1");
    const std::string residue = substructure && fields.size() > 7 ? residue_name(fields[7], number) : std::string();
    const std::size_t charge = substructure ? 8 : 6;
    if (header.charges && fields.size() > charge) {
      atom.charge = static_cast<float>(scanner.real(fields[charge], "charge"));
    }
    atom.element = elements(symbol_of(fields[5]), atom.name, residue);
    builder.add(std::move(atom), residue,
                static_cast<std::int32_t>(scanner.integer(number, "substructure", -999999999, 999999999)), ' ', {});
  }
  builder.topology().has_charges = header.charges;
  elements.add_notes(builder.topology());
}

void read_bonds(LineScanner& scanner, const Header& header, Topology& topology) {
  const auto atoms = static_cast<std::int64_t>(topology.atoms.size());
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < header.bonds; ++i) {
    split(require_row(scanner, "a bond"), fields);
    if (fields.size() < 4) scanner.fail("expected a bond with number, two atoms and type");
    const auto a = static_cast<std::uint32_t>(scanner.integer(fields[1], "bond", 1, atoms) - 1);
    const auto b = static_cast<std::uint32_t>(scanner.integer(fields[2], "bond", 1, atoms) - 1);
    if (a == b) scanner.fail("a bond of atom " + std::to_string(a + 1) + " with itself");
    const std::string_view type = fields[3];
    if (type == "nc") continue;  // "not connected"
    const std::uint8_t order = type == "2" ? 2 : type == "3" ? 3 : type == "ar" ? 4 : 1;
    topology.bonds.push_back({std::min(a, b), std::max(a, b), order});
  }
  topology.has_bonds = true;
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  LineScanner scanner(source, place.offset, place.line);
  scanner.require("a molecule");
  const Header header = read_header(scanner);
  Frame frame;
  std::vector<std::string_view> fields;
  while (scanner.next()) {
    if (scanner.line().starts_with("@<TRIPOS>MOLECULE")) break;
    if (scanner.line().starts_with("@<TRIPOS>CRYSIN")) frame.cell = read_cell(scanner, nullptr);
    if (!scanner.line().starts_with("@<TRIPOS>ATOM")) continue;
    for (std::size_t i = 0; i < header.atoms; ++i) {
      require_atom(scanner, fields);
      add_position(position(scanner, fields), frame);
    }
  }
  return frame;
}

/// True where the molecule at the scanner (just past its MOLECULE line) has the names and types of the first one.
bool same_atoms(LineScanner& scanner, const Topology& first, std::size_t& atoms) {
  const Header header = read_header(scanner);
  atoms = header.atoms;
  if (header.atoms != first.atoms.size()) return false;
  std::vector<std::string_view> fields;
  while (scanner.next() && !scanner.line().starts_with("@<TRIPOS>ATOM")) {
    if (scanner.line().starts_with("@<TRIPOS>MOLECULE")) return false;
  }
  for (const Atom& atom : first.atoms) {
    require_atom(scanner, fields);
    if (atom.name != clean(fields[1]) || atom.type != clean(fields[5])) return false;
  }
  return true;
}

std::vector<FramePlace> index_molecules(const ByteSource& source, Molecule& molecule) {
  std::vector<FramePlace> places;
  std::vector<LeftOut> left_out;
  LineScanner scanner(source);
  std::size_t number = 0;
  while (scanner.next()) {
    if (!scanner.line().starts_with("@<TRIPOS>MOLECULE")) continue;
    ++number;
    const FramePlace place{scanner.offset(), scanner.number()};
    std::size_t atoms = 0;
    try {
      LineScanner inside = scanner;
      if (same_atoms(inside, *molecule.topology, atoms)) {
        places.push_back(place);
      } else {
        left_out.push_back({number, atoms});
      }
    } catch (const Error& error) {
      if (number == 1) throw;
      molecule.warnings.push_back(std::string("Molecule ") + std::to_string(number) + " was left out: " + error.what());
    }
  }
  warn_left_out(molecule, left_out, molecule.atom_count(), "molecule");
  return places;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  Molecule molecule;
  TopologyBuilder builder;
  Header header;
  bool has_header = false;
  bool has_atoms = false;
  while (scanner.next()) {
    const std::string_view line = scanner.line();
    if (line.starts_with("@<TRIPOS>MOLECULE")) {
      if (has_header) break;
      has_header = true;
      header = read_header(scanner);
    } else if (line.starts_with("@<TRIPOS>CRYSIN")) {
      read_cell(scanner, &molecule.warnings);
    } else if (line.starts_with("@<TRIPOS>ATOM") && has_header && !has_atoms) {
      has_atoms = true;
      read_atoms(scanner, header, builder);
    } else if (line.starts_with("@<TRIPOS>BOND") && has_atoms && !builder.topology().has_bonds) {
      read_bonds(scanner, header, builder.topology());
    }
  }
  if (builder.topology().atoms.empty()) {
    throw Error::in_file(source->name(), 0, "no @<TRIPOS>MOLECULE with atoms (@<TRIPOS>ATOM) in this MOL2 file");
  }
  if (header.bonds > 0 && !builder.topology().has_bonds) {
    throw Error::in_file(
        source->name(), 0,
        "promises " + std::to_string(header.bonds) + " bonds, but has no @<TRIPOS>BOND section: it is cut short");
  }
  molecule.title = header.name;
  molecule.topology = std::make_shared<Topology>(builder.finish());
  std::vector<FramePlace> places = index_molecules(*source, molecule);
  molecule.trajectory = std::make_shared<IndexedTrajectory>(source, std::move(places), molecule.atom_count(), decode);
  return molecule;
}

}  // namespace

const Format mol2_format = {"MOL2", "mol2", "structure", sniff, read};

}  // namespace isolume
