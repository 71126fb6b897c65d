// Scenes of random values within their ranges, the same for the same seed.
#pragma once

#include <random>

#include "app/scene/scene.h"

namespace isolume::test {

class RandomScene {
 public:
  explicit RandomScene(unsigned seed) : engine_(seed), keys_engine_(seed) {}

  Scene operator()() {
    Scene scene;
    scene.molecules.resize(1 + pick(3));
    for (SceneMolecule& molecule : scene.molecules) {
      const std::size_t paths = 1 + pick(3);
      for (std::size_t i = 0; i < paths; ++i) molecule.paths.push_back(text() + "/" + text() + ".pdb");
      molecule.visible = flag();
      if (flag()) molecule.assembly = text();
      for (int axis = 0; axis < 3; ++axis) molecule.images[axis] = static_cast<int>(1 + pick(9));
      molecule.cell.mode = static_cast<CellTreatment::Mode>(pick(4));
      if (flag()) molecule.cell.selection = text();
      if (flag()) {
        molecule.placement.motion.rotation = glm::normalize(glm::dquat(1, real(), -real(), real()));
        molecule.placement.motion.translation = glm::dvec3(real(), -real(), real());
        molecule.placement.steady = text();
        molecule.smoothing = static_cast<std::uint32_t>(pick(101));
        molecule.placement.steady_frame = engine_();
      }
    }
    scene.representations.resize(pick(4));
    for (Representation& r : scene.representations) {
      r.molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
      r.selection = text();
      r.style = static_cast<Style>(pick(style_count));
      r.colouring = static_cast<Colouring>(pick(colouring_count));
      r.colour = colour();
      r.value = text();
      r.map_molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
      r.map_volume = static_cast<std::uint32_t>(engine_());
      r.colours = static_cast<ColourMap>(pick(6));
      r.lower = -real();
      r.upper = real();
      r.material = static_cast<Material>(pick(6));
      r.options.sphere_scale = real();
      r.options.bond_radius = real();
      r.options.line_width = real();
      r.options.cartoon_width = real();
      r.options.detail = static_cast<int>(1 + pick(64));
      r.options.profile = static_cast<RibbonProfile>(pick(4));
      r.options.bases = static_cast<Bases>(pick(3));
      r.options.probability = 0.01f + 0.0098f * real();
      r.options.vectors = static_cast<VectorKind>(pick(4));
      r.options.vector_scale = real();
      r.options.hydrogen_bonds = {0.1f + 0.099f * real(), 1.8f * real()};
      r.opacity = real() / 100;
      r.visible = flag();
    }
    scene.fields.resize(pick(4));
    for (Field& f : scene.fields) {
      f.kind = static_cast<Field::Kind>(pick(7));
      f.molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
      f.selection = text();
      f.orbital = text();
      f.spin = flag() ? Spin::alpha : Spin::beta;
      f.follow = flag();
      f.repeat = {f.follow ? 1 : 0, 0, f.spin == Spin::beta ? 4 : 0};
      f.follow_from = static_cast<std::uint32_t>(engine_());
      f.enclosed = 0.0099 * real();
      f.volume = static_cast<std::uint32_t>(engine_());
      f.spacing = precise();
      f.isovalue = -precise();
      f.both_signs = flag();
      f.radius_scale = real();
      f.beads = flag() ? Field::Beads::residues : Field::Beads::atoms;
      f.quality = static_cast<Field::Quality>(pick(4));
      f.probe_radius = precise();
      f.periodic = flag();
      f.style = static_cast<Surface::Style>(pick(3));
      f.slice.kind = static_cast<SlicePlane::Kind>(pick(5));
      f.slice.selection = text();
      f.slice.offset = -precise();
      f.material = static_cast<Material>(pick(6));
      f.show = static_cast<Field::Show>(pick(3));
      f.lines = 1 + static_cast<std::uint32_t>(pick(10000));
      f.transfer.resize(pick(4));
      for (TransferPoint& point : f.transfer) point = {real() / 100, colour()};
      f.cloud_range = precise();
      f.colouring = static_cast<Colouring>(pick(15));
      f.paint = static_cast<Field::Paint>(pick(3));
      f.paint_range = precise();
      f.paint_offset = -precise();
      f.extremes = flag();
      f.shown_lower = -precise();
      f.shown_upper = precise();
      f.interatomic = flag();
      f.potential.method = static_cast<PotentialSettings::Method>(pick(8));
      f.potential.accuracy = 2e-5 + precise() / 1100;
      f.potential.periodic = flag();
      f.potential.cutoff = 0.1 + precise();
      f.potential.hcp_thresholds = flag() ? "21/90" : "8";
      f.potential.hcp_charges = flag() ? 1 : 2;
      f.potential.medium = flag() ? PotentialSettings::Medium::constant : PotentialSettings::Medium::sigmoidal;
      f.potential.dielectric = 1 + precise();
      f.potential.ionic_strength = precise();
      f.potential.solvent_dielectric = 1 + precise();
      f.potential.solute_dielectric = 1 + precise() / 2;
      f.potential.nonlinear = flag();
      f.potential.temperature = 1 + precise();
      f.potential.unit = static_cast<PotentialSettings::Unit>(pick(3));
      f.minus.kind = static_cast<Subtrahend::Kind>(pick(3));
      f.minus.molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
      f.minus.selection = text();
      f.minus.charges = text();
      f.minus.fixed = flag();
      f.minus.frame = static_cast<std::uint32_t>(engine_());
      f.minus.potential.ionic_strength = precise();
      f.minus.volume = static_cast<std::uint32_t>(engine_());
      f.minus.resample = flag();
      for (MapChoice* map : {&f.minus.own_error, &f.minus.error})
        *map = {flag(), static_cast<std::uint32_t>(pick(scene.molecules.size())), static_cast<std::uint32_t>(pick(9))};
      f.colour = colour();
      f.negative_colour = colour();
      f.opacity = real() / 100;
      f.visible = flag();
    }
    scene.measurements.resize(pick(4));
    for (Measurement& m : scene.measurements) {
      m.atoms.resize(1 + pick(4));
      for (SceneAtom& atom : m.atoms) {
        atom.molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
        atom.atom = static_cast<std::uint32_t>(engine_());
      }
      m.colour = colour();
      m.ruler = m.atoms.size() == 2 && flag();
      if (m.atoms.size() == 1 && flag()) {
        m.ruler = true;
        m.points = {{{precise(), -precise(), real()}}};
      }
      m.visible = flag();
    }
    for (Representation& r : scene.representations) r.probe = static_cast<std::uint32_t>(keys_engine_() % 5);
    scene.probes.resize(keys_engine_() % 4);
    for (FieldProbe& probe : scene.probes) {
      probe.kind = static_cast<FieldProbe::Kind>(keys_engine_() % 4);
      probe.molecule = static_cast<std::uint32_t>(keys_engine_() % scene.molecules.size());
      probe.atom = static_cast<std::uint32_t>(keys_engine_());
      probe.second = static_cast<std::uint32_t>(keys_engine_());
      probe.position = {0.1 * (keys_engine_() % 1000), -0.3 * (keys_engine_() % 1000), 1e-7 * keys_engine_()};
      probe.visible = keys_engine_() % 2 == 0;
    }
    scene.probing.by = static_cast<ShareBy>(keys_engine_() % 3);
    scene.probing.potential.dielectric = 1 + 0.25 * (keys_engine_() % 100);
    scene.probing.potential.unit = static_cast<PotentialSettings::Unit>(keys_engine_() % 3);
    scene.labels.resize(pick(3));
    for (LabelSet& labels : scene.labels) {
      labels.molecule = static_cast<std::uint32_t>(pick(scene.molecules.size()));
      labels.text = static_cast<LabelSet::Text>(pick(6));
      labels.own = flag() ? "active site" : "";
      labels.visible = flag();
    }
    scene.camera.centre = {precise(), -precise(), precise()};
    scene.camera.rotation = glm::normalize(glm::dquat(precise(), precise(), -precise(), precise()));
    scene.camera.height = precise();
    scene.camera.field_of_view = 1 + precise();
    scene.camera.projection = flag() ? Camera::Projection::perspective : Camera::Projection::orthographic;
    scene.camera.slab_front = -precise();
    scene.camera.slab_back = precise();
    scene.look.background = {real() / 100, real() / 100, real() / 100};
    scene.look.background_bottom = glm::vec3(glm::u8vec3(colour())) / 255.0f;
    scene.look.ambient_occlusion = flag();
    scene.look.ambient_occlusion_radius = real();
    scene.look.ambient_occlusion_strength = real();
    scene.look.outlines = flag();
    scene.look.outline_width = real();
    scene.look.depth_cue = real() / 100;
    scene.look.shadows = flag();
    scene.look.scale_bar = static_cast<ScaleBar>(pick(3));
    scene.look.text_points = scene.look.scale_bar == ScaleBar::nanometre ? 8.5f : 0;
    scene.look.caps = flag();
    scene.look.ambient = real() / 10;
    scene.look.diffuse = real() / 10;
    scene.look.specular = real() / 10;
    scene.look.shininess = real();
    scene.look.light = {real(), -real(), real()};
    scene.look.axes = flag();
    scene.look.depth_of_field = 0.0019f * real();
    scene.look.focus = -real();
    scene.legends = static_cast<Legends>(pick(3));
    scene.views.resize(pick(3));
    for (SavedView& view : scene.views) {
      view.name = text();
      view.camera.centre = {precise(), -precise(), precise()};
      view.camera.height = precise();
      view.frame = engine_();
    }
    scene.clip_planes.resize(pick(4));
    for (ClipPlane& plane : scene.clip_planes) {
      plane.point = {precise(), -precise(), precise()};
      plane.normal = {precise(), precise(), -precise()};
      plane.offset = -precise();
      plane.cuts = static_cast<ClipPlane::Cuts>(pick(3));
      plane.on = flag();
    }
    const auto outline = [&] { return Outline{static_cast<Outline::Mode>(pick(3)), 0.5f + real() / 10, colour()}; };
    for (Representation& r : scene.representations) r.outline = outline();
    for (Field& f : scene.fields) f.outline = outline();
    scene.playback.frames_per_second = 0.01 + precise();
    scene.playback.stride = static_cast<std::uint32_t>(1 + pick(1000));
    scene.playback.loop = static_cast<Playback::Loop>(pick(3));
    scene.frame = (std::size_t{engine_()} << 20) + engine_();
    scene.show_box = flag();
    scene.layout = flag() ? Layout::tiles : Layout::together;
    scene.tile_columns = static_cast<std::uint32_t>(pick(5));
    std::swap(engine_, keys_engine_);  // the other values stay those of before there were key frames
    scene.keys.resize(pick(4));
    for (std::size_t i = 0; i < scene.keys.size(); ++i) {
      MovieKey& key = scene.keys[i];
      key.time = 100.5 * static_cast<double>(i) + precise();
      key.easing = static_cast<Easing>(pick(5));
      key.turns = static_cast<int>(pick(201)) - 100;
      key.camera.centre = {precise(), -precise(), precise()};
      key.camera.height = precise();
      key.frame = engine_();
      key.representations.resize(pick(4));
      for (KeyedRepresentation& r : key.representations) r = {flag(), real() / 100, colour()};
      key.fields.resize(pick(4));
      for (KeyedField& f : key.fields)
        f = {flag(), real() / 100, -precise(), 0.0099 * precise(), -precise(), colour(), colour()};
      if (flag()) key.clip_planes = scene.clip_planes;
    }
    std::swap(engine_, keys_engine_);
    return scene;
  }

 private:
  std::size_t pick(std::size_t count) { return engine_() % count; }
  bool flag() { return (engine_() & 1) != 0; }
  double precise() { return std::uniform_real_distribution<double>(1e-5, 100)(engine_); }
  float real() { return std::uniform_real_distribution<float>(0, 99.99f)(engine_); }
  glm::u8vec4 colour() { return {pick(256), pick(256), pick(256), flag() ? 255 : pick(256)}; }
  std::string text() {
    static const char* const pieces[] = {"a", "B", " ", "\"", "\\", "7", "é", "水", "<b>", "$(x)", "'", "_"};
    std::string result = "t";
    for (std::size_t n = pick(8); n > 0; --n) result += pieces[pick(12)];
    return result;
  }

  std::mt19937 engine_, keys_engine_;
};

}  // namespace isolume::test
