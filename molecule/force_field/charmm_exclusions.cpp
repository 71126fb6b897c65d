// Exclusions and 1-4 pairs of a PSF's atoms.
#include <algorithm>
#include <utility>

#include "molecule/force_field/charmm_lookup.h"

namespace isolume {

namespace {

/// Neighbours by bond, in compressed rows, each once.
BondTable neighbours(std::size_t atoms, const std::vector<std::array<std::uint32_t, 2>>& bonds) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  both.reserve(2 * bonds.size());
  for (const auto& [a, b] : bonds) {
    both.emplace_back(a, b);
    both.emplace_back(b, a);
  }
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  BondTable table;
  table.offsets.assign(atoms + 1, 0);
  for (const auto& [a, b] : both) {
    ++table.offsets[a + 1];
    table.items.push_back(b);
  }
  for (std::size_t a = 0; a < atoms; ++a) table.offsets[a + 1] += table.offsets[a];
  return table;
}

}  // namespace

void set_charmm_exclusions(const CharmmTerms& terms, std::uint32_t atoms, double factor, ForceField& field) {
  const BondTable bonds = neighbours(atoms, terms.bonds);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> full, fourth;
  const auto each = [&](std::uint32_t i, const auto& use) {
    for (std::uint32_t k = bonds.offsets[i]; k < bonds.offsets[i + 1]; ++k) use(bonds.items[k]);
  };
  for (std::uint32_t i = 0; i < atoms; ++i) {
    constexpr std::uint32_t most = 32;  // or the pairs of a made-up file would fill the memory
    if (bonds.offsets[i + 1] - bonds.offsets[i] > most) {
      throw Error("atom " + std::to_string(i + 1) + " has more than " + std::to_string(most) + " bonds",
                  Error::Kind::input);
    }
    const std::size_t before = fourth.size();
    each(i, [&](std::uint32_t j) {
      if (i < j) full.emplace_back(i, j);
      each(j, [&](std::uint32_t k) {
        if (i < k) full.emplace_back(i, k);
        if (k == i) return;
        each(k, [&](std::uint32_t l) {
          if (i < l) fourth.emplace_back(i, l);
        });
      });
    });
    constexpr std::size_t far_most = 2048;  // atoms of crowded metals have some hundred, counted by every path
    if (fourth.size() - before > far_most) {
      throw Error(
          "atom " + std::to_string(i + 1) + " has more than " + std::to_string(far_most) + " atoms three bonds away",
          Error::Kind::input);
    }
  }
  for (const auto& [a, b] : terms.excluded) full.emplace_back(a, b);
  const auto unique = [](auto& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  };
  unique(full);
  unique(fourth);
  // A pair in a ring counts by its shortest path.
  for (const auto& [a, b] : fourth) {
    if (!std::binary_search(full.begin(), full.end(), std::pair(a, b))) field.pairs14.push_back({a, b, factor, 1});
  }
  full.insert(full.end(), fourth.begin(), fourth.end());
  unique(full);
  field.exclusion_offsets.assign(std::size_t{atoms} + 1, 0);
  for (const auto& [a, b] : full) {
    ++field.exclusion_offsets[a + 1];
    field.excluded.push_back(b);
  }
  for (std::size_t a = 0; a < atoms; ++a) field.exclusion_offsets[a + 1] += field.exclusion_offsets[a];
}

}  // namespace isolume
