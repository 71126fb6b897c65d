// What the evaluation of a selection asks of a topology and a frame, computed when first asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/frame.h"
#include "molecule/residue_kinds.h"
#include "molecule/selection/selection_words.h"
#include "molecule/topology.h"

namespace isolume {

class SelectionContext {
 public:
  SelectionContext(const Topology& topology, const Frame& frame) : topology(topology), frame(frame) {}

  const Topology& topology;
  const Frame& frame;

  std::size_t size() const { return topology.atoms.size(); }

  /// One byte per atom, 1 where the flag holds.
  std::vector<std::uint8_t> flagged(Flag flag);
  /// Value of a text attribute; `storage` may be used to hold it.
  std::string_view text(Attribute attribute, std::size_t atom, std::string& storage) const;
  /// Value of a numeric attribute.
  double number(Attribute attribute, std::size_t atom);

  const BondTable& bonds();
  const std::vector<std::uint32_t>& fragment_numbers();

 private:
  bool holds(Flag flag, std::size_t residue, const Atom& atom, bool carbon) const;
  const std::vector<ResidueKind>& kinds();

  std::optional<BondTable> bonds_;
  std::optional<std::vector<std::uint32_t>> fragments_;
  std::optional<std::vector<ResidueKind>> kinds_;
};

}  // namespace isolume
