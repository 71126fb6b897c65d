// The paths of the files that a program has opened for reading.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isolume {

/// Remembers a path, after keep_inputs() (input_files.h). ByteSource::open() does; so does what reads files otherwise.
void note_opened(const std::string& path);
/// How often note_opened() was called, by any thread and also before keep_inputs(): whether a reader opens other files.
std::uint64_t times_opened();

/// Whether keep_inputs() was called.
bool keeps_inputs();

/// The paths as they were opened, in order, each once.
std::vector<std::string> opened_files();

}  // namespace isolume
