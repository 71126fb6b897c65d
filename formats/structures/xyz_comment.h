// The comment line of an XYZ frame: lattice, columns and time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"
#include "molecule/cell.h"

namespace isolume::xyz {

/// Which columns of an atom's line hold what; none where absent.
struct Columns {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t species = 0;
  std::size_t number = none;  ///< atomic number
  std::size_t position = 1;
  std::size_t charge = none;
  std::size_t mass = none;
  std::size_t force = none;
  std::size_t velocity = none;
  std::size_t count = 4;  ///< columns that a line has at least
  bool extended = false;  ///< a Properties entry said so
};

/// What a comment says.
struct Comment {
  Columns columns;
  Cell cell;
  std::optional<double> time;  ///< ps
};

/// Takes the comment on the scanner's current line apart. Fails there where a Lattice or Properties entry is broken.
Comment read_comment(const LineScanner& scanner);

}  // namespace isolume::xyz
