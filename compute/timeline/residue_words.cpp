// A residue in tables.
#include "compute/timeline/residue_words.h"

#include <fmt/format.h>

#include "compute/analysis/analysis.h"

namespace isolume {

std::string residue_words(const Topology& topology, std::uint32_t number) {
  const Residue& residue = topology.residues[number];
  const Chain& chain = topology.chains[residue.chain];
  return fmt::format("{},{},{}{}", csv_field(chain.id.empty() ? chain.segment : chain.id), csv_field(residue.name),
                     residue.number, residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
}

}  // namespace isolume
