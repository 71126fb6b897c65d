// Residues built from the tables: matching atoms, missing ones, and positions of hydrogens.
#include "compute/preparation/residue_building.h"

#include <algorithm>
#include <map>

#include "compute/preparation/residue_atoms.h"
#include "molecule/bonds.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

constexpr char side_chain_remedy[] =
    "missing side chains can be built (--build-missing), a main chain needs a modelling program";

}  // namespace

void ResidueBuilder::note(ChargeIssue::Kind kind, std::uint32_t residue, std::vector<std::uint32_t> atoms,
                          std::string text, std::string remedy) {
  result_.issues.push_back(
      {kind, std::move(atoms), residue_place(topology_, residue), std::move(text), std::move(remedy)});
}

void ResidueBuilder::begin(std::uint32_t residue, std::string state, std::string why) {
  result_.residues.push_back({residue, std::move(state), std::move(why), 0});
  own_index_.resize(topology_.atoms.size(), -1);
}

std::uint32_t ResidueBuilder::push(std::uint32_t residue, Atom atom, glm::dvec3 place, std::int64_t source,
                                   std::uint32_t carrier) {
  const auto index = static_cast<std::uint32_t>(atoms_.size());
  if (source >= 0) own_index_[static_cast<std::size_t>(source)] = index;
  atoms_.push_back(std::move(atom));
  places_.push_back(place);
  residues_.push_back(residue);
  carriers_.push_back(carrier == UINT32_MAX ? index : carrier);
  result_.source.push_back(source);
  return index;
}

bool ResidueBuilder::name_differences(std::uint32_t residue, const ChargedResidue& from,
                                      const std::vector<std::int64_t>& own) {
  const ResidueTarget& target = targets_[residue];
  std::string lacks, extra;
  double charge = 0;
  bool any = false;
  for (std::size_t k = 0; k < from.atoms.size(); ++k) {
    if (from.atoms[k].element == 1) continue;
    any = any || own[k] >= 0;
    if (own[k] >= 0 || (from.atoms[k].name == "OXT" && target.ends)) continue;
    lacks += (lacks.empty() ? "" : ", ") + from.atoms[k].name;
    charge += from.atoms[k].charge;
    for (const std::uint16_t n : from.atoms[k].neighbours) {
      if (from.atoms[n].element == 1) charge += from.atoms[n].charge;
    }
  }
  std::vector<std::uint32_t> left, present;
  for (const auto& [name, index] : target.heavy) {
    if (std::find(own.begin(), own.end(), index) != own.end()) {
      present.push_back(index);
      continue;
    }
    if (target.name.kind == TemplateKind::water) continue;  // places of charge without mass
    left.push_back(index);
    extra += (extra.empty() ? "" : ", ") + topology_.atoms[index].name;
  }
  if (!any) {
    note(ChargeIssue::Kind::left_out, residue, std::move(left), "has no atom that " + from.name + " has",
         "check the names of its atoms");
    return false;
  }
  if (!lacks.empty()) {
    std::string text = std::to_string(charge);
    note(ChargeIssue::Kind::incomplete, residue, std::move(present),
         "lacks " + lacks + "; " + text.substr(0, text.size() - 3) + " e are missing with them",
         target.name.kind == TemplateKind::amino ? side_chain_remedy : "complete it with a modelling program");
  }
  if (!extra.empty()) {
    note(ChargeIssue::Kind::left_out, residue, std::move(left), extra + " left out: " + from.name + " has no such atom",
         "check names of atoms, or give charges with --templates");
  }
  return true;
}

HydrogenParent ResidueBuilder::parent_of(const ResidueTarget& target, const ChargedResidue& from,
                                         const std::vector<std::int64_t>& own, std::size_t parent,
                                         std::int64_t& neighbour) const {
  const ChargedResidue::Atom& atom = from.atoms[parent];
  HydrogenParent result;
  result.place = at(own[parent]);
  result.element = atom.element;
  result.planar = is_planar(from, parent);
  std::vector<std::uint16_t> inside;
  for (const std::uint16_t n : atom.neighbours) {
    if (from.atoms[n].element != 1 && own[n] >= 0) inside.push_back(n);
  }
  std::stable_sort(inside.begin(), inside.end(), [&](std::uint16_t a, std::uint16_t b) {
    return remoteness(from.atoms[a].name, atom.name) < remoteness(from.atoms[b].name, atom.name);
  });
  for (const std::uint16_t n : inside) result.bonded.push_back(at(own[n]));
  neighbour = inside.empty() ? -1 : own[inside[0]];
  const std::int64_t link = atom.linked ? target.link(atom.name) : -1;
  if (link >= 0) result.bonded.push_back(at(link));
  if (result.bonded.size() != 1) return result;
  std::int64_t beyond = -1;
  if (inside.empty()) {  // the nitrogen of a cap
    neighbour = link;
    const ResidueTarget& other = targets_[topology_.atoms[static_cast<std::size_t>(link)].residue];
    beyond = other.atom("O") >= 0 ? other.atom("O") : other.atom("CA");
  } else {
    for (const std::uint16_t n : from.atoms[inside[0]].neighbours) {
      if (n == parent || from.atoms[n].element == 1 || own[n] < 0) continue;
      const bool better =
          beyond < 0 || (from.atoms[n].element != 6 && topology_.atoms[static_cast<std::size_t>(beyond)].element == 6);
      if (better) beyond = own[n];
    }
    if (atom.name == "N" && target.atom("C") >= 0) beyond = target.atom("C");
  }
  result.has_beyond = beyond >= 0;
  if (beyond >= 0) result.beyond = at(beyond);
  return result;
}

