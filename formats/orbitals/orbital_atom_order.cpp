// Whether a file lists its atoms in another order than the blocks of its basis.
#include "formats/orbitals/orbital_atom_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace isolume {
namespace {

constexpr std::size_t most_functions = 600;
constexpr std::size_t most_overlaps = 4'000'000;  // between functions: some seconds
constexpr double tolerance = 1e-3;  // of overlaps: five printed decimals, and what inverting makes of them

/// Inverts a symmetric positive definite matrix of n rows in place (Cholesky). False where it is not that.
bool invert(std::vector<double>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0)) return false;
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  }
  // The factor L inverted, then L^-T L^-1.
  std::vector<double> inverse(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    inverse[j * n + j] = 1 / a[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum -= a[i * n + k] * inverse[k * n + j];
      inverse[i * n + j] = sum / a[i * n + i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < n; ++k) sum += inverse[k * n + i] * inverse[k * n + j];
      a[i * n + j] = a[j * n + i] = sum;
    }
  }
  return true;
}

/// What one centre has of the basis.
struct Centre {
  std::uint32_t number = 0;
  Basis basis;                         ///< its shells, on centre 0
  std::vector<std::size_t> functions;  ///< in the whole basis
};

class Search {
 public:
  Search(const FileOrbitals& file, const FunctionMap& map, const std::vector<double>& implied)
      : places_(file.centres), implied_(implied), n_(map.basis.function_count()) {
    std::vector<Centre> all(places_.size());
    std::size_t function = 0;
    for (const Shell& shell : map.basis.shells) {
      Centre& centre = all[shell.centre];
      centre.number = shell.centre;
      centre.basis.shells.push_back(shell);
      centre.basis.shells.back().centre = 0;
      for (std::size_t f = 0; f < shell.function_count(); ++f) centre.functions.push_back(function++);
    }
    for (Centre& centre : all)
      if (!centre.functions.empty()) centres_.push_back(std::move(centre));
    order_by_overlap();
    taken_.assign(places_.size(), false);
    place_of_.assign(centres_.size(), 0);
  }

  std::vector<std::uint32_t> run() {
    for (const Centre& centre : centres_)
      if (misfit(centre, 0, centre, 0) > tolerance) return {};
    if (!place(0)) return {};
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> result(places_.size(), none);
    for (std::size_t i = 0; i < centres_.size(); ++i)
      result[centres_[i].number] = static_cast<std::uint32_t>(place_of_[i]);
    // Atoms without functions stay where they are, or take what is left.
    for (std::uint32_t i = 0; i < result.size(); ++i) {
      if (result[i] != none) continue;
      const std::size_t free =
          !taken_[i]
              ? i
              : static_cast<std::size_t>(std::distance(taken_.begin(), std::find(taken_.begin(), taken_.end(), false)));
      result[i] = static_cast<std::uint32_t>(free);
      taken_[free] = true;
    }
    const bool own = std::is_sorted(result.begin(), result.end());
    return own ? std::vector<std::uint32_t>{} : result;
  }

 private:
  /// Largest implied overlap of two centres.
  double largest(const Centre& a, const Centre& b) const {
    double most = 0;
    for (const std::size_t i : a.functions)
      for (const std::size_t j : b.functions) most = std::max(most, std::abs(implied_[i * n_ + j]));
    return most;
  }
  /// By how much the overlap of two centres at two places differs from what the orbitals imply.
  double misfit(const Centre& a, std::size_t at_a, const Centre& b, std::size_t at_b) {
    overlaps_ += a.functions.size() * b.functions.size();
    const std::vector<double> block =
        overlap_matrix(a.basis, std::span(&places_[at_a], 1), b.basis, std::span(&places_[at_b], 1));
    double most = 0;
    for (std::size_t i = 0; i < a.functions.size(); ++i)
      for (std::size_t j = 0; j < b.functions.size(); ++j)
        most = std::max(most,
                        std::abs(block[i * b.functions.size() + j] - implied_[a.functions[i] * n_ + b.functions[j]]));
    return most;
  }
  /// Each centre after the one of those before it that it overlaps with most.
  void order_by_overlap() {
    std::vector<double> nearness(centres_.size(), 0);
    for (std::size_t i = 0; i + 1 < centres_.size(); ++i) {
      for (std::size_t j = i + 1; j < centres_.size(); ++j)
        nearness[j] = std::max(nearness[j], largest(centres_[i], centres_[j]));
      const auto next = std::max_element(nearness.begin() + static_cast<std::ptrdiff_t>(i) + 1, nearness.end());
      const auto at = static_cast<std::size_t>(std::distance(nearness.begin(), next));
      std::swap(centres_[i + 1], centres_[at]);
      std::swap(nearness[i + 1], nearness[at]);
    }
  }
  bool place(std::size_t number) {
    if (number == centres_.size()) return true;
    const Centre& centre = centres_[number];
    // Its own place first, so that what need not move stays.
    for (std::size_t n = 0; n <= places_.size(); ++n) {
      const std::size_t at = n == 0 ? centre.number : n - 1;
      if (taken_[at] || (n > 0 && at == centre.number)) continue;
      bool fits = true;
      for (std::size_t before = number; before-- > 0 && fits;)
        fits = misfit(centre, at, centres_[before], place_of_[before]) <= tolerance;
      if (overlaps_ > most_overlaps) return false;
      if (!fits) continue;
      taken_[at] = true;
      place_of_[number] = at;
      if (place(number + 1)) return true;
      taken_[at] = false;
    }
    return false;
  }

  const std::vector<glm::dvec3>& places_;
  const std::vector<double>& implied_;
  std::size_t n_;
  std::vector<Centre> centres_;
  std::vector<bool> taken_;
  std::vector<std::size_t> place_of_;
  std::size_t overlaps_ = 0;
};

}  // namespace

std::vector<double> implied_overlap(const FileOrbitals& file, const FunctionMap& map) {
  const std::size_t n = map.basis.function_count();
  if (n == 0 || n > most_functions || file.orbitals.empty()) return {};
  std::vector<double> density(n * n, 0.0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
    if (file.orbitals[i].spin != file.orbitals.front().spin) continue;
    ++count;
    const std::vector<double> row = dense_row(file.rows[i], map);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b <= a; ++b) density[a * n + b] += row[a] * row[b];
    }
  }
  if (count != n || !invert(density, n)) return {};
  return density;
}

std::vector<std::uint32_t> other_atom_order(const FileOrbitals& file, const FunctionMap& map,
                                            const std::vector<double>& implied) {
  const std::size_t n = map.basis.function_count();
  if (implied.size() != n * n || n == 0 || file.centres.size() < 2) return {};
  return Search(file, map, implied).run();
}

}  // namespace isolume
