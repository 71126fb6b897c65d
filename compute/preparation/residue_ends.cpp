// Ends of chains that the tables do not have, from the residues that they have.
#include "compute/preparation/residue_ends.h"

namespace isolume {

namespace {

/// A new atom bonded to `parent`, with the values of `like`.
std::size_t add(ChargedResidue& residue, std::string name, const ChargedResidue::Atom& like, std::size_t parent) {
  ChargedResidue::Atom atom = like;
  atom.name = std::move(name);
  atom.linked = false;
  atom.neighbours = {static_cast<std::uint16_t>(parent)};
  residue.atoms.push_back(std::move(atom));
  residue.atoms[parent].neighbours.push_back(static_cast<std::uint16_t>(residue.atoms.size() - 1));
  return residue.atoms.size() - 1;
}

}  // namespace

std::optional<ChargedResidue> phosphate_end(ChargeSet set, const std::string& base, std::size_t oxygens) {
  const ChargedResidue *middle = charged_residue(set, base), *first = charged_residue(set, base + "5");
  if (!middle || !first || oxygens < 2 || oxygens > 3) return std::nullopt;
  ChargedResidue residue = *middle;
  residue.name = base + "5P";
  const std::size_t p = residue.find("P"), op1 = residue.find("OP1"), op2 = residue.find("OP2");
  if (p == residue.atoms.size() || op1 == residue.atoms.size() || op2 == residue.atoms.size()) return std::nullopt;
  residue.atoms[p].linked = false;
  const double others = middle->total - residue.atoms[op1].charge - residue.atoms[op2].charge;
  residue.total = first->total - (oxygens == 3 ? 2 : 1);
  const double each = (residue.total - others) / static_cast<double>(oxygens);
  residue.atoms[op1].charge = residue.atoms[op2].charge = each;
  if (oxygens == 3) add(residue, "OP3", ChargedResidue::Atom(residue.atoms[op1]), p);
  return residue;
}

std::optional<ChargedResidue> neutral_start(ChargeSet set, const std::string& state) {
  const ChargedResidue *middle = charged_residue(set, state), *like = charged_residue(set, "ALA");
  if (!middle || !like) return std::nullopt;
  ChargedResidue residue = *middle;
  const std::size_t n = residue.find("N"), h = residue.find("H");
  if (n == residue.atoms.size()) return std::nullopt;
  const ChargedResidue::Atom hydrogen = h < residue.atoms.size() ? residue.atoms[h] : like->atoms[like->find("H")];
  residue.atoms[n].linked = false;
  residue.atoms[n].charge -= hydrogen.charge;
  add(residue, h < residue.atoms.size() ? "H2" : "H", hydrogen, n);
  return residue;
}

std::optional<ChargedResidue> neutral_end(ChargeSet set, const std::string& state) {
  const ChargedResidue *middle = charged_residue(set, state), *acid = charged_residue(set, "ASH");
  if (!middle || !acid) return std::nullopt;
  ChargedResidue residue = *middle;
  const std::size_t c = residue.find("C"), o = residue.find("O");
  if (c == residue.atoms.size() || o == residue.atoms.size()) return std::nullopt;
  const auto like = [&](const char* name) -> const ChargedResidue::Atom& { return acid->atoms[acid->find(name)]; };
  const double before = residue.atoms[c].charge + residue.atoms[o].charge;
  residue.atoms[c].linked = false;
  residue.atoms[o].charge = like("OD1").charge;
  residue.atoms[c].charge = before - like("OD1").charge - like("OD2").charge - like("HD2").charge;
  const std::size_t oxt = add(residue, "OXT", like("OD2"), c);
  add(residue, "HXT", like("HD2"), oxt);
  return residue;
}

std::optional<ChargedResidue> zwitterion(ChargeSet set, const std::string& state) {
  const ChargedResidue *middle = charged_residue(set, state), *start = charged_residue(set, "N" + state),
                       *end = charged_residue(set, "C" + state);
  if (!middle || !start || !end) return std::nullopt;
  ChargedResidue residue = *start;
  residue.name = "Z" + state;
  residue.total = start->total + end->total - middle->total;
  const std::size_t c = residue.find("C"), o = residue.find("O"), oxt = end->find("OXT"), end_o = end->find("O");
  if (c == residue.atoms.size() || o == residue.atoms.size() || oxt == end->atoms.size()) return std::nullopt;
  residue.atoms[c].linked = false;
  residue.atoms[o].charge = end->atoms[end_o].charge;
  residue.atoms[o].radius = end->atoms[end_o].radius;
  add(residue, "OXT", end->atoms[oxt], c);
  double sum = 0;
  for (const ChargedResidue::Atom& atom : residue.atoms) sum += atom.charge;
  residue.atoms[c].charge += residue.total - sum;
  return residue;
}

}  // namespace isolume
