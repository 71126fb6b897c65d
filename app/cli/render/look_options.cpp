// The options of the command line that change how a scene looks.
#include "app/cli/render/look_options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/scene/scene_json.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

glm::ivec3 images_of(const std::string& text) {
  glm::ivec3 images(0);
  const char* at = text.data();
  const char* end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [stop, fault] = std::from_chars(at, end, images[axis]);
    const bool separated = axis == 2 ? stop == end : stop != end && (*stop == 'x' || *stop == 'X');
    if (fault != std::errc() || !separated || images[axis] < 1 || images[axis] > 9)
      throw Error(fmt::format("--images {}: expected three numbers from 1 to 9, such as 2x2x1", text),
                  Error::Kind::usage);
    at = stop + 1;
  }
  return images;
}

}  // namespace

void add_look_options(Verb command, LookOptions& options) {
  command.option("--material", options.material, "standard, matt, glossy, metal, toon or glass, of all that is drawn");
  command.option("--images", options.images, "periodic images along the cell's vectors, as 2x2x1").type_name("AxBxC");
  command.option("--legends", options.legends, "legends in the picture: scales, all (names too) or none");
  command
      .option("--scale-bar", options.scale_bar,
              "a bar of a round length in the lower right corner, in angstrom or nm (with perspective that of the "
              "centre of rotation)")
      .expected(0, 1)
      .default_text("angstrom")
      .one_of({"angstrom", "nm"});
  command.flag("--cloud", options.cloud, "draw orbitals, potentials and volumes as clouds (volume rendering)");
  command
      .flag("--field-lines{150}", options.field_lines,
            "draw potentials and volumes as the lines along which they fall, at most 150 or =N")
      .range(1, 10000);
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
    if (wraps_atoms(field.kind)) continue;
    field.show = Field::Show::cloud;
    found = true;
  }
  require_field(found, "--cloud", "orbitals, potentials and volumes", "--orbital or --surface potential adds one");
}

void show_lines(Scene& scene, int most) {
  bool found = false;
  for (Field& field : scene.fields) {
    if (field.kind != Field::Kind::potential && field.kind != Field::Kind::volume) continue;
    field.show = Field::Show::lines;
    field.lines = static_cast<std::uint32_t>(most);
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
  if (options.cloud) show_clouds(scene);
  if (options.field_lines != 0) show_lines(scene, options.field_lines);
  if (!options.images.empty())
    for (SceneMolecule& molecule : scene.molecules) molecule.images = images_of(options.images);
  if (!options.legends.empty()) set_value(scene, "legends", options.legends);
  if (!options.scale_bar.empty()) set_value(scene, "look.scale_bar", options.scale_bar);
  if (options.shadows) scene.look.shadows = true;
  if (options.depth_of_field > 0) scene.look.depth_of_field = static_cast<float>(options.depth_of_field / 100);
}

}  // namespace isolume::cli
