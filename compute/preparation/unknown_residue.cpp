// Residues that no table has: charges of the file, or estimated ones.
#include <algorithm>

#include "compute/preparation/gasteiger.h"
#include "compute/preparation/residue_building.h"
#include "molecule/elements.h"

namespace isolume {

void ResidueBuilder::add_unknown(std::uint32_t residue, const ChargeOptions& options) {
  const ChargeSet set = options.set;
  const ResidueTarget& target = targets_[residue];
  std::vector<std::uint32_t> atoms = target.hydrogens;
  for (const auto& [name, index] : target.heavy) atoms.push_back(index);
  std::sort(atoms.begin(), atoms.end());
  const std::string sought = target.chosen.empty() ? topology_.residues[residue].name : target.chosen;
  const auto take = [&](const std::vector<double>* charges, const char* why) {
    begin(residue, "", why);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      Atom atom = topology_.atoms[atoms[i]];
      atom.altloc = ' ';
      if (charges) atom.charge = static_cast<float>((*charges)[i]);
      if (charges || !topology_.has_radii) atom.radius = element(atom.element).vdw_radius;
      push(residue, std::move(atom), at(atoms[i]), atoms[i], UINT32_MAX);
    }
  };
  if (topology_.has_charges) {
    take(nullptr, "charges of the file");
    note(ChargeIssue::Kind::chosen, residue, atoms, "keeps the charges of the file", "");
    return;
  }
  std::string instead;
  for (const ChargeSet other : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    if (!target.chosen.empty() && charged_residue(other, target.chosen)) {
      instead += (instead.empty() ? "--force-field " : " or ") + std::string(charge_set_name(other));
    }
  }
  const auto begins = std::lower_bound(topology_.bonds.begin(), topology_.bonds.end(), Bond{atoms.front(), 0, 1},
                                       [](const Bond& a, const Bond& b) { return a.a < b.a; });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;
  const auto local = [&](std::uint32_t atom) {
    const auto found = std::lower_bound(atoms.begin(), atoms.end(), atom);
    return found != atoms.end() && *found == atom ? found - atoms.begin() : std::ptrdiff_t(-1);
  };
  for (auto bond = begins; bond != topology_.bonds.end() && bond->a <= atoms.back(); ++bond) {
    const std::ptrdiff_t a = local(bond->a), b = local(bond->b);
    if (a >= 0 && b >= 0) bonds.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }
  std::vector<std::uint8_t> elements;
  std::vector<glm::dvec3> places;
  for (const std::uint32_t i : atoms) {
    elements.push_back(topology_.atoms[i].element);
    places.push_back(at(i));
  }
  const bool alone = instead.empty() && atoms.size() > 1;
  const auto estimated = alone ? gasteiger_charges(elements, places, bonds) : std::nullopt;
  if (estimated) {
    take(&*estimated, "estimated");
    note(ChargeIssue::Kind::estimated, residue, atoms, "charges estimated by equalised electronegativities (Gasteiger)",
         "give better ones as MOL2, PQR or PRMTOP");
    return;
  }
  const bool bare = target.hydrogens.empty() && atoms.size() > 1;
  note(ChargeIssue::Kind::left_out, residue, atoms,
       (options.keep_uncharged ? "has no charge: " : "left out: ") + std::string(charge_set_name(set)) +
           " has no charges for " + sought,
       !instead.empty() ? "use " + instead
       : bare           ? "add its hydrogens for estimated charges, or give charges as MOL2, PQR or PRMTOP"
                        : "give charges as MOL2, PQR or PRMTOP (--templates)");
  if (!options.keep_uncharged) return;
  const std::vector<double> none(atoms.size(), 0.0);
  take(&none, "no charges");
}

}  // namespace isolume
