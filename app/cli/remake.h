// Making a file again from the record next to it.
#pragma once

#include <functional>
#include <string>

#include "app/cli/commands.h"
#include "app/export/recorded_table.h"
#include "compute/base/job.h"

namespace isolume::cli {

struct Remake {
  std::string file;  ///< what was made, or its record
  std::string out;
  bool force = false;  ///< though inputs have changed
  bool trust = false;  ///< though inputs are outside the folder of the record
  /// Writes the table of a panel again (write_panel_table() of tables/panel_table.h).
  std::function<void(const RecordedTable&, const std::string& path, Device, Job&)> write_table;
};

/// Runs the command of the record in a process of its own, whose files are written to a folder of its own next to
/// `out`, or writes what a window exported or a panel of it, and gives what it makes that name. Throws Error before
/// that where there is no record, where an input is missing, has changed or is outside the folder of the record, and
/// where `out` has another extension.
void remake(const Common& common, const Remake& what);

/// In that process: lets files be written below that folder alone.
void confine_replayed_command();

}  // namespace isolume::cli
