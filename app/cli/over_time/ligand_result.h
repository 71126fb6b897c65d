// The result of compute ligand-map, from one run or from parts: maps, table and part files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/sampling/ligand_average.h"
#include "molecule/frame_part.h"
#include "molecule/grid.h"
#include "molecule/molecule.h"

namespace isolume::cli {

inline constexpr const char* ligand_kind = "ligand-map";

/// What the numbers are of.
struct LigandResult {
  Grid grid;        ///< of maps
  bool at = false;  ///< of points instead: a table
  std::string unit;
  double factor = 1;  ///< of the unit, for kT
  std::string made;   ///< "O2 (source), 300 K, 60 orientations"
};

struct LigandOutputs {
  std::string out, error_out, frames_out;  ///< empty: nowhere, of a table stdout

  bool any() const { return !out.empty() || !error_out.empty() || !frames_out.empty(); }
};

/// Throws Error (usage) where the outputs are not those of a table or of maps.
void check_ligand_outputs(const LigandOutputs& outputs, bool at);

/// Writes the maps, or the table. `molecule` (may be null) and `frame`: atoms for formats that have them.
void write_ligand(const LigandResult& result, const LigandAverage& average, const LigandOutputs& outputs,
                  const Molecule* molecule = nullptr, std::size_t frame = 0);

/// A part of these frames, and back. Throws Error (input).
FramePart ligand_part(const LigandResult& result, const LigandAverage& average, std::vector<std::uint64_t> frames);
LigandResult ligand_result_of(const FramePart& part);
LigandAverage ligand_average_of(const FramePart& part);

}  // namespace isolume::cli
