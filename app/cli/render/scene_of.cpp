// The scene of files or of a session, changed by the options of the command line.
#include "app/cli/render/scene_options.h"
#include "app/view/clip_planes.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/cell_option.h"
#include "app/cli/charge_sets.h"
#include "app/cli/command.h"
#include "app/cli/other_words.h"
#include "app/cli/render/label_options.h"
#include "app/cli/render/scene_fields.h"
#include "app/cli/residue_charges.h"
#include "app/cli/scene_input.h"
#include "app/cli/trust.h"
#include "app/documents/table_charges.h"
#include "app/fields/legend.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/named_selections.h"
#include "app/scene/scene_commands.h"
#include "app/scene/scene_json.h"
#include "app/view/task_presets.h"
#include "app/view/tiling.h"
#include "formats/read_templates.h"
#include "molecule/assembly.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/number_expression.h"
#include "molecule/selection/selection.h"
#include "render/tiles.h"

namespace isolume::cli {
namespace {

/// set_value() whose message names the option instead of the place in the scene.
void set_by(const char* option, Scene& scene, const std::string& path, const std::string& value) {
  try {
    set_value(scene, path, value);
  } catch (const Error& error) {
    std::string text = error.what();
    if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
    throw Error(fmt::format("{}: {}", option, text), Error::Kind::usage);
  }
}

/// Throws where --select names no atom of any molecule, in whatever frame.
void check_selection(const Scene& scene, Documents& documents, const std::string& text) {
  if (text.empty()) return;
  std::string message;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    const Selection selection(with_names(scene, m, text));
    if (selection.depends_on_positions()) return;
    const auto molecule = documents.molecule(scene.molecules[m]);
    if (!molecule->topology || !selection.atoms(*molecule->topology, {}).empty()) return;
    if (message.empty()) message = empty_selection(text, *molecule->topology);
  }
  if (scene.molecules.empty()) return;
  throw Error("--select: " + message, Error::Kind::usage);
}

/// The usual look of the selected atoms alone; of a scene what it has, without the others.
void restrict_representations(Scene& scene, Documents& documents, const SceneOptions& options) {
  if (is_scene(options.files.front())) {
    for (Representation& r : scene.representations)
      r.selection = r.selection == "all" ? options.selection : "(" + r.selection + ") and (" + options.selection + ")";
    return;
  }
  std::vector<Representation> made;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m)
    for (Representation& own : usual_representations(scene, documents, m, options.selection))
      made.push_back(std::move(own));
  scene.representations = std::move(made);
  tell_molecules_apart(scene);
}

/// One representation for each molecule instead of what there was, in the style that is asked for.
void replace_representations(Scene& scene, const SceneOptions& options) {
  std::vector<Representation> made;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    Representation representation;
    for (const Representation& old : scene.representations)
      if (old.molecule == m) {
        representation = old;
        break;
      }
    representation.molecule = m;
    representation.visible = true;
    representation.selection = options.selection.empty() ? "all" : options.selection;
    made.push_back(representation);
  }
  scene.representations = std::move(made);
  for (std::size_t i = 0; i < scene.representations.size(); ++i)
    set_by("--style", scene, fmt::format("representations[{}].style", i), own_style(options.style));
  for (Representation& r : scene.representations)
    if (r.style == Style::hydrogen_bonds) r.colouring = Colouring::uniform, r.colour = hydrogen_bond_colour;
}

void colour_representations(Scene& scene, const std::string& colour) {
  for (std::size_t i = 0; i < scene.representations.size(); ++i) {
    const std::string at = fmt::format("representations[{}].", i);
    if (colour.front() == '=') {
      scene.representations[i].colouring = Colouring::value;
      scene.representations[i].value = NumberExpression(colour.substr(1)).text();
      continue;
    }
    if (colour.starts_with("file:")) {
      scene.representations[i].colouring = Colouring::file;
      scene.representations[i].file = colour.substr(5);
      continue;
    }
    try {
      set_value(scene, at + "colour", colour);
      scene.representations[i].colouring = Colouring::uniform;
    } catch (const Error&) {
      // Names what there is where it is neither.
      set_by("--colour", scene, at + "colouring", own_colouring(colour));
    }
  }
}

