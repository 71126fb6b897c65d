// The subcommands of compute that run or compare methods rather than make one field.
#pragma once

#include "app/cli/commands.h"

namespace isolume::cli {

void add_compute_dynamics(Commands& commands, Verb parent);
void add_compute_compare(Commands& commands, Verb parent);

}  // namespace isolume::cli
