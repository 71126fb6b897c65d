// The potential as a molecule's is first shown.
#include "app/view/usual_potential.h"

#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr const char* polymers = "protein or nucleic";

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
  settings.method = PotentialSettings::Method::pb;
  settings.unit = PotentialSettings::Unit::thermal;
  return settings;
}

namespace {

// Where the dielectric changes, the potential changes by some kT/e within a step of the grid. A probe's radius farther
// out it is what a solvent molecule meets.
constexpr double solvent_distance = 1.4;

void set_method(Field& field, PotentialMethod method) {
  const bool was_solved = field.potential.method == PotentialMethod::pb, is_solved = method == PotentialMethod::pb;
  field.potential.method = method;
  if (was_solved == is_solved || field.kind == Field::Kind::potential) return;
  const double before = was_solved ? solvent_distance : 0;
  if (field.paint_offset == before) field.paint_offset = is_solved ? solvent_distance : 0;
}

}  // namespace

void paint_by_usual_potential(Field& field, const Molecule& molecule) {
  const PotentialSettings settings = usual_potential_settings(molecule);
  field.paint = Field::Paint::potential;
  set_method(field, settings.method);
  field.potential = settings;
  field.paint_range = field.potential.unit == PotentialSettings::Unit::thermal ? screened_range : 0;
  field.opacity = 1;
}

void choose_method(Field& field, PotentialMethod method) {
  PotentialSettings& settings = field.potential;
  const bool was_screened = is_screened(settings.method);
  set_method(field, method);
  if (method == PotentialMethod::msm || method == PotentialMethod::spme)
    settings.medium = PotentialSettings::Medium::constant;
  if (was_screened == is_screened(method)) return;
  field.paint_range = 0;
  field.isovalue = 0;
  field.cloud_range = 0;
  if (was_screened) return;
  settings.unit = PotentialSettings::Unit::thermal;
  if (field.kind != Field::Kind::potential) field.paint_range = screened_range;
}

void set_potential(Field& field, std::optional<PotentialMethod> method, const std::string& unit, double range) {
  using Unit = PotentialSettings::Unit;
  PotentialSettings& settings = field.potential;
  const Unit before = settings.unit;
  if (method) {
    set_method(field, *method);
    settings.unit = is_screened(*method) ? Unit::thermal : Unit::volt;
  }
  for (const Unit of : {Unit::volt, Unit::thermal, Unit::kcal})
    if (unit == name(of)) settings.unit = of;
  // 5 kT/e is no range of another unit, nor of a sum in vacuum.
  if (range > 0 || (settings.unit == before && is_screened(settings.method))) return;
  const bool solved = settings.method == PotentialMethod::pb && settings.unit == Unit::thermal;
  field.paint_range = solved && field.kind != Field::Kind::potential ? screened_range : 0;
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
