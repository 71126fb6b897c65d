// Values as CIF writes them.
#pragma once

#include <string>
#include <string_view>

namespace isolume {

/// A value in quotes where CIF 1.1 asks for them; "." where it is empty, "?" in the place of what is not ASCII or
/// printable. A value with both kinds of quotes, each followed by a blank, loses the second kind.
std::string cif_value(std::string_view text);

/// As above, but "?" where it is empty: the value is not known.
std::string cif_known(std::string_view text);

}  // namespace isolume
