// Densities of free atoms, by a table of sums of r^n exp(-z r).
#include "compute/electron_density/atomic_density.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "compute/electron_density/atomic_density_text.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {

struct AtomicDensities {
  std::map<int, AtomicDensity> all;

  AtomicDensities() {
    std::istringstream text(atomic_densities_text);
    for (std::string line; std::getline(text, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream head(line);
      int element = 0;
      std::size_t terms = 0;
      AtomicDensity atom;
      head >> element >> terms >> atom.largest_error_ >> atom.contact_error_;
      for (std::size_t t = 0; t < terms; ++t) {
        AtomicTerm term;
        text >> term.power >> term.exponent >> term.factor;
        atom.terms_.push_back(term);
      }
      text >> std::ws;
      if (!head || !text.good() || atom.terms_.empty()) {
        if (!text.eof()) throw Error("the table of atomic densities is damaged");
      }
      all.emplace(element, std::move(atom));
    }
  }
  static const AtomicDensities& table() {
    static const AtomicDensities densities;
    return densities;
  }
};

const AtomicDensity& AtomicDensity::of(int element) {
  const auto& all = AtomicDensities::table().all;
  const auto found = all.find(element);
  if (found == all.end())
    throw Error(fmt::format("there is no density of a free atom of element {} ({}): the table has {} elements up to {}",
                            element, isolume::element(static_cast<std::uint8_t>(element)).symbol, all.size(),
                            isolume::element(static_cast<std::uint8_t>(all.rbegin()->first)).symbol),
                Error::Kind::usage);
  return found->second;
}

std::vector<int> AtomicDensity::elements() {
  std::vector<int> numbers;
  for (const auto& [number, atom] : AtomicDensities::table().all) numbers.push_back(number);
  return numbers;
}

double AtomicDensity::density(double r) const {
  double sum = 0;
  for (const AtomicTerm& term : terms_) sum += term.factor * std::pow(r, term.power) * std::exp(-term.exponent * r);
  return sum;
}

double AtomicDensity::electrons() const {
  double sum = 0;
  for (const AtomicTerm& term : terms_)
    sum += 4 * units::pi * term.factor * std::tgamma(term.power + 3.0) / std::pow(term.exponent, term.power + 3);
  return sum;
}

double AtomicDensity::reach(double value) const {
  double lower = 0, upper = 64;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (lower + upper);
    (density(middle) > value ? lower : upper) = middle;
  }
  return upper;
}

}  // namespace isolume
