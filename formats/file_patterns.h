// From names given by a user to files: patterns, folders, and the order of numbered names.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isolume {

/// The names that belong together but for a number: "water_007.molden.gz" is ("water_", ".molden.gz"), with the folder;
/// nothing where no number is before the extension.
std::optional<std::pair<std::string, std::string>> sequence_name(const std::string& path);

/// True where `a` comes before `b` when numbers within names count by value: "frame_9" before "frame_10".
bool natural_less(const std::string& a, const std::string& b);

/// The files that arguments name, in the order of the arguments; what a folder or a pattern stands for comes once:
///
/// * a folder stands for the one numbered sequence in it that can be read ("frame_000.molden", ...), and without any
///   sequence for its files of known formats, where they are at most twelve (a structure and its trajectory, say);
/// * a name with * or ? that is no file stands for the files of its folder that fit;
/// * files of one numbered sequence that follow one another are put into natural order.
///
/// Throws Error (input) where a folder holds no such files or several sequences, naming them, and where a pattern fits
/// nothing.
std::vector<std::string> expand_paths(const std::vector<std::string>& arguments);

}  // namespace isolume
