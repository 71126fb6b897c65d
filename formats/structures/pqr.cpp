// PQR files: atoms with charges and radii.
#include "formats/structures/pqr.h"

#include <algorithm>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "formats/bytes/text_pieces.h"
#include "formats/structures/pdb_fields.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"
#include "molecule/far_positions.h"

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

/// What a part of the file holds.
struct Part {
  TopologyBuilder builder;
  ElementColumn elements;
  std::vector<glm::vec3> positions;
  std::vector<glm::dvec3> precise;  ///< where one is far from the origin
  Cell cell;
  std::string title;
  std::size_t negative_radii = 0;
  bool begins_chain = false;  ///< TER is before the first atom,
  bool ends_chain = false;    ///< or after the last one
  bool ends_model = false;    ///< ENDMDL is in it
};

/// Reads the lines of a piece. Throws Error (input) with line numbers that count from the piece.
void read_part(const ByteSource& source, TextPiece piece, Part& part) {
  LineScanner scanner(source, piece.begin);
  std::vector<std::string_view> tokens;
  while (scanner.next_offset() < piece.end && scanner.next()) {
    const std::string_view line = scanner.line();
    if (line.starts_with("TITLE ")) {
      if (part.title.empty()) part.title = clean(line.substr(6));
    } else if (line.starts_with("CRYST1")) {
      part.cell = pdb::cell(line).value_or(Cell{});
    } else if (line.starts_with("TER")) {
      part.builder.end_chain();
      (part.positions.empty() ? part.begins_chain : part.ends_chain) = true;
    } else if (line.starts_with("ENDMDL")) {
      part.ends_model = true;
      if (!part.positions.empty()) return;
    }
    if (!pdb::is_atom(line)) continue;
    if (part.positions.size() >= source.limits().atoms) scanner.fail("more atoms than the limit allows");
    if (part.positions.empty()) {
      const std::size_t lines = (piece.end - piece.begin) / std::max<std::size_t>(line.size(), 20) + 1;
      part.positions.reserve(lines);
      part.builder.topology().atoms.reserve(lines);
    }
    Fields fields;
    if (!take_apart(line, tokens, fields)) {
      scanner.fail("expected serial, name, residue, [chain,] number, x, y, z, charge, radius, found \"" +
                   clean(line, 80) + "\"");
    }
    Atom atom;
    atom.name = clean(fields.name);
    atom.serial = pdb::number(fields.serial).value_or(0);
    atom.hetero = line[0] == 'H';
    const double x = scanner.coordinate(fields.x, "x"), y = scanner.coordinate(fields.y, "y");
    add_position({x, y, scanner.coordinate(fields.z, "z")}, part.positions, part.precise);
    atom.charge = static_cast<float>(scanner.real(fields.charge, "charge"));
    atom.radius = static_cast<float>(scanner.real(fields.radius, "radius"));
    if (atom.radius < 0) {
      ++part.negative_radii;
      atom.radius = 0;
    }
    const std::string residue = clean(fields.residue);
    const auto [number, insertion] = residue_number(fields.number);
    atom.element = part.elements({}, atom.name, residue);
    part.builder.add(std::move(atom), residue, number, insertion, clean(fields.chain));
    part.ends_chain = false;
  }
}

/// The whole file at once, on all threads where it is large.
Part read_all(const ByteSource& source) {
  const std::vector<TextPiece> pieces = text_pieces(source);
  if (pieces.size() > 1) {
    std::vector<Part> parts(pieces.size());
    bool plain = true;
    try {
      on_threads(pieces.size(), [&](std::size_t i) { read_part(source, pieces[i], parts[i]); });
    } catch (const Error&) {
      plain = false;  // said again below, with the number of its line in the file
    }
    std::size_t atoms = 0, residues = 0;
    for (Part& part : parts) {
      plain = plain && !part.ends_model;  // which atoms are of the first model is known in turn alone
      atoms += part.positions.size();
      residues += part.builder.topology().residues.size();
    }
    if (plain && atoms <= source.limits().atoms) {
      Part all;
      Topology& topology = all.builder.topology();
      topology.atoms.reserve(atoms);
      topology.residues.reserve(residues);
      all.positions.reserve(atoms);
      bool chain_ends = false;
      for (Part& part : parts) {
        append_topology(topology, std::move(part.builder.topology()), chain_ends || part.begins_chain);
        chain_ends = part.ends_chain || (part.positions.empty() && (chain_ends || part.begins_chain));
        append_positions(part.positions, part.precise, all.positions, all.precise);
        all.elements.count(part.elements);
        all.negative_radii += part.negative_radii;
        if (all.title.empty()) all.title = std::move(part.title);
        if (part.cell.exists()) all.cell = part.cell;
        part = {};
      }
      return all;
    }
  }
  Part all;
  read_part(source, {0, source.text().size()}, all);
  return all;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  Part all = read_all(*source);
  if (all.positions.empty()) throw Error::in_file(source->name(), 0, "no ATOM or HETATM record in this PQR file");
  Molecule molecule;
  molecule.title = std::move(all.title);
  if (all.negative_radii > 0) {
    molecule.warnings.push_back(std::to_string(all.negative_radii) + " negative radii were taken as 0.");
  }
  Topology& draft = all.builder.topology();
  draft.has_charges = true;
  draft.has_radii = true;
  all.elements.add_notes(draft);
  molecule.topology = std::make_shared<Topology>(all.builder.finish());
  Frame frame;
  frame.cell = all.cell;
  frame.positions = std::move(all.positions);
  frame.precise_positions = std::move(all.precise);
  std::vector<Frame> frames;
  frames.push_back(std::move(frame));
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  return molecule;
}

}  // namespace

const Format pqr_format = {"PQR", "pqr", "structure", sniff, read};

}  // namespace isolume
