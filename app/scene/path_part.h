// What a path of a scene names beyond a file: one of its normal modes, the orbitals of one of its excited states, or
// frames that a simulation has sent.
#pragma once

#include <string>
#include <vector>

namespace isolume {

/// "FILE#mode=2,amplitude=0.3,frames=24": the molecule moves along a normal mode of the file.
/// "FILE#state=3": its orbitals are the natural transition orbitals of a state of the file's amplitudes.
/// "FILE#localise=boys" or "FILE#localise=pipek-mezey,virtuals=1": its orbitals are localised, in every frame.
/// "FILE#stream=localhost:8888": its frames came from a running simulation. They are in memory alone: what is opened
/// later has the frames of the files, and never connects.
/// "FILE#average=1": its maps are a mean over frames that was made in a window, and in memory alone.
/// "FILE#fit=1": its frames are those of a flexible fit that was made in a window, and in memory alone.
/// All come after the paths of the molecule itself (app/documents/derived.h).
struct PathPart {
  enum class Kind : unsigned char { file, mode, state, stream, average, fit, localised };
  std::string file;
  Kind kind = Kind::file;
  int number = 0;          ///< of the mode, state, average or fit, from 1
  double amplitude = 0.3;  ///< angstrom, of the atom that moves most
  int frames = 24;         ///< of one period
  std::string peer{};      ///< of a stream: HOST:PORT
  std::string method{};    ///< of localised orbitals: "pipek-mezey" or "boys"
  bool virtuals = false;   ///< the virtual orbitals are localised too
  bool operator==(const PathPart&) const = default;
};

/// What a path says. One that does not follow the pattern is that of a file, whatever is in its name.
PathPart path_part(const std::string& path);
/// The path that says it.
std::string path_of(const PathPart& part);
/// The file of a path.
std::string file_of(const std::string& path);
/// The paths with orbitals localised by `method`, with none where it is empty.
std::vector<std::string> with_localisation(const std::vector<std::string>& paths, const std::string& method,
                                           bool virtuals = false);
/// Whether one of the paths names a mode or a state.
bool has_parts(const std::vector<std::string>& paths);

}  // namespace isolume
