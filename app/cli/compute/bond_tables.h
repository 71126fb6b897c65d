// isolume compute hbonds --bonds, --correlation: occupancy and lifetime of each hydrogen bond.
#pragma once

#include <string>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "compute/analysis/analysis.h"
#include "compute/trajectory/hydrogen_bond_lifetimes.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

struct BondTableOptions {
  std::string bonds, correlation;  ///< files; empty for none
  double least = 0;                ///< occupancy of the bonds that are listed
  BondLifetimeOptions lifetime{.step = 0};
  double longest = 0;  ///< ps; 0: half of the time

  bool wanted() const { return !bonds.empty() || !correlation.empty(); }
};
void add_bond_table_options(Verb verb, BondTableOptions& options);

/// The texts of both files, and what the report and the last line say.
struct BondTables {
  std::string bonds, correlation, summary;
  nlohmann::ordered_json result;

  /// Into files; empty names for none.
  void write(const std::string& bonds_path, const std::string& correlation_path) const;
};

/// Of the frames and atoms of an analysis, `table` being what analyse() made of it. Frames must be evenly in time, or
/// --step be given; where the files have no times, lags are in frames. Throws Error (usage).
BondTables bond_tables(const AnalysisRequest& request, const AnalysisTable& table, const BondTableOptions& options,
                       Job& job);

/// Puts what bond_tables() needs of the request's frames into a part of them. `table` has the selections.
void add_bonds(FramePart& part, const AnalysisRequest& request, const AnalysisTable& table,
               const BondTableOptions& options, Job& job);
/// Whether add_bonds() was called for it.
bool has_bonds(const FramePart& part);
/// bond_tables() of the frames of a part, with the options that it was made with. Throws Error (usage, input).
BondTables bond_tables(const FramePart& part, const AnalysisTable& table, Job& job);

}  // namespace isolume::cli
