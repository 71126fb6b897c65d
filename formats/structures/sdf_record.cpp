// One record of an SDF file: V2000 and V3000 connection tables, and useful data items.
#include "formats/structures/sdf_record.h"

#include <algorithm>

namespace isolume::sdf {
namespace {

std::uint8_t bond_order(std::int64_t type) {
  return type >= 1 && type <= 4 ? static_cast<std::uint8_t>(type) : std::uint8_t{1};
}

/// Formal charge of the atom block's code: 1 is +3, 3 is +1, 5 is -1, 7 is -3; 0 and 4 (a radical) are none.
std::int8_t charge_of_code(std::int64_t code) {
  return code >= 1 && code <= 7 && code != 4 ? static_cast<std::int8_t>(4 - code) : std::int8_t{0};
}

void add_bond(const LineScanner& scanner, Record& record, std::int64_t a, std::int64_t b, std::int64_t type) {
  if (a == b) scanner.fail("a bond of atom " + std::to_string(a) + " with itself");
  const auto [low, high] = std::minmax(a, b);
  record.bonds.push_back({static_cast<std::uint32_t>(low - 1), static_cast<std::uint32_t>(high - 1), bond_order(type)});
}

/// "M  CHG  n  atom charge  atom charge ..."
void read_charges(const LineScanner& scanner, Record& record, bool& first) {
  const auto fields = split(scanner.line().substr(6));
  if (fields.empty()) scanner.fail("M  CHG: expected a count");
  const auto count = static_cast<std::size_t>(scanner.integer(fields[0], "M  CHG", 0, 1000));
  if (fields.size() < 1 + 2 * count) scanner.fail("M  CHG: fewer entries than its count says");
  if (first) {
    for (Atom& atom : record.atoms) atom.formal_charge = 0;  // it replaces what the atom block says
    first = false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t atom =
        scanner.integer(fields[1 + 2 * i], "M  CHG: atom", 1, static_cast<std::int64_t>(record.atoms.size()));
    record.atoms[static_cast<std::size_t>(atom - 1)].formal_charge =
        static_cast<std::int8_t>(scanner.integer(fields[2 + 2 * i], "M  CHG: charge", -15, 15));
  }
}

/// A number in columns; blank is 0, as Fortran reads it.
std::int64_t column_integer(const LineScanner& scanner, std::size_t first, std::size_t last, std::string_view what,
                            std::int64_t low, std::int64_t high) {
  const std::string_view text = field(scanner.line(), first, last);
  return text.empty() && low <= 0 ? 0 : scanner.integer(text, what, low, high);
}

void read_v2000(LineScanner& scanner, Record& record, std::size_t atoms, std::size_t bonds) {
  for (std::size_t i = 0; i < atoms; ++i) {
    const std::string_view line = scanner.require("an atom");
    Atom atom;
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<std::size_t>(10 * axis + 1);
      atom.position[axis] = scanner.coordinate(columns(line, at, at + 9), "coordinate (columns 1 to 30)");
    }
    atom.symbol = clean(columns(line, 32, 34));
    if (atom.symbol.empty()) scanner.fail("the atom's symbol (columns 32 to 34) is blank");
    atom.formal_charge = charge_of_code(parse_integer(columns(line, 37, 39)).value_or(0));
    record.atoms.push_back(std::move(atom));
  }
  const auto last = static_cast<std::int64_t>(atoms);
  for (std::size_t i = 0; i < bonds; ++i) {
    scanner.require("a bond");
    add_bond(scanner, record, column_integer(scanner, 1, 3, "bond: first atom", 1, last),
             column_integer(scanner, 4, 6, "bond: second atom", 1, last),
             column_integer(scanner, 7, 9, "bond: type", 0, 99));
  }
  bool first = true;
  while (scanner.next()) {
    if (scanner.line().starts_with("M  END") || scanner.line().starts_with("$$$$")) return;
    if (scanner.line().starts_with("M  CHG")) read_charges(scanner, record, first);
  }
}

/// The text of a V30 line without "M  V30 ", joined over the hyphens that continue it.
std::string v30_line(LineScanner& scanner) {
  std::string text;
  do {
    const std::string_view line = scanner.require("a V3000 line");
    if (!line.starts_with("M  V30 ")) scanner.fail("expected a line that begins with \"M  V30 \"");
    if (text.ends_with('-')) text.pop_back();
    if (text.size() + line.size() > scanner.source().limits().line) scanner.fail("a continued line is too long");
    text += trimmed(line.substr(7));
  } while (text.ends_with('-'));
  return text;
}

void read_v3000(LineScanner& scanner, Record& record) {
  const auto most = static_cast<std::int64_t>(scanner.source().limits().atoms);
  while (true) {
    if (scanner.require("a V3000 line").starts_with("M  END")) return;
    const auto fields = split(scanner.line());
    if (fields.size() < 3 || fields[1] != "V30") continue;
    if (fields[2] == "COUNTS" && fields.size() >= 5) {
      const std::int64_t atoms = scanner.integer(fields[3], "number of atoms", 0, most);
      const std::int64_t bonds = scanner.integer(fields[4], "number of bonds", 0, 8 * most);
      check_count(scanner.source(), scanner.number(), static_cast<std::uint64_t>(atoms), 14, scanner.bytes_left(),
                  "atoms");
      check_count(scanner.source(), scanner.number(), static_cast<std::uint64_t>(bonds), 12, scanner.bytes_left(),
                  "bonds");
    } else if (fields[2] == "BEGIN" && fields.size() >= 4 && fields[3] == "ATOM") {
      for (std::string text = v30_line(scanner); !text.starts_with("END ATOM"); text = v30_line(scanner)) {
        const auto parts = split(text);
        if (parts.size() < 5) scanner.fail("expected an atom with index, type, x, y, z");
        Atom atom;
        if (scanner.integer(parts[0], "atom index") != static_cast<std::int64_t>(record.atoms.size()) + 1) {
          scanner.fail("atom indices that do not count up from 1 are not read");
        }
        atom.symbol = clean(parts[1]);
        for (int axis = 0; axis < 3; ++axis) {
          atom.position[axis] = scanner.coordinate(parts[static_cast<std::size_t>(2 + axis)], "coordinate");
        }
        for (const std::string_view part : parts) {
          if (part.starts_with("CHG=")) {
            atom.formal_charge = static_cast<std::int8_t>(scanner.integer(part.substr(4), "CHG", -15, 15));
          }
        }
        record.atoms.push_back(std::move(atom));
      }
    } else if (fields[2] == "BEGIN" && fields.size() >= 4 && fields[3] == "BOND") {
      const auto last = static_cast<std::int64_t>(record.atoms.size());
      for (std::string text = v30_line(scanner); !text.starts_with("END BOND"); text = v30_line(scanner)) {
        const auto parts = split(text);
        if (parts.size() < 4) scanner.fail("expected a bond with index, type and two atoms");
        add_bond(scanner, record, scanner.integer(parts[2], "bond: first atom", 1, last),
                 scanner.integer(parts[3], "bond: second atom", 1, last),
                 scanner.integer(parts[1], "bond: type", 0, 99));
      }
    }
  }
}

/// PubChem's item: a count, then "atom charge" lines; atoms that are not named have charge 0.
void read_partial_charges(LineScanner& scanner, Record& record) {
  const std::int64_t count = scanner.integer(scanner.require("a count"), "number of charges", 0,
                                             static_cast<std::int64_t>(record.atoms.size()));
  std::vector<float> charges(record.atoms.size(), 0.0F);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto fields = split(scanner.require("an atom and its charge"));
    if (fields.size() < 2) scanner.fail("expected an atom and its charge");
    const std::int64_t atom = scanner.integer(fields[0], "atom", 1, static_cast<std::int64_t>(record.atoms.size()));
    charges[static_cast<std::size_t>(atom - 1)] = static_cast<float>(scanner.real(fields[1], "charge"));
  }
  record.charges = std::move(charges);
}

}  // namespace

