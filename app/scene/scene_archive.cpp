// The keys of a scene in JSON: each type is described once, for reading and for writing.
#include "app/scene/scene_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/scene/json_values.h"
#include "app/scene/movie.h"
#include "app/scene/scene_words.h"
#include "compute/trajectory/smoothed_trajectory.h"
#include "molecule/selection/selection_names.h"

namespace isolume {

template <class Archive>
void describe(Archive& a, Placement& placement) {
  a.rotation("rotation", placement.motion.rotation);
  a.vector("translation", placement.motion.translation);
  a.text("steady", placement.steady);
  a.number("steady_frame", placement.steady_frame, 0, whole_max);
}

template <class Archive>
void describe(Archive& a, CellTreatment& cell) {
  a.word("molecules", cell.mode, scene_words::cell);
  a.text("selection", cell.selection);
}

template <class Archive>
void describe(Archive& a, SceneMolecule& molecule) {
  a.texts("paths", molecule.paths);
  a.texts("templates", molecule.templates);
  a.flag("visible", molecule.visible);
  a.text("assembly", molecule.assembly);
  a.whole_numbers("images", molecule.images, 1, 9);
  a.object("cell", molecule.cell);
  a.object("placement", molecule.placement);
  a.number("smoothing", molecule.smoothing, 0, most_smoothing);
}

template <class Archive>
void describe(Archive& a, HydrogenBondRule& rule) {
  a.number("distance", rule.distance, 0.1, 10);
  a.number("angle", rule.angle, 0, 180);
}

template <class Archive>
void describe(Archive& a, StyleOptions& options) {
  a.number("sphere_scale", options.sphere_scale, 0, 1000);
  a.number("bond_radius", options.bond_radius, 0, 1000);
  a.number("line_width", options.line_width, 0, 1000);
  a.number("cartoon_width", options.cartoon_width, 0, 1000);
  a.number("detail", options.detail, 1, 64);
  a.word("profile", options.profile, scene_words::profile);
  a.word("bases", options.bases, scene_words::bases);
  a.number("probability", options.probability, 0.01, 0.99);
  a.word("vectors", options.vectors, scene_words::vector);
  a.number("vector_scale", options.vector_scale, 0, 1e6);
  a.object("hydrogen_bonds", options.hydrogen_bonds);
}

template <class Archive>
void describe(Archive& a, Outline& outline) {
  a.word("mode", outline.mode, scene_words::outline);
  a.number("width", outline.width, 0.5, 20);
  a.colour("colour", outline.colour);
}

template <class Archive>
void describe(Archive& a, ClipPlane& plane) {
  a.vector("point", plane.point);
  a.vector("normal", plane.normal);
  a.number("offset", plane.offset, -farthest, farthest);
  a.word("cuts", plane.cuts, scene_words::cuts);
  a.flag("on", plane.on);
}

template <class Archive>
void describe(Archive& a, Representation& representation) {
  a.number("molecule", representation.molecule, 0, most_entries);
  a.text("selection", representation.selection);
  a.word("style", representation.style, scene_words::style);
  a.word("colouring", representation.colouring, scene_words::colouring);
  a.colour("colour", representation.colour);
  a.text("value", representation.value);
  a.number("map_molecule", representation.map_molecule, 0, most_entries);
  a.number("map_volume", representation.map_volume, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("probe", representation.probe, 0, most_entries);
  a.text("file", representation.file);
  a.word("colours", representation.colours, scene_words::map);
  a.number("lower", representation.lower, -1e30, 1e30);
  a.number("upper", representation.upper, -1e30, 1e30);
  a.object("options", representation.options);
  a.word("structure", representation.structure, scene_words::structure);
  a.word("material", representation.material, scene_words::material);
  a.object("outline", representation.outline);
  a.number("opacity", representation.opacity, 0, 1);
  a.flag("visible", representation.visible);
}

template <class Archive>
void describe(Archive& a, PotentialSettings& settings) {
  a.word("method", settings.method, scene_words::method);
  a.number("accuracy", settings.accuracy, 2e-5, 0.1);
  a.flag("periodic", settings.periodic);
  a.number("cutoff", settings.cutoff, 0.1, 1000);
  a.text("hcp_thresholds", settings.hcp_thresholds);
  a.number("hcp_charges", settings.hcp_charges, 1, 2);
  a.word("medium", settings.medium, scene_words::medium);
  a.number("dielectric", settings.dielectric, 1, 1e4);
  a.number("ionic_strength", settings.ionic_strength, 0, 100);
  a.number("solvent_dielectric", settings.solvent_dielectric, 1, 1e4);
  a.number("solute_dielectric", settings.solute_dielectric, 1, 1e3);
  a.flag("nonlinear", settings.nonlinear);
  a.number("target_error", settings.target_error, 0, 0.1);
  a.number("temperature", settings.temperature, 1, 1e5);
  a.word("unit", settings.unit, scene_words::unit);
}

template <class Archive>
void describe(Archive& a, MapChoice& map) {
  a.flag("given", map.given);
  a.number("molecule", map.molecule, 0, most_entries);
  a.number("volume", map.volume, 0, std::numeric_limits<std::uint32_t>::max());
}

template <class Archive>
void describe(Archive& a, Subtrahend& minus) {
  a.word("kind", minus.kind, scene_words::subtrahend);
  a.number("molecule", minus.molecule, 0, most_entries);
  a.text("selection", minus.selection);
  a.text("charges", minus.charges);
  a.flag("fixed", minus.fixed);
  a.number("frame", minus.frame, 0, std::numeric_limits<std::uint32_t>::max());
  a.object("potential", minus.potential);
  a.number("volume", minus.volume, 0, std::numeric_limits<std::uint32_t>::max());
  a.flag("resample", minus.resample);
  a.object("own_error", minus.own_error);
  a.object("error", minus.error);
}

template <class Archive>
void describe(Archive& a, SlicePlane& slice) {
  a.word("plane", slice.kind, scene_words::plane);
  a.text("selection", slice.selection);
  a.number("offset", slice.offset, -farthest, farthest);
}

template <class Archive>
void describe(Archive& a, LineSeeds& seeds) {
  a.word("from", seeds.kind, scene_words::seed);
  a.object("plane", seeds.plane);
  a.text("selection", seeds.selection);
  a.number("radius", seeds.radius, 0.1, 100);
}

template <class Archive>
void describe(Archive& a, TransferPoint& point) {
  a.number("at", point.at, -1, 1);
  a.colour("colour", point.colour);
}

template <class Archive>
void describe(Archive& a, Field& field) {
  a.word("kind", field.kind, scene_words::field);
  a.word("show", field.show, scene_words::show);
  a.number("molecule", field.molecule, 0, most_entries);
  a.text("selection", field.selection);
  a.text("partners", field.partners);
  a.text("orbital", field.orbital);
  a.word("spin", field.spin, scene_words::spin);
  a.flag("follow", field.follow);
  a.number("follow_from", field.follow_from, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("enclosed", field.enclosed, 0, 0.9999);
  a.number("volume", field.volume, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("zone", field.zone, 0, farthest);
  a.number("zone_molecule", field.zone_molecule, 0, most_entries);
  a.number("spacing", field.spacing, 0, farthest);
  a.number("isovalue", field.isovalue, -1e30, 1e30);
  a.flag("both_signs", field.both_signs);
  a.number("radius_scale", field.radius_scale, 0, 1000);
  a.word("beads", field.beads, scene_words::bead);
  a.word("quality", field.quality, scene_words::quality);
  a.number("probe_radius", field.probe_radius, 0, 100);
  a.flag("periodic", field.periodic);
  a.whole_numbers("repeat", field.repeat, 0, 4);
  a.word("style", field.style, scene_words::surface);
  a.object("slice", field.slice);
  a.word("colouring", field.colouring, Words(scene_words::colouring).first(15));  // those that need no numbers
  a.word("paint", field.paint, scene_words::paint);
  a.number("paint_range", field.paint_range, 0, 1e6);
  a.number("paint_offset", field.paint_offset, -100, 100);
  a.flag("extremes", field.extremes);
  a.number("shown_lower", field.shown_lower, -1e30, 1e30);
  a.number("shown_upper", field.shown_upper, -1e30, 1e30);
  a.flag("interatomic", field.interatomic);
  a.number("map_molecule", field.map_molecule, 0, most_entries);
  a.number("map_volume", field.map_volume, 0, std::numeric_limits<std::uint32_t>::max());
  a.object("potential", field.potential);
  a.object("minus", field.minus);
  a.colour("colour", field.colour);
  a.colour("negative_colour", field.negative_colour);
  a.word("material", field.material, scene_words::material);
  a.object("outline", field.outline);
  a.list("transfer", field.transfer);
  a.number("lines", field.lines, 1, 10000);
  a.object("seeds", field.seeds);
  a.number("cloud_range", field.cloud_range, 0, 1e30);
  a.number("opacity", field.opacity, 0, 1);
  a.flag("visible", field.visible);
}

template <class Archive>
void describe(Archive& a, SceneAtom& atom) {
  a.number("molecule", atom.molecule, 0, most_entries);
  a.number("atom", atom.atom, 0, std::numeric_limits<std::uint32_t>::max());
}

template <class Archive>
void describe(Archive& a, ScenePoint& point) {
  a.vector("position", point.position);
}

template <class Archive>
void describe(Archive& a, Measurement& measurement) {
  a.list("atoms", measurement.atoms);
  a.colour("colour", measurement.colour);
  a.flag("ruler", measurement.ruler);
  a.list("points", measurement.points);
  a.flag("visible", measurement.visible);
}

template <class Archive>
void describe(Archive& a, LabelSet& labels) {
  a.number("molecule", labels.molecule, 0, most_entries);
  a.text("selection", labels.selection);
  a.word("text", labels.text, scene_words::label);
  a.text("own", labels.own);
  a.number("points", labels.points, 0, 500);
  a.flag("visible", labels.visible);
}

template <class Archive>
void describe(Archive& a, InteractionSet& set) {
  a.number("molecule", set.molecule, 0, most_entries);
  a.text("selection", set.selection);
  a.text("other", set.other);
  a.flag("hydrogen_bonds", set.hydrogen_bonds);
  a.flag("salt_bridges", set.salt_bridges);
  a.flag("stacking", set.stacking);
  a.flag("cation_pi", set.cation_pi);
  a.flag("clashes", set.clashes);
  a.flag("contacts", set.contacts);
  a.flag("visible", set.visible);
}

template <class Archive>
void describe(Archive& a, FieldProbe& probe) {
  a.word("kind", probe.kind, scene_words::probe);
  a.number("molecule", probe.molecule, 0, most_entries);
  a.number("atom", probe.atom, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("second", probe.second, 0, std::numeric_limits<std::uint32_t>::max());
  a.vector("position", probe.position);
  a.flag("visible", probe.visible);
}

template <class Archive>
void describe(Archive& a, ProbeSettings& settings) {
  a.object("potential", settings.potential);
  a.word("by", settings.by, scene_words::share);
}

template <class Archive>
void describe(Archive& a, NamedSelection& named) {
  a.text("name", named.name);
  a.number("molecule", named.molecule, 0, most_entries);
  a.text("selection", named.selection);
}

template <class Archive>
void describe(Archive& a, Camera& camera) {
  a.vector("centre", camera.centre);
  a.rotation("rotation", camera.rotation);
  a.number("height", camera.height, 1e-6, farthest);
  a.number("field_of_view", camera.field_of_view, 1, 170);
  a.word("projection", camera.projection, scene_words::projection);
  a.number("slab_front", camera.slab_front, -farthest, farthest);
  a.number("slab_back", camera.slab_back, -farthest, farthest);
}

template <class Archive>
void describe(Archive& a, Look& look) {
  a.colour("background", look.background);
  a.colour("background_bottom", look.background_bottom);
  a.flag("ambient_occlusion", look.ambient_occlusion);
  a.number("ambient_occlusion_radius", look.ambient_occlusion_radius, 0, 1e6);
  a.number("ambient_occlusion_strength", look.ambient_occlusion_strength, 0, 100);
  a.flag("outlines", look.outlines);
  a.number("outline_width", look.outline_width, 0, 100);
  a.number("depth_cue", look.depth_cue, 0, 1);
  a.flag("shadows", look.shadows);
  a.number("ambient", look.ambient, 0, 10);
  a.number("diffuse", look.diffuse, 0, 10);
  a.number("specular", look.specular, 0, 10);
  a.number("shininess", look.shininess, 0, 1e4);
  a.vector("light", look.light);
  a.flag("axes", look.axes);
  a.word("scale_bar", look.scale_bar, scene_words::scale_bar);
  a.number("text_points", look.text_points, 0, 500);
  a.flag("caps", look.caps);
  a.number("depth_of_field", look.depth_of_field, 0, 0.2);
  a.number("focus", look.focus, -1e6, 1e6);
}

template <class Archive>
void describe(Archive& a, Playback& playback) {
  a.number("frames_per_second", playback.frames_per_second, 0.01, 1000);
  a.number("stride", playback.stride, 1, 1e9);
  a.word("loop", playback.loop, scene_words::loop);
}

template <class Archive>
void describe(Archive& a, SavedView& view) {
  a.text("name", view.name);
  a.object("camera", view.camera);
  a.number("frame", view.frame, 0, whole_max);
}

template <class Archive>
void describe(Archive& a, KeyedRepresentation& shown) {
  a.flag("visible", shown.visible);
  a.number("opacity", shown.opacity, 0, 1);
  a.colour("colour", shown.colour);
}

template <class Archive>
void describe(Archive& a, KeyedField& shown) {
  a.flag("visible", shown.visible);
  a.number("opacity", shown.opacity, 0, 1);
  a.number("isovalue", shown.isovalue, -1e30, 1e30);
  a.number("enclosed", shown.enclosed, 0, 0.9999);
  a.number("slice_offset", shown.slice_offset, -farthest, farthest);
  a.colour("colour", shown.colour);
  a.colour("negative_colour", shown.negative_colour);
}

template <class Archive>
void describe(Archive& a, MovieKey& key) {
  a.number("time", key.time, 0, longest_movie);
  a.word("easing", key.easing, scene_words::easing);
  a.number("turns", key.turns, -most_turns, most_turns);
  a.object("camera", key.camera);
  a.number("frame", key.frame, 0, whole_max);
  a.list("representations", key.representations);
  a.list("fields", key.fields);
  a.list("clip_planes", key.clip_planes);
}

template <class Archive>
void describe(Archive& a, Scene& scene) {
  a.list("molecules", scene.molecules);
  a.list("representations", scene.representations);
  a.list("fields", scene.fields);
  a.list("measurements", scene.measurements);
  a.list("labels", scene.labels);
  a.list("interactions", scene.interactions);
  a.list("selections", scene.selections);
  a.list("probes", scene.probes);
  a.object("probing", scene.probing);
  a.list("views", scene.views);
  a.list("clip_planes", scene.clip_planes);
  a.list("keys", scene.keys);
  a.object("camera", scene.camera);
  a.object("look", scene.look);
  a.object("playback", scene.playback);
  a.number("frame", scene.frame, 0, whole_max);
  a.flag("show_box", scene.show_box);
  a.word("legends", scene.legends, scene_words::legend);
  a.word("layout", scene.layout, scene_words::layout);
  a.number("tile_columns", scene.tile_columns, 0, 64);
}

namespace {

template <class T>
void check_molecules(const std::vector<T>& entries, const char* key, std::size_t count) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].molecule >= count)
      throw Error(fmt::format("{}[{}].molecule: {} is beyond the {} molecules of the scene (they count from 0)", key, i,
                              entries[i].molecule, count),
                  Error::Kind::input);
}

void check_clip_planes(const std::vector<ClipPlane>& planes, const std::string& name) {
  if (planes.size() > most_clip_planes)
    throw Error(fmt::format("{}: at most {} planes can cut a picture, found {}", name, most_clip_planes, planes.size()),
                Error::Kind::input);
  for (std::size_t i = 0; i < planes.size(); ++i)
    if (!(glm::length(planes[i].normal) > 1e-9))
      throw Error(fmt::format("{}[{}].normal: a direction is needed, found 0, 0, 0", name, i), Error::Kind::input);
}

/// What a key frame does not say is as in the scene.
void complete_keys(Scene& scene, const Json& tree) {
  for (std::size_t i = 0; i < scene.keys.size(); ++i) {
    const Json& said = tree.at("keys")[i];
    if (!said.contains("camera")) scene.keys[i].camera = scene.camera;
    if (!said.contains("frame")) scene.keys[i].frame = scene.frame;
    if (!said.contains("clip_planes")) scene.keys[i].clip_planes = scene.clip_planes;
  }
}

}  // namespace

nlohmann::ordered_json scene_to_tree(const Scene& scene) {
  Scene copy = scene;
  OrderedJson tree = OrderedJson::object();
  JsonWriter writer(tree);
  describe(writer, copy);
  return tree;
}

Scene scene_from_tree(const nlohmann::json& tree, std::vector<std::string>* notes) {
  Scene scene;
  JsonReader reader(tree, {}, notes);
  describe(reader, scene);
  reader.note_unknown();
  check_molecules(scene.representations, "representations", scene.molecules.size());
  check_molecules(scene.fields, "fields", scene.molecules.size());
  check_molecules(scene.labels, "labels", scene.molecules.size());
  check_molecules(scene.interactions, "interactions", scene.molecules.size());
  check_molecules(scene.selections, "selections", scene.molecules.size());
  check_molecules(scene.probes, "probes", scene.molecules.size());
  for (std::size_t i = 0; i < scene.selections.size(); ++i)
    if (!is_selection_name(scene.selections[i].name))
      throw Error(
          fmt::format("selections[{}].name: expected a letter, then letters, digits or _, at most 64, found '{}'", i,
                      scene.selections[i].name),
          Error::Kind::input);
  check_clip_planes(scene.clip_planes, "clip_planes");
  for (std::size_t i = 0; i < scene.keys.size(); ++i)
    check_clip_planes(scene.keys[i].clip_planes, fmt::format("keys[{}].clip_planes", i));
  complete_keys(scene, tree);
  check_keys(scene.keys);
  std::sort(scene.keys.begin(), scene.keys.end(), [](const MovieKey& a, const MovieKey& b) { return a.time < b.time; });
  for (std::size_t i = 0; i < scene.measurements.size(); ++i) {
    const auto& atoms = scene.measurements[i].atoms;
    const std::size_t points = scene.measurements[i].points.size();
    if (points > 0 && (!scene.measurements[i].ruler || atoms.size() + points != 2))
      throw Error(fmt::format("measurements[{}].points: only rulers have them, with two ends; found {} atoms and {} "
                              "points{}",
                              i, atoms.size(), points, scene.measurements[i].ruler ? "" : " of no ruler"),
                  Error::Kind::input);
    if (points == 0 && (atoms.empty() || atoms.size() > 4))
      throw Error(fmt::format("measurements[{}].atoms: expected 1 to 4 atoms, found {}", i, atoms.size()),
                  Error::Kind::input);
    check_molecules(atoms, fmt::format("measurements[{}].atoms", i).c_str(), scene.molecules.size());
  }
  return scene;
}

}  // namespace isolume
