// What a selection text is parsed into.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "molecule/frame.h"
#include "molecule/selection/selection_pattern.h"
#include "molecule/selection/selection_words.h"
#include "molecule/topology.h"

namespace isolume {

using SelectionNodePtr = std::shared_ptr<const struct SelectionNode>;

/// `resname ALA "D.*"`, `resid 10 to 20 27A`, `mass 12 to 14`.
struct ListTest {
  struct Range {
    double first, last;  ///< inclusive; sorted and apart from each other
  };
  struct Inserted {
    std::int32_t number;
    char code;
  };
  Attribute attribute{};
  bool inverted = false;                   ///< `name != CA`
  std::unordered_set<std::string> exact;   ///< as written
  std::unordered_set<std::string> folded;  ///< in capitals, for attributes whose case does not matter
  std::vector<Pattern> patterns;
  std::vector<Range> ranges;
  std::vector<Inserted> inserted;  ///< residue numbers with an insertion code
};

/// A number for each atom, in postfix order: operands are pushed, operators take them from the stack.
struct Arithmetic {
  enum class Step { number, attribute, function, negate, add, subtract, multiply, divide, remainder, power };
  struct Item {
    Step step;
    double number = 0;
    Attribute attribute{};
    Function function{};
  };
  std::vector<Item> items;
};

enum class Relation { less, less_equal, greater, greater_equal, equal, not_equal };

/// `0 < x <= 5`: sides.size() == relations.size() + 1.
struct Comparison {
  std::vector<Arithmetic> sides;
  std::vector<Relation> relations;
};

struct Conjunction {
  std::vector<SelectionNodePtr> parts;
};
struct Disjunction {
  std::vector<SelectionNodePtr> parts;
};
struct Negation {
  SelectionNodePtr part;
};

/// Atoms by their distance to those of `part`.
struct Near {
  double distance = 0;  ///< angstrom
  bool exclude = false;
  bool periodic = false;
  SelectionNodePtr part;
};

/// Atoms that share a value with one of `part`.
struct Same {
  Attribute attribute{};
  SelectionNodePtr part;
};

/// Atoms at most `bonds` bonds from `part`, with or without those of `part` itself; `bound_to` keeps of these only such
/// that have a bonded partner in it.
struct Bonded {
  int bonds = 1;
  bool exclude = false;
  bool partners_only = false;
  SelectionNodePtr part;
};

struct SelectionNode {
  std::variant<Flag, ListTest, Comparison, Conjunction, Disjunction, Negation, Near, Same, Bonded> what;
};

/// Throws SelectionError.
SelectionNodePtr parse_selection(std::string_view text);

/// One byte per atom.
std::vector<std::uint8_t> evaluate_selection(const SelectionNode& root, const Topology& topology, const Frame& frame);

/// True where a test of positions is anywhere in the tree.
bool uses_positions(const SelectionNode& node);

}  // namespace isolume
