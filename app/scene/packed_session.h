// Sessions that carry the files of their scene, to be sent as one file.
#pragma once

#include <string>

#include "app/scene/scene.h"

namespace isolume {

/// Such a session is a tar archive (POSIX ustar): scene.isolume, and each file as data/N/NAME. Told by its content.
bool is_packed_session(const std::string& path);

/// Where its files are once they are unpacked: in the user's cache, a folder of its own for each state of a file.
std::string unpacked_folder(const std::string& path);

/// Unpacks it, where that has not been done, keeps it from being removed until the program ends (unpacked_cache.h), and
/// returns the path of its scene. Names in the archive may not lead out
/// of the folder, and only regular files are taken. Throws Error (input) for what is none.
std::string unpack_session(const std::string& path);

/// Whether files of the scene came out of such a session: saved without them, it would be lost with the cache.
bool shows_unpacked(const Scene& scene);

/// Writes the scene with the files of its molecules and representations. Throws Error (input) where one cannot be read,
/// and Error (usage) for a GROMACS topology with #include, whose other files are not known.
void write_packed_session(const std::string& path, const Scene& scene);

}  // namespace isolume
