// What the subcommands share: a run with its report, and checks of what was given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/terminal.h"
#include "compute/base/device.h"
#include "compute/schedule/tile_book.h"
#include "molecule/molecule.h"
#include "molecule/whole_molecules.h"

namespace isolume::cli {

/// One run of a command: applies the common options, and writes the report at its end.
class Run {
 public:
  explicit Run(const Common& common, bool computes = true);

  Device device;                ///< the one to compute on; the CPU for commands that do not compute
  std::vector<Device> devices;  ///< all that were named (cuda:0,1,cpu), `device` first; for what can be shared
  Report report;
  ProgressJob progress;

  Job& job() { return progress.job(); }
  /// Those for work that can be shared and takes about so long on one device: the named ones, and with `auto` all GPUs
  /// equal to the first where it is long enough for their start.
  std::vector<Device> devices_for(double seconds) const;
  /// Puts into the report what each device did, and says which was retired.
  void worked(const std::vector<WorkerRecord>& workers);
  /// A line on stderr, unless --quiet.
  void say(const std::string& text);
  /// The report, where one was asked for.
  void finish();

 private:
  const Common& common_;
  std::vector<Device> equal_;  ///< auto: other GPUs like `device`
};

/// "1 frame", "12 frames".
std::string counted(std::size_t count, const std::string& noun);

/// Reads files that make one molecule, treats its periodic cell, and builds its assembly where one is named. Throws
/// Error.
std::shared_ptr<const Molecule> read_molecule(const std::vector<std::string>& paths, const std::string& assembly = {},
                                              const CellTreatment& cell = {});

/// Says that a temperature (kelvin) below 100 K may have been meant in degrees Celsius.
void warn_of_cold(Run& run, double temperature);

/// Throws Error (usage) where the molecule has no such frame; the first of one without positions is one.
void check_frame(const Molecule& molecule, std::size_t frame);

/// Throws Error (usage) where `path` does not end in one of `extensions` ("cube dx"; each perhaps with ".gz" where
/// `gz`), and Error (failed) where its folder is not there or does not let a file be written, so that nothing is
/// computed in vain.
void check_output(const std::string& path, const std::string& extensions);

/// The frames that "A:B:STEP" means of `count` (B excluded, as in Python; parts may be left out or negative; "7" is
/// one frame). Throws Error (usage).
std::vector<std::size_t> parse_frames(const std::string& text, std::size_t count);

/// The word of `words` nearest to `word` by edit distance, empty where none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& words);

}  // namespace isolume::cli
