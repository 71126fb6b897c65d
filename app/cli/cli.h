// The command line: isolume SUBCOMMAND ...
#pragma once

namespace isolume::cli {

/// True where the arguments are for the command line: a subcommand, --help, --version, or a word that is no file (a
/// mistyped subcommand). Everything else (nothing, files, options of the window) opens the window.
bool is_command_line(int argc, char** argv);

/// Runs it: data on stdout, messages on stderr. Returns the exit code: 0 done, 1 failed while running, 2 wrong usage,
/// 3 bad input, 130 cancelled. Throws nothing.
int run(int argc, char** argv);

}  // namespace isolume::cli
