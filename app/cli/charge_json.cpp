// Total charges of molecules, chains and residues, for isolume info.
#include "app/cli/charge_json.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "app/cli/command.h"
#include "compute/preparation/prepared_charges.h"
#include "compute/preparation/residue_names.h"
#include "molecule/base/error.h"
#include "molecule/bonds.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_prepared = 200'000;  // atoms: a second or two

double rounded(double charge) {
  const double value = std::round(charge * 1e5) / 1e5;
  return value == 0 ? 0.0 : value;
}

bool is_odd(double charge) {
  return std::abs(charge - std::round(charge)) > 0.01;
}

std::string named(const std::string& what, double charge) {
  return what + ": " + fmt::format("{:+.3f}", charge);
}

/// Molecules of one residue are counted by the residue's name where their charges are equal.
Json molecules_of(const Topology& topology, Json& odd) {
  const std::vector<std::uint32_t> numbers = fragments(topology);
  struct Part {
    double charge = 0;
    std::size_t atoms = 0;
    std::uint32_t first = 0, last = 0;  // residues
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= parts.size()) parts.resize(numbers[i] + 1);
    Part& part = parts[numbers[i]];
    if (part.atoms++ == 0) part.first = topology.atoms[i].residue;
    part.last = topology.atoms[i].residue;
    part.charge += static_cast<double>(topology.atoms[i].charge);
  }
  Json list = Json::array();
  std::map<std::pair<std::string, double>, std::size_t> places;
  for (const Part& part : parts) {
    const bool single = part.first == part.last;
    const std::string name = single ? topology.residues[part.first].name.text()
                                    : residue_place(topology, part.first) + " to " + residue_place(topology, part.last);
    const double charge = rounded(part.charge);
    const auto [found, is_new] = places.emplace(std::pair(name, charge), list.size());
    if (is_new) {
      list.push_back({{"name", plain(name)}, {"count", 1}, {"atoms", part.atoms}, {"charge", charge}});
      if (is_odd(part.charge)) odd.push_back(named("molecule " + plain(name), part.charge));
    } else {
      list[found->second]["count"] = list[found->second]["count"].get<std::size_t>() + 1;
    }
  }
  return list;
}

Json charges_of(const Topology& topology) {
  Json odd = Json::array();
  std::vector<double> residues(topology.residues.size(), 0.0);
  std::vector<std::pair<std::string, double>> chains;
  for (const Atom& atom : topology.atoms) residues[atom.residue] += static_cast<double>(atom.charge);
  std::map<std::string, std::size_t> by_name;  // waters come as a chain of their own with the same name
  Json list = Json::array();
  for (const Chain& chain : topology.chains) {
    const std::string name = !chain.id.empty() ? chain.id : chain.segment;
    const auto [found, is_new] = by_name.emplace(name, chains.size());
    if (is_new) chains.emplace_back(name, 0.0);
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      chains[found->second].second += residues[r];
      const ResidueKind kind = residue_kind(topology, r);
      if (kind == ResidueKind::water || kind == ResidueKind::ion) continue;
      list.push_back({{"residue", plain(residue_place(topology, r))}, {"charge", rounded(residues[r])}});
    }
  }
  Json chain_list = Json::array();
  for (const auto& [name, charge] : chains) {
    chain_list.push_back({{"chain", plain(name)}, {"charge", rounded(charge)}});
    if (is_odd(charge)) odd.push_back(named("chain " + (name.empty() ? std::string("-") : plain(name)), charge));
  }
  Json molecules = molecules_of(topology, odd);
  return {{"total", topology.total_charge()},
          {"molecules", std::move(molecules)},
          {"chains", std::move(chain_list)},
          {"residues", std::move(list)},
          {"not_integral", std::move(odd)}};
}

}  // namespace

void add_charges(Json& json, const Molecule& molecule) {
  const Topology& topology = *molecule.topology;
  json["charges"] = topology.has_charges ? charges_of(topology) : Json();
  json["prepared_charges"] = Json();
  const bool plain_structure = !topology.has_charges && molecule.frame_count() > 0 && molecule.orbitals.empty() &&
                               topology.atoms.size() <= most_prepared;
  if (!plain_structure || !has_known_polymer(topology)) return;
  try {
    const PreparedStructure prepared = prepare_charges(molecule);
    Json made = charges_of(*prepared.molecule.topology);
    made["set"] = charge_set_name(ChargeSet::ff14sb);
    made["added_hydrogens"] = prepared.added_hydrogens;
    made["remarks"] = prepared.issues.size();
    json["prepared_charges"] = std::move(made);
  } catch (const Error&) {  // what could not be prepared is said by compute charges
  }
}

}  // namespace isolume::cli
