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
/// Those of potentials, energies and forces; cuda_computations() has them too.
std::vector<Computation> potential_computations();

}  // namespace isolume::test
