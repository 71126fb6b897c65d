// Every computation that has a CUDA body, small, for tests in which calls of CUDA fail.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "compute/base/device.h"

namespace isolume::test {

/// Computes something with all of its memory on `device`; numbers that say whether it was right.
struct Computation {
  std::string name;  ///< letters and digits, as names of tests are
  std::vector<double> (*run)(Device device);
};

inline void PrintTo(const Computation& computation, std::ostream* out) {
  *out << computation.name;
}

const std::vector<Computation>& cuda_computations();
/// Parts of cuda_computations(): those of potentials, energies and forces, and those of orbitals and densities of
/// electrons.
std::vector<Computation> potential_computations();
std::vector<Computation> density_computations();

}  // namespace isolume::test