// The molecules whose files describe that assembly are built; Error where none does.
void build_assemblies(std::vector<SceneMolecule>& opened, Documents& documents, const std::string& assembly) {
  if (assembly.empty() || opened.empty()) return;
  if (mates_distance(assembly)) {  // of every molecule with a cell; the first says what is missing
    for (SceneMolecule& entry : opened) {
      const auto molecule = documents.molecule(entry);
      if (&entry != &opened.front() && (molecule->frame_count() == 0 || !molecule->trajectory->frame(0).cell.exists()))
        continue;
      entry.assembly = assembly;
    }
    return;
  }
  bool any = false;
  for (SceneMolecule& entry : opened) {
    const auto& described = documents.molecule(entry)->assemblies;
    if (std::none_of(described.begin(), described.end(), [&](const auto& a) { return a->id == assembly; })) continue;
    entry.assembly = assembly;
    any = true;
  }
  if (!any) find_assembly(*documents.molecule(opened.front()), assembly);  // says what there is
}

/// The molecules without charges get those of templates; says what became of them.
void give_templates(std::vector<SceneMolecule>& opened, Documents& documents, const std::vector<std::string>& templates,
                    const std::function<void(const std::string&)>& note) {
  if (templates.empty()) return;
  bool any = false;
  for (SceneMolecule& entry : opened) {
    const auto molecule = documents.molecule(entry);
    if (!molecule->topology || molecule->frame_count() == 0 || molecule->topology->has_charges) continue;
    any = true;
    entry.templates = templates;
    const CompletedStructure completed = read_templates(templates).complete(*molecule);
    note(fmt::format("{}: {} residues completed by {} hydrogens and their charges", entry.paths.front(),
                     completed.matched, completed.added_hydrogens));
    const std::size_t missing = completed.unmatched.size();
    if (missing > 0)
      note(fmt::format(
          "{} of {} residues have no template and are left out: {}{}", missing, missing + completed.matched,
          fmt::join(completed.unmatched.begin(),
                    completed.unmatched.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, missing)), "; "),
          missing > 5 ? "; ..." : ""));
  }
  if (!any)
    throw Error("--templates gives charges to structures without, and none of the files is one", Error::Kind::usage);
}

/// For a potential, proteins and nucleic acids without charges get those of the built-in tables; says so.
void give_table_charges(std::vector<SceneMolecule>& opened, Documents& documents, const SceneOptions& options,
                        const std::function<void(const std::string&)>& note) {
  const std::string tables = scene_tables(options.charges, options.build_missing);
  if (!tables.empty() && !options.templates.empty())
    throw Error("--charge-set and --templates both give charges; one of them is enough", Error::Kind::usage);
  if (!tables.empty()) {
    for (SceneMolecule& entry : opened) entry.templates = {tables};
    return;
  }
  if (!options.charges.empty()) return;
  if (!options.templates.empty() || (options.colour_by != "potential" && options.surface != "potential")) return;
  for (SceneMolecule& entry : opened) {
    const auto molecule = documents.molecule(entry);
    if (!takes_tables(*molecule)) continue;
    const PreparedStructure prepared = charged_by_tables(*molecule, usual_tables);
    entry.templates = {usual_tables};
    note(fmt::format(
        "{} has no charges: {} and charges of AMBER ff14SB are used, total charge {} e "
        "(isolume compute charges says more)",
        entry.paths.front(), counted(prepared.added_hydrogens, "added hydrogen"), charge_text(prepared.charge)));
    std::size_t left_out = 0;
    for (const ChargeIssue& issue : prepared.issues) left_out += issue.kind == ChargeIssue::Kind::left_out;
    if (left_out > 0) note(fmt::format("{} residues have no charges there, and none in the picture", left_out));
  }
}

void apply_values(Scene& scene, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos)
      throw Error(fmt::format("--set {}: expected path=value, such as camera.height=40", value), Error::Kind::usage);
    set_value(scene, value.substr(0, equals), value.substr(equals + 1));
  }
}

// Width over height of what one molecule is seen in, of a picture with this one.
double aspect_of_tiles(const Scene& scene, Documents& documents, double aspect) {
  constexpr int high = 1000;  // pixels: enough for the gaps not to count
  const TileGrid grid = TileGrid::of(static_cast<int>(tiles_of(scene, documents).size()),
                                     static_cast<int>(scene.tile_columns), static_cast<int>(high * aspect), high, 1);
  return static_cast<double>(grid.width) / grid.height;
}

