// Where compute probe looks, as its options say.
#include "app/cli/compute/probe_places.h"

#include <fmt/format.h>

#include "app/cli/compute/compute.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

std::vector<std::uint32_t> selected(const std::string& selection, const Topology& topology, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection(selection).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(selection, topology), Error::Kind::usage);
  return atoms;
}

}  // namespace

void add_probe_choice(Verb command, ProbeChoice& choice) {
  command.option("--points", choice.points, "csv: lines x,y,z in angstrom; they stay where they are").type_name("FILE");
  command.option("--atoms", choice.atoms, "these atoms; an atom's own charge does not count at its place");
  command.option("--bonds", choice.bonds, "the middle of two atoms, and the field along them; may be given again")
      .repeated();
  command.option("--residues", choice.residues, "the middle of each residue that has an atom of these");
}

void check_probe_choice(const ProbeChoice& choice) {
  if (choice.points.empty() && choice.atoms.empty() && choice.bonds.empty() && choice.residues.empty())
    throw Error("--points, --atoms, --bonds or --residues is needed: where should the potential be taken?",
                Error::Kind::usage);
  for (const std::string* words : {&choice.atoms, &choice.residues})
    if (!words->empty()) Selection{*words};
  for (const std::string& bond : choice.bonds) Selection{bond};
}

std::vector<ProbePlace> probe_places(const Molecule& molecule, const ProbeChoice& choice, std::size_t reference) {
  const Topology& topology = *molecule.topology;
  const Frame frame = frame_at(molecule, reference);
  std::vector<ProbePlace> places;
  if (!choice.points.empty())
    for (const glm::dvec3& point : read_points(choice.points))
      places.push_back({std::to_string(places.size()), {}, point, false});
  if (!choice.atoms.empty())
    for (const std::uint32_t atom : selected(choice.atoms, topology, frame))
      places.push_back(probe_at_atom(topology, atom));
  for (const std::string& bond : choice.bonds) {
    const std::vector<std::uint32_t> two = selected(bond, topology, frame);
    if (two.size() != 2)
      throw Error(fmt::format("--bonds {}: a bond is two atoms, and this holds {}", bond, two.size()),
                  Error::Kind::usage);
    places.push_back(probe_at_bond(topology, two[0], two[1]));
  }
  if (choice.residues.empty()) return places;
  std::uint32_t last = 0;
  bool any = false;
  for (const std::uint32_t atom : selected(choice.residues, topology, frame)) {
    const std::uint32_t residue = topology.atoms[atom].residue;
    if (any && residue == last) continue;  // atoms are in the order of residues
    places.push_back(probe_at_residue(topology, residue));
    last = residue;
    any = true;
  }
  return places;
}

}  // namespace isolume::cli
