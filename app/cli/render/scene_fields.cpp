// The fields of a scene, as the options of the command line add and change them.
#include "app/cli/render/scene_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "app/cli/slice_option.h"
#include "app/documents/frames.h"
#include "app/fields/slice_field.h"
#include "app/scene/density_name.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "app/view/usual_contacts.h"
#include "app/view/usual_look.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

std::uint32_t molecule_with_orbitals(const Scene& scene, Documents& documents, const char* option) {
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    if (!documents.molecule(scene.molecules[m])->orbitals.empty()) return m;
  throw Error(fmt::format("{}: none of the files has orbitals", option), Error::Kind::usage);
}

}  // namespace

void localise_orbitals(Scene& scene, Documents& documents, const std::string& method) {
  molecule_with_orbitals(scene, documents, "--localise");
  for (SceneMolecule& entry : scene.molecules)
    if (!documents.molecule(entry)->orbitals.empty()) entry.paths = with_localisation(entry.paths, method);
}

void show_orbitals(Scene& scene, Documents& documents, const SceneOptions& options) {
  std::erase_if(scene.fields, [](const Field& field) { return field.kind == Field::Kind::orbital; });
  for (std::size_t i = 0; i < options.orbitals.size(); ++i) {
    Field field;
    field.kind = Field::Kind::orbital;
    field.molecule = molecule_with_orbitals(scene, documents, "--orbital");
    field.orbital = options.orbitals[i];
    field.spin = options.spin;
    field.opacity = names_density(field.orbital) ? 0.5f : 0.8f;
    field.both_signs = field.orbital != electron_density_name;
    std::tie(field.colour, field.negative_colour) = phase_colours(i);
    scene.fields.push_back(field);
  }
}

void add_contacts(Scene& scene, Documents& documents, const SceneOptions& options) {
  if (options.contacts.empty()) {
    if (!options.contacts_with.empty()) throw Error("--contacts-with belongs to --contacts", Error::Kind::usage);
    return;
  }
  bool any = false;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (molecule->atom_count() == 0) continue;
    any = true;
    Field field = usual_contacts(*molecule, m);
    if (options.contacts != automatic_surface) field.selection = options.contacts;
    field.partners = options.contacts_with;
    scene.fields.push_back(field);
  }
  if (!any) throw Error("--contacts: none of the files has atoms", Error::Kind::usage);
}

void tune_orbitals(Scene& scene, const SceneOptions& options) {
  const double enclosed = options.enclosed > 1 ? options.enclosed / 100 : options.enclosed;
  if (options.enclosed != 0 && !(enclosed > 0 && enclosed < 1))
    throw Error(fmt::format("--enclosed {}: expected a part between 0 and 1, or a percentage between 1 and 100",
                            options.enclosed),
                Error::Kind::usage);
  bool any = false;
  for (Field& field : scene.fields) {
    if (field.kind != Field::Kind::orbital) continue;
    any = true;
    if (enclosed > 0) field.enclosed = enclosed;
    if (options.isovalue != 0) field.enclosed = 0;
    if (!options.follow) continue;
    field.follow = true;
    field.follow_from = static_cast<std::uint32_t>(scene.frame);
  }
  if (!any && (options.follow || enclosed > 0))
    throw Error("--follow and --enclosed are for orbitals, and the scene shows none", Error::Kind::usage);
}

void draw_fields_as(Scene& scene, const SceneOptions& options) {
  const bool sliced = !options.slice.empty();
  const SlicePlane plane = sliced ? parse_slice(options.slice) : SlicePlane{};
  bool any = false;
  for (std::size_t i = 0; i < scene.fields.size(); ++i) {
    Field& field = scene.fields[i];
    if (!options.surface_style.empty())
      field.style = options.surface_style == "mesh"     ? Surface::Style::wireframe
                    : options.surface_style == "points" ? Surface::Style::points
                                                        : Surface::Style::solid;
    if (!sliced || wraps_atoms(field.kind) || field.kind == Field::Kind::contacts) continue;
    any = true;
    field.slice = plane;
    field.opacity = 1;  // colours are values
    if (options.range > 0) field.paint_range = options.range;
  }
  if (sliced && !any)
    throw Error("--slice is for orbitals, potentials and volumes, and the scene shows none", Error::Kind::usage);
  if (!options.surface_style.empty() && scene.fields.empty())
    throw Error("--surface-style is for orbitals and surfaces, and the scene shows none", Error::Kind::usage);
}

void face_slice(Scene& scene, Documents& documents) {
  for (const Field& field : scene.fields) {
    if (!field.visible || !sliced(field)) continue;
    const auto molecule = documents.molecule(scene.molecules[field.molecule]);
    const bool of_volume = field.kind == Field::Kind::volume && field.volume < molecule->volumes.size();
    const PlaneFrame plane = slice_frame(field.slice, *molecule, frame_in(*molecule, scene.frame),
                                         of_volume ? molecule->volumes[field.volume]->grid : Grid{});
    glm::dmat3 axes(plane.u, plane.v, plane.normal);
    if (field.slice.kind == SlicePlane::Kind::y) axes = {plane.v, plane.u, -plane.normal};  // z upwards
    scene.camera.rotation = glm::normalize(glm::quat_cast(glm::transpose(axes)));
    scene.camera.turn({0, 1, 0}, 15);
    scene.camera.turn({1, 0, 0}, -25);
    return;
  }
}

}  // namespace isolume::cli
