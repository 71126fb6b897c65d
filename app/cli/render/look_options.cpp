// The options of the command line that change how a scene looks.
#include "app/cli/render/look_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/cli/slice_option.h"
#include "app/scene/density_name.h"
#include "app/scene/json_colour.h"
#include "app/scene/scene_json.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"
#include "molecule/selection/selection_names.h"

namespace isolume::cli {
namespace {

/// "2x2x1": three numbers of a range, one for each axis.
glm::ivec3 numbers_of(const char* option, const std::string& text, int lowest, int highest) {
  glm::ivec3 images(0);
  const char* at = text.data();
  const char* end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [stop, fault] = std::from_chars(at, end, images[axis]);
    const bool separated = axis == 2 ? stop == end : stop != end && (*stop == 'x' || *stop == 'X');
    if (fault != std::errc() || !separated || images[axis] < lowest || images[axis] > highest)
      throw Error(fmt::format("{} {}: expected three numbers from {} to {}, such as {}x{}x1", option, text, lowest,
                              highest, lowest + 1, lowest + 1),
                  Error::Kind::usage);
    at = stop + 1;
  }
  return images;
}

/// "off", "scene", "on", "red", "#ff0000:3".
Outline outline_of(const char* option, const std::string& text) {
  Outline outline;
  if (text == "off" || text == "scene") {
    outline.mode = text == "off" ? Outline::Mode::off : Outline::Mode::scene;
    return outline;
  }
  outline.mode = Outline::Mode::on;
  const std::size_t colon = text.find(':');
  const std::string colour = text.substr(0, colon);
  if (const auto found = parse_colour(colour)) {
    outline.colour = *found;
  } else if (colour != "on") {
    throw Error(fmt::format("{} {}: '{}' is no colour; expected off, scene, on, #rrggbb or one of {}", option, text,
                            colour, fmt::join(colour_names(), ", ")),
                Error::Kind::usage);
  }
  if (colon == std::string::npos) return outline;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data() + colon + 1, end, outline.width);
  if (fault != std::errc() || stop != end || !(outline.width >= 0.5f && outline.width <= 20))
    throw Error(fmt::format("{} {}: expected a width from 0.5 to 20 pixels behind the colon", option, text),
                Error::Kind::usage);
  return outline;
}

}  // namespace

void add_look_options(Verb command, LookOptions& options) {
  command.option("--material", options.material, "standard, matt, glossy, metal, toon or glass, of all that is drawn");
  command
      .option("--outline", options.outline,
              "of the atoms: off, scene (as the whole picture), or a colour, behind a colon pixels: red:3")
      .type_name("COLOUR[:PIXELS]");
  command.option("--surface-outline", options.surface_outline, "the same of surfaces").type_name("COLOUR[:PIXELS]");
  command.option("--images", options.images, "periodic images along the cell's vectors, as 2x2x1").type_name("AxBxC");
  command
      .option("--map-copies", options.map_copies,
              "copies of the maps, each of one period, to each side along their axes, from 0x0x0 to 4x4x4")
      .type_name("AxBxC");
  command.option("--legends", options.legends, "legends in the picture: scales, all (names too) or none");
  command
      .option("--scale-bar", options.scale_bar,
              "a bar of a round length in the lower right corner, in angstrom or nm (with perspective that of the "
              "centre of rotation)")
      .expected(0, 1)
      .default_text("angstrom")
      .one_of({"angstrom", "nm"});
  command
      .option("--text-size", options.text_points,
              "size of the letters of labels, legends, rulers and the scale bar in points at --dpi (96 where that is "
              "not given); else a fiftieth of the picture's height")
      .range(1.0, 500.0)
      .type_name("POINTS");
  command.flag("--cloud", options.cloud, "draw orbitals, potentials and volumes as clouds (volume rendering)");
  command
      .flag("--field-lines{150}", options.field_lines,
            "draw potentials and volumes as the lines along which they fall, at most 150 or =N")
      .range(1, 10000);
  command
      .option("--field-lines-from", options.lines_from,
              "where field lines go through: surface (of the atoms, or isosurfaces; default), plane:z, plane:SELECTION "
              "or plane:z:0.5 as of --slice, or around:SELECTION, around:SELECTION:RADIUS (2 angstrom about each atom)")
      .type_name("PLACE");
  command.flag("--bond-paths", options.bond_paths,
               "draw electron densities as their critical points and bond paths (with --orbital density)");
  command.flag("--interatomic-surfaces", options.interatomic,
               "with --bond-paths: also the surfaces between atoms, through which the density has no flux");
  command.flag("--shadows", options.shadows, "shadows of the key light");
  command
      .option("--depth-of-field", options.depth_of_field,
              "blur before and behind the middle, percent of the picture's height")
      .range(0.0, 20.0)
      .type_name("PERCENT");
}

