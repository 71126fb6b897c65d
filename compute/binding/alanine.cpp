// Residues cut to alanine: what an alanine scan exchanges.
#include "compute/binding/alanine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "compute/preparation/hydrogen_places.h"
#include "compute/preparation/residue_ends.h"
#include "compute/preparation/residue_names.h"
#include "compute/preparation/residue_tables.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr double same_charge = 2e-3;  // e; files round to 3 or 4 digits
constexpr float same_radius = 2e-3f;  // angstrom

/// The heavy atoms that alanine has, by the names of the tables; any other of a residue is of its side chain.
constexpr std::array kept_names{"N", "CA", "C", "O", "OXT", "CB"};

/// A residue's atoms in the words of the tables.
struct Parts {
  std::map<std::string, std::uint32_t> heavy;                   ///< those that stay
  std::map<std::string, std::vector<std::uint32_t>> hydrogens;  ///< of those, by their heavy atom
  std::vector<std::uint32_t> side;                              ///< all others, hydrogens too
  std::vector<std::uint32_t> gamma;                             ///< heavy atoms bonded to CB other than CA

  std::optional<std::uint32_t> find(const std::string& name) const {
    const auto found = heavy.find(name);
    if (found == heavy.end()) return std::nullopt;
    return found->second;
  }
};

Parts parts_of(const Topology& topology, std::span<const glm::vec3> positions, std::uint32_t number) {
  const Residue& residue = topology.residues[number];
  const TemplateName name = template_name(topology, number);
  Parts parts;
  std::vector<std::pair<std::uint32_t, std::string>> heavies;
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.element <= 1) continue;
    const std::string own = table_atom_name(atom.name, name);
    const bool stays =
        std::find(kept_names.begin(), kept_names.end(), own) != kept_names.end() && !parts.heavy.contains(own);
    if (stays)
      parts.heavy[own] = i;
    else
      parts.side.push_back(i);
    heavies.emplace_back(i, stays ? own : "");
  }
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    if (topology.atoms[i].element > 1 || heavies.empty()) continue;
    const auto carrier = std::min_element(heavies.begin(), heavies.end(), [&](const auto& a, const auto& b) {
      return glm::distance(positions[a.first], positions[i]) < glm::distance(positions[b.first], positions[i]);
    });
    if (carrier->second.empty())
      parts.side.push_back(i);
    else
      parts.hydrogens[carrier->second].push_back(i);
  }
  if (const auto beta = parts.find("CB"))
    for (const std::uint32_t i : parts.side)
      if (topology.atoms[i].element > 1 && glm::distance(positions[i], positions[*beta]) < 2.1f)
        parts.gamma.push_back(i);
  return parts;
}

/// What alanine's atoms have.
struct Alanine {
  std::string source;
  std::map<std::string, double> charges;  ///< "H N": of a hydrogen on N
  std::optional<float> beta_radius;       ///< of hydrogens on CB, where the residue has the radii of the same table
};

Alanine of_table(const ChargedResidue& table, ChargeSet set) {
  Alanine alanine;
  alanine.source = charge_set_name(set);
  for (const ChargedResidue::Atom& atom : table.atoms) {
    if (atom.element > 1) {
      alanine.charges[atom.name] = atom.charge;
    } else {
      alanine.charges["H " + table.atoms[atom.neighbours.at(0)].name] = atom.charge;
    }
  }
  return alanine;
}

bool has(const ChargedResidue& table, const char* atom, double charge) {
  const std::size_t i = table.find(atom);
  return i < table.atoms.size() && std::abs(table.atoms[i].charge - charge) <= same_charge;
}

