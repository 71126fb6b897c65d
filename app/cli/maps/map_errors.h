// The standard errors of two maps, and what they say of their difference.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "molecule/grid.h"

namespace isolume::cli {

/// Files of a difference of two maps: their standard errors, each may be missing, and what is written of it.
struct MapErrors {
  std::string own, other;  ///< maps; -1 where the error is not known
  std::string error_out, faded_out;
};

/// Throws Error (usage) where outputs have no errors, errors no output, or the map is more than a plain difference.
void check_errors(const MapErrors& errors, bool plain_difference);

/// Writes the standard error of a difference and its values faded within that, and says how much is significant.
/// `read`: the values of a map at the points of the difference.
void write_significance(Run& run, const MapErrors& errors, const Volume& difference,
                        const std::function<std::vector<float>(const std::string&)>& read);

}  // namespace isolume::cli
