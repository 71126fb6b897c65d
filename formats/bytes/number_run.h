// The numbers of a line, also where the fixed widths of Fortran ran them together.
#pragma once

#include <string_view>

#include "formats/bytes/text.h"

namespace isolume {

/// Takes the next number off the front of `rest` (blanks and commas before it are skipped); false at the end. Knows
/// "-5.19709E-018-5.19709E-018" (a sign begins the next number), "1.0D+01" and "0.123-100" (a three-digit exponent that
/// left no room for its letter). Fails at the scanner's line where there is something else, or a number that is not
/// finite; `what` names it.
bool next_number(const LineScanner& lines, std::string_view& rest, double& value, std::string_view what);

}  // namespace isolume
