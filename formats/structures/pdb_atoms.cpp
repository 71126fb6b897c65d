// Atoms of a PDB file's first model.
#include "formats/structures/pdb_atoms.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "formats/structures/pdb_fields.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"
#include "molecule/residue_kinds.h"

namespace isolume::pdb {
namespace {

constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;  ///< odd: no atom's hash is lost in the sum

bool is_solvent(const std::string& residue) {
  const ResidueKind kind = residue_kind(residue);
  return kind == ResidueKind::water || kind == ResidueKind::ion;
}

std::int32_t serial_after(std::int32_t serial) {
  return serial < 0x7fffffff ? serial + 1 : 0;
}

/// The records of atoms that follow one another from byte `begin`, the start of line `number`, in pieces that begin
/// with an atom. Empty where they make one piece, or a line ends in CR alone.
std::vector<LinePiece> pieces_of(const ByteSource& source, std::size_t begin, std::int64_t number) {
  const std::string_view text = source.text();
  const std::size_t smallest = source.limits().piece;
  std::vector<LinePiece> pieces = {{begin, begin, number, 0}};
  for (std::size_t at = begin; at < text.size();) {
    const std::string_view reach = text.substr(at, source.limits().line + 1);
    const std::size_t length = std::min(reach.find('\n'), reach.size());
    const std::size_t newline = at + length;
    const std::string_view line = reach.substr(0, length);
    if (length > source.limits().line) break;
    const bool atom = is_atom(line);
    if (!atom && !line.starts_with("ANISOU") && !line.starts_with("TER")) break;
    const std::size_t carriage = line.find('\r');
    if (carriage != std::string_view::npos && carriage + 1 != line.size()) return {};
    // A last line that is cut short is left to whoever reads in turn.
    if (newline == text.size()) break;
    if (atom && at - pieces.back().begin >= smallest) {
      const LinePiece& last = pieces.back();
      pieces.push_back({at, at, last.number + static_cast<std::int64_t>(last.count), 0});
    }
    at = newline + 1;
    pieces.back().end = at;
    ++pieces.back().count;
  }
  if (pieces.size() < 2) pieces.clear();
  return pieces;
}

/// To the last line of the pieces, as if it had just been taken.
void to_last_line(LineScanner& scanner, const std::vector<LinePiece>& pieces) {
  const LinePiece& last = pieces.back();
  const std::size_t start = scanner.source().text().rfind('\n', last.end - 2) + 1;
  scanner = LineScanner(scanner.source(), start, last.number + static_cast<std::int64_t>(last.count) - 1);
  scanner.next();
}

}  // namespace

void AtomIdentity::add(std::string_view line) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : columns(line, 13, 27)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash_ = hash_ * factor + hash;
  power_ *= factor;
  ++atoms_;
}

void AtomIdentity::add(const AtomIdentity& next) {
  hash_ = hash_ * next.power_ + next.hash_;
  power_ *= next.power_;
  atoms_ += next.atoms_;
}

void AtomReader::take_atom(const LineScanner& scanner) {
  const std::string_view line = scanner.line();
  identity_.add(line);
  if (count() > scanner.source().limits().atoms) scanner.fail("more atoms than the limit allows");
  last_identity_ = columns(line, 13, 27);
  positions().emplace_back(position(scanner));
  Atom atom;
  atom.name = name(line, 13, 16);
  atom.altloc = letter(line, 17);
  atom.hetero = line[0] == 'H';
  const std::string_view serial =
      letter(line, 6) >= '0' && letter(line, 6) <= '9' ? columns(line, 6, 11) : columns(line, 7, 11);
  const auto own_serial = number(serial);
  if (!own_serial && !any_serial_) ++first_without_serial_;
  any_serial_ = any_serial_ || own_serial;
  atom.serial = last_serial_ = own_serial.value_or(serial_after(last_serial_));
  atom.occupancy = static_cast<float>(optional_real(columns(line, 55, 60), 1, scanner.number()));
  atom.b_factor = static_cast<float>(optional_real(columns(line, 61, 66), 0, scanner.number()));
  atom.formal_charge = formal_charge(line);

  std::string residue = name(line, 18, 21);
  const auto residue_number = pdb::residue_number(line);
  if (!residue_number) numbers_.add(scanner.number());
  const ResidueNumber where = residue_number.value_or(ResidueNumber{});
  const std::string chain = name(line, 22, 22);
  std::string segment = docking_ ? std::string() : name(line, 73, 76);
  if (segment == id_) segment.clear();  // the entry's own name, as old files repeat it in these columns

  // Alternate residues at one place ("APRO" and "BSER") are one residue under the first name.
  const Topology& draft = builder().topology();
  if (atom.altloc != ' ' && !draft.atoms.empty()) {
    const Residue& last = draft.residues.back();
    if (draft.atoms.back().altloc != ' ' && last.number == where.value && last.insertion == where.insertion &&
        last.name != residue && draft.chains.back().id == chain) {
      residue = last.name;
      mixed_ = true;
    }
  }
  // Some programs write TER after every water: those stay one chain.
  if (after_ter_ && !(!draft.residues.empty() && is_solvent(draft.residues.back().name) && is_solvent(residue))) {
    builder().end_chain();
  }
  after_ter_ = false;
  altlocs_ += atom.altloc != ' ';
  if (docking_) {
    take_docking(line, scanner.number(), atom, residue);
  } else {
    atom.element = part_.elements(field(line, 77, 78), atom.name, residue);
  }
  builder().add(std::move(atom), residue, where.value, where.insertion, chain, segment);
}

