// Residues that no table has: charges of the file, or hydrogens that are built and charges that are estimated.
#include <algorithm>
#include <cmath>

#include "compute/preparation/gasteiger.h"
#include "compute/preparation/ligand.h"
#include "compute/preparation/metal_charges.h"
#include "compute/preparation/residue_building.h"
#include "molecule/elements.h"

namespace isolume {

/// Atoms of a residue that no table has: heavy ones, then their neighbours in other residues.
struct UnknownResidue {
  std::vector<std::uint32_t> file;  ///< the file's atoms
  std::size_t heavy = 0;
  std::vector<LigandAtom> atoms;
  std::vector<LigandBond> bonds;
  std::vector<std::vector<std::uint32_t>> around;  ///< of each atom those bonded to it
  std::vector<std::vector<std::uint32_t>> there;   ///< of each heavy atom its hydrogens in the file
  PerceivedLigand ligand;

  /// Index of one of the file's atoms among the heavy ones, or -1.
  std::ptrdiff_t local(std::uint32_t atom) const {
    const auto last = file.begin() + static_cast<std::ptrdiff_t>(heavy);
    const auto found = std::lower_bound(file.begin(), last, atom);
    return found != last && *found == atom ? found - file.begin() : std::ptrdiff_t(-1);
  }
};

/// The same with the hydrogens that it has or needs.
struct FilledResidue {
  struct Group {
    HydrogenParent parent;
    std::uint32_t carrier = 0;    ///< index into the heavy atoms
    std::int64_t neighbour = -1;  ///< the file's atom
    std::vector<std::uint32_t> kept;
    std::vector<glm::dvec3> built;
  };
  std::vector<Group> groups;
  std::size_t built = 0;
  double total = 0;             ///< charge, e
  std::vector<double> charges;  ///< of heavy atoms, then of the hydrogens of each group
};

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Where the hydrogens of heavy atom `i` go. `file`: of each heavy atom and neighbour the file's atom.
FilledResidue::Group group_of(std::span<const LigandAtom> atoms, const PerceivedLigand& ligand,
                              const std::vector<std::vector<std::uint32_t>>& around, std::uint32_t i,
                              const std::vector<std::uint32_t>& file) {
  FilledResidue::Group group;
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

/// Hydrogens and charges; nothing where no charges can be estimated. Formal charges follow the file's hydrogens where
/// it has those of carbon.
std::optional<FilledResidue> filled(UnknownResidue& unknown, bool explicit_hydrogens) {
  FilledResidue result;
  std::vector<EqualisedAtom> equalised;
  Pairs pairs;
  for (std::uint32_t i = 0; i < unknown.heavy; ++i) {
    PerceivedAtom& own = unknown.ligand.atoms[i];
    const std::size_t found = unknown.there[i].size();
    if (explicit_hydrogens && unknown.atoms[i].element != 6 && found != own.hydrogens) {
      own.charge += static_cast<double>(found) - own.hydrogens;
      own.hydrogens = static_cast<std::uint8_t>(found);
    }
    equalised.push_back({unknown.atoms[i].element, static_cast<std::uint8_t>(unknown.around[i].size() + own.hydrogens),
                         own.planar, own.charge});
    result.total += own.charge;
  }
  for (const LigandBond& bond : unknown.ligand.bonds) {
    if (bond.a < unknown.heavy && bond.b < unknown.heavy) pairs.emplace_back(bond.a, bond.b);
  }
  for (std::uint32_t i = 0; i < unknown.heavy; ++i) {
    const std::size_t count = unknown.ligand.atoms[i].hydrogens;
    if (count == 0) continue;
    FilledResidue::Group group = group_of(unknown.atoms, unknown.ligand, unknown.around, i, unknown.file);
    if (unknown.there[i].size() == count) {
      group.kept = unknown.there[i];
    } else if (unknown.ligand.atoms[i].linear && unknown.around[i].size() == 1) {
      const glm::dvec3 out = group.parent.place - group.parent.bonded[0];
      group.built = {group.parent.place + hydrogen_bond_length(6, true) * glm::normalize(out)};
    } else {
      group.built = hydrogen_places(group.parent, count, usual_torsion(group.parent, count));
    }
    result.built += group.built.size();
    for (std::size_t k = 0; k < group.kept.size() + group.built.size(); ++k) {
      pairs.emplace_back(i, static_cast<std::uint32_t>(equalised.size()));
      equalised.push_back({1, 1, false, 0});
    }
    result.groups.push_back(std::move(group));
  }
  auto charges = equalised_charges(equalised, pairs);
  if (!charges) return std::nullopt;
  result.charges = std::move(*charges);
  return result;
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

UnknownResidue ResidueBuilder::gather(const ResidueTarget& target) const {
  UnknownResidue unknown;
  std::vector<std::uint32_t>& file = unknown.file;
  for (const auto& [name, index] : target.heavy) file.push_back(index);
  std::sort(file.begin(), file.end());
  unknown.heavy = file.size();
  for (const std::uint32_t i : file) unknown.atoms.push_back({topology_.atoms[i].element, at(i), false});
  const auto begins = std::lower_bound(topology_.bonds.begin(), topology_.bonds.end(), Bond{file.front(), 0, 1},
                                       [](const Bond& a, const Bond& b) { return a.a < b.a; });
  for (auto bond = begins; bond != topology_.bonds.end() && bond->a <= file.back(); ++bond) {
    const std::ptrdiff_t a = unknown.local(bond->a), b = unknown.local(bond->b);
    if (a >= 0 && b >= 0)
      unknown.bonds.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), bond->order});
  }
  for (std::uint32_t i = 0; i < unknown.heavy; ++i) {
    for (const std::uint32_t other : links(file[i])) {
      unknown.bonds.push_back({i, static_cast<std::uint32_t>(unknown.atoms.size()), 1});
      unknown.atoms.push_back({topology_.atoms[other].element, at(other), true});
      file.push_back(other);
    }
  }
  unknown.there.resize(unknown.heavy);
  return unknown;
}

