// The files that a program has written.
#pragma once

#include <string>
#include <vector>

namespace isolume {

/// The paths of all files that were given their names after keep_inputs() (formats/bytes/input_files.h), in order, each
/// once, links followed.
std::vector<std::string> published_files();
/// Forgets them: another command begins in the same process.
void forget_published_files();

/// Whether a file that is published survives a loss of power, which it takes the disk's time for. True at first; false
/// for results that are read and removed.
void make_files_durable(bool durable);

/// From here on files are written below this folder alone, links followed; others are Error (usage).
void confine_outputs(const std::string& folder);

}  // namespace isolume
