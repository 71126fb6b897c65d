// What goes to the terminal: without control characters, and without failing where nothing can be written.
#pragma once

#include <string>

namespace isolume::cli {

/// Text of a file for a terminal: control characters, those of Unicode (U+0080 to U+009F) too, become blanks.
std::string plain(const std::string& text);

/// A line on stderr, its line ends kept and other control characters not. What cannot be written is lost.
void complain(const std::string& text) noexcept;

/// Opens what of stdin, stdout and stderr is closed, so that no file that is written takes its place: stdout such that
/// writing fails.
void open_standard_streams();

/// Writes out what stdout has kept. Throws Error (failed) with the system's reason; where the reader is gone, without
/// a message, as that is its own choice.
void finish_stdout();

}  // namespace isolume::cli
