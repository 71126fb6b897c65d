// Residue templates, learnt from a structure with hydrogens and charges.
#include "molecule/force_field/residue_templates.h"

#include <algorithm>
#include <map>
#include <set>

#include "molecule/base/error.h"
#include "molecule/bonds.h"

namespace isolume {

std::string common_atom_name(const std::string& name, const std::string& residue) {
  std::string common = name;
  std::replace(common.begin(), common.end(), '*', '\'');
  static const std::map<std::string, std::string> spelled{{"O1P", "OP1"}, {"O2P", "OP2"}, {"OT1", "O"}, {"OT2", "OXT"},
                                                          {"OT", "OXT"},  {"C5M", "C7"},  {"OH2", "O"}};
  if (const auto found = spelled.find(common); found != spelled.end()) return found->second;
  if (common == "CD" && residue == "ILE") return "CD1";
  return common;
}

double ResidueTemplate::charge() const {
  double sum = 0;
  for (const TemplateAtom& a : atoms) sum += static_cast<double>(a.atom.charge);
  return sum;
}

void ResidueTemplates::add(const Molecule& molecule, std::size_t frame_index) {
  const auto fail = [](const std::string& what) { throw Error("templates: " + what, Error::Kind::usage); };
  if (!molecule.topology || !molecule.topology->has_charges) {
    fail("the file has no charges; a PRMTOP with its coordinates and a PQR have");
  }
  if (frame_index >= molecule.frame_count()) fail("the file has no coordinates; name their file after it");
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(frame_index);
  const std::vector<Bond> bonds = topology.has_bonds ? topology.bonds : guess_bonds(topology, frame);
  bool hydrogens = false;
  std::vector<ResidueTemplate> all(topology.residues.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    const Residue& residue = topology.residues[r];
    all[r].name = residue.name;
    for (std::uint32_t k = 0; k < residue.atom_count; ++k) {
      Atom atom = topology.atoms[residue.first_atom + k];
      atom.name = common_atom_name(atom.name, residue.name);
      hydrogens = hydrogens || atom.element == 1;
      all[r].atoms.push_back({atom, glm::dvec3(frame.positions[residue.first_atom + k]), {}, {}});
    }
  }
  if (!hydrogens) fail("the file has no hydrogens");
  for (const Bond& bond : bonds) {
    for (const auto& [a, b] : {std::pair(bond.a, bond.b), std::pair(bond.b, bond.a)}) {
      const std::uint32_t r = topology.atoms[a].residue;
      auto& own = all[r].atoms[a - topology.residues[r].first_atom];
      if (topology.atoms[b].residue == r) {
        own.neighbours.push_back(b - topology.residues[r].first_atom);
      } else {
        own.linked.push_back(glm::dvec3(frame.positions[b]));
      }
    }
  }
  std::set<std::pair<std::string, std::vector<std::string>>> seen;
  const auto is_new = [&](const ResidueTemplate& t) {
    std::vector<std::string> names;
    for (const auto& a : t.atoms) names.push_back(a.atom.name + (a.linked.empty() ? "" : "-"));
    std::sort(names.begin(), names.end());
    return seen.emplace(t.name, names).second;
  };
  for (const ResidueTemplate& t : templates_) is_new(t);
  for (ResidueTemplate& t : all) {
    if (is_new(t)) templates_.push_back(std::move(t));
  }
}

}  // namespace isolume
