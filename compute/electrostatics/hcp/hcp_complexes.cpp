// Which chains make a complex.
#include "compute/electrostatics/hcp/hcp_complexes.h"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

#include "molecule/assembly.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

/// Chains per complex; nothing for the words. Throws Error (usage).
std::vector<std::uint32_t> counts_of(const std::string& choice) {
  std::vector<std::uint32_t> counts;
  if (choice == "auto" || choice == "segments") return counts;
  const char* at = choice.data();
  const char* const end = at + choice.size();
  while (true) {
    std::uint32_t count = 0;
    const auto [rest, error] = std::from_chars(at, end, count);
    if (error != std::errc() || count == 0 || (rest != end && *rest != ',')) {
      throw Error(fmt::format("complexes \"{}\": expected auto, segments, or the chains of each complex, such as 4 or "
                              "4,2,2",
                              choice),
                  Error::Kind::usage);
    }
    counts.push_back(count);
    if (rest == end) return counts;
    at = rest + 1;
  }
}

std::vector<std::uint32_t> by_segment(const Topology& topology) {
  std::vector<std::uint32_t> result;
  std::uint32_t complex = 0;
  for (std::size_t c = 0; c < topology.chains.size(); ++c) {
    if (c > 0 && topology.chains[c].segment != topology.chains[c - 1].segment) ++complex;
    result.push_back(complex);
  }
  return result;
}

}  // namespace

void check_complexes(const std::string& choice) {
  (void)counts_of(choice);
}

std::vector<std::uint32_t> chain_complexes(const Topology& topology, const std::string& choice) {
  std::vector<std::uint32_t> counts = counts_of(choice);
  const std::size_t chains = topology.chains.size();
  if (choice == "segments" || (choice == "auto" && is_assembly(topology))) return by_segment(topology);
  if (counts.empty()) return std::vector<std::uint32_t>(chains, 0);
  if (counts.size() == 1) counts.resize(std::max<std::size_t>(1, (chains + counts[0] - 1) / counts[0]), counts[0]);
  const std::size_t sum = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (sum != chains) {
    throw Error(fmt::format("complexes {}: {} chains where the molecule has {}", choice, sum, chains),
                Error::Kind::usage);
  }
  std::vector<std::uint32_t> result;
  for (std::size_t c = 0; c < counts.size(); ++c) result.insert(result.end(), counts[c], static_cast<std::uint32_t>(c));
  return result;
}

}  // namespace isolume
