// isolume convert of a running simulation: what it sends is written to a file.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"

namespace isolume::cli {

/// What of a stream is recorded, and how.
struct StreamRecording {
  std::string address;                 ///< imd://HOST:PORT
  std::vector<std::string> structure;  ///< the files that have its atoms
  std::string out;
  std::string frames = ":";  ///< A:B:STEP from the connection on, without negative parts
  std::string selection = "all";
  std::string energies;     ///< a CSV of step, time, temperature and energies; empty for none
  double precision = 0.01;  ///< of XTC, angstrom
  double wait = 600;        ///< seconds without a frame after which it ends with an error
};

/// Receives until the simulation ends or the frames are there. After Ctrl-C the file has the frames so far. A
/// simulation is held back while its frames are written, and loses none. Throws Error.
void record_stream(Run& run, const StreamRecording& options);

}  // namespace isolume::cli
