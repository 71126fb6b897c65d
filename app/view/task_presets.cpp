// Presets for tasks: a whole picture by one word.
#include "app/view/task_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/gtc/quaternion.hpp>

#include "app/documents/frames.h"
#include "app/documents/table_charges.h"
#include "app/view/give_charges.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "app/view/usual_volume.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/residue_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr std::array<TaskPreset, 7> presets = {{
    {"overview", "Overview", "Cartoons, ligands, ions and orbitals as when the files were opened"},
    {"pocket", "Pocket", "The largest ligand with the residues within 5 \u00c5 and their hydrogen bonds"},
    {"electrostatics", "Electrostatics", "The surface coloured by the electrostatic potential"},
    {"orbital", "Orbital", "The orbitals that are shown, or the HOMO, around balls and sticks"},
    {"membrane", "Membrane", "Seen from the side: proteins in their lipids, without water"},
    {"cryo-em", "Cryo-EM", "Maps as clear surfaces around the models"},
    {"publication", "Publication", "White background, soft light and outlines; shows the same atoms"},
}};

Error nothing(const std::string& preset, const char* needs) {
  return Error(fmt::format("preset {}: {}", preset, needs), Error::Kind::usage);
}

Representation made(std::uint32_t molecule, const std::string& words, Style style,
                    Colouring colouring = Colouring::element, glm::u8vec4 colour = glm::u8vec4(0)) {
  Representation representation;
  representation.molecule = molecule;
  representation.selection = words;
  representation.style = style;
  representation.colouring = colouring;
  representation.colour = colour;
  return representation;
}

/// The usual representations of all molecules, no surfaces of atoms, nothing cut away.
void begin_anew(Scene& scene, Documents& documents) {
  scene.representations.clear();
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    for (Representation& usual : usual_representations(scene, documents, m))
      scene.representations.push_back(std::move(usual));
  tell_molecules_apart(scene);
  std::erase_if(scene.fields,
                [](const Field& field) { return wraps_atoms(field.kind) || field.kind == Field::Kind::potential; });
  for (Representation& representation : scene.representations)
    if (representation.selection == "water") representation.visible = false;
  scene.camera.slab_front = scene.camera.slab_back = 0;
  scene.camera.projection = Camera::Projection::perspective;
}

void fit(Scene& scene, Documents& documents, double aspect) {
  scene.camera.fit(scene_extent(scene, documents).balls, aspect);
}

/// Calls with every visible molecule that has atoms with positions.
void each_molecule(const Scene& scene, Documents& documents,
                   const std::function<void(std::uint32_t, const Molecule&, const Frame&)>& call) {
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    if (!scene.molecules[m].visible) continue;
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (molecule->topology && molecule->frame_count() > 0) call(m, *molecule, frame_at(*molecule, scene.frame));
  }
}

struct Ligand {
  std::uint32_t molecule = 0, residue = 0;
  std::size_t atoms = 0;  ///< without hydrogens
  glm::dvec3 centre{0.0};
  double radius = 0;
};

/// The residue with the most atoms that are ligands.
Ligand largest_ligand(const Scene& scene, Documents& documents) {
  Ligand best;
  each_molecule(scene, documents, [&](std::uint32_t m, const Molecule& molecule, const Frame& frame) {
    std::vector<std::size_t> counts(molecule.topology->residues.size(), 0);
    const Selection words("ligand and not hydrogen");
    for (const std::uint32_t i : words.atoms(*molecule.topology, frame))
      if (++counts[molecule.topology->atoms[i].residue] > best.atoms)
        best = {m, molecule.topology->atoms[i].residue, counts[molecule.topology->atoms[i].residue], {}, 0};
    if (best.atoms == 0 || best.molecule != m) return;
    const Residue& residue = molecule.topology->residues[best.residue];
    best.centre = glm::dvec3(0.0);
    for (std::uint32_t a = 0; a < residue.atom_count; ++a)
      best.centre += glm::dvec3(frame.positions[residue.first_atom + a]) / double(residue.atom_count);
    best.radius = 0;
    for (std::uint32_t a = 0; a < residue.atom_count; ++a)
      best.radius =
          std::max(best.radius, glm::distance(best.centre, glm::dvec3(frame.positions[residue.first_atom + a])));
  });
  return best;
}

