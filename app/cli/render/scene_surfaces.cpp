// The surfaces of a scene and their colours, as the options of the command line add and change them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/compute/method_options.h"
#include "app/cli/render/scene_fields.h"
#include "app/scene/scene_json.h"
#include "app/view/usual_look.h"
#include "app/view/usual_potential.h"
#include "molecule/base/error.h"
#include "molecule/base/nearest.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

/// A kind of surface by one of its names.
struct Kind {
  const char* name;
  Field::Kind kind;
  double probe = -1;  ///< angstrom; below 0: the usual one
};
constexpr Kind kinds[] = {{"gaussian", Field::Kind::gaussian},          {"ses", Field::Kind::solvent_excluded},
                          {"molecular", Field::Kind::solvent_excluded}, {"sas", Field::Kind::solvent_accessible},
                          {"solvent", Field::Kind::solvent_accessible}, {"vdw", Field::Kind::solvent_excluded, 0},
                          {"cavities", Field::Kind::cavities},          {"potential", Field::Kind::potential}};

bool by_values(const SceneOptions& options) {
  return options.colour_by == "potential" || options.colour_by == "map" || !options.map.empty();
}

Kind kind_of(const SceneOptions& options) {
  const std::string& word = options.surface;
  if (word == automatic_surface) return by_values(options) ? kinds[1] : kinds[0];
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (word == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  const std::string near = nearest(word, names);
  throw Error(fmt::format("--surface {}: kinds are gaussian, ses (molecular), sas (solvent), vdw, cavities and "
                          "potential{}; colours are given with --colour-by",
                          word, near.empty() ? "" : fmt::format(" (did you mean {}?)", near)),
              Error::Kind::usage);
}

/// The volume that --map or the files give: molecule and number.
std::pair<std::uint32_t, std::uint32_t> find_map(Scene& scene, Documents& documents, const SceneOptions& options) {
  if (!options.map.empty()) {
    std::vector<SceneMolecule> opened = documents.open({options.map});
    if (opened.size() != 1 || documents.molecule(opened.front())->volumes.empty())
      throw Error(fmt::format("--map {}: the file has no volume; cube, OpenDX and MRC files have", options.map),
                  Error::Kind::usage);
    opened.front().visible = false;
    scene.molecules.push_back(opened.front());
    return {static_cast<std::uint32_t>(scene.molecules.size() - 1), 0};
  }
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    if (!documents.molecule(scene.molecules[m])->volumes.empty()) return {m, 0};
  throw Error("--colour-by map: none of the files has a volume; name one with --map FILE", Error::Kind::usage);
}

void colour_by_word(Scene& scene, std::size_t field, const std::string& word) {
  scene.fields[field].paint = Field::Paint::atoms;
  scene.fields[field].colour = {255, 255, 255, 255};
  const std::string at = fmt::format("fields[{}].colouring", field);
  try {
    set_value(scene, at, word);
  } catch (const Error& error) {
    const std::string values = did_you_mean(word, {"potential", "map", "curvature"});
    std::string text = error.what();
    if (text.starts_with(at + ": ")) text.erase(0, at.size() + 2);
    if (const auto near = text.find(" (did you mean"); near != std::string::npos && !values.empty()) text.erase(near);
    throw Error(fmt::format("--colour-by: {}; or potential, map, curvature{}", text, values), Error::Kind::usage);
  }
}

}  // namespace

void add_surface(Scene& scene, Documents& documents, const SceneOptions& options) {
  const Kind kind = kind_of(options);
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (molecule->atom_count() == 0) continue;
    Field field;
    if (kind.kind == Field::Kind::potential) {
      field = potential_isosurfaces(*molecule, m);
      field.opacity = 0.45f;
    } else {
      field.kind = kind.kind;
      field.molecule = m;
      field.opacity = kind.kind == Field::Kind::solvent_excluded ? 1.0f : 0.45f;
      field.radius_scale = 0.7f;  // closer to the atoms than one surface for everything
      colour_plainly(scene, field);
      hide_water(scene, m);
      if (kind.kind == Field::Kind::cavities) {
        field.colouring = Colouring::uniform;
        field.colour = {230, 120, 30, 255};
      }
      if (kind.probe >= 0) field.probe_radius = kind.probe;
      field.selection = polymer_selection(*molecule);
    }
    if (!options.selection.empty()) field.selection = options.selection;
    scene.fields.push_back(field);
  }
}

void colour_surfaces(Scene& scene, Documents& documents, const SceneOptions& options) {
  const std::string by = options.colour_by.empty() && !options.map.empty() ? "map" : options.colour_by;
  if (!options.map.empty() && by != "map") throw Error("--map FILE goes with --colour-by map", Error::Kind::usage);
  const bool of_atoms =
      std::any_of(scene.fields.begin(), scene.fields.end(), [](const Field& f) { return wraps_atoms(f.kind); });
  const auto coloured = [&](const Field& field) {
    if (of_atoms) return wraps_atoms(field.kind);
    return (by == "potential" || by == "map") && field.kind != Field::Kind::potential;
  };
  if (std::none_of(scene.fields.begin(), scene.fields.end(), coloured))
    throw Error(
        "--colour-by, --map, --range and --offset are for surfaces: --surface gaussian, ses, sas or cavities. Atoms "
        "take --colour",
        Error::Kind::usage);
  std::pair<std::uint32_t, std::uint32_t> map;
  if (by == "map") map = find_map(scene, documents, options);
  const auto is_map = [&](const Field& field) {
    return field.kind == Field::Kind::volume && std::pair(field.molecule, field.volume) == map;
  };
  // The volume colours a surface; its own would hide that.
  if (by == "map" && of_atoms) std::erase_if(scene.fields, is_map);
  for (std::size_t i = 0; i < scene.fields.size(); ++i) {
    Field& field = scene.fields[i];
    if (!coloured(field)) continue;
    if (by == "potential") {
      paint_by_usual_potential(field, *documents.molecule(scene.molecules[field.molecule]));
      // The water and the ions of the file are not part of it.
      if (options.selection.empty() && options.style.empty()) hide_ions(scene, field.molecule);
      if (options.selection.empty() && field.selection == "all")
        field.selection = polymer_selection(*documents.molecule(scene.molecules[field.molecule]));
    } else if (by == "map") {
      field.paint = Field::Paint::map;
      std::tie(field.map_molecule, field.map_volume) = map;
      field.opacity = 1;
    } else if (by == "curvature") {
      field.paint = Field::Paint::curvature;
      field.opacity = 1;
    } else if (!by.empty()) {
      colour_by_word(scene, i, by);
    }
    if (options.range > 0) scene.fields[i].paint_range = options.range;
    if (options.offset != 0) scene.fields[i].paint_offset = options.offset;
  }
}

void label_extremes(Scene& scene) {
  bool any = false;
  for (Field& field : scene.fields) {
    if (field.kind == Field::Kind::potential) continue;
    if (field.paint != Field::Paint::potential && field.paint != Field::Paint::map) continue;
    field.extremes = any = true;
  }
  if (!any)
    throw Error("--extremes is for surfaces that a potential or a map colours (--colour-by, --map)",
                Error::Kind::usage);
}

void set_potentials(Scene& scene, const SceneOptions& options) {
  const auto method = method_of_field(options.method);
  bool any = false;
  for (Field& field : scene.fields) {
    if (!has_potential(field)) continue;
    any = true;
    set_potential(field, method, options.unit, options.range);
  }
  if (!any)
    throw Error("--method and --unit are for potentials: --surface --colour-by potential, or --surface potential",
                Error::Kind::usage);
}

}  // namespace isolume::cli
