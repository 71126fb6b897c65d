// Tables of the window's panels: how they are written, in the window and again without one.
#pragma once

#include <string>

#include "app/export/recorded_table.h"
#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/timeline/interaction_timeline.h"
#include "compute/timeline/residue_contacts.h"
#include "compute/timeline/timeline.h"

namespace isolume::cli {

/// As CSV, or as an array where the path ends in .npy; whole or not at all. Throws Error.
void write_line(const Timeline& line, const Topology& topology, bool structure, const std::string& path);
void write_interaction_line(const InteractionTimeline& line, const Topology& topology, const std::string& path);
/// `of_frame`: distances, else parts of the frames.
void write_contacts(const ResidueMatrix& matrix, const Topology& topology, bool of_frame, const std::string& path);

/// "rmsd", "structure", ... as compute timeline has them.
const char* timeline_word(TimelineKind kind);

/// Writes the table of a record again. What `asked` holds, by its "of":
///   timeline      molecule 0: kind, selection, step; of a correlation volume (of molecule 1), resolution
///   interactions  molecule 0: selection, other, kinds, step
///   contacts      molecule 0: selection, cutoff, and frame or null for all; range of a frame's distances
///   modes         molecule 0, the file of its modes as entry 1
///   states        molecule 0, the file of amplitudes as entry 1, fragments
///   probes        the probes of molecule `molecule` of the scene
/// Throws Error (usage) for a table that nothing but a window makes, Error (input) for what is none.
void write_panel_table(const RecordedTable& table, const std::string& path, Device device, Job& job);

}  // namespace isolume::cli
