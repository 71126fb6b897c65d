// Hydrogens, charges and radii for a structure that has none: residues are matched to the tables and built.
#include "compute/preparation/prepared_charges.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compute/preparation/residue_building.h"
#include "compute/preparation/residue_ends.h"
#include "compute/preparation/residue_states.h"
#include "compute/preparation/side_chains.h"
#include "molecule/alternates.h"
#include "molecule/base/error.h"
#include "molecule/bonds.h"
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"

namespace isolume {

namespace {

/// Atoms that are used: of alternate locations of a residue those of the highest occupancy, and those without one.
std::vector<char> kept_atoms(const Topology& topology, std::vector<ChargeIssue>& issues) {
  std::vector<char> kept(topology.atoms.size(), 1);
  std::size_t dropped = 0;
  for (std::size_t r = 0; r < topology.residues.size();) {
    // Neighbours of the same number are alternatives of one another: another residue in some of the molecules.
    const Residue& residue = topology.residues[r];
    std::uint32_t end = residue.first_atom;
    for (; r < topology.residues.size(); ++r) {
      const Residue& next = topology.residues[r];
      if (next.number != residue.number || next.insertion != residue.insertion || next.chain != residue.chain) break;
      end = next.first_atom + next.atom_count;
    }
    std::map<char, double> occupancies;
    std::map<char, bool> others;  // locations that are another residue would make a mixture under this one's name
    for (std::uint32_t i = residue.first_atom; i < end; ++i) {
      const Atom& atom = topology.atoms[i];
      if (atom.altloc == ' ') continue;
      if (!others.contains(atom.altloc)) others[atom.altloc] = is_other_residue(topology, atom.residue, atom.altloc);
      if (!others[atom.altloc]) occupancies[atom.altloc] += static_cast<double>(atom.occupancy);
    }
    if (others.size() < 2) continue;
    const auto best = std::max_element(occupancies.begin(), occupancies.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::uint32_t i = residue.first_atom; i < end; ++i) {
      const char altloc = topology.atoms[i].altloc;
      if (altloc == ' ' || altloc == best->first) continue;
      kept[i] = 0;
      ++dropped;
    }
  }
  if (dropped > 0) {
    issues.push_back({ChargeIssue::Kind::chosen,
                      {},
                      "alternate locations",
                      std::to_string(dropped) + " atoms of less occupied locations are not used",
                      ""});
  }
  return kept;
}

/// Virtual sites of waters of four and five points (MW, EPW, LP) are no atoms: with them the hydrogens would not fit
/// the table's water of three points, and would be built again.
void leave_virtual_sites(const Topology& topology, std::vector<char>& kept, std::vector<ChargeIssue>& issues) {
  std::size_t dropped = 0;
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    if (residue.atom_count < 4 || residue_kind(residue.name) != ResidueKind::water) continue;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      if (topology.atoms[i].element != 0 || !kept[i]) continue;
      kept[i] = 0;
      ++dropped;
    }
  }
  if (dropped == 0) return;
  issues.push_back({ChargeIssue::Kind::chosen,
                    {},
                    "waters",
                    std::to_string(dropped) + " virtual sites are left out: waters have charges on their three atoms",
                    "a topology (TOP, PRMTOP, PSF) has the charges of waters of four and five points"});
}

/// Heavy atoms on one another: no charge distribution is meant so.
void name_overlaps(const StateContext& c, std::vector<ChargeIssue>& issues) {
  for (const std::uint32_t atom : c.heavy) {
    c.near.visit(c.positions[atom], [&](std::uint32_t i, double squared) {
      const std::uint32_t other = c.heavy[i];
      if (other <= atom || squared > 0.25) return false;
      issues.push_back({ChargeIssue::Kind::incomplete,
                        {atom, other},
                        residue_place(c.topology, c.topology.atoms[atom].residue),
                        c.topology.atoms[atom].name + " is on top of " + c.topology.atoms[other].name + " of " +
                            residue_place(c.topology, c.topology.atoms[other].residue),
                        "remove one of the copies"});
      return false;
    });
  }
}

/// For remarks that point at a residue.
std::vector<std::uint32_t> first_atom(const ResidueTarget& target) {
  if (target.heavy.empty()) return {};
  return {target.heavy.front().second};
}

