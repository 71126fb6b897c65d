// The reaction potential, the field and the charge of the ions of a Poisson-Boltzmann solution, as maps.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// Where the maps are written: grid.size() values each in host memory, x fastest, or none.
struct PoissonBoltzmannMapsOut {
  std::span<float> potential;             ///< V
  std::span<float> reaction;              ///< V: the potential less Coulomb's in the solute's dielectric, everywhere
  std::array<std::span<float>, 3> field;  ///< x, y and z of -grad of the potential, V/angstrom; all three or none
  std::span<float> ions;                  ///< charge of the ions, e/angstrom^3
};

/// Charges in the box that ends half a step within the grid's faces, e.
struct PoissonBoltzmannCharges {
  double ions = 0;            ///< of the ions
  double solute = 0;          ///< of the atoms
  std::optional<double> sum;  ///< of both by Gauss's law; none where the solute or a membrane cuts the box's faces
};

struct PoissonBoltzmannFields {
  PoissonBoltzmannResult solved;
  /// Estimated as the potential's: at every other node along the axes, V, V/angstrom (of the vector), e/angstrom^3. Of
  /// the reaction potential and the field at the nodes that are in the solvent, or in the solute, with both steps.
  MapError reaction, field, ions;
  PoissonBoltzmannCharges charges;
};

/// poisson_boltzmann() and maps made from its solution. The field is that of central differences of the potential, of
/// the reaction potential in the solute, where Coulomb's field is added; next to the dielectric surface the gradient of
/// a polynomial of degree 2 through the nodes on the same side. Throws Error as poisson_boltzmann() does.
PoissonBoltzmannFields poisson_boltzmann_fields(std::span<const ChargedSphere> atoms, const Grid& grid,
                                                const PoissonBoltzmannOptions& options, PoissonBoltzmannMapsOut out,
                                                Device device, Job& job);

/// Bytes of host memory taken apart from the maps and from what poisson_boltzmann() takes.
std::size_t poisson_boltzmann_fields_memory(const Grid& grid);

}  // namespace isolume
