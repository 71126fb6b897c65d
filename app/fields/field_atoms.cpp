// The atoms of a field: those selected, their colours and charges, and their images in a periodic system.
#include "app/fields/field_atoms.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/documents/frames.h"
#include "app/documents/titles.h"
#include "app/fields/potential_paint.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/density/group_beads.h"
#include "compute/density/periodic_images.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/missing.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr float unknown_radius = 1.5f;  // angstrom, for atoms whose file and element give none

constexpr glm::u8vec4 pale_carbon{204, 200, 192, 255};
constexpr float quiet = 0.35f;  // of white in the colours of chains and molecules on surfaces

constexpr std::size_t block = std::size_t{1} << 13;

/// body(i) for all i below count, on all threads.
template <class Body>
void for_atoms(std::size_t count, const Body& body) {
  Job job;
  parallel_for((count + block - 1) / block, job, "atoms of a field", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) body(i);
  });
}

bool has_beads(const Field& field) {
  return field.kind == Field::Kind::gaussian && field.beads == Field::Beads::residues;
}

bool serves(const ChosenAtoms& kept, const Field& field, const Molecule& molecule) {
  return kept.in_all_frames && kept.topology == molecule.topology && kept.selection == field.selection &&
         kept.coloured == wraps_atoms(field.kind) && kept.beads == has_beads(field) &&
         kept.colouring == field.colouring && kept.colour == field.colour && kept.number == field.molecule;
}

void choose_beads(ChosenAtoms& atoms) {
  const AtomTable& all = atoms.topology->atoms;
  for (std::size_t i = 0; i < atoms.numbers.size(); ++i) {
    atoms.masses.push_back(std::max(0.0f, all[atoms.numbers[i]].mass));
    if (i == 0 || all[atoms.numbers[i]].residue != all[atoms.numbers[i - 1]].residue)
      atoms.first_of_bead.push_back(static_cast<std::uint32_t>(i));
  }
  atoms.first_of_bead.push_back(static_cast<std::uint32_t>(atoms.numbers.size()));
}

std::shared_ptr<const ChosenAtoms> choose(const Field& field, const Molecule& molecule, const Frame& frame) {
  const Topology& topology = *molecule.topology;
  const Selection selection(field.selection);
  auto atoms = std::make_shared<ChosenAtoms>();
  atoms->topology = molecule.topology;
  atoms->selection = field.selection;
  atoms->colouring = field.colouring;
  atoms->colour = field.colour;
  atoms->number = field.molecule;
  atoms->coloured = wraps_atoms(field.kind);
  atoms->beads = has_beads(field);
  atoms->in_all_frames = !selection.depends_on_positions();
  atoms->numbers = chosen_atoms(field.selection, topology, frame);
  for (const std::uint32_t i : atoms->numbers) atoms->radii.push_back(topology.atoms[i].radius);
  if (topology.has_charges) {
    for (const std::uint32_t i : atoms->numbers) atoms->charges.push_back(topology.atoms[i].charge);
    for (const float charge : atoms->charges) atoms->total_charge += static_cast<double>(charge);
  }
  if (!atoms->coloured) return atoms;
  // A field's colour is for Colouring::uniform alone; large faces need paler colours than atoms.
  const bool uniform = field.colouring == Colouring::uniform;
  const bool whole = field.colouring == Colouring::chain || field.colouring == Colouring::molecule;
  ColourRule rule;
  rule.colouring = field.colouring;
  rule.number = field.molecule;
  rule.molecule = file_title(molecule.paths);
  rule.uniform = uniform ? field.colour : pale_carbon;
  auto [colours, key] = colour_atoms(topology, rule, {}, {}, {}, {});
  if (key && !key->scale.empty()) atoms->key = std::move(key);
  for (const std::uint32_t i : atoms->numbers) {
    const float radius = topology.atoms[i].radius > 0 ? topology.atoms[i].radius : unknown_radius;
    const glm::vec3 colour = glm::vec3(glm::u8vec3(colours[i])) / 255.0f;
    atoms->looks.emplace_back(radius, whole ? glm::mix(colour, glm::vec3(1), quiet) : colour);
  }
  if (atoms->beads) choose_beads(*atoms);
  return atoms;
}

}  // namespace

bool needs_atoms(const Field& field) {
  return wraps_atoms(field.kind) || field.kind == Field::Kind::potential || field.kind == Field::Kind::contacts ||
         painted_by_potential(field);
}

std::shared_ptr<const FieldAtoms> field_atoms(const Field& field, std::shared_ptr<const Molecule> molecule,
                                              std::size_t frame, std::shared_ptr<const ChosenAtoms>* kept,
                                              FrameAhead* ahead) {
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  auto atoms = std::make_shared<FieldAtoms>();
  {
    const PhaseTimer timer("field: reading the frame");
    atoms->frame = ahead ? ahead->take(molecule, frame) : frame_at(*molecule, frame);
  }
  const PhaseTimer timer("field: choosing atoms");
  if (kept && *kept && serves(**kept, field, *molecule)) {
    atoms->chosen = *kept;
  } else {
    atoms->chosen = choose(field, *molecule, atoms->frame);
    if (kept) *kept = atoms->chosen;
  }
  atoms->origin = middle_of_far(atoms->frame, atoms->chosen->numbers);
  atoms->molecule = std::move(molecule);
  return atoms;
}

std::vector<DensityAtom> surface_atoms(const FieldAtoms& atoms, std::vector<DensityAtom> room) {
  const ChosenAtoms& which = *atoms.chosen;
  const PhaseTimer timer("field: atoms");
  std::vector<DensityAtom> result = std::move(room);
  result.resize(which.numbers.size());
  for_atoms(result.size(), [&](std::size_t i) {
    const glm::vec4& look = which.looks[i];
    result[i] = {atoms.frame.positions[which.numbers[i]], look.x, glm::vec3(look.y, look.z, look.w)};
  });
  if (which.beads) return group_beads(result, which.masses, which.first_of_bead);
  return result;
}

std::vector<DensityAtom> atoms_and_images(const Field& field, const FieldAtoms& atoms, double reach_factor,
                                          double reach_more, std::vector<DensityAtom> room) {
  std::vector<DensityAtom> own = surface_atoms(atoms, std::move(room));
  if (!field.periodic) return own;
  return with_periodic_images(own, atoms.frame.cell, reach_factor, reach_more);
}

std::vector<ChargedSphere> charged_spheres(const FieldAtoms& atoms, std::vector<ChargedSphere> room) {
  require_charges(*atoms.molecule);
  const ChosenAtoms& which = *atoms.chosen;
  std::vector<ChargedSphere> spheres = std::move(room);
  spheres.resize(which.numbers.size());
  for_atoms(spheres.size(), [&](std::size_t i) {
    const std::uint32_t atom = which.numbers[i];
    const glm::vec3 place = atoms.origin == glm::dvec3(0)
                                ? atoms.frame.positions[atom]
                                : glm::vec3(precise_position(atoms.frame, atom) - atoms.origin);
    spheres[i] = {place, which.charges[i], std::max(0.0f, which.radii[i])};
  });
  require_any_charge(*atoms.molecule, which.charges);
  return spheres;
}

}  // namespace isolume
