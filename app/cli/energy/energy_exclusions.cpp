// Which pairs of atoms an energy leaves out, by --exclusions.
#include "app/cli/energy/energy_exclusions.h"

#include <fmt/format.h>

#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"
#include "molecule/neighbour_grid.h"

namespace isolume::cli {

PairExclusions choose_exclusions(const std::string& wish, double one_four, const Molecule& molecule,
                                 std::string& said) {
  const Topology& topology = *molecule.topology;
  if (wish == "none") {
    said = "none: every pair counts";
    return {};
  }
  const bool field = molecule.force_field != nullptr;
  if (wish == "auto" && !topology.has_bonds && !field) {
    said = "none: the file has no bonds";
    return {};
  }
  if (wish == "force-field" && !field) {
    throw Error(
        "--exclusions force-field: no file has a force field (a PRMTOP has, and a PSF with its parameter files)",
        Error::Kind::usage);
  }
  if (field && wish != "bonds" && one_four < 0) {
    said = fmt::format("those of the file's force field ({})", molecule.force_field->source);
    return force_field_exclusions(*molecule.force_field);
  }
  const double scale = one_four >= 0 ? one_four : 1;
  said = fmt::format("1-2 and 1-3 pairs, 1-4 pairs times {:.6g}, by bonds {}", scale,
                     topology.has_bonds ? "of the file" : "guessed from distances");
  return bonded_exclusions(topology, scale);
}

std::size_t coincident_atoms(std::span<const glm::vec3> positions) {
  constexpr double same = 1e-4;  // angstrom, as in every method
  const NeighbourGrid grid(positions, same);
  if (grid.pairs() > 1'000'000'000) return 0;  // crowded without end; the energy says enough
  std::size_t count = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    count += grid.visit(positions[i], [i](std::size_t other, double) { return other != i; }) ? 1 : 0;
  }
  return count;
}

}  // namespace isolume::cli
