// The built-in tables of residues, parsed once from the text of resources/tables.
#include "compute/preparation/residue_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "compute/preparation/residue_table_texts.h"
#include "compute/preparation/table_lines.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

struct Shape {
  std::vector<std::string> links;
  std::vector<std::pair<std::string, std::string>> bonds;
};

const std::map<std::string, Shape, std::less<>>& shapes() {
  static const auto all = [] {
    std::map<std::string, Shape, std::less<>> result;
    Shape* shape = nullptr;
    for_table_lines(residue_shapes_text, [&](const std::vector<std::string_view>& words) {
      if (words[0] == "residue") {
        shape = &result[std::string(words.at(1))];
        for (std::size_t i = 3; i < words.size(); ++i) shape->links.emplace_back(words[i]);
        return;
      }
      for (const std::string_view bond : words) {
        const std::size_t dash = bond.find('-');
        shape->bonds.emplace_back(bond.substr(0, dash), bond.substr(dash + 1));
      }
    });
    return result;
  }();
  return all;
}

/// Ions are named after their element, with two exceptions.
std::uint8_t element_of(const std::string& atom, std::size_t atoms) {
  if (atoms > 1) return atom == "FE" ? 26 : atom == "SE" ? 34 : element_from_symbol(atom.substr(0, 1));
  return atom == "IOD" ? 53 : atom == "FE2" ? 26 : element_from_symbol(atom);
}

std::vector<ChargedResidue> parsed(std::string_view text) {
  std::vector<ChargedResidue> all;
  for_table_lines(text, [&](const std::vector<std::string_view>& words) {
    if (words[0] == "residue") {
      all.emplace_back();
      all.back().name = words.at(1);
      all.back().total = table_number(words.at(2));
      return;
    }
    for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
      ChargedResidue::Atom atom;
      atom.name = words[i];
      atom.charge = table_number(words[i + 1]);
      atom.radius = static_cast<float>(table_number(words[i + 2]));
      all.back().atoms.push_back(std::move(atom));
    }
  });
  for (ChargedResidue& residue : all) {
    for (ChargedResidue::Atom& atom : residue.atoms) atom.element = element_of(atom.name, residue.atoms.size());
    const auto shape = shapes().find(residue.name);
    if (shape == shapes().end()) continue;
    for (const std::string& link : shape->second.links) residue.atoms.at(residue.find(link)).linked = true;
    for (const auto& [a, b] : shape->second.bonds) {
      const std::size_t i = residue.find(a), k = residue.find(b);
      residue.atoms.at(i).neighbours.push_back(static_cast<std::uint16_t>(k));
      residue.atoms.at(k).neighbours.push_back(static_cast<std::uint16_t>(i));
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::string_view charge_set_name(ChargeSet set) {
  return std::array{"ff14sb", "charmm36", "parse"}[static_cast<std::size_t>(set)];
}

std::size_t ChargedResidue::find(std::string_view atom) const {
  const auto found = std::find_if(atoms.begin(), atoms.end(), [&](const Atom& a) { return a.name == atom; });
  return static_cast<std::size_t>(found - atoms.begin());
}

const std::vector<ChargedResidue>& charged_residues(ChargeSet set) {
  static const std::vector<ChargedResidue> ff14sb = parsed(ff14sb_text), charmm36 = parsed(charmm36_text),
                                           parse = parsed(parse_text);
  return set == ChargeSet::ff14sb ? ff14sb : set == ChargeSet::charmm36 ? charmm36 : parse;
}

const ChargedResidue* charged_residue(ChargeSet set, std::string_view name) {
  const std::vector<ChargedResidue>& all = charged_residues(set);
  const auto found = std::lower_bound(all.begin(), all.end(), name,
                                      [](const ChargedResidue& r, std::string_view n) { return r.name < n; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

bool is_known_residue(std::string_view name) {
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    if (charged_residue(set, name)) return true;
  }
  return false;
}

}  // namespace isolume