/// An end of a chain that the tables do not have as such.
std::optional<ChargedResidue> special_end(const ChargeOptions& options, ResidueTarget& target) {
  std::optional<ChargedResidue> made;
  if (target.name.kind == TemplateKind::nucleic && target.starts && !target.ends && target.atom("P") >= 0) {
    std::size_t oxygens = 0;
    for (const char* name : {"OP1", "OP2", "OP3"}) oxygens += target.atom(name) >= 0 ? 1 : 0;
    made = phosphate_end(options.set, target.name.base, oxygens);
    if (made) target.why = "phosphate at the 5' end";
  } else if (options.neutral_ends && target.name.kind == TemplateKind::amino && target.starts != target.ends) {
    made = target.starts ? neutral_start(options.set, target.state) : neutral_end(options.set, target.state);
    if (made) target.why = "neutral end";
  }
  if (!made && !options.neutral_ends && target.name.kind == TemplateKind::amino && target.starts && target.ends) {
    made = zwitterion(options.set, target.state);
    if (made) target.why = "a chain of one residue";
  }
  if (made) target.chosen = made->name;
  return made;
}

/// A state that the set has: the one chosen, else the usual one of the residue, else nothing.
const ChargedResidue* available(const ChargeOptions& options, const Topology& topology, std::uint32_t r,
                                ResidueTarget& target, std::vector<ChargeIssue>& issues) {
  if (target.chosen.empty()) return nullptr;
  if (const ChargedResidue* found = charged_residue(options.set, target.chosen)) return found;
  const std::string set(charge_set_name(options.set));
  const std::string usual = target.name.base;
  if (target.state != usual) {
    const std::string other = target.chosen.substr(0, target.chosen.size() - target.state.size()) + usual;
    if (const ChargedResidue* found = charged_residue(options.set, other)) {
      issues.push_back({ChargeIssue::Kind::chosen, first_atom(target), residue_place(topology, r),
                        set + " has no " + target.state + "; " + usual + " is used", "choose another set of charges"});
      target.chosen = other;
      target.state = usual;
      return found;
    }
  }
  for (const ChargeSet other : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    if (const ChargedResidue* found = charged_residue(other, target.chosen)) {
      issues.push_back(
          {ChargeIssue::Kind::chosen, first_atom(target), residue_place(topology, r),
           set + " has no " + target.chosen + "; charges of " + std::string(charge_set_name(other)) + " are used", ""});
      return found;
    }
  }
  return nullptr;
}

// " (UNK 1 A, XYZ 2 A ...)": the first residues of remarks.
std::string places_text(const std::vector<ChargeIssue>& issues) {
  constexpr std::size_t most = 4;
  std::vector<std::string> places;
  for (const ChargeIssue& issue : issues)
    if (std::find(places.begin(), places.end(), issue.place) == places.end()) places.push_back(issue.place);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, places.size()); ++i) text += (i == 0 ? "" : ", ") + places[i];
  return text.empty() ? text : " (" + text + (places.size() > most ? " ...)" : ")");
}

/// Prepares the structure with its side chains built; the result speaks of the atoms of `molecule`.
PreparedStructure prepare_completed(const Molecule& molecule, const ChargeOptions& options) {
  std::vector<ChargeIssue> said_later;
  const std::vector<char> kept = kept_atoms(*molecule.topology, said_later);
  CompletedSideChains whole = build_side_chains(molecule, options.frame, kept);
  ChargeOptions rest = options;
  rest.build_missing = false;
  rest.frame = 0;
  PreparedStructure result = prepare_charges(whole.molecule, rest);
  for (std::int64_t& source : result.source)
    if (source >= 0) source = whole.source[static_cast<std::size_t>(source)];
  for (ChargeIssue& issue : result.issues) {
    std::vector<std::uint32_t> atoms;
    for (const std::uint32_t atom : issue.atoms)
      if (whole.source[atom] >= 0) atoms.push_back(static_cast<std::uint32_t>(whole.source[atom]));
    issue.atoms = std::move(atoms);
  }
  const Topology& topology = *molecule.topology;
  for (const BuiltSideChain& built : whole.built) {
    std::string names;
    for (const std::string& name : built.atoms) names += (names.empty() ? "" : ", ") + name;
    const Residue& residue = topology.residues[built.residue];
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
      if (kept[i] && topology.atoms[i].element != 1) atoms.push_back(i);
    const bool clashes = built.clashes > 0;
    result.issues.push_back({ChargeIssue::Kind::built, std::move(atoms), residue_place(topology, built.residue),
                             names + (built.atoms.size() > 1 ? " were built" : " was built") +
                                 (clashes ? ", and overlap with other atoms by 0.4 angstrom or more" : ""),
                             clashes ? "no rotamer has room there: check the residues around it" : ""});
  }
  result.side_chains = std::move(whole.built);
  return result;
}

}  // namespace