/// After the camera is placed, since planes may face it.
void add_clip_planes(Scene& scene, Documents& documents, const SceneOptions& options) {
  if (options.clip_planes.empty() && !options.clip_cuts.empty())
    throw Error("--clip says what --clip-plane cuts: --clip-plane PLANE is missing", Error::Kind::usage);
  for (const std::string& words : options.clip_planes) {
    add_clip_plane(scene, clip_plane_of(words, scene, documents));
    if (!options.clip_cuts.empty())
      set_value(scene, fmt::format("clip_planes[{}].cuts", scene.clip_planes.size() - 1), options.clip_cuts);
  }
}

}  // namespace

Scene scene_of(const SceneOptions& options, Documents& documents, double aspect,
               const std::function<void(const std::string&)>& note) {
  cell_treatment(options.cell);  // errors in it are reported before any file is read
  Scene scene;
  if (is_scene(options.files.front())) {
    if (options.files.size() > 1)
      throw Error("a scene is drawn alone; to add files, open them with it in the window and save one scene",
                  Error::Kind::usage);
    std::vector<std::string> notes;
    scene = read_scene(options.files.front(), &notes);
    for (const std::string& text : notes) note(text);
    require_trust(scene, options.files.front(), options.trust);
    for (const SceneMolecule& molecule : scene.molecules) documents.molecule(molecule);
    fit_unset_camera(scene, documents, aspect);
  } else {
    std::vector<SceneMolecule> opened = documents.open(options.files);
    give_templates(opened, documents, options.templates, note);
    give_table_charges(opened, documents, options, note);
    build_assemblies(opened, documents, options.mates >= 0 ? mates_id(options.mates) : options.assembly);
    add_usual_look(scene, documents, opened, aspect);
    if (scene.representations.empty() && scene.fields.empty())
      throw Error(fmt::format("{}: nothing to draw: no atoms with positions, no orbitals, no volumes{}",
                              fmt::join(options.files, " + "),
                              options.files.size() == 1 ? "; a trajectory or structure may go with it" : ""),
                  Error::Kind::usage);
  }
  if (!options.localise.empty()) localise_orbitals(scene, documents, options.localise);
  if (!options.cell.empty())
    for (SceneMolecule& entry : scene.molecules) entry.cell = cell_treatment(options.cell);
  if (options.smoothing > 0) {
    if (frame_count(scene, documents) < 3)
      throw Error("--smooth: there is no trajectory with three frames or more", Error::Kind::usage);
    smooth_motion(scene, static_cast<std::uint32_t>(options.smoothing));
  }
  check_selection(scene, documents, options.selection);
  if (!options.preset.empty()) apply_task_preset(scene, documents, options.preset, aspect);
  if (!options.style.empty()) {
    replace_representations(scene, options);
  } else if (!options.selection.empty()) {
    restrict_representations(scene, documents, options);
  }
  if (!options.colour.empty()) colour_representations(scene, options.colour);
  if (!options.orbitals.empty()) show_orbitals(scene, documents, options);
  tune_orbitals(scene, options);
  if (!options.surface.empty()) add_surface(scene, documents, options);
  add_contacts(scene, documents, options);
  draw_fields_as(scene, options);
  const bool range_of_surfaces = options.range > 0 && options.slice.empty();
  if (!options.colour_by.empty() || !options.map.empty() || range_of_surfaces || options.offset != 0)
    colour_surfaces(scene, documents, options);
  if (options.extremes) label_extremes(scene);
  if (!options.method.empty() || !options.unit.empty()) set_potentials(scene, options);
  for (Field& field : scene.fields) {
    if (options.isovalue != 0) field.isovalue = options.isovalue;
    if (options.spacing > 0) field.spacing = options.spacing;
    if (options.periodic && wraps_atoms(field.kind)) field.periodic = true;
    if (options.probe >= 0) field.probe_radius = options.probe;
    if (options.opacity >= 0) field.opacity = static_cast<float>(options.opacity);
  }
  add_labels(scene, documents, options.labels, options.label_texts);
  if (options.box) scene.show_box = true;
  if (options.tiles) scene.layout = Layout::tiles;
  apply_look(scene, options.look);
  const bool has_view = !options.preset.empty() && options.preset != "publication";
  if (!is_scene(options.files.front()) && !has_view) {
    if (!options.slice.empty()) face_slice(scene, documents);
    const Extent extent = scene_extent(scene, documents);
    scene.camera.fit(extent.balls, aspect_of_tiles(scene, documents, aspect));
  }
  add_clip_planes(scene, documents, options);
  if (!options.background.empty()) {
    set_by("--background", scene, "look.background", options.background);
    set_value(scene, "look.background_bottom", options.background);
  }
  apply_values(scene, options.values);
  return scene;
}

}  // namespace isolume::cli
