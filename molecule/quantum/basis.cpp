// Gaussian basis sets: numbering and normalisation.
#include "molecule/quantum/basis.h"

#include <algorithm>
#include <cmath>

namespace isolume {

std::size_t Basis::function_count() const {
  std::size_t count = 0;
  for (const Shell& shell : shells) count += shell.function_count();
  return count;
}

std::size_t Basis::primitive_count() const {
  std::size_t count = 0;
  for (const Shell& shell : shells) count += shell.exponents.size();
  return count;
}

int Basis::max_l() const {
  int l = 0;
  for (const Shell& shell : shells) l = std::max(l, static_cast<int>(shell.l));
  return l;
}

std::vector<std::size_t> Basis::offsets() const {
  std::vector<std::size_t> offsets{0};
  offsets.reserve(shells.size() + 1);
  for (const Shell& shell : shells) offsets.push_back(offsets.back() + shell.function_count());
  return offsets;
}

void Basis::normalise() {
  for (Shell& shell : shells) {
    // <a|b> of two normalised primitives of one shell is (2 sqrt(a b) / (a + b))^(l + 3/2), for every component.
    double norm = 0;
    for (std::size_t i = 0; i < shell.exponents.size(); ++i) {
      for (std::size_t j = 0; j < shell.exponents.size(); ++j) {
        const double a = shell.exponents[i];
        const double b = shell.exponents[j];
        norm += shell.coefficients[i] * shell.coefficients[j] * std::pow(2 * std::sqrt(a * b) / (a + b), shell.l + 1.5);
      }
    }
    if (!(norm > 0)) continue;
    const double scale = 1 / std::sqrt(norm);
    for (double& coefficient : shell.coefficients) coefficient *= scale;
  }
}

}  // namespace isolume