std::string residue_place(const Topology& topology, std::size_t residue) {
  const Residue& r = topology.residues[residue];
  std::string text = r.name + " " + std::to_string(r.number);
  if (r.insertion != ' ') text += r.insertion;
  const std::string& chain = topology.chains[r.chain].id;
  return chain.empty() ? text : text + " " + chain;
}

PreparedStructure prepare_charges(const Molecule& molecule, const ChargeOptions& options) {
  if (!molecule.topology || molecule.topology->atoms.empty() || options.frame >= molecule.frame_count()) {
    throw Error("charges: the structure has no atoms with positions", Error::Kind::usage);
  }
  if (options.build_missing) return prepare_completed(molecule, options);
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(options.frame);
  PreparedStructure result;
  std::vector<char> kept = kept_atoms(topology, result.issues);
  leave_virtual_sites(topology, kept, result.issues);
  std::vector<std::uint32_t> heavy;
  std::vector<glm::vec3> points;
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    if (!kept[i] || topology.atoms[i].element == 1) continue;
    heavy.push_back(i);
    points.push_back(frame.positions[i]);
  }
  const NeighbourGrid near(points, 3.6);
  const StateContext context{topology, frame.positions, heavy, near};
  std::vector<ResidueTarget> targets = residue_targets(context, kept);
  choose_states(context, options, targets, result.issues);
  name_overlaps(context, result.issues);

  ResidueBuilder builder(topology, frame.positions, targets, result, options.estimate_all);
  for (std::uint32_t r = 0; r < targets.size(); ++r) {
    if (targets[r].heavy.empty() && targets[r].hydrogens.empty()) continue;
    const TemplateKind kind = targets[r].name.kind;
    if (options.estimate_all && kind != TemplateKind::water && kind != TemplateKind::ion) {
      builder.add_unknown(r, options);
    } else if (const auto end = special_end(options, targets[r])) {
      builder.add(r, *end);
    } else if (const ChargedResidue* found = available(options, topology, r, targets[r], result.issues)) {
      builder.add(r, *found);
    } else {
      builder.add_unknown(r, options);
    }
  }
  builder.turn();
  if (builder.size() == 0) {
    throw Error("charges: none of the " + std::to_string(targets.size()) + " residues" + places_text(result.issues) +
                    " has charges in " + std::string(charge_set_name(options.set)) +
                    "; a file with charges (PQR, MOL2, PRMTOP) needs none, "
                    "and --templates takes them from one",
                Error::Kind::input);
  }
  result.molecule = builder.finish(molecule, frame, options);
  if (result.molecule.topology->residues.size() != result.residues.size()) {
    throw Error("charges: neighbouring residues have the same name, number and chain; give them numbers of their own",
                Error::Kind::input);
  }
  for (const Atom& atom : result.molecule.topology->atoms) {
    result.residues[atom.residue].charge += static_cast<double>(atom.charge);
    result.charge += static_cast<double>(atom.charge);
  }
  return result;
}

std::vector<std::string> odd_charges(const PreparedStructure& prepared) {
  const Topology& topology = *prepared.molecule.topology;
  std::vector<std::string> odd;
  const auto check = [&](double charge, double expected, const std::string& what) {
    const double off = charge - expected;
    if (std::abs(off - std::round(off)) <= 0.01) return;
    std::string text = std::to_string(charge);
    odd.push_back(what + ": " + text.substr(0, text.size() - 3));
  };
  for (const Chain& chain : topology.chains) {
    double charge = 0;
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      const PreparedResidue& residue = prepared.residues[r];
      charge += residue.charge;
      double expected = 0;
      const bool phosphate = residue.state.ends_with("5P");  // as odd as the end with a hydroxyl
      const std::string state = phosphate ? residue.state.substr(0, residue.state.size() - 1) : residue.state;
      for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
        const ChargedResidue* known = charged_residue(set, state);
        if (!known) continue;
        const double off = known->total - residue.charge;
        if (std::abs(off) < 0.01 || (phosphate && std::abs(off - std::round(off)) < 0.01)) expected = known->total;
      }
      check(residue.charge, expected, residue_place(topology, r));
    }
    check(charge, 0, "chain " + chain.id);
  }
  return odd;
}

}  // namespace isolume