void ResidueBuilder::add_hydrogens(std::uint32_t residue, const ChargedResidue& from,
                                   const std::vector<std::int64_t>& own, const std::vector<std::uint32_t>& placed,
                                   std::size_t parent) {
  const ResidueTarget& target = targets_[residue];
  std::vector<std::uint16_t> wanted;
  for (std::size_t k = 0; k < from.atoms.size(); ++k) {
    const auto& around = from.atoms[parent].neighbours;
    if (from.atoms[k].element == 1 && std::find(around.begin(), around.end(), k) != around.end()) {
      wanted.push_back(static_cast<std::uint16_t>(k));
    }
  }
  if (wanted.empty()) return;
  const std::vector<std::uint32_t> bonded =
      from.atoms[parent].linked ? std::vector<std::uint32_t>() : links(static_cast<std::uint32_t>(own[parent]));
  std::sort(wanted.begin(), wanted.end(), [&](std::uint16_t a, std::uint16_t b) {  // HB2 before HB3, H2' before H2''
    return from.atoms[a].name < from.atoms[b].name;
  });
  double moved = 0;  // charge of hydrogens whose place another residue takes
  for (std::size_t k = 0; k < bonded.size() && !wanted.empty(); ++k) {
    moved += from.atoms[wanted.back()].charge;
    wanted.pop_back();
    note(ChargeIssue::Kind::chosen, residue, {static_cast<std::uint32_t>(own[parent]), bonded[k]},
         from.atoms[parent].name + " is bonded to " + residue_place(topology_, topology_.atoms[bonded[k]].residue) +
             ": it has one hydrogen less",
         "");
  }
  atoms_[placed[parent]].charge += static_cast<float>(moved);
  if (wanted.empty()) return;
  std::vector<std::uint32_t> there;  // hydrogens of the file
  for (std::size_t h = 0; h < target.hydrogens.size(); ++h) {
    if (target.carriers[h] < target.heavy.size() && target.heavy[target.carriers[h]].second == own[parent]) {
      there.push_back(target.hydrogens[h]);
    }
  }
  const auto made = [&](std::uint16_t k) {
    Atom atom;
    atom.name = from.atoms[k].name;
    atom.element = 1;
    atom.charge = static_cast<float>(from.atoms[k].charge);
    atom.radius = from.atoms[k].radius;
    atom.hetero = topology_.atoms[static_cast<std::size_t>(own[parent])].hetero;
    return atom;
  };
  if (there.size() == wanted.size()) {  // names that are the same go together, the others in their order
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto same = std::find_if(there.begin() + static_cast<std::ptrdiff_t>(i), there.end(), [&](std::uint32_t h) {
        return topology_.atoms[h].name == from.atoms[wanted[i]].name;
      });
      if (same != there.end()) std::iter_swap(there.begin() + static_cast<std::ptrdiff_t>(i), same);
      push(residue, made(wanted[i]), at(there[i]), there[i], placed[parent]);
      ++result_.kept_hydrogens;
    }
    return;
  }
  std::int64_t neighbour = -1;
  HydrogenParent geometry = parent_of(target, from, own, parent, neighbour);
  for (const std::uint32_t other : bonded) geometry.bonded.push_back(at(other));
  double torsion = usual_torsion(geometry, wanted.size());
  const bool loose = geometry.bonded.size() == 1;
  if (loose && from.atoms[parent].name == "N" && geometry.planar && wanted.size() == 1) torsion = 120;  // at a gap
  const std::vector<glm::dvec3> places = hydrogen_places(geometry, wanted.size(), torsion);
  TurningHydrogens group{geometry, placed[parent], placed[parent], {}};
  for (std::size_t i = 0; i < wanted.size() && i < places.size(); ++i) {
    group.hydrogens.push_back(push(residue, made(wanted[i]), places[i], -1, placed[parent]));
    ++result_.added_hydrogens;
  }
  const std::uint8_t element = geometry.element;
  const bool turns = (loose && (element == 8 || element == 16 || (element == 7 && !geometry.planar))) ||
                     (geometry.bonded.empty() && target.name.kind == TemplateKind::water);
  if (turns && group.hydrogens.size() == wanted.size()) {
    neighbours_.push_back(neighbour);
    turning_.push_back(std::move(group));
  }
}

