// The software OpenGL of a bundle, for machines without a driver.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace isolume {

/// Where the EGL library of a bundle looks for drivers: folders of files that name them.
std::vector<std::filesystem::path> system_driver_folders();

/// The starter of the bundle's own OpenGL, `isolume-software` next to the program, where there is one and none of the
/// folders names a driver; else empty.
std::filesystem::path software_starter(const std::filesystem::path& program,
                                       const std::vector<std::filesystem::path>& driver_folders);

/// Starts the program again by that starter, with the same words, where the machine has no driver; else returns. What
/// the environment says of drivers is left alone.
void start_with_bundled_opengl(char** words);

/// What to add to a message that there is no OpenGL: the starter, where there is one. Else empty.
std::string bundled_opengl_hint();

}  // namespace isolume