/// Alanine of the built-in set that the residue's charges are of.
std::optional<Alanine> by_tables(const Topology& topology, const Parts& parts) {
  const bool last = parts.heavy.contains("OXT");
  const auto on_n = parts.hydrogens.find("N");
  const std::size_t amines = on_n == parts.hydrogens.end() ? 0 : on_n->second.size();
  const bool first = amines >= 2;
  const auto on_oxt = parts.hydrogens.find("OXT");
  const bool acid = (on_oxt != parts.hydrogens.end() && !on_oxt->second.empty()) || parts.hydrogens.contains("O");
  const auto charge = [&](const char* name) {
    return static_cast<double>(topology.atoms[parts.heavy.at(name)].charge);
  };
  for (const ChargeSet set : {ChargeSet::ff14sb, ChargeSet::charmm36, ChargeSet::parse}) {
    const ChargedResidue* own = nullptr;
    for (const ChargedResidue& table : charged_residues(set)) {
      // Ends have charges of their own on some of the three.
      const bool fits = (first || has(table, "N", charge("N"))) && (last || has(table, "C", charge("C"))) &&
                        (last || has(table, "O", charge("O"))) && has(table, "CB", charge("CB"));
      if (!fits) continue;
      own = &table;
      break;
    }
    if (own == nullptr) continue;
    std::optional<ChargedResidue> made;
    const ChargedResidue* found = nullptr;
    if (first && last) return std::nullopt;
    if (first && amines < 3) {
      made = neutral_start(set, "ALA");
    } else if (last && acid) {
      made = neutral_end(set, "ALA");
    } else {
      found = charged_residue(set, first ? "NALA" : last ? "CALA" : "ALA");
    }
    if (made) found = &*made;
    if (found == nullptr) continue;
    Alanine alanine = of_table(*found, set);
    const std::size_t beta = own->find("CB"), hydrogen = found->find("HB1");
    if (beta < own->atoms.size() && hydrogen < found->atoms.size() &&
        std::abs(own->atoms[beta].radius - topology.atoms[parts.heavy.at("CB")].radius) <= same_radius)
      alanine.beta_radius = found->atoms[hydrogen].radius;
    return alanine;
  }
  return std::nullopt;
}

/// Alanine within a chain of the file, and where it is.
std::optional<Parts> alanine_of(const Topology& topology, std::span<const glm::vec3> positions) {
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r) {
    if (topology.residues[r].name != "ALA") continue;
    Parts parts = parts_of(topology, positions, r);
    const auto count = [&](const char* name) {
      const auto found = parts.hydrogens.find(name);
      return found == parts.hydrogens.end() ? std::size_t{0} : found->second.size();
    };
    const bool whole = parts.find("N") && parts.find("CA") && parts.find("C") && parts.find("O") && parts.find("CB");
    if (whole && !parts.find("OXT") && count("N") == 1 && count("CB") == 3 && count("CA") == 1) return parts;
  }
  return std::nullopt;
}

Alanine by_file(const Topology& topology, const Parts& parts) {
  Alanine alanine;
  alanine.source = "alanine of the file";
  for (const auto& [name, atom] : parts.heavy) alanine.charges[name] = static_cast<double>(topology.atoms[atom].charge);
  for (const auto& [name, atoms] : parts.hydrogens)
    alanine.charges["H " + name] = static_cast<double>(topology.atoms[atoms.front()].charge);
  alanine.beta_radius = topology.atoms[parts.hydrogens.at("CB").front()].radius;
  return alanine;
}

std::string why_not(const Topology& topology, std::span<const glm::vec3> positions, std::uint32_t number,
                    const Parts& parts) {
  const TemplateName name = template_name(topology, number);
  if (name.kind != TemplateKind::amino) return "it is no amino acid that the tables know";
  if (name.base == "GLY" || name.base == "ALA" || name.base == "PRO") return "it is " + name.base;
  for (const char* atom : {"N", "CA", "C", "O", "CB"})
    if (!parts.find(atom)) return fmt::format("it lacks {}", atom);
  const auto on_beta = parts.hydrogens.find("CB");
  const std::size_t hydrogens = on_beta == parts.hydrogens.end() ? 0 : on_beta->second.size();
  if (hydrogens == 0) return "CB has no hydrogen";
  if (hydrogens + parts.gamma.size() != 3)
    return fmt::format("CB has {} hydrogens and {} further atoms; expected three together", hydrogens,
                       parts.gamma.size());
  for (const std::uint32_t gamma : parts.gamma) {
    if (topology.atoms[gamma].element != 16) continue;
    for (std::uint32_t i = 0; i < topology.atoms.size(); ++i)
      if (topology.atoms[i].element == 16 && topology.atoms[i].residue != number &&
          glm::distance(positions[i], positions[gamma]) < 2.5f)
        return "it is bridged by a disulfide";
  }
  return "";
}

}  // namespace

