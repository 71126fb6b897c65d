// Atom and AtomTable: the atoms of a topology, what many of them share kept once.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "molecule/base/name.h"

namespace isolume {

/// One atom (or coarse-grained particle) as the file gives it.
struct Atom {
  Name name;                  ///< "CA", "OW", without padding
  Name type;                  ///< force-field type ("CT1", "C.ar"), empty where the file has none
  std::uint32_t residue = 0;  ///< index into Topology::residues
  std::int32_t serial = 0;    ///< the file's own number
  float charge = 0;           ///< partial charge, e; valid where Topology::has_charges
  float radius = 0;           ///< angstrom; the file's (PQR), else the element's van der Waals radius
  float mass = 0;             ///< Da; the file's, else the element's
  float occupancy = 1;
  float b_factor = 0;             ///< angstrom^2; a kind where Topology::has_kinds says so
  std::uint8_t element = 0;       ///< atomic number, 0 where unknown (dummy, bead)
  std::int8_t formal_charge = 0;  ///< e
  char altloc = ' ';              ///< alternate location indicator, ' ' for none
  bool hetero = false;            ///< HETATM, or not part of a polymer
};

/// Atoms by number. What atoms of repeated molecules have in common (names, element, charge, radius, mass) is kept once
/// for all of them: an atom takes 12 bytes, 8 more where occupancies or B factors differ, and some 24 more where
/// nothing is shared. Atoms are read by value, so no reference to one is kept, and changed by set(), change() and
/// change_all(). Any thread may read while none changes.
class AtomTable {
 public:
  class Iterator;
  using value_type = Atom;
  using const_iterator = Iterator;

  AtomTable() = default;
  AtomTable(std::initializer_list<Atom> atoms) { append(std::span(atoms.begin(), atoms.size())); }
  explicit AtomTable(std::span<const Atom> atoms) { append(atoms); }

  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  // Const, since to assign to a copy would do nothing.
  const Atom operator[](std::size_t i) const;
  /// Throws std::out_of_range.
  const Atom at(std::size_t i) const;
  const Atom front() const { return (*this)[0]; }
  const Atom back() const { return (*this)[size() - 1]; }
  Iterator begin() const;
  Iterator end() const;

  void reserve(std::size_t atoms) { rows_.reserve(atoms); }
  std::size_t capacity() const { return rows_.capacity(); }
  /// New ones are as Atom{}.
  void resize(std::size_t atoms);
  /// Makes room at once for occupancies and B factors that differ.
  void measure() { measured_.resize(size()); }
  void clear() { *this = AtomTable(); }
  void push_back(const Atom& atom);
  void append(std::span<const Atom> atoms);
  /// Appends those of `next`, whose residues get numbers that are `residues` higher. Takes the room of `next` where
  /// this has none.
  void append(AtomTable&& next, std::uint32_t residues);

  void set(std::size_t i, const Atom& atom);
  /// Calls change(atom) for atom i, and takes what it makes of it.
  template <class Change>
  void change(std::size_t i, Change&& change) {
    Atom atom = (*this)[i];
    change(atom);
    set(i, atom);
  }
  /// The same of all atoms: change(atom), or change(atom, i), which must not throw.
  template <class Change>
  void change_all(Change&& change) {
    // Kinds that are not used any more do not stay.
    const std::vector<Kind> before = std::exchange(kinds_, {});
    slots_.clear();
    for (std::size_t i = 0; i < size(); ++i) {
      Atom atom = made_of(i, before);
      if constexpr (requires { change(atom, i); }) {
        change(atom, i);
      } else {
        change(atom);
      }
      rows_[i].kind = kind_of(Kind(atom));
      set_unshared(i, atom);
    }
  }
  /// The same where what becomes of an atom follows from what is shared (all but residue, serial, occupancy and
  /// B factor, which are not to be changed): it is called once for each kind, not for each atom.
  template <class Change>
  void change_kinds(Change&& change) {
    for (Kind& kind : kinds_) {
      Atom atom = kind.atom();
      change(atom);
      kind = Kind(atom);
    }
    slots_.clear();
  }
  /// Numbers of the residues alone.
  void set_residue(std::size_t i, std::uint32_t residue) { rows_[i].residue = residue; }
  void set_serial(std::size_t i, std::int32_t serial) { rows_[i].serial = serial; }
  std::uint32_t residue(std::size_t i) const { return rows_[i].residue; }

