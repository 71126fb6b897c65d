// The output and messages of an analysis, made in one run or joined from parts.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/compute/bond_tables.h"
#include "compute/analysis/analysis.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

/// Files; empty for none, of `out` stdout.
struct AnalysisOutputs {
  std::string out, map, bonds, correlation;
  bool prints = true;  ///< to stdout where `out` is empty

  bool any() const { return !out.empty() || !map.empty() || !bonds.empty() || !correlation.empty(); }
};

/// Throws Error where one of them is no csv, or its folder is not there.
void check_outputs_of(const AnalysisOutputs& outputs);

/// The tables of an analysis.
struct AnalysisResult {
  AnalysisKind kind = AnalysisKind::rmsd;
  AnalysisTable table, map;
  std::optional<BondTables> bonds;
  std::string pbc;  ///< how the cell was treated; empty: "whole"
};

/// The tables of a part. Throws Error (usage) where outputs are asked for that it has not.
AnalysisResult result_of(const FramePart& part, const AnalysisOutputs& outputs, Job& job);

/// Whether a part has a contact map.
bool has_map(const FramePart& part);

/// Writes the tables and fills in the report's method, unit and result.
void write_analysis(Run& run, const AnalysisResult& result, const AnalysisOutputs& outputs);

}  // namespace isolume::cli
