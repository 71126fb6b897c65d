// The order of basis functions within a shell of a Molden file.
#include "formats/orbitals/molden_order.h"

#include <array>

#include "molecule/base/error.h"

namespace isolume {

glm::ivec3 molden_powers(int l, int n) {
  static constexpr std::array<glm::ivec3, 6> d = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}};
  static constexpr std::array<glm::ivec3, 10> f = {
      {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 1, 2}, {0, 2, 1}, {1, 1, 1}}};
  static constexpr std::array<glm::ivec3, 15> g = {{{4, 0, 0},
                                                    {0, 4, 0},
                                                    {0, 0, 4},
                                                    {3, 1, 0},
                                                    {3, 0, 1},
                                                    {1, 3, 0},
                                                    {0, 3, 1},
                                                    {1, 0, 3},
                                                    {0, 1, 3},
                                                    {2, 2, 0},
                                                    {2, 0, 2},
                                                    {0, 2, 2},
                                                    {2, 1, 1},
                                                    {1, 2, 1},
                                                    {1, 1, 2}}};
  const auto at = static_cast<std::size_t>(n);
  if (l == 2) return d[at];
  if (l == 3) return f[at];
  if (l == 4) return g[at];
  // s, p, and h and above, which the format does not define: x before y before z.
  for (int i = l; i >= 0; --i) {
    if (n <= l - i) return {i, l - i - n, n};
    n -= l - i + 1;
  }
  throw Error("no such Cartesian function");
}

int molden_m(int, int n) {
  return n % 2 == 1 ? (n + 1) / 2 : -n / 2;
}

}  // namespace isolume
