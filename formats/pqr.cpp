// PQR files: atoms with charges and radii.
#include "formats/pqr.h"

#include <algorithm>
#include <utility>

#include "formats/element_column.h"
#include "formats/pdb_fields.h"
#include "formats/text.h"
#include "molecule/error.h"

namespace isolume {
namespace {

/// One ATOM line, taken apart.
struct Fields {
  std::string_view serial, name, residue, chain, number;
  std::string_view x, y, z, charge, radius;
};

/// Fields separated by blanks: serial, name, residue, [chain,] number, x, y, z, charge, radius. A chain may touch its
/// number ("A1000"); what follows the radius (an element, a comment) must not be a number.
bool by_blanks(const std::vector<std::string_view>& tokens, Fields& fields) {
  const auto numbers_from = [&](std::size_t first) {
    return tokens.size() >= first + 5 &&
           std::all_of(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                       tokens.begin() + static_cast<std::ptrdiff_t>(first + 5),
                       [](std::string_view token) { return parse_real(token).has_value(); }) &&
           (tokens.size() == first + 5 || !parse_real(tokens[first + 5]));
  };
  if (tokens.size() < 9) return false;
  fields.serial = tokens[0];
  fields.name = tokens[1];
  fields.residue = tokens[2];
  std::size_t at = 4;
  if (numbers_from(5)) {
    fields.chain = tokens[3];
    fields.number = tokens[4];
    at = 5;
  } else if (numbers_from(4)) {
    fields.number = tokens[3];
    const bool touching =
        fields.number.size() > 1 && !parse_integer(fields.number) && parse_integer(fields.number.substr(1));
    fields.chain = touching ? fields.number.substr(0, 1) : std::string_view();
    if (touching) fields.number.remove_prefix(1);
  } else {
    return false;
  }
  fields.x = tokens[at];
  fields.y = tokens[at + 1];
  fields.z = tokens[at + 2];
  fields.charge = tokens[at + 3];
  fields.radius = tokens[at + 4];
  return true;
}

/// The columns of PDB up to 54, then charge and radius separated by blanks.
bool by_columns(std::string_view line, Fields& fields) {
  std::string_view rest = columns(line, 55, line.size());
  fields.serial = field(line, 7, 11);
  fields.name = field(line, 13, 16);
  fields.residue = field(line, 18, 21);
  fields.chain = field(line, 22, 22);
  fields.number = field(line, 23, 27);
  fields.x = columns(line, 31, 38);
  fields.y = columns(line, 39, 46);
  fields.z = columns(line, 47, 54);
  fields.charge = next_token(rest);
  fields.radius = next_token(rest);
  return parse_real(fields.x) && parse_real(fields.y) && parse_real(fields.z) && !fields.name.empty() &&
         !fields.radius.empty();
}

bool take_apart(std::string_view line, std::vector<std::string_view>& tokens, Fields& fields) {
  split(line.substr(line.starts_with("HETATM") ? 6 : 4), tokens);
  if (by_blanks(tokens, fields)) return true;
  fields = {};
  return by_columns(line, fields);
}

int sniff(const ByteSource& source) {
  int score = 0;
  std::vector<std::string_view> tokens;
  for (const std::string_view line : first_lines(source, 800)) {
    if (line.starts_with("REMARK") && line.find("PQR") != std::string_view::npos) score = 85;
    if (!pdb::is_atom(line)) continue;
    Fields fields;
    if (!take_apart(line, tokens, fields) || !parse_real(fields.charge) || !parse_real(fields.radius)) return 0;
    return std::max(score, 70);
  }
  return 0;
}

/// Number and insertion code of a residue ("52", "52A"); 0 where it is no number.
std::pair<std::int32_t, char> residue_number(std::string_view text) {
  char insertion = ' ';
  if (!text.empty() && !parse_integer(text)) {
    insertion = text.back() > ' ' && text.back() <= '~' ? text.back() : ' ';
    text.remove_suffix(1);
  }
  return {pdb::number(text).value_or(0), insertion};
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  TopologyBuilder builder;
  ElementColumn elements;
  Frame frame;
  Molecule molecule;
  std::vector<std::string_view> tokens;
  std::size_t negative_radii = 0;
  while (scanner.next()) {
    const std::string_view line = scanner.line();
    if (line.starts_with("TITLE ")) {
      if (molecule.title.empty()) molecule.title = clean(line.substr(6));
    } else if (line.starts_with("CRYST1")) {
      frame.cell = pdb::cell(line).value_or(Cell{});
    } else if (line.starts_with("TER")) {
      builder.end_chain();
    } else if (line.starts_with("ENDMDL") && !frame.positions.empty()) {
      break;
    }
    if (!pdb::is_atom(line)) continue;
    if (frame.positions.size() >= source->limits().atoms) scanner.fail("more atoms than the limit allows");
    Fields fields;
    if (!take_apart(line, tokens, fields)) {
      scanner.fail("expected serial, name, residue, [chain,] number, x, y, z, charge, radius, found \"" +
                   clean(line, 80) + "\"");
    }
    Atom atom;
    atom.name = clean(fields.name);
    atom.serial = pdb::number(fields.serial).value_or(0);
    atom.hetero = line[0] == 'H';
    frame.positions.emplace_back(static_cast<float>(scanner.coordinate(fields.x, "x")),
                                 static_cast<float>(scanner.coordinate(fields.y, "y")),
                                 static_cast<float>(scanner.coordinate(fields.z, "z")));
    atom.charge = static_cast<float>(scanner.real(fields.charge, "charge"));
    atom.radius = static_cast<float>(scanner.real(fields.radius, "radius"));
    if (atom.radius < 0) {
      ++negative_radii;
      atom.radius = 0;
    }
    const std::string residue = clean(fields.residue);
    const auto [number, insertion] = residue_number(fields.number);
    atom.element = elements({}, atom.name, residue);
    builder.add(std::move(atom), residue, number, insertion, clean(fields.chain));
  }
  if (frame.positions.empty()) throw Error::in_file(source->name(), 0, "no ATOM or HETATM record in this PQR file");
  if (negative_radii > 0) {
    molecule.warnings.push_back(std::to_string(negative_radii) + " negative radii were taken as 0.");
  }
  Topology& draft = builder.topology();
  draft.has_charges = true;
  draft.has_radii = true;
  elements.add_notes(draft);
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  return molecule;
}

}  // namespace

const Format pqr_format = {"PQR", "pqr", "structure", sniff, read};

}  // namespace isolume
