// What names the built-in tables of charges where a scene names files with templates.
#pragma once

#include <string>

namespace isolume {

inline constexpr char usual_tables[] = "tables:amber";  ///< also "tables:charmm" and "tables:parse"

/// What an entry ends in that builds missing side chains too ("tables:amber+side-chains").
inline constexpr char with_side_chains[] = "+side-chains";

inline bool builds_side_chains(const std::string& entry) {
  return entry.ends_with(with_side_chains);
}

/// Whether an entry of SceneMolecule::templates names built-in tables and no file.
inline bool names_tables(const std::string& entry) {
  return entry.starts_with("tables:");
}

}  // namespace isolume
