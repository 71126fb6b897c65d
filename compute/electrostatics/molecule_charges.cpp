// The charges of a molecule: of which atoms, where, and in which parts.
#include "compute/electrostatics/molecule_charges.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {

std::string no_charges_text(const Molecule& molecule) {
  const std::string path = molecule.paths.empty() ? "the molecule" : molecule.paths.front();
  if (!molecule.orbitals.empty())
    return fmt::format(
        "{} has orbitals but no partial charges. This potential sums point charges; for that of the electron density "
        "use isolume compute density --kind potential.",
        path);
  const std::filesystem::path file(path);
  const std::string name = molecule.paths.empty() ? "FILE.pdb" : file.filename().string();
  const std::filesystem::path plain = file.extension() == ".gz" ? file.stem() : file;
  const std::string made = molecule.paths.empty() ? "FILE.pqr" : plain.stem().string() + ".pqr";
  return fmt::format(
      "{} has no partial charges, so it has no potential. Make a PQR, which has them (isolume compute charges {} --out "
      "{}). PSF, PRMTOP, MOL2 and extended XYZ files have charges too.",
      path, name, made);
}

void require_charges(const Molecule& molecule) {
  if (molecule.topology && molecule.topology->has_charges) return;
  throw Error(no_charges_text(molecule), Error::Kind::usage);
}

void require_any_charge(const Molecule& molecule, std::span<const float> charges) {
  if (std::any_of(charges.begin(), charges.end(), [](float q) { return q != 0; })) return;
  throw Error(
      fmt::format(
          "all partial charges of {}{} are 0, and so would be the potential; formats with charges are PQR, PSF, "
          "PRMTOP, MOL2 and extended XYZ",
          molecule.paths.empty() ? "the molecule" : molecule.paths.front(),
          charges.size() < molecule.topology->atoms.size() ? " that are chosen" : ""),
      Error::Kind::usage);
}

std::vector<std::uint32_t> chosen_atoms(const std::string& text, const Topology& topology, const Frame& frame) {
  const Selection selection(text);
  std::vector<std::uint32_t> atoms = selection.atoms(topology, frame);
  std::vector<char> first(topology.residues.size(), ' ');
  for (const Atom& atom : topology.atoms)
    if (atom.altloc != ' ' && first[atom.residue] == ' ') first[atom.residue] = atom.altloc;
  std::erase_if(atoms, [&](std::uint32_t i) {
    const Atom& atom = topology.atoms[i];
    return atom.altloc != ' ' && atom.altloc != first[atom.residue];
  });
  if (atoms.empty()) throw Error(empty_selection(selection.text(), topology), Error::Kind::usage);
  return atoms;
}

MoleculeCharges molecule_charges(const Molecule& molecule, const Frame& frame, const std::string& selection) {
  if (!molecule.topology || frame.positions.empty()) throw Error(missing_positions(molecule), Error::Kind::usage);
  require_charges(molecule);
  const Topology& topology = *molecule.topology;
  MoleculeCharges result;
  result.atoms = chosen_atoms(selection, topology, frame);
  result.origin = middle_of_far(frame, result.atoms);
  result.cell = frame.cell;
  std::vector<float> charges;
  for (const std::uint32_t i : result.atoms) {
    const Atom& atom = topology.atoms[i];
    const glm::vec3 place =
        result.origin == glm::dvec3(0) ? frame.positions[i] : glm::vec3(precise_position(frame, i) - result.origin);
    result.spheres.push_back({place, atom.charge, std::max(0.0f, atom.radius)});
    result.total += static_cast<double>(atom.charge);
    charges.push_back(atom.charge);
  }
  require_any_charge(molecule, charges);
  return result;
}

std::shared_ptr<const HcpHierarchy> charge_parts(const Topology& topology, std::span<const std::uint32_t> atoms,
                                                 const std::string& complexes_by) {
  const std::vector<std::uint32_t> complex_of_chain = chain_complexes(topology, complexes_by);
  auto parts = std::make_shared<HcpHierarchy>();
  auto& [groups, subunits, complexes] = parts->first;
  // A part begins where the residue, or the chain, of the next atom is another.
  std::optional<std::uint32_t> residue, chain;
  std::uint32_t last_complex = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::uint32_t own = topology.atoms[atoms[i]].residue;
    const std::uint32_t own_chain = own < topology.residues.size() ? topology.residues[own].chain : 0;
    if (chain != own_chain) {
      const std::uint32_t complex = own_chain < complex_of_chain.size() ? complex_of_chain[own_chain] : 0;
      if (complexes.empty() || complex != last_complex)
        complexes.push_back(static_cast<std::uint32_t>(subunits.size()));
      last_complex = complex;
      subunits.push_back(static_cast<std::uint32_t>(groups.size()));
    }
    if (residue != own || chain != own_chain) groups.push_back(static_cast<std::uint32_t>(i));
    residue = own;
    chain = own_chain;
  }
  complexes.push_back(static_cast<std::uint32_t>(subunits.size()));
  subunits.push_back(static_cast<std::uint32_t>(groups.size()));
  groups.push_back(static_cast<std::uint32_t>(atoms.size()));
  return parts;
}

}  // namespace isolume
