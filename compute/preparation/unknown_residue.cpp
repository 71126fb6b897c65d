// Residues that no table has: charges of the file, or hydrogens that are built and charges that are estimated.
#include <algorithm>
#include <cmath>

#include "compute/preparation/gasteiger.h"
#include "compute/preparation/ligand.h"
#include "compute/preparation/metal_charges.h"
#include "compute/preparation/residue_building.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A residue with the hydrogens that it has or needs.
struct Filled {
  struct Group {
    HydrogenParent parent;
    std::uint32_t carrier = 0;    ///< index into the heavy atoms
    std::int64_t neighbour = -1;  ///< the file's atom
    std::vector<std::uint32_t> kept;
    std::vector<glm::dvec3> built;
  };
  std::vector<Group> groups;
};

/// Where the hydrogens of heavy atom `i` go. `file`: of each heavy atom and neighbour the file's atom.
Filled::Group group_of(std::span<const LigandAtom> atoms, const PerceivedLigand& ligand,
                       const std::vector<std::vector<std::uint32_t>>& around, std::uint32_t i,
                       const std::vector<std::uint32_t>& file) {
  Filled::Group group;
  group.carrier = i;
  HydrogenParent& parent = group.parent;
  parent.place = atoms[i].place;
  parent.element = atoms[i].element;
  parent.planar = ligand.atoms[i].planar;
  for (const std::uint32_t n : around[i]) parent.bonded.push_back(atoms[n].place);
  if (around[i].size() == 1) {
    const std::uint32_t next = around[i][0];
    group.neighbour = file[next];
    std::int64_t beyond = -1;
    for (const std::uint32_t n : around[next]) {
      if (n != i && (beyond < 0 || (atoms[n].element != 6 && atoms[static_cast<std::size_t>(beyond)].element == 6))) {
        beyond = n;
      }
    }
    parent.has_beyond = beyond >= 0;
    if (beyond >= 0) parent.beyond = atoms[static_cast<std::size_t>(beyond)].place;
  }
  return group;
}

/// Lists the names of atoms, at most six.
std::string names_of(const Topology& topology, const std::vector<std::uint32_t>& atoms) {
  std::string text;
  for (std::size_t k = 0; k < atoms.size() && k < 6; ++k) {
    text += (text.empty() ? "" : ", ") + topology.atoms[atoms[k]].name;
  }
  return atoms.size() > 6 ? text + ", ..." : text;
}

}  // namespace

std::optional<std::vector<double>> ResidueBuilder::whole_charges(const std::vector<std::uint32_t>& atoms) const {
  const auto is_hydrogen = [&](std::uint32_t i) { return topology_.atoms[i].element == 1; };
  if (atoms.size() < 2 || std::none_of(atoms.begin(), atoms.end(), is_hydrogen)) return std::nullopt;
  std::vector<std::uint8_t> elements;
  std::vector<glm::dvec3> places;
  Pairs bonds;
  for (const std::uint32_t i : atoms) {
    for (std::uint32_t k = bonds_.offsets[i]; k < bonds_.offsets[i + 1]; ++k) {
      const auto found = std::lower_bound(atoms.begin(), atoms.end(), bonds_.items[k]);
      if (found == atoms.end() || *found != bonds_.items[k]) {
        if (!is_hydrogen(i) && !links(i).empty()) return std::nullopt;
      } else if (*found > i) {
        bonds.emplace_back(static_cast<std::uint32_t>(elements.size()),
                           static_cast<std::uint32_t>(found - atoms.begin()));
      }
    }
    elements.push_back(topology_.atoms[i].element);
    places.push_back(at(i));
  }
  return gasteiger_charges(elements, places, bonds);
}