void AtomReader::take_docking(std::string_view line, std::int64_t number, Atom& atom, const std::string& residue) {
  atom.formal_charge = 0;  // the columns have AutoDock's type
  atom.charge = static_cast<float>(optional_real(columns(line, 71, 76), 0, number));
  atom.type = name(line, 78, 79);
  const auto type = autodock_element(atom.type);
  atom.element = type ? *type : part_.elements({}, atom.name, residue);
}

void AtomReader::take_displacement(const LineScanner& scanner) {
  // ANISOU belongs to the atom before it; its numbers are 10^-4 angstrom^2.
  Topology& draft = builder().topology();
  if (columns(scanner.line(), 13, 27) != last_identity_) return;
  const auto found = displacement(scanner.line());
  if (!found) values_.add(scanner.number());
  draft.displacements.resize(draft.atoms.size());
  draft.displacements.back() = found.value_or(std::array<float, 6>{});
}

double AtomReader::optional_real(std::string_view text, double missing, std::int64_t line) {
  if (trimmed(text).empty()) return missing;
  const auto value = parse_real(text);
  if (value && std::abs(*value) < 1e30) return *value;
  values_.add(line);
  return missing;
}

bool AtomReader::take_many(LineScanner& scanner) {
  const ByteSource& source = scanner.source();
  if (source.text().size() - scanner.offset() < 2 * source.limits().piece) return false;
  const std::vector<LinePiece> pieces = pieces_of(source, scanner.offset(), scanner.number());
  if (pieces.empty()) return false;
  std::vector<AtomReader> parts(pieces.size(), AtomReader(docking_));
  std::atomic<bool> plain = true;
  on_threads(pieces.size(), [&](std::size_t i) {
    AtomReader& part = parts[i];
    part.id_ = id_;
    part.builder().topology().atoms.reserve(pieces[i].count);
    part.positions().reserve(pieces[i].count);
    try {
      LineScanner lines(source, pieces[i].begin, pieces[i].number);
      while (lines.next_offset() < pieces[i].end && lines.next() && plain) {
        const std::string_view line = lines.line();
        if (is_atom(line)) {
          part.take_atom(lines);
        } else if (line.starts_with("ANISOU")) {
          part.take_displacement(lines);
        } else {
          part.take_ter();
        }
      }
    } catch (const Error&) {
      plain = false;  // said again, with what comes first, by who reads in turn
    }
  });
  std::size_t atoms = count();
  for (std::size_t i = 0; i < parts.size() && plain; ++i) {
    atoms += parts[i].count();
    plain = (i == 0 ? *this : parts[i - 1]).can_append(parts[i]) && atoms <= source.limits().atoms;
  }
  if (!plain) return false;
  for (AtomReader& part : parts) {
    append(std::move(part));
    reserve_part(part_, atoms);
  }
  to_last_line(scanner, pieces);
  return true;
}

bool read_many_positions(LineScanner& scanner, std::vector<glm::vec3>& positions) {
  const ByteSource& source = scanner.source();
  const std::vector<LinePiece> pieces = pieces_of(source, scanner.offset(), scanner.number());
  if (pieces.empty()) return false;
  std::vector<std::vector<glm::vec3>> parts(pieces.size());
  std::atomic<bool> plain = true;
  on_threads(pieces.size(), [&](std::size_t i) {
    parts[i].reserve(pieces[i].count);
    try {
      LineScanner lines(source, pieces[i].begin, pieces[i].number);
      while (lines.next_offset() < pieces[i].end && lines.next() && plain) {
        if (is_atom(lines.line())) parts[i].emplace_back(position(lines));
      }
    } catch (const Error&) {
      plain = false;
    }
  });
  if (!plain) return false;
  for (const std::vector<glm::vec3>& part : parts) positions.insert(positions.end(), part.begin(), part.end());
  to_last_line(scanner, pieces);
  return true;
}

bool AtomReader::can_append(AtomReader& next) {
  return !alternates_go_on(part_, next.part_);
}

void AtomReader::append(AtomReader&& next) {
  const bool any_before = !builder().topology().atoms.empty();
  const bool chain_ends = any_before && after_ter_ &&
                          !(is_solvent(builder().topology().residues.back().name) &&
                            is_solvent(next.builder().topology().residues.front().name));
  for (std::size_t i = 0; i < next.first_without_serial_; ++i) {
    last_serial_ = serial_after(last_serial_);
    next.builder().topology().atoms.set_serial(i, last_serial_);
  }
  if (next.any_serial_) last_serial_ = next.last_serial_;
  any_serial_ = any_serial_ || next.any_serial_;
  identity_.add(next.identity_);
  last_identity_ = std::move(next.last_identity_);
  altlocs_ += next.altlocs_;
  numbers_.add(next.numbers_);
  values_.add(next.values_);
  after_ter_ = next.after_ter_;
  mixed_ = mixed_ || next.mixed_;
  append_part(part_, std::move(next.part_), chain_ends);
}

void AtomReader::add_notes(std::vector<std::string>& warnings) {
  const auto at = [](const Unread& unread) { return "(first at line " + std::to_string(unread.first_line) + ")"; };
  if (numbers_.count > 0) {
    warnings.push_back(std::to_string(numbers_.count) + " atoms have no residue number that can be read " +
                       at(numbers_) + "; it is read as 0.");
  }
  if (values_.count > 0) {
    warnings.push_back(std::to_string(values_.count) + " occupancies, B factors or displacements are not numbers " +
                       at(values_) + ".");
  }
  Topology& draft = builder().topology();
  part_.elements.add_notes(draft);
  if (altlocs_ > 0) {
    draft.notes.push_back(std::to_string(altlocs_) + " atoms are alternate locations; all are kept.");
  }
  if (mixed_) draft.notes.push_back("Residues that have several names at one place go by the first of them.");
}

}  // namespace isolume::pdb
