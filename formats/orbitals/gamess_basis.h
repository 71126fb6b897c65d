// The basis that a GAMESS log prints, and the labels of its functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"
#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// Rows of orbitals are numbered by their labels, so that this is our own order of functions.
glm::ivec3 gamess_powers(int l, int n);

class GamessBasis {
 public:
  /// Reads what follows "ATOMIC BASIS SET", up to "TOTAL NUMBER OF BASIS SET SHELLS". Only one of several equivalent
  /// atoms is listed; the others, which follow it, get the same shells. Throws Error (input).
  void read(LineScanner& lines, std::size_t atoms);

  const std::vector<FileShell>& shells() const { return shells_; }  ///< of all atoms
  std::size_t function_count() const { return row_shell_.size(); }
  /// The function (in the order of gamess_powers) that the label of row `row`, as "C  1XXYZ", names. Fails where its
  /// angular momentum is not the one of the row's shell.
  std::size_t function_of_row(const LineScanner& lines, std::string_view label, std::size_t row) const;

 private:
  /// The shells of one atom that stand for `copies` equivalent ones.
  struct AtomBasis {
    std::vector<FileShell> shells;
    std::size_t copies = 0;
  };

  bool primitive(const LineScanner& lines, std::vector<FileShell>& shells, std::int64_t& shell_number) const;
  void expand(const LineScanner& lines, std::size_t atoms);

  std::vector<AtomBasis> by_atom_;
  std::vector<FileShell> shells_;
  std::vector<std::uint32_t> row_shell_;  ///< by row of the print
  std::vector<std::uint32_t> first_;      ///< first function, by shell
};

}  // namespace isolume
