// The words of the selection language, in VMD's form and in PyMOL's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// What can be asked of an atom by one word.
enum class Flag {
  all,
  none,
  protein,
  nucleic,
  polymer,
  water,
  ion,
  inorganic,
  metal,
  backbone,
  sidechain,
  alpha,
  guide,
  hydrogen,
  heavy,
  hetero,
  ligand,
  lipid,
  sugar,
  helix,
  alpha_helix,
  helix_3_10,
  helix_pi,
  sheet,
  turn,
  coil,
  acidic,
  basic,
  polar,
  hydrophobic,
  aromatic,
  aliphatic,
  charged,
  purine,
  pyrimidine,
  bonded,
};

/// What an atom has a value of. Texts come first, then integers, then reals.
enum class Attribute {
  chain,
  segname,
  resname,
  name,
  type,
  element,
  altloc,
  insertion,
  structure,
  ss,
  resid,
  residue,
  index,
  serial,
  fragment,
  atomic_number,
  bond_count,
  formal_charge,
  x,
  y,
  z,
  speed,
  force,
  charge,
  mass,
  radius,
  beta,
  occupancy,
};

inline bool is_text(Attribute a) {
  return a <= Attribute::ss;
}
inline bool is_real(Attribute a) {
  return a >= Attribute::x;
}
inline bool is_position(Attribute a) {
  return a >= Attribute::x && a <= Attribute::force;
}

/// Words that work on selections; those from `around` on stand behind their operand.
enum class Operation {
  within,
  exwithin,
  pbwithin,
  beyond,
  within_bonds,
  same,
  by_residue,
  by_chain,
  by_segment,
  by_fragment,
  neighbour,
  bound_to,
  around,
  expand,
  extend,
};

enum class Function { absolute, square, root, exponential, logarithm };

enum class Connective { conjunction, disjunction, negation, of, as, to };

/// One word: what kind it is, and which one of its kind (an enumerator of the matching enum above).
struct Word {
  enum class Kind { flag, attribute, operation, function, connective };
  std::string_view text;
  Kind kind;
  int which;

  Flag flag() const { return static_cast<Flag>(which); }
  Attribute attribute() const { return static_cast<Attribute>(which); }
  Operation operation() const { return static_cast<Operation>(which); }
  Function function() const { return static_cast<Function>(which); }
  Connective connective() const { return static_cast<Connective>(which); }
};

const std::vector<Word>& selection_words();

/// The word that `text` is, exactly.
const Word* find_word(std::string_view text);

/// The word nearest to `text` by edit distance, empty where none is near.
std::string_view nearest_word(std::string_view text);

}  // namespace isolume
