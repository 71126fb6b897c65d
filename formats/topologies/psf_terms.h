// The terms of a PSF: lists of atoms that bonds, angles, torsions and correction maps act on.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/bytes/text.h"
#include "molecule/force_field/charmm.h"

namespace isolume {

/// Reads sections of a PSF after its atoms into CharmmTerms.
class PsfTerms {
 public:
  /// `extended`: numbers have ten columns rather than eight.
  PsfTerms(LineScanner& scanner, bool extended) : scanner_(scanner), width_(extended ? 10 : 8) {}

  /// Reads the section whose heading is the present line ("  57 !NTHETA: angles"), if it has terms. Throws Error
  /// (input) for atoms that do not exist, bonds of an atom with
  /// itself, and a section that ends too early.
  void read(std::string_view heading, std::uint64_t count, std::uint64_t second, std::size_t atoms, CharmmTerms& terms);

 private:
  /// Calls take(row) for `count` rows of `width` numbers from `low` to `high`; numbers of a row may stand on two lines.
  template <class Take>
  void rows(const char* what, std::uint64_t count, std::size_t width, std::int64_t low, std::int64_t high, Take take);
  template <std::size_t width>
  void atoms(const char* what, std::uint64_t count, std::size_t atoms,
             std::vector<std::array<std::uint32_t, width>>& out);
  void exclusions(std::uint64_t count, std::size_t atoms, CharmmTerms& terms);

  LineScanner& scanner_;
  std::size_t width_;
};

}  // namespace isolume