bool ResidueBuilder::estimate(std::uint32_t residue, const ChargeOptions& options) {
  const ResidueTarget& target = targets_[residue];
  std::vector<std::uint32_t> file;  // heavy atoms, then neighbours in other residues
  for (const auto& [name, index] : target.heavy) file.push_back(index);
  std::sort(file.begin(), file.end());
  const std::size_t heavy = file.size();
  std::vector<LigandAtom> atoms;
  for (const std::uint32_t i : file) atoms.push_back({topology_.atoms[i].element, at(i), false});
  std::vector<LigandBond> bonds;
  const auto begins = std::lower_bound(topology_.bonds.begin(), topology_.bonds.end(), Bond{file.front(), 0, 1},
                                       [](const Bond& a, const Bond& b) { return a.a < b.a; });
  const auto local = [&](std::uint32_t atom) {
    const auto last = file.begin() + static_cast<std::ptrdiff_t>(heavy);
    const auto found = std::lower_bound(file.begin(), last, atom);
    return found != last && *found == atom ? found - file.begin() : std::ptrdiff_t(-1);
  };
  for (auto bond = begins; bond != topology_.bonds.end() && bond->a <= file[heavy - 1]; ++bond) {
    const std::ptrdiff_t a = local(bond->a), b = local(bond->b);
    if (a >= 0 && b >= 0) bonds.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), bond->order});
  }
  for (std::uint32_t i = 0; i < heavy; ++i) {
    for (const std::uint32_t other : links(file[i])) {
      bonds.push_back({i, static_cast<std::uint32_t>(atoms.size()), 1});
      atoms.push_back({topology_.atoms[other].element, at(other), true});
      file.push_back(other);
    }
  }
  auto ligand = perceive_ligand(atoms, bonds, options.ph);
  if (!ligand) return false;
  std::vector<std::vector<std::uint32_t>> around(atoms.size()), there(heavy);
  for (const LigandBond& bond : ligand->bonds) {
    around[bond.a].push_back(bond.b);
    around[bond.b].push_back(bond.a);
  }
  bool explicit_hydrogens = false;
  for (std::size_t h = 0; h < target.hydrogens.size(); ++h) {
    if (target.carriers[h] >= target.heavy.size()) continue;
    const std::uint32_t carrier = target.heavy[target.carriers[h]].second;
    there[static_cast<std::size_t>(local(carrier))].push_back(target.hydrogens[h]);
    explicit_hydrogens = explicit_hydrogens || topology_.atoms[carrier].element == 6;
  }
  std::vector<EqualisedAtom> equalised;
  Filled filled;
  Pairs pairs;
  std::size_t built = 0;
  double total = 0;
  for (std::uint32_t i = 0; i < heavy; ++i) {
    PerceivedAtom& own = ligand->atoms[i];
    if (explicit_hydrogens && atoms[i].element != 6 && there[i].size() != own.hydrogens) {  // the file's state
      own.charge += static_cast<double>(there[i].size()) - own.hydrogens;
      own.hydrogens = static_cast<std::uint8_t>(there[i].size());
    }
    equalised.push_back(
        {atoms[i].element, static_cast<std::uint8_t>(around[i].size() + own.hydrogens), own.planar, own.charge});
    total += own.charge;
  }
  for (const LigandBond& bond : ligand->bonds) {
    if (bond.a < heavy && bond.b < heavy) pairs.emplace_back(bond.a, bond.b);
  }
  for (std::uint32_t i = 0; i < heavy; ++i) {
    const std::size_t count = ligand->atoms[i].hydrogens;
    if (count == 0) continue;
    Filled::Group group = group_of(atoms, *ligand, around, i, file);
    if (there[i].size() == count) {
      group.kept = there[i];
    } else if (ligand->atoms[i].linear && around[i].size() == 1) {
      const glm::dvec3 out = group.parent.place - group.parent.bonded[0];
      group.built = {group.parent.place + hydrogen_bond_length(6, true) * glm::normalize(out)};
    } else {
      group.built = hydrogen_places(group.parent, count, usual_torsion(group.parent, count));
    }
    built += group.built.size();
    for (std::size_t k = 0; k < group.kept.size() + group.built.size(); ++k) {
      pairs.emplace_back(i, static_cast<std::uint32_t>(equalised.size()));
      equalised.push_back({1, 1, false, 0});
    }
    filled.groups.push_back(std::move(group));
  }
  const auto charges = equalised_charges(equalised, pairs);
  if (!charges) return false;
  begin(residue, "", "estimated");
  std::vector<std::uint32_t> placed;
  for (std::uint32_t i = 0; i < heavy; ++i) {
    Atom atom = topology_.atoms[file[i]];
    atom.altloc = ' ';
    atom.charge = static_cast<float>((*charges)[i]);
    atom.radius = element(atom.element).vdw_radius;
    atom.formal_charge = static_cast<std::int8_t>(std::lround(ligand->atoms[i].charge));
    placed.push_back(push(residue, std::move(atom), at(file[i]), file[i], UINT32_MAX));
  }
  std::size_t next = heavy;
  int number = 0;
  for (Filled::Group& group : filled.groups) {
    for (const std::uint32_t h : group.kept) {
      Atom atom = topology_.atoms[h];
      atom.altloc = ' ';
      atom.charge = static_cast<float>((*charges)[next++]);
      atom.radius = element(1).vdw_radius;
      push(residue, std::move(atom), at(h), h, placed[group.carrier]);
      ++result_.kept_hydrogens;
    }
    TurningHydrogens turning{group.parent, placed[group.carrier], placed[group.carrier], {}};
    for (const glm::dvec3 place : group.built) {
      Atom atom;
      atom.name = "H" + std::to_string(++number);
      atom.element = 1;
      atom.charge = static_cast<float>((*charges)[next++]);
      atom.radius = element(1).vdw_radius;
      atom.hetero = topology_.atoms[file[group.carrier]].hetero;
      turning.hydrogens.push_back(push(residue, std::move(atom), place, -1, placed[group.carrier]));
      ++result_.added_hydrogens;
    }
    const std::uint8_t z = group.parent.element;
    const bool turns = z == 8 || z == 16 || (z == 7 && !group.parent.planar);
    if (turning.hydrogens.empty() || group.parent.bonded.size() != 1 || !turns) continue;
    neighbours_.push_back(group.neighbour);
    turning_.push_back(std::move(turning));
  }
  file.resize(heavy);
  if (options.estimate_all && ligand->doubtful.empty()) return true;
  const int whole = static_cast<int>(std::lround(total));
  note(ChargeIssue::Kind::estimated, residue, file,
       "charges estimated by equalised electronegativities (Gasteiger), total " + std::string(whole > 0 ? "+" : "") +
           std::to_string(whole) + " e, " + std::to_string(built) + " hydrogens built",
       "give better ones as MOL2, PQR or PRMTOP (--templates)");
  if (!ligand->doubtful.empty()) {
    std::vector<std::uint32_t> odd;
    for (const std::uint32_t i : ligand->doubtful) {
      if (i < heavy) odd.push_back(file[i]);
    }
    const std::string names = names_of(topology_, odd);
    note(ChargeIssue::Kind::incomplete, residue, std::move(odd), "no bond orders fit the geometry at " + names,
         "check its hydrogens, or give its bonds in a MOL2 or SDF file");
  }
  return true;
}

