// Analyses in parts: some frames here, others there, and one table of all.
#pragma once

#include "compute/analysis/analysis.h"
#include "molecule/frame_part.h"

namespace isolume {

/// What an analysis keeps of the request's frames, which ascend: to be joined (molecule/frame_part.h) with parts of
/// requests that differ in their frames alone and have the same `opening`. Kinds with a row for every frame keep the
/// rows, rdf and contact_map counts and sums, rmsf the positions of its atoms (24 bytes an atom and frame), since
/// frames are superposed on the mean of all. Throws Error.
FramePart analyse_part(const AnalysisRequest& request, Job& job);

/// The table that analyse() gives for the frames of a part: the same bit by bit, but for rdf, whose sums over volumes
/// round (1e-12). `kind` is that of the request, or contact_map of a part whose arrays were taken from one. Throws
/// Error (input) where the part has not what belongs to the kind.
AnalysisTable table_of(const FramePart& part, AnalysisKind kind, Job& job);

/// The kind of that name. Throws Error (input) where there is none.
AnalysisKind analysis_kind(const std::string& name);

}  // namespace isolume