bool ResidueBuilder::estimate(std::uint32_t residue, const ChargeOptions& options) {
  const ResidueTarget& target = targets_[residue];
  UnknownResidue unknown = gather(target);
  auto ligand = perceive_ligand(unknown.atoms, unknown.bonds, options.ph);
  if (!ligand) return false;
  unknown.ligand = std::move(*ligand);
  unknown.around.resize(unknown.atoms.size());
  for (const LigandBond& bond : unknown.ligand.bonds) {
    unknown.around[bond.a].push_back(bond.b);
    unknown.around[bond.b].push_back(bond.a);
  }
  bool explicit_hydrogens = false;
  for (std::size_t h = 0; h < target.hydrogens.size(); ++h) {
    if (target.carriers[h] >= target.heavy.size()) continue;
    const std::uint32_t carrier = target.heavy[target.carriers[h]].second;
    unknown.there[static_cast<std::size_t>(unknown.local(carrier))].push_back(target.hydrogens[h]);
    explicit_hydrogens = explicit_hydrogens || topology_.atoms[carrier].element == 6;
  }
  auto made = filled(unknown, explicit_hydrogens);
  if (!made) return false;
  begin(residue, "", "estimated");
  write(residue, unknown, *made);
  note_estimate(residue, unknown, *made, options);
  return true;
}

void ResidueBuilder::write(std::uint32_t residue, const UnknownResidue& unknown, FilledResidue& made) {
  std::vector<std::uint32_t> placed;
  for (std::uint32_t i = 0; i < unknown.heavy; ++i) {
    Atom atom = topology_.atoms[unknown.file[i]];
    atom.altloc = ' ';
    atom.charge = static_cast<float>(made.charges[i]);
    atom.radius = element(atom.element).vdw_radius;
    atom.formal_charge = static_cast<std::int8_t>(std::lround(unknown.ligand.atoms[i].charge));
    placed.push_back(push(residue, std::move(atom), at(unknown.file[i]), unknown.file[i], UINT32_MAX));
  }
  std::size_t next = unknown.heavy;
  int number = 0;
  for (FilledResidue::Group& group : made.groups) {
    for (const std::uint32_t h : group.kept) {
      Atom atom = topology_.atoms[h];
      atom.altloc = ' ';
      atom.charge = static_cast<float>(made.charges[next++]);
      atom.radius = element(1).vdw_radius;
      push(residue, std::move(atom), at(h), h, placed[group.carrier]);
      ++result_.kept_hydrogens;
    }
    TurningHydrogens turning{group.parent, placed[group.carrier], placed[group.carrier], {}};
    for (const glm::dvec3 place : group.built) {
      Atom atom;
      atom.name = "H" + std::to_string(++number);
      atom.element = 1;
      atom.charge = static_cast<float>(made.charges[next++]);
      atom.radius = element(1).vdw_radius;
      atom.hetero = topology_.atoms[unknown.file[group.carrier]].hetero;
      turning.hydrogens.push_back(push(residue, std::move(atom), place, -1, placed[group.carrier]));
      ++result_.added_hydrogens;
    }
    const std::uint8_t z = group.parent.element;
    const bool turns = z == 8 || z == 16 || (z == 7 && !group.parent.planar);
    if (turning.hydrogens.empty() || group.parent.bonded.size() != 1 || !turns) continue;
    neighbours_.push_back(group.neighbour);
    turning_.push_back(std::move(turning));
  }
}

void ResidueBuilder::note_estimate(std::uint32_t residue, const UnknownResidue& unknown, const FilledResidue& made,
                                   const ChargeOptions& options) {
  const std::vector<std::uint32_t>& doubtful = unknown.ligand.doubtful;
  if (options.estimate_all && doubtful.empty()) return;
  std::vector<std::uint32_t> heavy = unknown.file;
  heavy.resize(unknown.heavy);
  const int whole = static_cast<int>(std::lround(made.total));
  note(ChargeIssue::Kind::estimated, residue, heavy,
       "charges estimated by equalised electronegativities (Gasteiger), total " + std::string(whole > 0 ? "+" : "") +
           std::to_string(whole) + " e, " + std::to_string(made.built) +
           (made.built == 1 ? " hydrogen built" : " hydrogens built"),
       "give better ones as MOL2, PQR or PRMTOP (--templates)");
  if (doubtful.empty()) return;
  std::vector<std::uint32_t> odd;
  for (const std::uint32_t i : doubtful) {
    if (i < unknown.heavy) odd.push_back(unknown.file[i]);
  }
  const std::string names = names_of(topology_, odd);
  note(ChargeIssue::Kind::incomplete, residue, std::move(odd), "no bond orders fit the geometry at " + names,
       "check its hydrogens, or give its bonds in a MOL2 or SDF file");
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
           " has no charges for " + (target.chosen.empty() ? topology_.residues[residue].name.text() : target.chosen) +
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