  /// Gives back what is needed for building alone.
  void finish();
  /// What it holds in memory.
  std::size_t bytes() const;
  /// What an atom takes that shares a kind; `measured`: where occupancies or B factors differ.
  static constexpr std::size_t bytes_each(bool measured) { return sizeof(Row) + (measured ? sizeof(Measured) : 0); }

 private:
  // What atoms share, in an order without gaps.
  struct Kind {
    Name name, type;
    float charge = 0, radius = 0, mass = 0;
    std::uint8_t element = 0;
    std::int8_t formal_charge = 0;
    char altloc = ' ';
    bool hetero = false;

    Kind() = default;
    explicit Kind(const Atom& a)
        : name(a.name),
          type(a.type),
          charge(a.charge),
          radius(a.radius),
          mass(a.mass),
          element(a.element),
          formal_charge(a.formal_charge),
          altloc(a.altloc),
          hetero(a.hetero) {}
    Atom atom() const { return {name, type, 0, 0, charge, radius, mass, 1, 0, element, formal_charge, altloc, hetero}; }
  };
  struct Row {
    std::uint32_t kind = 0;
    std::uint32_t residue = 0;
    std::int32_t serial = 0;
  };
  // Of an atom; none where all have those of Atom{}.
  struct Measured {
    float occupancy = 1, b_factor = 0;
  };

  Atom made_of(std::size_t i, const std::vector<Kind>& kinds) const;
  std::uint32_t kind_of(const Kind& kind);
  void index_kinds(std::size_t slots);
  void set_measured(std::size_t i, const Atom& atom);
  void set_unshared(std::size_t i, const Atom& atom);

  std::vector<Row> rows_;
  std::vector<Kind> kinds_;
  std::vector<Measured> measured_;
  // Where a kind is among kinds_, 1 more, by its hash: open addressing, a power of two. Empty where nothing was added
  // since finish().
  std::vector<std::uint32_t> slots_;
};

class AtomTable::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = Atom;
  using difference_type = std::ptrdiff_t;
  using reference = const Atom;
  struct pointer {
    Atom atom;
    const Atom* operator->() const { return &atom; }
  };

  Iterator() = default;
  Iterator(const AtomTable* table, std::size_t i) : table_(table), i_(i) {}
  const Atom operator*() const { return (*table_)[i_]; }
  pointer operator->() const { return {**this}; }
  const Atom operator[](std::ptrdiff_t n) const { return *(*this + n); }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this += -1; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  Iterator& operator+=(std::ptrdiff_t n) {
    i_ += static_cast<std::size_t>(n);
    return *this;
  }
  Iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
  friend Iterator operator+(Iterator it, std::ptrdiff_t n) { return it += n; }
  friend Iterator operator+(std::ptrdiff_t n, Iterator it) { return it += n; }
  friend Iterator operator-(Iterator it, std::ptrdiff_t n) { return it -= n; }
  friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) {
    return static_cast<std::ptrdiff_t>(a.i_) - static_cast<std::ptrdiff_t>(b.i_);
  }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }
  friend std::strong_ordering operator<=>(const Iterator& a, const Iterator& b) { return a.i_ <=> b.i_; }

 private:
  const AtomTable* table_ = nullptr;
  std::size_t i_ = 0;
};

inline Atom AtomTable::made_of(std::size_t i, const std::vector<Kind>& kinds) const {
  const Row row = rows_[i];
  const Kind& kind = kinds[row.kind];
  const Measured measured = measured_.empty() ? Measured{} : measured_[i];
  return {kind.name,          kind.type,         row.residue,  row.serial,         kind.charge, kind.radius, kind.mass,
          measured.occupancy, measured.b_factor, kind.element, kind.formal_charge, kind.altloc, kind.hetero};
}

inline const Atom AtomTable::operator[](std::size_t i) const {
  return made_of(i, kinds_);
}

inline AtomTable::Iterator AtomTable::begin() const {
  return {this, 0};
}
inline AtomTable::Iterator AtomTable::end() const {
  return {this, size()};
}

}  // namespace isolume
