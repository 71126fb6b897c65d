// The output and messages of an analysis, made in one run or joined from parts.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/compute/bond_tables.h"
#include "compute/analysis/analysis.h"
#include "compute/timeline/residue_contacts.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

/// Files; empty for none, of `out` stdout.
struct AnalysisOutputs {
  std::string out, map, bonds, correlation;
  bool prints = true;  ///< to stdout where `out` is empty

  bool any() const { return !out.empty() || !map.empty() || !bonds.empty() || !correlation.empty(); }
};

/// Throws Error where one of them is no csv (the map: none of `map_extensions`), or its folder is not there.
void check_outputs_of(const AnalysisOutputs& outputs, const char* map_extensions = "csv");

/// Whether the map is asked for as an array of NumPy.
bool has_matrix(const AnalysisOutputs& outputs);

/// The tables of an analysis.
struct AnalysisResult {
  AnalysisKind kind = AnalysisKind::rmsd;
  AnalysisTable table, map;
  std::optional<BondTables> bonds;
  std::string pbc;                             ///< how the cell was treated; empty: "whole"
  ResidueMatrix matrix = {};                   ///< the map, where it is asked for as an array
  std::vector<std::string> matrix_words = {};  ///< its rows: chain, residue and number of each
};

/// The tables of a part. Throws Error (usage) where outputs are asked for that it has not.
AnalysisResult result_of(const FramePart& part, const AnalysisOutputs& outputs, Job& job);

/// Whether a part has a contact map.
bool has_map(const FramePart& part);

/// Writes the tables and fills in the report's method, unit and result.
void write_analysis(Run& run, const AnalysisResult& result, const AnalysisOutputs& outputs);

}  // namespace isolume::cli
