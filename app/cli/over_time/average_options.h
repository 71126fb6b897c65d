// --average and its options: the mean of a field over frames, with its standard error.
#pragma once

#include <string>

#include "app/cli/options.h"

namespace isolume::cli {

struct AverageOptions {
  bool average = false;
  std::string frames;        ///< empty: all
  std::string align;         ///< a selection; empty: frames as they are
  std::string error_out;     ///< a map
  std::string variance_out;  ///< a map
  std::string faded_out;     ///< a map: the mean where it is significant, else 0
  std::string convergence;   ///< csv
  std::string partial;       ///< a part file
};

/// Declares --average, --frames, --align, --error-out, --variance-out, --faded-out, --convergence and --partial.
/// `flag`: whether --average itself has to be given.
void add_average_options(Verb command, AverageOptions& options, bool flag = true);

/// Declares --align and those after it alone.
void add_average_outputs(Verb command, AverageOptions& options);

/// Declares --variance-out alone.
void add_variance_option(Verb command, std::string& path);

/// Declares --faded-out alone.
void add_faded_option(Verb command, std::string& path);

/// Throws Error (usage) where one of them is given without --average, and where outputs have wrong extensions.
/// `at_points`: of points instead of a map.
void check_average_options(const AverageOptions& options, bool at_points);

/// The extensions of maps.
inline constexpr const char* map_extensions = "cube cub dx mrc map ccp4 vdb";

}  // namespace isolume::cli
