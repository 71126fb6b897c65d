// What isolume compute rmsd-matrix, cluster, pca and msd share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "compute/trajectory/frame_set.h"

namespace isolume::cli {

/// What these verbs take.
struct FrameSetOptions {
  std::vector<std::string> files;
  std::string frames = ":", selection, cell, out;
  bool no_fit = false;
};
/// FILE, --frames, --select, --pbc, --out and, where `fits`, --no-fit.
void add_frame_set_options(Verb command, FrameSetOptions& options, const char* selection, const char* out, bool fits);

/// A run on the CPU (Error (usage) for --device cuda), its molecule and the frames of the options, told in the report.
struct ReadFrames {
  std::shared_ptr<const Molecule> molecule;
  FrameSet set;
};
ReadFrames read_frame_set(Run& run, const Common& common, const FrameSetOptions& options, const std::string& what);

/// "frame,time (ps)," and the same of a row, as far as there are times.
std::string frame_heading(const FrameSet& set);
std::string frame_cells(const FrameSet& set, std::size_t row);

/// To a file, or where `path` is empty to stdout.
void write_text(const std::string& path, const std::string& text);

}  // namespace isolume::cli