namespace {

/// Throws where an option would change nothing, and says what it is for.
void require_field(bool found, const char* option, const char* what, const char* how) {
  if (!found)
    throw Error(fmt::format("{} draws {}, and the picture has none; {}", option, what, how), Error::Kind::usage);
}

void show_clouds(Scene& scene) {
  bool found = false;
  for (Field& field : scene.fields) {
    if (wraps_atoms(field.kind) || field.kind == Field::Kind::contacts) continue;
    field.show = Field::Show::cloud;
    found = true;
  }
  require_field(found, "--cloud", "orbitals, potentials and volumes", "--orbital or --surface potential adds one");
}

void show_bond_paths(Scene& scene, bool interatomic) {
  bool found = false;
  for (Field& field : scene.fields) {
    if (field.kind != Field::Kind::orbital || field.orbital != electron_density_name) continue;
    field.show = Field::Show::paths;
    field.interatomic = interatomic;
    field.opacity = 1;
    found = true;
  }
  require_field(found, "--bond-paths", "electron densities", "--orbital density adds one");
}

LineSeeds parse_seeds(const std::string& text) {
  LineSeeds seeds;
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon), rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (word == "plane") {
    seeds.kind = LineSeeds::Kind::plane;
    seeds.plane = parse_slice(rest, "--field-lines-from plane");
  } else if (word == "around") {
    seeds.kind = LineSeeds::Kind::atoms;
    const std::size_t last = rest.rfind(':');
    seeds.selection = rest.substr(0, last);
    if (last != std::string::npos) {
      const std::optional<double> radius = parse_real(rest.substr(last + 1));
      if (!radius || !(*radius >= 0.1 && *radius <= 100))
        throw Error(
            fmt::format("--field-lines-from {}: expected a radius of 0.1 to 100 angstrom behind the last colon", text),
            Error::Kind::usage);
      seeds.radius = *radius;
    }
    if (seeds.selection.empty())
      throw Error("--field-lines-from around: expected a selection of atoms, such as \"around:index 4\"",
                  Error::Kind::usage);
    if (!has_names(seeds.selection)) seeds.selection = Selection(seeds.selection).text();
  } else if (text != "surface") {
    throw Error(fmt::format("--field-lines-from {}: there are surface, plane:PLANE and around:SELECTION", text),
                Error::Kind::usage);
  }
  return seeds;
}

void show_lines(Scene& scene, int most, const std::string& from) {
  const LineSeeds seeds = parse_seeds(from.empty() ? "surface" : from);
  bool found = false;
  for (Field& field : scene.fields) {
    if (field.kind != Field::Kind::potential && field.kind != Field::Kind::volume) continue;
    field.show = Field::Show::lines;
    field.lines = static_cast<std::uint32_t>(most);
    field.seeds = seeds;
    field.opacity = 1;  // tubes are to be solid, surfaces need not
    found = true;
  }
  require_field(found, "--field-lines", "potentials and volumes", "--surface potential adds one");
}

}  // namespace

void apply_look(Scene& scene, const LookOptions& options) {
  if (!options.material.empty()) {
    for (std::size_t i = 0; i < scene.representations.size(); ++i)
      set_value(scene, fmt::format("representations[{}].material", i), options.material);
    for (std::size_t i = 0; i < scene.fields.size(); ++i)
      set_value(scene, fmt::format("fields[{}].material", i), options.material);
  }
  if (!options.outline.empty())
    for (Representation& representation : scene.representations)
      representation.outline = outline_of("--outline", options.outline);
  if (!options.surface_outline.empty()) {
    require_field(!scene.fields.empty(), "--surface-outline", "lines around surfaces", "--surface adds one");
    for (Field& field : scene.fields) field.outline = outline_of("--surface-outline", options.surface_outline);
  }
  if (options.cloud) show_clouds(scene);
  if (options.interatomic && !options.bond_paths)
    throw Error("--interatomic-surfaces belongs to --bond-paths", Error::Kind::usage);
  if (options.bond_paths) show_bond_paths(scene, options.interatomic);
  if (options.field_lines == 0 && !options.lines_from.empty())
    throw Error("--field-lines-from belongs to --field-lines", Error::Kind::usage);
  if (options.field_lines != 0) show_lines(scene, options.field_lines, options.lines_from);
  if (!options.images.empty())
    for (SceneMolecule& molecule : scene.molecules) molecule.images = numbers_of("--images", options.images, 1, 9);
  if (!options.map_copies.empty()) {
    const bool any = std::any_of(scene.fields.begin(), scene.fields.end(),
                                 [](const Field& field) { return field.kind == Field::Kind::volume; });
    require_field(any, "--map-copies", "maps", "open one (cube, DX, MRC)");
    for (Field& field : scene.fields)
      if (field.kind == Field::Kind::volume) field.repeat = numbers_of("--map-copies", options.map_copies, 0, 4);
  }
  if (!options.legends.empty()) set_value(scene, "legends", options.legends);
  if (!options.scale_bar.empty()) set_value(scene, "look.scale_bar", options.scale_bar);
  if (options.text_points > 0) scene.look.text_points = static_cast<float>(options.text_points);
  if (options.shadows) scene.look.shadows = true;
  if (options.depth_of_field > 0) scene.look.depth_of_field = static_cast<float>(options.depth_of_field / 100);
}

}  // namespace isolume::cli