void ResidueBuilder::add(std::uint32_t residue, const ChargedResidue& from) {
  const ResidueTarget& target = targets_[residue];
  std::vector<std::int64_t> own(from.atoms.size(), -1);
  std::vector<std::size_t> order;  // the table's atoms as the file has them
  for (const auto& [name, index] : target.heavy) {
    const std::size_t k = from.find(name);
    if (k == from.atoms.size() || own[k] >= 0 || from.atoms[k].element == 1) continue;
    own[k] = index;
    order.push_back(k);
  }
  if (!name_differences(residue, from, own)) return;
  begin(residue, target.chosen, target.why);
  std::vector<std::uint32_t> placed(from.atoms.size(), 0);
  const auto charged = [&](Atom atom, std::size_t k) {
    atom.charge = static_cast<float>(from.atoms[k].charge);
    atom.radius = from.atoms[k].radius;
    atom.altloc = ' ';
    return atom;
  };
  for (const std::size_t k : order) {
    placed[k] =
        push(residue, charged(topology_.atoms[static_cast<std::size_t>(own[k])], k), at(own[k]), own[k], UINT32_MAX);
  }
  const std::size_t oxt = from.find("OXT"), c = from.find("C"), o = from.find("O"), ca = from.find("CA");
  if (target.ends && oxt < from.atoms.size() && own[oxt] < 0 && own[c] >= 0 && own[o] >= 0 && own[ca] >= 0) {
    const glm::dvec3 place = at(own[c]);
    const glm::dvec3 sum = glm::normalize(at(own[o]) - place) + glm::normalize(at(own[ca]) - place);
    Atom atom = topology_.atoms[static_cast<std::size_t>(own[o])];
    atom.name = "OXT";
    if (glm::length(sum) > 1e-3) {
      placed[oxt] = push(residue, charged(std::move(atom), oxt), place - 1.25 * glm::normalize(sum), -1, UINT32_MAX);
      note(ChargeIssue::Kind::built, residue, {static_cast<std::uint32_t>(own[c])},
           "OXT was built: the chain ends here", "if the chain goes on, cap it or model what is missing");
    }
  }
  for (std::size_t k = 0; k < from.atoms.size(); ++k) {
    if (from.atoms[k].element != 1 && own[k] >= 0) add_hydrogens(residue, from, own, placed, k);
  }
}

void ResidueBuilder::turn() {
  std::vector<FeltAtom> felt;
  for (const Atom& atom : atoms_) felt.push_back({static_cast<double>(atom.charge), atom.element});
  for (std::size_t i = 0; i < turning_.size(); ++i) {
    const std::int64_t neighbour = neighbours_[i];
    const std::int64_t here = neighbour < 0 ? -1 : own_index_[static_cast<std::size_t>(neighbour)];
    if (here >= 0) turning_[i].neighbour = static_cast<std::uint32_t>(here);
  }
  turn_hydrogens(turning_, felt, places_);
}

Molecule ResidueBuilder::finish(const Molecule& molecule, const Frame& frame, const ChargeOptions& options) {
  TopologyBuilder builder;
  Frame one;
  one.cell = frame.cell;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    Atom atom = atoms_[i];
    const Residue& residue = topology_.residues[residues_[i]];
    const Chain& chain = topology_.chains[residue.chain];
    if (i > 0 && topology_.residues[residues_[i - 1]].chain != residue.chain) builder.end_chain();
    atom.radius = radius_of(options.radii, atom, atoms_[carriers_[i]].element);
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.mass = 0;
    builder.add(std::move(atom), residue.name, residue.number, residue.insertion, chain.id, chain.segment);
    one.positions.emplace_back(places_[i]);
  }
  builder.topology().has_charges = true;
  builder.topology().has_radii = true;
  std::map<std::string, std::size_t> estimated;
  for (const PreparedResidue& residue : result_.residues) {
    if (residue.why == "estimated") ++estimated[topology_.residues[residue.residue].name];
  }
  for (const auto& [name, count] : estimated) {
    builder.topology().notes.push_back("Charges of " + name + " (" + std::to_string(count) +
                                       (count == 1 ? " residue" : " residues") +
                                       ") are estimated by equalised electronegativities (Gasteiger).");
  }
  Topology completed = builder.finish();
  completed.bonds = guess_bonds(completed, one);
  Molecule result;
  result.paths = molecule.paths;
  result.title = molecule.title;
  result.format = molecule.format;
  // Assemblies name chains by number.
  if (completed.chains.size() == topology_.chains.size()) result.assemblies = molecule.assemblies;
  result.topology = std::make_shared<const Topology>(std::move(completed));
  result.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{std::move(one)});
  return result;
}

}  // namespace isolume
