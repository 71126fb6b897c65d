// The plane of a slice, as given on the command line.
#include "app/cli/slice_option.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/selection/selection.h"
#include "molecule/selection/selection_names.h"

namespace isolume::cli {

SlicePlane parse_slice(const std::string& text, const std::string& option) {
  SlicePlane slice;
  const std::size_t colon = text.rfind(':');
  const std::string place = text.substr(0, colon);
  if (colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto [next, fault] = std::from_chars(text.data() + colon + 1, end, slice.offset);
    if (fault != std::errc() || next != end || !std::isfinite(slice.offset))
      throw Error(fmt::format("{} {}: expected a number of angstrom behind the colon, such as z:0.5", option, text),
                  Error::Kind::usage);
  }
  if (place == "x" || place == "y" || place == "z") {
    slice.kind = static_cast<SlicePlane::Kind>(static_cast<int>(SlicePlane::Kind::x) + place[0] - 'x');
    return slice;
  }
  if (place.empty())
    throw Error(fmt::format("{}: expected x, y, z or a selection of atoms, such as \"index 0 1 4\"", option),
                Error::Kind::usage);
  slice.kind = SlicePlane::Kind::atoms;
  slice.selection = has_names(place) ? place : Selection(place).text();  // names are those of the scene
  return slice;
}

}  // namespace isolume::cli