void show_pocket(Scene& scene, Documents& documents, double aspect) {
  const Ligand ligand = largest_ligand(scene, documents);
  if (ligand.atoms == 0) throw nothing("pocket", "no visible molecule has a ligand");
  begin_anew(scene, documents);
  for (Field& field : scene.fields) field.visible = false;
  for (Representation& representation : scene.representations)
    if (representation.molecule == ligand.molecule) {
      representation.visible = representation.style == Style::cartoon;
      representation.opacity = 0.35f;
    }
  constexpr glm::u8vec4 ligand_carbon{230, 159, 0, 255}, pocket_carbon{178, 178, 172, 255};
  const Topology& topology = *documents.molecule(scene.molecules[ligand.molecule])->topology;
  const std::string words = residue_selection_of(topology, ligand.residue);
  const auto add = [&](const std::string& selection, Style style, Colouring colouring, glm::u8vec4 colour) {
    scene.representations.push_back(made(ligand.molecule, selection, style, colouring, colour));
  };
  add(words, Style::ball_and_stick, Colouring::element, ligand_carbon);
  // Without hydrogens, so that they may be added before or later: the same residues are near.
  const auto near = [&](int distance) {
    return fmt::format("same residue as (noh and within {} of (noh and {}))", distance, words);
  };
  add(fmt::format("not water and {} and not ({})", near(5), words), Style::sticks, Colouring::element, pocket_carbon);
  add("water and " + near(4), Style::ball_and_stick, Colouring::element, glm::u8vec4(0));
  add(fmt::format("within 3.6 of ({})", words), Style::hydrogen_bonds, Colouring::uniform, hydrogen_bond_colour);
  // Seen as before, with room for the pocket; everything in front of it is cut away.
  const double shown = ligand.radius + 4;
  scene.camera.fit(ligand.centre, shown, aspect);
  const Extent extent = scene_extent(scene, documents);
  const double towards = (scene.camera.rotation * (ligand.centre - extent.centre)).z;
  scene.camera.slab_front = std::max(0.0, extent.radius - towards - shown - 2);
}

void show_electrostatics(Scene& scene, Documents& documents, double aspect) {
  std::vector<std::uint32_t> charged;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    SceneMolecule& entry = scene.molecules[m];
    if (!entry.visible) continue;
    const auto molecule = documents.molecule(entry);
    if (!molecule->topology || molecule->frame_count() == 0) continue;
    if (!molecule->topology->has_charges && entry.templates.empty() && takes_tables(*molecule))
      give_charges(scene, documents, m);
    if (documents.molecule(entry)->topology->has_charges) charged.push_back(m);
  }
  if (charged.empty())
    throw nothing("electrostatics", "no visible molecule has charges, nor residues that the built-in tables know");
  begin_anew(scene, documents);
  for (Field& field : scene.fields) field.visible = false;
  for (const std::uint32_t m : charged) {
    scene.fields.push_back(usual_potential(*documents.molecule(scene.molecules[m]), m));
    hide_water(scene, m);
    hide_ions(scene, m);
  }
  fit(scene, documents, aspect);
}

void show_orbitals(Scene& scene, Documents& documents, double aspect) {
  std::vector<std::uint32_t> with_orbitals;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.molecule(scene.molecules[m]);
    const auto orbitals =
        molecule->orbitals_at(std::min(scene.frame, std::max<std::size_t>(1, molecule->frame_count()) - 1));
    if (scene.molecules[m].visible && orbitals && !orbitals->orbitals.empty()) with_orbitals.push_back(m);
  }
  if (with_orbitals.empty()) throw nothing("orbital", "no visible molecule has orbitals in this frame");
  begin_anew(scene, documents);
  for (Representation& representation : scene.representations)
    if (std::find(with_orbitals.begin(), with_orbitals.end(), representation.molecule) != with_orbitals.end() &&
        representation.style != Style::cartoon)
      representation.style = Style::ball_and_stick;
  for (Field& field : scene.fields) field.visible = field.visible && field.kind == Field::Kind::orbital;
  for (const std::uint32_t m : with_orbitals) {
    const bool any = std::any_of(scene.fields.begin(), scene.fields.end(), [&](const Field& field) {
      return field.kind == Field::Kind::orbital && field.molecule == m && field.visible;
    });
    if (any) continue;
    Field field;
    field.kind = Field::Kind::orbital;
    field.molecule = m;
    const auto orbitals = documents.molecule(scene.molecules[m])->orbitals_at(scene.frame);
    field.orbital = std::string(orbitals && !orbitals->homo() ? "1" : "homo");
    scene.fields.push_back(field);
  }
  for (Field& field : scene.fields)
    if (field.kind == Field::Kind::orbital) field.opacity = 0.8f;
  fit(scene, documents, aspect);
}

