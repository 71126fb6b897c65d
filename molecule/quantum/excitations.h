// Excited states as amplitudes between occupied and virtual orbitals.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

namespace isolume {

/// One singlet state of a closed shell. sum X^2 - sum Y^2 = 1/2, of one spin.
struct Excitation {
  std::string approach;            ///< "TDA", "TDDFT"; empty where the file names none
  double energy = 0;               ///< hartree
  std::optional<double> strength;  ///< oscillator strength of the file
  std::vector<double> x, y;        ///< occupied rows of virtual columns; y is empty without de-excitations
};

struct Excitations {
  std::size_t occupied = 0, virtuals = 0;
  std::vector<Excitation> states;
};

}  // namespace isolume
