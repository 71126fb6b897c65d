// The orbitals and frames named by a command.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/molecule.h"

namespace isolume::cli {

class Run;

/// As given on the command line.
struct OrbitalChoice {
  std::vector<std::string> orbitals;  ///< empty for homo
  Spin spin = Spin::alpha;
  std::optional<std::size_t> frame;  ///< the first with orbitals where neither frame nor frames is given
  std::string frames;                ///< "A:B:STEP", empty for one frame
  bool follow = false;
  bool force = false;  ///< also of orbitals that are misread
  /// Where the names hold: the first of the frames with orbitals, which choose_orbitals() notes here.
  std::optional<std::size_t> from;
};

/// One orbital of one frame. Without `orbitals` there is none: the frame has none, or the followed one was lost.
struct ChosenOrbital {
  std::string asked;
  std::size_t frame = 0;
  std::shared_ptr<const Orbitals> orbitals;
  std::size_t which = 0;   ///< in them
  std::size_t number = 0;  ///< from 1 within its spin
  int sign = 1;
  double overlap = 1;  ///< |<this|the one in the frame before, or after where it is followed backwards>|
  bool weak = false;   ///< that overlap is weak
  bool followed = false;
};

/// Frame by frame, in each the orbitals in the order asked. With one frame, what is not there is an Error (usage);
/// with several, only where no frame has it.
std::vector<ChosenOrbital> choose_orbitals(const std::shared_ptr<const Molecule>& molecule, OrbitalChoice& choice,
                                           Job& job);

/// Warns on stderr where orbitals fail the self-check of their file (the occupied ones alone where only they count),
/// once for what is not in `said` yet. Throws Error (input) where they fail it by far, unless `force`.
void check_reading(Run& run, const Molecule& molecule, const Orbitals& orbitals, bool occupied, bool force,
                   std::vector<std::string>& said);

/// What a report and a table say of one: frame, orbital, number, role, energy, occupation, overlap, sign, weak.
nlohmann::ordered_json orbital_entry(const ChosenOrbital& chosen, const OrbitalChoice& choice);

/// Entries as CSV with a heading; what an entry lacks is empty.
std::string orbital_table(const nlohmann::ordered_json& entries);

/// "HOMO (8 of 14), frame 7".
std::string orbital_title(const ChosenOrbital& chosen);

/// Columns of values as lines "a,b,c" in full precision, to a file or, where `path` is empty, to stdout.
void write_columns(const std::string& path, const std::vector<std::vector<double>>& columns);

}  // namespace isolume::cli
