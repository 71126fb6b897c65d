// The names of densities of all orbitals in a field of kind orbital.
#pragma once

#include <string>

#include "app/scene/scene.h"

namespace isolume {

inline constexpr char electron_density_name[] = "density";
inline constexpr char spin_density_name[] = "spin density";

/// Whether Field::orbital names the density of the electrons or of their spins, of the frame that is shown.
inline bool names_density(const std::string& orbital) {
  return orbital == electron_density_name || orbital == spin_density_name;
}

/// True for an electron density (not of spins) that is shown as critical points and bond paths and is not sliced.
inline bool shows_bond_paths(const Field& field) {
  return field.kind == Field::Kind::orbital && field.orbital == electron_density_name &&
         field.show == Field::Show::paths && field.slice.kind == SlicePlane::Kind::none;
}

}  // namespace isolume
