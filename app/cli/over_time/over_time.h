// The subcommands of fields over frames.
#pragma once

#include "app/cli/commands.h"

namespace isolume::cli {

void add_merge(Commands& commands);
void add_compute_probe(Commands& commands, Verb parent);
void add_compute_volmap(Commands& commands, Verb parent);

}  // namespace isolume::cli
