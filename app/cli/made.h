// The record of a command next to what it has written.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/report.h"

namespace isolume::cli {

/// --no-record.
void add_record_option(Verb command);

/// The words of the command line that name files to be written, as the options say.
void note_outputs(const std::vector<std::string>& words);

/// A word as a shell takes it back.
std::string quoted(const std::string& word);

/// The command as files carry it that say how they were made: names of files without their folders, so that the same
/// command in another folder makes the same bytes. Of a replayed one it is what the first one wrote.
std::string carried_command(const std::vector<std::string>& arguments);
/// Names the command that a process replays, for its environment.
inline constexpr const char* carried_command_key = "ISOLUME_CARRIED_COMMAND";

/// The folder of a file to be written, by which it may name others. Of a replayed command it is where the file goes in
/// the end, not where the command writes it.
std::string final_folder(const std::string& file);
/// Names that folder of a process that replays a command, for its environment.
inline constexpr const char* final_folder_key = "ISOLUME_FINAL_FOLDER";

/// Writes the record of what was written next to the first of it, unless --no-record is given: the command, the files
/// that were read and written with their hashes, device, method, unit and error. Pictures carry their own. Nothing
/// where nothing was written.
void write_made(const std::vector<std::string>& arguments, const std::string& report_path, Device device,
                const Report& report);

}  // namespace isolume::cli
