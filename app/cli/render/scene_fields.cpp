// The fields of a scene, as the options of the command line add and change them.
#include "app/cli/render/scene_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "app/cli/slice_option.h"
#include "app/documents/frames.h"
#include "app/fields/slice_field.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

std::uint32_t molecule_with_orbitals(const Scene& scene, Documents& documents) {
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    if (!documents.molecule(scene.molecules[m])->orbitals.empty()) return m;
  throw Error("--orbital: none of the files has orbitals", Error::Kind::usage);
}

}  // namespace

void show_orbitals(Scene& scene, Documents& documents, const SceneOptions& options) {
  std::erase_if(scene.fields, [](const Field& field) { return field.kind == Field::Kind::orbital; });
  for (std::size_t i = 0; i < options.orbitals.size(); ++i) {
    Field field;
    field.kind = Field::Kind::orbital;
    field.molecule = molecule_with_orbitals(scene, documents);
    field.orbital = options.orbitals[i];
    field.spin = options.spin;
    field.opacity = 0.8f;
    std::tie(field.colour, field.negative_colour) = phase_colours(i);
    scene.fields.push_back(field);
  }
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
    if (!sliced || wraps_atoms(field.kind)) continue;
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

void add_surface(Scene& scene, Documents& documents, const SceneOptions& options) {
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (molecule->atom_count() == 0) continue;
    Field field;
    field.molecule = m;
    field.opacity = 0.45f;
    field.radius_scale = 0.7f;  // closer to the atoms than one surface for everything
    field.colour = {150, 180, 215, 255};
    if (options.surface == "potential") {
      field.kind = Field::Kind::potential;
      field.colour = {30, 80, 200, 255};
      field.negative_colour = {200, 40, 30, 255};
    } else if (options.surface == "ses" || options.surface == "sas" || options.surface == "cavities") {
      field.kind = options.surface == "ses"   ? Field::Kind::solvent_excluded
                   : options.surface == "sas" ? Field::Kind::solvent_accessible
                                              : Field::Kind::cavities;
      field.opacity = options.surface == "ses" ? 1.0f : 0.45f;
      if (options.surface == "cavities") field.colour = {230, 120, 30, 255};
    } else if (options.surface != "gaussian") {
      field.colour = {255, 255, 255, 255};
      scene.fields.push_back(field);
      set_value(scene, fmt::format("fields[{}].colouring", scene.fields.size() - 1), options.surface);
      field = scene.fields.back();
      scene.fields.pop_back();
    }
    field.selection = options.selection;
    if (field.selection.empty()) {
      field.selection = "all";
      const Topology& topology = *molecule->topology;
      for (std::size_t i = 0; i < topology.residues.size(); ++i) {
        const ResidueKind kind = residue_kind(topology, i);
        if (kind == ResidueKind::protein || kind == ResidueKind::nucleic) field.selection = "protein or nucleic";
      }
      if (field.kind == Field::Kind::potential) field.selection = "all";  // every charge counts
    }
    scene.fields.push_back(field);
  }
}

void colour_surfaces(Scene& scene, const SceneOptions& options) {
  bool any = false;
  for (std::size_t i = 0; i < scene.fields.size(); ++i) {
    if (!wraps_atoms(scene.fields[i].kind)) continue;
    any = true;
    if (!options.colour_by.empty()) {
      const bool potential = options.colour_by == "potential", curvature = options.colour_by == "curvature";
      scene.fields[i].paint = potential   ? Field::Paint::potential
                              : curvature ? Field::Paint::curvature
                                          : Field::Paint::atoms;
      if (potential || curvature) {
        scene.fields[i].opacity = 1;
      } else {
        scene.fields[i].colour = {255, 255, 255, 255};
        set_value(scene, fmt::format("fields[{}].colouring", i), options.colour_by);
      }
    }
    if (options.range > 0) scene.fields[i].paint_range = options.range;
    if (options.offset != 0) scene.fields[i].paint_offset = options.offset;
  }
  if (!any) throw Error("--colour-by and --range are for the surface of atoms: --surface gaussian", Error::Kind::usage);
}

}  // namespace isolume::cli
