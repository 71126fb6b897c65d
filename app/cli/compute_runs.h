// The subcommands of compute that run or compare methods rather than make one field.
#pragma once

#include "app/cli/command.h"

namespace isolume::cli {

void add_compute_dynamics(Commands& commands, CLI::App& parent);
void add_compute_compare(Commands& commands, CLI::App& parent);

}  // namespace isolume::cli
