// PairExclusions from lists of pairs and from bonds.
#include "compute/electrostatics/charges/exclusions.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

void PairExclusions::check(std::size_t atoms) const {
  const auto fail = [](const std::string& message) { throw Error("exclusions: " + message, Error::Kind::usage); };
  if (offsets.empty() && partners.empty()) return;
  if (offsets.size() != atoms + 1) fail(fmt::format("{} rows for {} atoms", offsets.size() - 1, atoms));
  if (offsets.front() != 0 || offsets.back() != partners.size() || kept.size() != partners.size()) {
    fail(fmt::format("rows end at {}, and there are {} partners and {} values", offsets.back(), partners.size(),
                     kept.size()));
  }
  for (std::size_t i = 0; i < atoms; ++i) {
    if (offsets[i] > offsets[i + 1]) fail(fmt::format("the row of atom {} ends before it begins", i + 1));
  }
  for (std::size_t i = 0; i < atoms; ++i) {
    for (std::uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      const std::uint32_t j = partners[k];
      if (j >= atoms || j == i || (k > offsets[i] && partners[k - 1] >= j)) {
        fail(fmt::format("the row of atom {} is not a list of other atoms in ascending order", i + 1));
      }
      const auto begin = partners.begin() + offsets[j];
      const auto end = partners.begin() + offsets[j + 1];
      const auto back = std::lower_bound(begin, end, static_cast<std::uint32_t>(i));
      if (back == end || *back != i || kept[static_cast<std::size_t>(back - partners.begin())] != kept[k]) {
        fail(fmt::format("atom {} lists atom {}, which does not list it with the same value", i + 1, j + 1));
      }
    }
  }
}

PairExclusions make_exclusions(std::size_t atoms, std::vector<ExcludedPair> pairs) {
  const std::size_t given = pairs.size();
  pairs.reserve(2 * given);
  for (std::size_t i = 0; i < given; ++i) {
    const ExcludedPair p = pairs[i];
    if (p.a >= atoms || p.b >= atoms || p.a == p.b) {
      throw Error(fmt::format("exclusions: pair of atoms {} and {}; expected two of 1 to {}", p.a + 1, p.b + 1, atoms),
                  Error::Kind::usage);
    }
    pairs.push_back({p.b, p.a, p.kept});
  }
  std::sort(pairs.begin(), pairs.end(), [](const ExcludedPair& x, const ExcludedPair& y) {
    return std::tie(x.a, x.b, x.kept) < std::tie(y.a, y.b, y.kept);
  });
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const ExcludedPair& x, const ExcludedPair& y) { return x.a == y.a && x.b == y.b; }),
              pairs.end());
  PairExclusions result;
  result.offsets.assign(atoms + 1, 0);
  for (const ExcludedPair& p : pairs) {
    ++result.offsets[p.a + 1];
    result.partners.push_back(p.b);
    result.kept.push_back(p.kept);
  }
  for (std::size_t i = 0; i < atoms; ++i) result.offsets[i + 1] += result.offsets[i];
  return result;
}

PairExclusions bonded_exclusions(const Topology& topology, double one_four) {
  const BondTable bonds = bond_table(topology);
  std::vector<ExcludedPair> pairs;
  const auto each = [&](std::uint32_t i, const auto& use) {
    for (std::uint32_t k = bonds.offsets[i]; k < bonds.offsets[i + 1]; ++k) use(bonds.items[k]);
  };
  const auto add = [&](std::uint32_t i, std::uint32_t j, double kept) {
    if (i < j) pairs.push_back({i, j, static_cast<float>(kept)});
  };
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    each(i, [&](std::uint32_t j) {
      add(i, j, 0);
      each(j, [&](std::uint32_t k) {
        if (k == i) return;
        add(i, k, 0);
        each(k, [&](std::uint32_t l) {
          // Where the pair is also nearer than three bonds, make_exclusions keeps the least value.
          if (l != j && l != i) add(i, l, one_four);
        });
      });
    });
  }
  return make_exclusions(topology.atoms.size(), std::move(pairs));
}

PairExclusions force_field_exclusions(const ForceField& field) {
  std::vector<ExcludedPair> pairs;
  // 1-4 pairs are among the exclusions: there they are passed over.
  auto scaled = field.pairs14.begin();
  for (std::uint32_t a = 0; a < field.atom_count(); ++a) {
    for (std::uint32_t k = field.exclusion_offsets[a]; k < field.exclusion_offsets[a + 1]; ++k) {
      const std::uint32_t b = field.excluded[k];
      while (scaled != field.pairs14.end() && std::tie(scaled->a, scaled->b) < std::tie(a, b)) ++scaled;
      const bool is_scaled = scaled != field.pairs14.end() && scaled->a == a && scaled->b == b;
      pairs.push_back({a, b, is_scaled ? static_cast<float>(scaled->coulomb) : 0.0f});
    }
  }
  return make_exclusions(field.atom_count(), std::move(pairs));
}

}  // namespace isolume
