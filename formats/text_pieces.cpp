// Large texts in pieces that are read side by side, and topologies of pieces joined.
#include "formats/text_pieces.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace isolume {

std::vector<TextPiece> text_pieces(const ByteSource& source, std::size_t smallest) {
  constexpr std::size_t most = 64;
  const std::string_view text = source.text();
  const std::size_t count = std::clamp<std::size_t>(text.size() / std::max<std::size_t>(smallest, 1), 1, most);
  std::vector<TextPiece> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= count && begin < text.size(); ++i) {
    std::size_t end = text.size();
    if (i < count) {
      const std::size_t newline = text.find('\n', std::max(begin, text.size() / count * i));
      if (newline != std::string_view::npos) end = newline + 1;
    }
    pieces.push_back({begin, end});
    begin = end;
  }
  return pieces;
}

void append_topology(Topology& topology, Topology&& next, bool chain_ends) {
  if (next.atoms.empty()) return;
  const bool same_chain = !chain_ends && !topology.chains.empty() &&
                          topology.chains.back().id == next.chains.front().id &&
                          topology.chains.back().segment == next.chains.front().segment;
  const Residue& first = next.residues.front();
  const bool same_residue = same_chain && topology.residues.back().number == first.number &&
                            topology.residues.back().insertion == first.insertion &&
                            topology.residues.back().name == first.name;
  const auto atoms = static_cast<std::uint32_t>(topology.atoms.size());
  const auto residues = static_cast<std::uint32_t>(topology.residues.size() - same_residue);
  const auto chains = static_cast<std::uint32_t>(topology.chains.size() - same_chain);
  if (same_residue) topology.residues.back().atom_count += first.atom_count;
  for (std::size_t i = same_residue; i < next.residues.size(); ++i) {
    Residue& residue = next.residues[i];
    residue.first_atom += atoms;
    residue.chain += chains;
    topology.residues.push_back(std::move(residue));
  }
  if (same_chain) topology.chains.back().residue_count += next.chains.front().residue_count - same_residue;
  for (std::size_t i = same_chain; i < next.chains.size(); ++i) {
    next.chains[i].first_residue += residues;
    topology.chains.push_back(std::move(next.chains[i]));
  }
  for (Atom& atom : next.atoms) {
    atom.residue += residues;
    topology.atoms.push_back(std::move(atom));
  }
}

}  // namespace isolume
