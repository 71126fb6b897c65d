// The command line: isolume SUBCOMMAND ...
#pragma once

namespace isolume::cli {

/// True where the arguments are for the command line: a subcommand, --help, --version, or a word that is no file (a
/// mistyped subcommand). Everything else (nothing, files, options of the window) opens the window.
bool is_command_line(int argc, char** argv);

/// Runs it: data on stdout, messages on stderr. Returns the exit code: 0 done, 1 failed while running, 2 wrong usage,
/// 3 bad input, 130 cancelled. Throws nothing.
int run(int argc, char** argv);

/// True for "isolume worker".
bool is_worker(int argc, char** argv);

/// isolume worker: reads a line of JSON for each command from stdin, {"words": ["info", "a.pdb", "--json"],
/// "directory": "/data"}, runs it as if it were typed in that folder (the present one where there is none), and writes
/// a line {"code": 0, "out": "...", "err": "..."} with its exit code and what it printed. Text that is not UTF-8 comes
/// with replacement characters. "durable": false spares files that are read and removed the wait for the disk. A line
/// that is no such request is answered by code 2. A signal cancels the command that runs; without one it ends the
/// program. Returns 0 at the end of stdin, 1 where an answer cannot be written.
int run_worker(const char* program);

}  // namespace isolume::cli
