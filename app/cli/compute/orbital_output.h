// What `isolume compute orbital` makes of one orbital: its grid or its plane, values, error and file.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/orbital_choice.h"

namespace isolume::cli {

/// What `isolume compute orbital` is asked for.
struct OrbitalCommand {
  GridOptions grid;
  OrbitalChoice choice;
  double enclosed = 0;  ///< as given: 0.9 or 90
  double margin = -1;
  double cutoff = 1e-3;
  std::size_t points = 0;
  std::string accuracy = "fine";  ///< or "preview": OrbitalAccuracy of grids
  std::string slice;              ///< as given; empty for grids
  std::string localise;           ///< "pipek-mezey", "boys"; empty for canonical orbitals
  bool localise_virtuals = false;
  double range = 0;  ///< of the slice's colours
};

/// A part of the electron from "0.9" or "90" (percent), 0 for none. Throws Error (usage).
double enclosed_fraction(double given);

/// True where the file is a table: csv, txt, dat.
bool is_table(const std::string& path);

/// "psi.cube" of orbital homo-1 in frame 7, where there are several of both, as "psi_homo-1_0007.cube".
std::string orbital_file_name(const OrbitalCommand& options, const ChosenOrbital& chosen, bool several_orbitals,
                              bool several_frames);

/// Computes an orbital on its grid, with its phase; `entry` receives the range of values, the norm on the grid and the
/// isovalue by probability, the report the worst error of all orbitals at sampled points. `all` decides on grids that
/// serve every frame.
Volume compute_orbital_volume(Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
                              const std::vector<ChosenOrbital>& all, const ChosenOrbital& chosen,
                              nlohmann::ordered_json& entry);

/// Computes an orbital on its plane and writes it as a mesh (ply, obj, stl, glb) with colours and values. `entry`
/// receives the plane, the range of values and that of the colours; the report the error at points of the plane. Throws
/// Error, also where the plane passes the orbital by.
void write_orbital_slice(Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
                         const ChosenOrbital& chosen, const std::string& path, nlohmann::ordered_json& entry);

}  // namespace isolume::cli
