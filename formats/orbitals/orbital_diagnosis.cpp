// Why orbitals are not orthonormal over the basis of their file.
#include "formats/orbitals/orbital_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace isolume {

std::string why_not_orthonormal(const FunctionMap& map, const std::vector<double>& overlap,
                                const std::vector<double>& implied) {
  const std::size_t n = map.basis.function_count();
  if (n == 0 || overlap.size() != n * n || implied.size() != n * n) return {};
  std::vector<std::uint32_t> centre;
  for (const Shell& shell : map.basis.shells) centre.insert(centre.end(), shell.function_count(), shell.centre);
  double same_atom = 0, other_atom = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double& worst = centre[a] == centre[b] ? same_atom : other_atom;
      worst = std::max(worst, std::abs(implied[a * n + b] - overlap[a * n + b]));
    }
  }
  if (same_atom > 1e-4 || other_atom < 20 * same_atom) return {};
  return fmt::format(
      "They belong to another geometry than that of the file: the functions of each atom overlap as they should (to "
      "{:.0e}), those of different atoms do not (by up to {:.2g}).",
      same_atom, other_atom);
}

}  // namespace isolume
