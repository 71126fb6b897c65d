// The names of densities of all orbitals in a field of kind orbital.
#pragma once

#include <string>

namespace isolume {

inline constexpr char electron_density_name[] = "density";
inline constexpr char spin_density_name[] = "spin density";

/// Whether Field::orbital names the density of the electrons or of their spins, of the frame that is shown.
inline bool names_density(const std::string& orbital) {
  return orbital == electron_density_name || orbital == spin_density_name;
}

}  // namespace isolume