AlanineCut alanine_cut(const Topology& topology, std::span<const glm::vec3> positions, std::uint32_t number) {
  AlanineCut cut;
  cut.residue = number;
  const Parts parts = parts_of(topology, positions, number);
  cut.skipped = why_not(topology, positions, number, parts);
  if (!cut.skipped.empty()) return cut;
  const std::optional<Parts> donor = alanine_of(topology, positions);
  std::optional<Alanine> alanine = by_tables(topology, parts);
  const bool end =
      parts.find("OXT").has_value() || (parts.hydrogens.contains("N") && parts.hydrogens.at("N").size() != 1);
  if (!alanine && donor && !end) alanine = by_file(topology, *donor);
  if (!alanine) {
    cut.skipped = donor ? "it is an end of its chain, and its charges are of no built-in set"
                        : "its charges are of no built-in set, and the file has no alanine within a chain";
    return cut;
  }
  cut.source = alanine->source;
  double before = 0, after = 0;
  const Residue& residue = topology.residues[number];
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
    before += static_cast<double>(topology.atoms[i].charge);
  const std::uint32_t beta = parts.heavy.at("CB"), hydrogen = parts.hydrogens.at("CB").front();
  const std::uint32_t like_beta = donor ? donor->heavy.at("CB") : beta;
  const std::uint32_t like_hydrogen = donor ? donor->hydrogens.at("CB").front() : hydrogen;
  const auto change = [&](const std::string& name, std::uint32_t atom) {
    const auto found = alanine->charges.find(name);
    if (found == alanine->charges.end()) {
      cut.skipped = fmt::format("alanine of {} has no {}", cut.source, name);
      return;
    }
    const bool on_beta = name == "H CB";
    const float radius = on_beta && alanine->beta_radius ? *alanine->beta_radius : topology.atoms[atom].radius;
    cut.mutation.changed.push_back({atom, static_cast<float>(found->second), radius,
                                    name == "CB" ? like_beta
                                    : on_beta    ? like_hydrogen
                                                 : atom});
    after += found->second;
  };
  for (const auto& [name, atom] : parts.heavy) change(name, atom);
  for (const auto& [name, atoms] : parts.hydrogens)
    for (const std::uint32_t atom : atoms) change("H " + name, atom);
  if (!cut.skipped.empty()) return cut;
  cut.mutation.removed = parts.side;
  const double charge = alanine->charges.at("H CB");
  for (const std::uint32_t gamma : parts.gamma) {
    cut.mutation.added.push_back({beta, gamma, hydrogen_bond_length(6, false), static_cast<float>(charge),
                                  alanine->beta_radius.value_or(topology.atoms[hydrogen].radius), 1, like_hydrogen});
    after += charge;
  }
  cut.charge_change = after - before;
  return cut;
}

std::vector<std::uint32_t> interface_residues(const Topology& topology, const Binding& binding,
                                              std::span<const glm::vec3> positions, double reach) {
  std::set<std::uint32_t> near;
  std::array<std::vector<glm::vec3>, 2> points;
  for (std::size_t i = 0; i < binding.atoms().size(); ++i)
    points[binding.partner()[i]].push_back(positions[binding.atoms()[i]]);
  for (std::size_t side = 0; side < 2; ++side) {
    const NeighbourGrid others(points[1 - side], reach);
    for (std::size_t i = 0; i < binding.atoms().size(); ++i) {
      if (binding.partner()[i] != side) continue;
      const std::uint32_t atom = binding.atoms()[i];
      if (others.visit(positions[atom], [](std::size_t, double) { return true; }))
        near.insert(topology.atoms[atom].residue);
    }
  }
  return {near.begin(), near.end()};
}

}  // namespace isolume
