// The paths of the files that a program has opened for reading.
#pragma once

#include <string>
#include <vector>

namespace isolume {

/// Remembers a path, after keep_inputs() (input_files.h). ByteSource::open() does; so does what reads files otherwise.
void note_opened(const std::string& path);

/// Whether keep_inputs() was called.
bool keeps_inputs();

/// The paths as they were opened, in order, each once.
std::vector<std::string> opened_files();

}  // namespace isolume
