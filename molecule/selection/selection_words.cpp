// The words of the selection language: one table, and the word that was probably meant.
#include "molecule/selection/selection_words.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "molecule/selection/selection.h"

namespace isolume {

namespace {

Word flag(std::string_view text, Flag which) {
  return {text, Word::Kind::flag, static_cast<int>(which)};
}
Word attribute(std::string_view text, Attribute which) {
  return {text, Word::Kind::attribute, static_cast<int>(which)};
}
Word operation(std::string_view text, Operation which) {
  return {text, Word::Kind::operation, static_cast<int>(which)};
}
Word function(std::string_view text, Function which) {
  return {text, Word::Kind::function, static_cast<int>(which)};
}
Word connective(std::string_view text, Connective which) {
  return {text, Word::Kind::connective, static_cast<int>(which)};
}

// Edit distance with insertions, deletions, replacements and swaps of neighbours, each 1.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

const std::vector<Word>& selection_words() {
  // The first word of each meaning is VMD's where VMD has one.
  static const std::vector<Word> words{
      flag("all", Flag::all),
      flag("everything", Flag::all),
      flag("none", Flag::none),
      flag("nothing", Flag::none),
      flag("protein", Flag::protein),
      flag("polymer.protein", Flag::protein),
      flag("nucleic", Flag::nucleic),
      flag("polymer.nucleic", Flag::nucleic),
      flag("polymer", Flag::polymer),
      flag("water", Flag::water),
      flag("waters", Flag::water),
      flag("solvent", Flag::water),
      flag("sol.", Flag::water),
      flag("ion", Flag::ion),
      flag("ions", Flag::ion),
      flag("inorganic", Flag::inorganic),
      flag("ino.", Flag::inorganic),
      flag("metal", Flag::metal),
      flag("metals", Flag::metal),
      flag("backbone", Flag::backbone),
      flag("bb.", Flag::backbone),
      flag("sidechain", Flag::sidechain),
      flag("sc.", Flag::sidechain),
      flag("alpha", Flag::alpha),
      flag("calpha", Flag::alpha),
      flag("guide", Flag::guide),
      flag("hydrogen", Flag::hydrogen),
      flag("hydrogens", Flag::hydrogen),
      flag("hydro", Flag::hydrogen),
      flag("h.", Flag::hydrogen),
      flag("noh", Flag::heavy),
      flag("heavy", Flag::heavy),
      flag("hetero", Flag::hetero),
      flag("hetatm", Flag::hetero),
      flag("het", Flag::hetero),
      flag("ligand", Flag::ligand),
      flag("organic", Flag::ligand),
      flag("org.", Flag::ligand),
      flag("lipid", Flag::lipid),
      flag("lipids", Flag::lipid),
      flag("sugar", Flag::sugar),
      flag("glycan", Flag::sugar),
      flag("helix", Flag::helix),
      flag("alpha_helix", Flag::alpha_helix),
      flag("alphahelix", Flag::alpha_helix),
      flag("helix_3_10", Flag::helix_3_10),
      flag("pi_helix", Flag::helix_pi),
      flag("sheet", Flag::sheet),
      flag("betasheet", Flag::sheet),
      flag("beta_sheet", Flag::sheet),
      flag("strand", Flag::sheet),
      flag("extended_beta", Flag::sheet),
      flag("turn", Flag::turn),
      flag("coil", Flag::coil),
      flag("acidic", Flag::acidic),
      flag("basic", Flag::basic),
      flag("polar", Flag::polar),
      flag("hydrophobic", Flag::hydrophobic),
      flag("aromatic", Flag::aromatic),
      flag("aliphatic", Flag::aliphatic),
      flag("charged", Flag::charged),
      flag("purine", Flag::purine),
      flag("pyrimidine", Flag::pyrimidine),
      flag("bonded", Flag::bonded),
      attribute("chain", Attribute::chain),
      attribute("c.", Attribute::chain),
      attribute("segname", Attribute::segname),
      attribute("segid", Attribute::segname),
      attribute("segi", Attribute::segname),
      attribute("s.", Attribute::segname),
      attribute("resname", Attribute::resname),
      attribute("resn", Attribute::resname),
      attribute("r.", Attribute::resname),
      attribute("name", Attribute::name),
      attribute("n.", Attribute::name),
      attribute("type", Attribute::type),
      attribute("element", Attribute::element),
      attribute("elem", Attribute::element),
      attribute("e.", Attribute::element),
      attribute("altloc", Attribute::altloc),
      attribute("alt", Attribute::altloc),
      attribute("insertion", Attribute::insertion),
      attribute("structure", Attribute::structure),
      attribute("ss", Attribute::ss),
      attribute("resid", Attribute::resid),
      attribute("resi", Attribute::resid),
      attribute("i.", Attribute::resid),
      attribute("residue", Attribute::residue),
      attribute("index", Attribute::index),
      attribute("rank", Attribute::index),
      attribute("serial", Attribute::serial),
      attribute("id", Attribute::serial),
      attribute("fragment", Attribute::fragment),
      attribute("atomicnumber", Attribute::atomic_number),
      attribute("numbonds", Attribute::bond_count),
      attribute("formal_charge", Attribute::formal_charge),
      attribute("fc.", Attribute::formal_charge),
      attribute("x", Attribute::x),
      attribute("y", Attribute::y),
      attribute("z", Attribute::z),
      attribute("speed", Attribute::speed),
      attribute("force", Attribute::force),
      attribute("charge", Attribute::charge),
      attribute("partial_charge", Attribute::charge),
      attribute("pc.", Attribute::charge),
      attribute("mass", Attribute::mass),
      attribute("radius", Attribute::radius),
      attribute("vdw", Attribute::radius),
      attribute("beta", Attribute::beta),
      attribute("b", Attribute::beta),
      attribute("occupancy", Attribute::occupancy),
      attribute("q", Attribute::occupancy),
      operation("within", Operation::within),
      operation("w.", Operation::within),
      operation("exwithin", Operation::exwithin),
      operation("near_to", Operation::exwithin),
      operation("pbwithin", Operation::pbwithin),
      operation("beyond", Operation::beyond),
      operation("withinbonds", Operation::within_bonds),
      operation("same", Operation::same),
      operation("byres", Operation::by_residue),
      operation("byresidue", Operation::by_residue),
      operation("br.", Operation::by_residue),
      operation("bychain", Operation::by_chain),
      operation("bc.", Operation::by_chain),
      operation("bysegment", Operation::by_segment),
      operation("bysegi", Operation::by_segment),
      operation("byfragment", Operation::by_fragment),
      operation("bymolecule", Operation::by_fragment),
      operation("bm.", Operation::by_fragment),
      operation("neighbor", Operation::neighbour),
      operation("neighbour", Operation::neighbour),
      operation("nbr.", Operation::neighbour),
      operation("bound_to", Operation::bound_to),
      operation("bto.", Operation::bound_to),
      operation("around", Operation::around),
      operation("a.", Operation::around),
      operation("expand", Operation::expand),
      operation("x.", Operation::expand),
      operation("extend", Operation::extend),
      operation("xt.", Operation::extend),
      function("abs", Function::absolute),
      function("sqr", Function::square),
      function("sqrt", Function::root),
      function("exp", Function::exponential),
      function("log", Function::logarithm),
      connective("and", Connective::conjunction),
      connective("AND", Connective::conjunction),
      connective("or", Connective::disjunction),
      connective("OR", Connective::disjunction),
      connective("not", Connective::negation),
      connective("NOT", Connective::negation),
      connective("of", Connective::of),
      connective("as", Connective::as),
      connective("to", Connective::to),
  };
  return words;
}

const Word* find_word(std::string_view text) {
  static const std::unordered_map<std::string_view, const Word*> table = [] {
    std::unordered_map<std::string_view, const Word*> result;
    for (const Word& word : selection_words()) result.emplace(word.text, &word);
    return result;
  }();
  const auto found = table.find(text);
  return found == table.end() ? nullptr : found->second;
}

std::string_view nearest_word(std::string_view text) {
  if (text.size() > 32) return {};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view best;
  std::size_t least = text.size() / 2 + 1;
  for (const Word& word : selection_words()) {
    if (word.text.size() < 2 || word.text.back() == '.') continue;
    const std::size_t distance = edit_distance(lower, word.text);
    if (distance < least) {
      least = distance;
      best = word.text;
    }
  }
  return best;
}

std::vector<std::string> selection_keywords() {
  std::vector<std::string> keywords;
  for (const Word& word : selection_words()) {
    if (word.text != "AND" && word.text != "OR" && word.text != "NOT") keywords.emplace_back(word.text);
  }
  std::sort(keywords.begin(), keywords.end());
  return keywords;
}

}  // namespace isolume
