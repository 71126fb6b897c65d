// The order of basis functions within a shell of Gaussian's files.
#include "formats/orbitals/gaussian_order.h"

#include "molecule/base/error.h"

namespace isolume {

glm::ivec3 gaussian_powers(int l, int n) {
  if (l < 4) return molden_powers(l, n);
  for (int i = 0; i <= l; ++i) {
    if (n <= l - i) return {i, n, l - i - n};
    n -= l - i + 1;
  }
  throw Error("no such Cartesian function");
}

}  // namespace isolume