Record read_record(LineScanner& scanner) {
  Record record;
  record.title = clean(scanner.require("a title"));
  record.flat = field(scanner.require("the header's second line"), 21, 22) == "2D";
  scanner.require("a comment");
  const std::string_view counts = scanner.require("the numbers of atoms and bonds");
  const auto atoms =
      static_cast<std::size_t>(scanner.integer(columns(counts, 1, 3), "number of atoms (columns 1 to 3)", 0, 999));
  const auto bonds =
      static_cast<std::size_t>(column_integer(scanner, 4, 6, "number of bonds (columns 4 to 6)", 0, 999));
  if (field(counts, 34, 39) == "V3000") {
    read_v3000(scanner, record);
  } else {
    read_v2000(scanner, record, atoms, bonds);
  }
  constexpr std::string_view partial = "PUBCHEM_MMFF94_PARTIAL_CHARGES";
  while (!scanner.line().starts_with("$$$$") && scanner.next()) {
    if (scanner.line().starts_with(">") && scanner.line().find(partial) != std::string_view::npos) {
      read_partial_charges(scanner, record);
      record.charges_from = partial;
    }
  }
  // Bonds in one order, so that records compare.
  std::sort(record.bonds.begin(), record.bonds.end(),
            [](const Bond& x, const Bond& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  return record;
}

bool has_more(const LineScanner& scanner) {
  const std::string_view rest = scanner.source().text().substr(scanner.next_offset());
  return rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

}  // namespace isolume::sdf