void ResidueBuilder::add_unknown(std::uint32_t residue, const ChargeOptions& options) {
  const ResidueTarget& target = targets_[residue];
  std::vector<std::uint32_t> atoms = target.hydrogens;
  for (const auto& [name, index] : target.heavy) atoms.push_back(index);
  std::sort(atoms.begin(), atoms.end());
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
  if (topology_.has_charges && !options.estimate_all) {
    take(nullptr, "charges of the file");
    note(ChargeIssue::Kind::chosen, residue, atoms, "keeps the charges of the file", "");
    return;
  }
  if (const auto whole = whole_charges(atoms)) {
    take(&*whole, "estimated");
    note(ChargeIssue::Kind::estimated, residue, atoms, "charges estimated by equalised electronegativities (Gasteiger)",
         "give better ones as MOL2, PQR or PRMTOP");
    return;
  }
  if (!target.heavy.empty() && atoms.size() > 1 && estimate(residue, options)) return;
  const bool metal =
      std::any_of(atoms.begin(), atoms.end(), [&](std::uint32_t i) { return is_metal(topology_.atoms[i].element); });
  if (metal && atoms.size() == 1) {
    const Atom& ion = topology_.atoms[atoms.front()];
    const int charge = ion.formal_charge != 0 ? ion.formal_charge : usual_charge(ion.element);
    if (charge != 0) {
      const std::vector<double> charges{static_cast<double>(charge)};
      take(&charges, ion.formal_charge != 0 ? "formal charge of the file" : "the element's usual ion");
      note(ChargeIssue::Kind::estimated, residue, atoms,
           "taken as an ion of " + std::string(charge > 0 ? "+" : "") + std::to_string(charge) + " e, " +
               (ion.formal_charge != 0 ? "the file's formal charge" : "as its element has in water"),
           "give another charge as PQR (--templates)");
      return;
    }
  }
  note(ChargeIssue::Kind::left_out, residue, atoms,
       (options.keep_uncharged ? "has no charge: " : "left out: ") + std::string(charge_set_name(options.set)) +
           " has no charges for " + (target.chosen.empty() ? topology_.residues[residue].name : target.chosen) +
           (metal ? ", and with a metal none can be estimated" : ""),
       metal && atoms.size() == 1
           ? "its element has ions of several charges: name the charge in the file (columns 79-80 of a PDB, "
             "pdbx_formal_charge of an mmCIF), or give it as PQR (--templates)"
           : "give charges as MOL2, PQR or PRMTOP (--templates)");
  if (!options.keep_uncharged) return;
  const std::vector<double> none(atoms.size(), 0.0);
  take(&none, "no charges");
}

}  // namespace isolume
