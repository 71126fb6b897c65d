// The subcommands of fields over frames.
#pragma once

#include "app/cli/commands.h"

namespace isolume::cli {

void add_merge(Commands& commands);

}  // namespace isolume::cli