void show_membrane(Scene& scene, Documents& documents, double aspect) {
  bool any = false;
  std::vector<std::uint32_t> with_lipids;
  each_molecule(scene, documents, [&](std::uint32_t m, const Molecule& molecule, const Frame& frame) {
    if (!Selection("lipid").atoms(*molecule.topology, frame).empty()) with_lipids.push_back(m), any = true;
  });
  if (!any) throw nothing("membrane", "no visible molecule has lipids");
  begin_anew(scene, documents);
  for (Field& field : scene.fields) field.visible = false;
  for (const std::uint32_t m : with_lipids) {
    std::erase_if(scene.representations, [&](const Representation& representation) {
      return representation.molecule == m && representation.selection == "lipid";
    });
    scene.representations.push_back(made(m, "lipid and not hydrogen", Style::lines));
    scene.representations.push_back(made(m, "lipid and element P", Style::spheres));
    scene.representations.back().options.sphere_scale = 0.8f;
    hide_water(scene, m);
  }
  scene.camera.rotation = glm::angleAxis(glm::radians(-90.0), glm::dvec3(1, 0, 0));  // z upwards
  scene.camera.projection = Camera::Projection::orthographic;
  fit(scene, documents, aspect);
}

void show_maps(Scene& scene, Documents& documents, double aspect) {
  std::vector<std::uint32_t> with_maps;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    if (scene.molecules[m].visible && !documents.molecule(scene.molecules[m])->volumes.empty()) with_maps.push_back(m);
  if (with_maps.empty()) throw nothing("cryo-em", "no visible molecule has a map");
  begin_anew(scene, documents);
  for (const std::uint32_t m : with_maps) {
    const bool any = std::any_of(scene.fields.begin(), scene.fields.end(), [&](const Field& field) {
      return field.kind == Field::Kind::volume && field.molecule == m;
    });
    if (any) continue;
    Field field;
    field.kind = Field::Kind::volume;
    field.molecule = m;
    show_usually(field, *documents.molecule(scene.molecules[m]), !scene.representations.empty());
    scene.fields.push_back(field);
  }
  for (Field& field : scene.fields) {
    field.visible = field.kind == Field::Kind::volume;
    if (!field.visible) continue;
    field.show = Field::Show::surfaces;
    field.slice.kind = SlicePlane::Kind::none;
    field.style = Surface::Style::solid;
    field.both_signs = false;
    field.colour = {180, 192, 210, 255};
    field.opacity = scene.representations.empty() ? 1.0f : 0.35f;
  }
  fit(scene, documents, aspect);
}

void look_for_print(Scene& scene) {
  const Look before = scene.look;
  scene.look = Look();
  scene.look.background = scene.look.background_bottom = glm::vec3(1);
  scene.look.ambient = 0.5f;
  scene.look.diffuse = 0.5f;
  scene.look.specular = 0.08f;
  scene.look.depth_cue = 0.2f;
  scene.look.outline_width = 1.3f;
  scene.look.focus = before.focus;
  scene.look.scale_bar = before.scale_bar;
  scene.look.text_points = before.text_points;
  scene.look.caps = before.caps;
}

}  // namespace

std::span<const TaskPreset> task_presets() {
  return presets;
}

void apply_task_preset(Scene& scene, Documents& documents, const std::string& name, double aspect) {
  Scene next = scene;
  if (name == "overview") {
    begin_anew(next, documents);
    fit(next, documents, aspect);
  } else if (name == "pocket") {
    show_pocket(next, documents, aspect);
  } else if (name == "electrostatics") {
    show_electrostatics(next, documents, aspect);
  } else if (name == "orbital") {
    show_orbitals(next, documents, aspect);
  } else if (name == "membrane") {
    show_membrane(next, documents, aspect);
  } else if (name == "cryo-em") {
    show_maps(next, documents, aspect);
  } else if (name == "publication") {
    look_for_print(next);
  } else {
    std::string known;
    for (const TaskPreset& preset : presets) known += fmt::format("{}{}", known.empty() ? "" : ", ", preset.name);
    throw Error(fmt::format("there is no preset \"{}\"; there are {}", name, known), Error::Kind::usage);
  }
  scene = std::move(next);
}

}  // namespace isolume
