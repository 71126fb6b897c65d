// AtomTable: kinds found again by their hash.
#include "molecule/atom_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace isolume {

namespace {

// -0 and 0 are two kinds, as are different NaN: atoms come back bit by bit.
template <class Kind>
std::array<std::uint64_t, 3> words(const Kind& k) {
  const auto two = [](std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  const std::uint32_t small = std::uint32_t{k.element} |
                              std::uint32_t{static_cast<std::uint8_t>(k.formal_charge)} << 8 |
                              std::uint32_t{static_cast<std::uint8_t>(k.altloc)} << 16 | std::uint32_t{k.hetero} << 24;
  return {two(k.name.number(), k.type.number()), two(bits(k.charge), bits(k.radius)), two(bits(k.mass), small)};
}

std::size_t hash(const std::array<std::uint64_t, 3>& words) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::uint64_t word : words) {
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return static_cast<std::size_t>(h);
}

constexpr std::size_t fewest_slots = 64;  // a power of two

}  // namespace

const Atom AtomTable::at(std::size_t i) const {
  if (i >= size()) throw std::out_of_range("AtomTable::at");
  return (*this)[i];
}

void AtomTable::index_kinds(std::size_t slots) {
  slots_.assign(slots, 0);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    std::size_t slot = hash(words(kinds_[k])) & (slots - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = static_cast<std::uint32_t>(k + 1);
  }
}

std::uint32_t AtomTable::kind_of(const Kind& kind) {
  const auto own = words(kind);
  // At most two thirds are taken.
  if (slots_.empty() || 3 * (kinds_.size() + 1) > 2 * slots_.size()) {
    index_kinds(std::max(fewest_slots, std::bit_ceil(2 * (kinds_.size() + 1))));
  }
  std::size_t slot = hash(own) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    if (words(kinds_[slots_[slot] - 1]) == own) return slots_[slot] - 1;
  }
  kinds_.push_back(kind);
  slots_[slot] = static_cast<std::uint32_t>(kinds_.size());
  return slots_[slot] - 1;
}

void AtomTable::set_measured(std::size_t i, const Atom& atom) {
  if (measured_.empty()) {
    // Compared by bits: a B factor of -0 is written as it was read.
    constexpr Measured usual;
    if (std::bit_cast<std::uint64_t>(usual) == std::bit_cast<std::uint64_t>(Measured{atom.occupancy, atom.b_factor}))
      return;
    measured_.reserve(rows_.capacity());
    measured_.resize(rows_.size());
  }
  measured_[i] = {atom.occupancy, atom.b_factor};
}

void AtomTable::push_back(const Atom& atom) {
  rows_.push_back({kind_of(Kind(atom)), atom.residue, atom.serial});
  if (!measured_.empty()) measured_.emplace_back();
  set_measured(rows_.size() - 1, atom);
}

void AtomTable::append(std::span<const Atom> atoms) {
  reserve(size() + atoms.size());
  for (const Atom& atom : atoms) push_back(atom);
}

void AtomTable::resize(std::size_t atoms) {
  const Row usual{atoms > size() ? kind_of(Kind(Atom{})) : 0, 0, 0};
  rows_.resize(atoms, usual);
  if (!measured_.empty()) measured_.resize(atoms);
}

void AtomTable::append(AtomTable&& next, std::uint32_t residues) {
  if (empty() && capacity() <= next.size() && residues == 0) {
    *this = std::move(next);
    return;
  }
  std::vector<std::uint32_t> kinds(next.kinds_.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k] = kind_of(next.kinds_[k]);
  const std::size_t before = size();
  for (const Row& row : next.rows_) rows_.push_back({kinds[row.kind], row.residue + residues, row.serial});
  if (!measured_.empty() || !next.measured_.empty()) {
    measured_.reserve(rows_.capacity());
    measured_.resize(before);
    measured_.insert(measured_.end(), next.measured_.begin(), next.measured_.end());
    measured_.resize(size());
  }
  next = AtomTable();
}

void AtomTable::finish() {
  slots_ = std::vector<std::uint32_t>();  // frees it, as clear() does not
  if (kinds_.capacity() - kinds_.size() > kinds_.size() / 8) kinds_.shrink_to_fit();
}

void AtomTable::set(std::size_t i, const Atom& atom) {
  Row& row = rows_[i];
  if (words(kinds_[row.kind]) != words(Kind(atom))) row.kind = kind_of(Kind(atom));
  set_unshared(i, atom);
}

void AtomTable::set_unshared(std::size_t i, const Atom& atom) {
  rows_[i].residue = atom.residue;
  rows_[i].serial = atom.serial;
  set_measured(i, atom);
}

std::size_t AtomTable::bytes() const {
  return rows_.capacity() * sizeof(Row) + kinds_.capacity() * sizeof(Kind) + measured_.capacity() * sizeof(Measured) +
         slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace isolume
