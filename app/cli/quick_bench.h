// Built-in benchmarks: a few computations of known size.
#pragma once

#include "app/cli/command.h"

namespace isolume::cli {

/// Times potentials of random charges on the run's device, each for about a second, and prints their rates (of all
/// pairs of charge and point, also where the method does not go through them); as JSON
/// where asked.
void quick_bench(Run& run, bool json);

}  // namespace isolume::cli
