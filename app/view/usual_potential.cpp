// The potential as a molecule's is first shown.
#include "app/view/usual_potential.h"

#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr const char* polymers = "protein or nucleic";
constexpr double usual_range = 5;  // kT/e

bool has_polymer(const Molecule& molecule) {
  if (!molecule.topology) return false;
  for (std::size_t i = 0; i < molecule.topology->residues.size(); ++i) {
    const ResidueKind kind = residue_kind(*molecule.topology, i);
    if (kind == ResidueKind::protein || kind == ResidueKind::nucleic) return true;
  }
  return false;
}

}  // namespace

std::string polymer_selection(const Molecule& molecule) {
  return has_polymer(molecule) ? polymers : "all";
}

PotentialSettings usual_potential_settings(const Molecule& molecule) {
  PotentialSettings settings;
  if (!has_polymer(molecule)) return settings;
  settings.method = PotentialSettings::Method::debye_hueckel;
  settings.unit = PotentialSettings::Unit::thermal;
  return settings;
}

void paint_by_usual_potential(Field& field, const Molecule& molecule) {
  field.paint = Field::Paint::potential;
  field.potential = usual_potential_settings(molecule);
  field.paint_range = field.potential.unit == PotentialSettings::Unit::thermal ? usual_range : 0;
  field.opacity = 1;
}

Field usual_potential(const Molecule& molecule, std::uint32_t index) {
  if (!has_polymer(molecule)) return potential_isosurfaces(molecule, index);
  Field field;
  field.kind = Field::Kind::solvent_excluded;
  field.molecule = index;
  field.selection = polymers;
  field.both_signs = false;
  paint_by_usual_potential(field, molecule);
  return field;
}

void hide_ions(Scene& scene, std::uint32_t molecule) {
  for (Representation& representation : scene.representations)
    if (representation.molecule == molecule && representation.selection == "ion") representation.visible = false;
}

Field potential_isosurfaces(const Molecule& molecule, std::uint32_t index) {
  Field field;
  field.kind = Field::Kind::potential;
  field.molecule = index;
  field.selection = polymer_selection(molecule);
  field.potential = usual_potential_settings(molecule);
  // Red is negative, blue positive.
  field.colour = {52, 101, 190, 255};
  field.negative_colour = {200, 50, 47, 255};
  field.opacity = 0.6f;
  return field;
}

}  // namespace isolume
