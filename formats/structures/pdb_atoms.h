// Atoms of a PDB file's first model, line by line or, where they are many, in pieces on all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"
#include "formats/bytes/text_pieces.h"

namespace isolume::pdb {

/// Fingerprint of which atoms there are, in which order: that of two runs follows from those of each.
class AtomIdentity {
 public:
  /// Adds the columns of an ATOM line that say which atom it is (name to insertion code).
  void add(std::string_view line);
  void add(const AtomIdentity& next);
  bool operator==(const AtomIdentity&) const = default;
  std::size_t atoms() const { return atoms_; }

 private:
  std::uint64_t hash_ = 0;   ///< sum of each line's hash times factor^(atoms behind it)
  std::uint64_t power_ = 1;  ///< factor^atoms
  std::size_t atoms_ = 0;
};

/// Reads ATOM, HETATM, ANISOU and TER records into a topology and positions.
class AtomReader {
 public:
  /// `docking`: of AutoDock's PDBQT, where columns 71 to 76 have the charge and 78 to 79 AutoDock's atom type.
  explicit AtomReader(bool docking = false) : docking_(docking) {}

  /// The records at the scanner's line. Throw Error (input).
  void take_atom(const LineScanner& scanner);
  void take_displacement(const LineScanner& scanner);
  void take_ter() { after_ter_ = true; }

  /// Where many records of atoms begin at the scanner's line, reads all that follow one another on all threads, as if
  /// one by one, and leaves the scanner at the last of them. False where they are few or something is wrong with one
  /// of them, which is then found in turn.
  bool take_many(LineScanner& scanner);

  /// The entry's own name, which files before 1996 repeat in the columns of segments.
  void set_id(std::string id) { id_ = std::move(id); }

  std::size_t count() const { return identity_.atoms(); }
  const AtomIdentity& identity() const { return identity_; }
  TopologyBuilder& builder() { return part_.builder; }
  std::vector<glm::vec3>& positions() { return part_.frame.positions; }

  /// Adds to topology and warnings what was noticed.
  void add_notes(std::vector<std::string>& warnings);

 private:
  /// Numbers that could not be read.
  struct Unread {
    std::size_t count = 0;
    std::int64_t first_line = 0;
    void add(std::int64_t line) {
      if (count++ == 0) first_line = line;
    }
    void add(const Unread& next) {
      if (count == 0) first_line = next.first_line;
      count += next.count;
    }
  };

  void take_docking(std::string_view line, std::int64_t number, Atom& atom, const std::string& residue);
  double optional_real(std::string_view text, double missing, std::int64_t line);
  /// Whether `next` can follow: nothing at its start depends on what was read here.
  bool can_append(AtomReader& next);
  void append(AtomReader&& next);

  AtomPart part_;
  bool docking_ = false;
  AtomIdentity identity_;
  std::string id_;
  std::int32_t last_serial_ = 0;
  std::size_t first_without_serial_ = 0;  ///< atoms before the first that has a serial number
  std::string last_identity_;             ///< columns 13 to 27 of the last atom
  std::size_t altlocs_ = 0;
  Unread numbers_, values_;
  bool any_serial_ = false;
  bool after_ter_ = false;
  bool mixed_ = false;
};

/// Where many records of atoms begin at the scanner's line, reads the positions of all that follow one another on all
/// threads, and leaves the scanner at the last of them. False where they are few, or one of them cannot be read.
bool read_many_positions(LineScanner& scanner, std::vector<glm::vec3>& positions);

}  // namespace isolume::pdb
