// compute potential --method pb: maps of the reaction potential, the field and the charge of the ions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/cli/compute/potential_work.h"
#include "compute/base/host_values.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_fields.h"

namespace isolume::cli {

/// Where further maps go; empty for none.
struct PoissonBoltzmannMapFiles {
  std::string reaction, field, ions;

  bool any() const { return !reaction.empty() || !field.empty() || !ions.empty(); }
  /// The files of the field's components along x, y and z: of E.dx E_x.dx, E_y.dx and E_z.dx.
  std::array<std::string, 3> components() const;
};
void add_poisson_boltzmann_map_options(Verb command, PoissonBoltzmannMapFiles& files);

/// Throws Error (usage) for extensions that are no map's, and where a component of the field would be written over
/// another output or an input.
void check_poisson_boltzmann_maps(const PoissonBoltzmannMapFiles& files, const std::vector<std::string>& inputs,
                                  const std::string& out);

/// The further maps of one solution, in host memory.
class PoissonBoltzmannFurtherMaps {
 public:
  PoissonBoltzmannFurtherMaps() = default;
  /// Solves, and fills `potential` (volts) too.
  PoissonBoltzmannFurtherMaps(Run& run, PotentialWork& work, const Grid& grid, const PoissonBoltzmannMapFiles& files,
                              std::span<float> potential);
  /// In the unit asked for, with what the report and the user are told of them. `grid`: as the files have it.
  void write(Run& run, const PotentialWork& work, const Grid& grid, const PoissonBoltzmannMapFiles& files,
             const std::string& unit);

 private:
  void write_field(const PotentialWork& work, const Grid& grid, const PoissonBoltzmannMapFiles& files,
                   const std::string& unit, const std::string& comment);

  HostValues reaction_, ions_;
  std::array<HostValues, 3> field_;
  PoissonBoltzmannFields made_;
};

/// Bytes of host memory for them.
std::size_t further_maps_memory(const Grid& grid, const PoissonBoltzmannMapFiles& files);

}  // namespace isolume::cli
