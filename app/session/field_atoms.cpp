// The atoms of a field: those selected, their colours and charges, and their images in a periodic system.
#include "app/session/field_atoms.h"

#include <fmt/format.h>

#include "app/session/frames.h"
#include "compute/density/periodic_images.h"
#include "molecule/error.h"
#include "molecule/selection.h"

namespace isolume {
namespace {

constexpr float unknown_radius = 1.5f;  // angstrom, for atoms whose file and element give none

struct Atoms {
  Frame frame;
  std::vector<std::uint32_t> chosen;
};

Atoms chosen_atoms(const FieldRequest& request) {
  const Molecule& molecule = *request.molecule;
  if (!molecule.topology || molecule.frame_count() == 0)
    throw Error("this needs atoms with positions, and the file has none", Error::Kind::usage);
  Atoms atoms{frame_at(molecule, request.frame), {}};
  atoms.chosen = Selection(request.field.selection).atoms(*molecule.topology, atoms.frame);
  // Of alternate locations the first of each residue counts, as it does where atoms are drawn.
  const Topology& topology = *molecule.topology;
  std::vector<char> first(topology.residues.size(), ' ');
  for (const Atom& atom : topology.atoms)
    if (atom.altloc != ' ' && first[atom.residue] == ' ') first[atom.residue] = atom.altloc;
  std::erase_if(atoms.chosen, [&](std::uint32_t i) {
    const Atom& atom = topology.atoms[i];
    return atom.altloc != ' ' && atom.altloc != first[atom.residue];
  });
  if (atoms.chosen.empty())
    throw Error(fmt::format("the selection '{}' holds no atoms", request.field.selection), Error::Kind::usage);
  return atoms;
}

}  // namespace

std::vector<DensityAtom> surface_atoms(const FieldRequest& request, std::vector<std::uint32_t>* chosen) {
  const Atoms atoms = chosen_atoms(request);
  if (chosen) *chosen = atoms.chosen;
  const Topology& topology = *request.molecule->topology;
  // Under Colouring::element the colour would be that of carbon; a field's is for Colouring::uniform alone.
  const bool uniform = request.field.colouring == Colouring::uniform;
  const auto colours = colour_atoms(topology, request.field.colouring, uniform ? request.field.colour : glm::u8vec4(0));
  std::vector<DensityAtom> result;
  result.reserve(atoms.chosen.size());
  for (const std::uint32_t i : atoms.chosen) {
    const float radius = topology.atoms[i].radius > 0 ? topology.atoms[i].radius : unknown_radius;
    result.push_back({atoms.frame.positions[i], radius, glm::vec3(glm::u8vec3(colours[i])) / 255.0f});
  }
  return result;
}

Cell cell_of(const FieldRequest& request) {
  return frame_at(*request.molecule, request.frame).cell;
}

std::vector<DensityAtom> atoms_and_images(const FieldRequest& request, double reach_factor, double reach_more) {
  std::vector<DensityAtom> atoms = surface_atoms(request);
  if (!request.field.periodic) return atoms;
  return with_periodic_images(atoms, cell_of(request), reach_factor, reach_more);
}

std::vector<PointCharge> point_charges(const FieldRequest& request) {
  const Atoms atoms = chosen_atoms(request);
  const Topology& topology = *request.molecule->topology;
  if (!topology.has_charges)
    throw Error(
        fmt::format("{} has no partial charges, and none are guessed from the names of residues; formats with charges "
                    "are PQR, PSF, PRMTOP, MOL2 and extended XYZ",
                    request.molecule->paths.empty() ? "the molecule" : request.molecule->paths.front()),
        Error::Kind::usage);
  std::vector<PointCharge> result;
  result.reserve(atoms.chosen.size());
  for (const std::uint32_t i : atoms.chosen) result.push_back({atoms.frame.positions[i], topology.atoms[i].charge});
  return result;
}

std::vector<std::uint32_t> charged_atoms(const FieldRequest& request) {
  return chosen_atoms(request).chosen;
}

std::vector<float> charge_radii(const FieldRequest& request) {
  std::vector<float> radii;
  for (const std::uint32_t i : chosen_atoms(request).chosen)
    radii.push_back(request.molecule->topology->atoms[i].radius);
  return radii;
}

}  // namespace isolume
