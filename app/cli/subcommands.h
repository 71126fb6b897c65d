// The names of the subcommands, for the console of the window.
#pragma once

#include <string>
#include <vector>

namespace isolume::cli {

/// The subcommands of the program, in the order of --help; of one of them its own, none where it has none.
std::vector<std::string> subcommands(const std::string& of = {});

}  // namespace isolume::cli
