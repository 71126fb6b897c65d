// From a scene to draw items; those of unchanged parts are kept.
#include "app/view/view_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/documents/frames.h"
#include "app/fields/shown_result.h"
#include "app/scene/named_selections.h"
#include "app/view/label_set.h"
#include "app/view/probe_mark.h"
#include "app/view/tiling.h"
#include "app/view/view_box.h"
#include "app/view/view_cache.h"
#include "compute/base/host_memory.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

bool wanted(Legends legends, const ColourKey& key) {
  return legends == Legends::all || (legends == Legends::scales && key.entries.empty());
}

/// Names of one title are one key; a scale that is there already is not said twice.
void add_key(std::vector<ColourKey>& keys, const ColourKey& key) {
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return;
  const auto same = std::find_if(keys.begin(), keys.end(), [&](const ColourKey& known) {
    return !key.entries.empty() && !known.entries.empty() && known.title == key.title;
  });
  if (same == keys.end()) {
    keys.push_back(key);
    return;
  }
  for (const auto& entry : key.entries)
    if (std::find(same->entries.begin(), same->entries.end(), entry) == same->entries.end())
      same->entries.push_back(entry);
}

/// Drawn twice it looks as it does once.
bool is_opaque(const Representation& representation) {
  const bool clear = representation.colour.a > 0 && representation.colour.a < 255;
  return representation.opacity >= 1 && representation.material != Material::glass && !clear;
}

/// True where a clipping plane takes the atoms at a place away; their labels go with them.
bool cut_away(const Scene& scene, glm::dvec3 place) {
  return std::any_of(scene.clip_planes.begin(), scene.clip_planes.end(), [&](const ClipPlane& plane) {
    return plane.on && plane.cuts != ClipPlane::Cuts::surfaces && plane.beyond(place) > 0;
  });
}

constexpr double atom_margin = 2.5;  // angstrom from an atom's centre to what is drawn of it

/// A view while its parts are added, with the tiles' own views and the boxes around all of them.
struct ViewAssembly {
  ViewAssembly(const Scene& given_, const std::vector<FieldResult>& results_, ViewCache& cache_, Job* job_)
      : given(given_), scene(with_names(given_)), results(results_), cache(cache_), job(job_) {}

  SceneView view() && {
    begin();
    add_representations();
    widen_boxes();
    add_fields();
    add_measurements();
    add_labels();
    add_interactions();
    add_probes();
    add_cells();
    bound_views();
    return std::move(whole);
  }

  void begin() {
    whole.camera = scene.camera;
    whole.look = scene.look;
    whole.clip_planes = scene.clip_planes;
    whole.show_box = scene.show_box;
    whole.tile_columns = static_cast<int>(scene.tile_columns);
    for (const SceneTile& tile : tiles_of(scene, cache.documents, &cache.middles)) {
      tile_of[tile.molecule] = whole.tiles.size();
      SceneView& own = whole.tiles.emplace_back();
      own.camera = whole.camera;
      own.look = whole.look;
      own.show_box = whole.show_box;
      own.title = tile.title;
      own.object = tile.molecule + 1;
      own.camera_shift = tile.shift;
    }
    tile_boxes.resize(whole.tiles.size());
  }

  void add_representations() {
    for (ViewCache::Built& kept : cache.built) kept.used = false;
    cache.taken.items = {};
    cache.taken.made_new = 0;
    std::set<const DrawItem*> drawn;
    for (std::size_t i = 0; i < scene.representations.size(); ++i) {
      const Representation& representation = scene.representations[i];
      if (!representation.visible || !shown(representation.molecule)) continue;
      const auto progress = [&](double part) {
        if (!job) return;
        job->check();
        job->progress((static_cast<double>(i) + part) / static_cast<double>(scene.representations.size()),
                      fmt::format("Building {} of {}", name(representation.style), representation.selection));
      };
      try {
        check_stop();
        check_memory_taken("the representations");
        progress(0);
        with_names(given, representation.molecule,
                   given.representations[i].selection);  // reports unknown names
        const ViewCache::Built& built = cache.build(scene, representation, progress);
        const bool again = !built.items.empty() && !drawn.insert(built.items.front().get()).second;
        if (again && is_opaque(representation)) continue;
        each_view(representation.molecule, [&](SceneView& to, ViewBox& around) {
          for (const auto& item : built.items) to.add(item, {ItemTraits::Kind::atoms, representation.outline});
          around.include(built.box);
          if (built.label) to.labels.push_back(*built.label);
          if (built.key && wanted(scene.legends, *built.key)) add_key(to.keys, *built.key);
        });
      } catch (const Error& error) {
        throw Error(fmt::format("representation {}: {}", i, error.what()), error.kind());
      }
    }
    std::erase_if(cache.built, [](const ViewCache::Built& kept) { return !kept.used; });
  }

  void widen_boxes() {
    const auto widen = [](ViewBox& around) {
      if (around.empty()) return;
      around.lower -= atom_margin;
      around.upper += atom_margin;
    };
    widen(box);
    std::for_each(tile_boxes.begin(), tile_boxes.end(), widen);
  }

  void add_fields() {
    for (std::size_t i = 0; i < scene.fields.size() && i < results.size(); ++i) {
      const Field field = as_shown(scene.fields[i], results[i]);
      if (!field.visible || !shown(field.molecule) || results[i].items.empty()) continue;
      // A map that is repeated has its copies already.
      const std::vector<glm::vec3> shifts =
          repeats_volume(field) ? std::vector<glm::vec3>{glm::vec3(0)} : cache.shifts_of(scene, field.molecule);
      const std::vector<glm::vec3> copies = shifts.size() > 1 ? shifts : std::vector<glm::vec3>{};
      std::vector<std::shared_ptr<const DrawItem>> items;
      for (std::size_t sign = 0; sign < results[i].items.size(); ++sign)
        items.push_back(cache.styles.apply(i, sign, field, results[i].items[sign], copies, results[i].automatic_range));
      for (const auto& item : items) cache.taken.items.driver += item ? bytes_of(*item).driver : 0;
      ViewBox around = box_of(results[i].grid);
      around.repeat(shifts);
      each_view(field.molecule, [&](SceneView& to, ViewBox& around_all) {
        for (const auto& item : items) to.add(item, {ItemTraits::Kind::surface, field.outline});
        for (const Label& label : results[i].labels)
          if (!cut_away(scene, glm::dvec3(label.position) - to.camera_shift)) to.labels.push_back(label);
        around_all.include(around);
      });
    }
  }

  void add_measurements() {
    cache.measured.resize(scene.measurements.size());
    for (std::size_t i = 0; i < scene.measurements.size(); ++i) {
      const Measurement& measurement = scene.measurements[i];
      const MeasurementDrawing* drawing = measurement.visible ? cache.measure(scene, i) : nullptr;
      if (!drawing) continue;
      const auto put = [drawing](SceneView& to) {
        to.add(drawing->lines, {});
        to.labels.push_back(drawing->label);
        to.labels.insert(to.labels.end(), drawing->ticks.begin(), drawing->ticks.end());
      };
      put(whole);
      if (measurement.atoms.empty()) continue;  // between points: of no molecule
      // Measurements between molecules have no place in a tile of one.
      const std::uint32_t molecule = measurement.atoms.front().molecule;
      const bool of_one = std::all_of(measurement.atoms.begin(), measurement.atoms.end(),
                                      [&](const SceneAtom& atom) { return atom.molecule == molecule; });
      if (const auto found = tile_of.find(molecule); of_one && found != tile_of.end()) put(whole.tiles[found->second]);
    }
  }

  /// Calls use(set, molecule, i) for each set of labels that is shown; errors name the set.
  template <class Use>
  void each_label_set(const Use& use) {
    for (std::size_t i = 0; i < scene.labels.size(); ++i) {
      const LabelSet& set = scene.labels[i];
      if (!set.visible || !shown(set.molecule)) continue;
      const auto molecule = cache.documents.molecule(scene.molecules[set.molecule]);
      if (!molecule->topology || molecule->frame_count() == 0) continue;
      try {
        use(set, molecule, i);
      } catch (const Error& error) {
        throw Error(fmt::format("labels {}: {}", i, error.what()), error.kind());
      }
    }
  }

  void add_labels() {
    using Mask = std::vector<std::uint8_t>;
    std::vector<Mask> masks(scene.labels.size());
    std::map<std::uint32_t, Mask> residues;  // that are labelled, by whichever set
    each_label_set([&](const LabelSet& set, const std::shared_ptr<const Molecule>& molecule, std::size_t i) {
      with_names(given, set.molecule, given.labels[i].selection);
      masks[i] = cache.mask_of(set.selection, molecule, cache.frame_of(set.molecule, molecule, scene.frame));
      if (set.text != LabelSet::Text::residue) return;
      Mask& all = residues[set.molecule];
      all.resize(masks[i].size());
      for (std::size_t atom = 0; atom < all.size(); ++atom) all[atom] |= masks[i][atom];
    });
    each_label_set([&](const LabelSet& set, const std::shared_ptr<const Molecule>& molecule, std::size_t i) {
      const std::vector<Label> labels = labels_of(set, *molecule->topology, cache.drawn_frame_of(scene, set.molecule),
                                                  masks[i], residues[set.molecule]);
      each_view(set.molecule, [&](SceneView& to, ViewBox&) {
        for (const Label& label : labels)
          if (!cut_away(scene, glm::dvec3(label.position) - to.camera_shift)) to.labels.push_back(label);
      });
    });
  }

  void add_interactions() {
    cache.interacting.resize(scene.interactions.size());
    for (std::size_t i = 0; i < scene.interactions.size(); ++i) {
      const InteractionSet& set = scene.interactions[i];
      if (!set.visible || !shown(set.molecule)) continue;
      try {
        with_names(given, set.molecule, given.interactions[i].selection);
        with_names(given, set.molecule, given.interactions[i].other);
        const InteractionDrawing* drawing = cache.interact(scene, i, job);
        if (!drawing || !drawing->lines) continue;
        each_view(set.molecule, [&](SceneView& to, ViewBox&) {
          to.add(drawing->lines, {ItemTraits::Kind::atoms, {}});
          if (scene.legends != Legends::none) add_key(to.keys, drawing->key);
        });
      } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled) throw;
        throw Error(fmt::format("interactions {}: {}", i, error.what()), error.kind());
      }
    }
  }

  void add_probes() {
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
      const FieldProbe& probe = scene.probes[i];
      if (!probe.visible || !shown(probe.molecule)) continue;
      const auto molecule = cache.documents.molecule(scene.molecules[probe.molecule]);
      if (!molecule->topology || molecule->frame_count() == 0) continue;
      ProbeMark mark;
      try {
        mark = probe_mark(scene, i, *molecule->topology, cache.drawn_frame_of(scene, probe.molecule));
      } catch (const Error& error) {
        throw Error(fmt::format("probes {}: {}", i, error.what()), error.kind());
      }
      each_view(probe.molecule, [&](SceneView& to, ViewBox&) {
        to.add(mark.lines, {});
        to.labels.push_back(mark.label);
      });
    }
  }

  void add_cells() {
    for (std::uint32_t m = 0; m < scene.molecules.size() && scene.show_box; ++m) {
      if (!shown(m) || (whole.box.exists() && whole.tiles.empty())) continue;
      const auto molecule = cache.documents.molecule(scene.molecules[m]);
      if (molecule->frame_count() == 0) continue;
      const Cell cell = cache.frame_of(m, molecule, scene.frame).cell;
      if (!cell.exists()) continue;
      const std::vector<glm::vec3> shifts = cache.shifts_of(scene, m);
      ViewBox corners;
      for (int corner = 0; corner < 8; ++corner)
        corners.include(cell.vectors * glm::dvec3(corner & 1, (corner >> 1) & 1, corner >> 2));
      corners.repeat(shifts);
      each_view(m, [&](SceneView& to, ViewBox& around) {
        if (to.box.exists()) return;
        to.box = cell;
        to.box_copies = shifts;
        around.include(corners);
      });
    }
  }

  void bound_views() {
    const auto bound = [](SceneView& to, const ViewBox& around) {
      if (around.empty()) return;
      to.centre = 0.5 * (around.lower + around.upper);
      to.radius = std::max(1.0, 0.5 * glm::length(around.upper - around.lower));
    };
    bound(whole, box);
    for (std::size_t i = 0; i < whole.tiles.size(); ++i) bound(whole.tiles[i], tile_boxes[i]);
  }

  bool shown(std::size_t molecule) const {
    return molecule < scene.molecules.size() && scene.molecules[molecule].visible;
  }

  /// Calls with the view of all and, where there is one, the molecule's tile, and their boxes.
  template <class Put>
  void each_view(std::uint32_t molecule, const Put& put) {
    put(whole, box);
    if (const auto found = tile_of.find(molecule); found != tile_of.end())
      put(whole.tiles[found->second], tile_boxes[found->second]);
  }

  const Scene& given;
  const Scene scene;
  const std::vector<FieldResult>& results;
  ViewCache& cache;
  Job* job;
  SceneView whole;
  ViewBox box;
  std::map<std::uint32_t, std::size_t> tile_of;  // by molecule
  std::vector<ViewBox> tile_boxes;
};

}  // namespace

ViewBuilder::ViewBuilder(Documents& documents) : cache_(std::make_unique<ViewCache>(documents)) {}

ViewBuilder::~ViewBuilder() = default;

void ViewBuilder::expect(const DrawnBytes& picture, bool software) {
  cache_->taken.picture = picture;
  cache_->taken.software = software;
}

std::size_t ViewBuilder::predicted() const {
  return cache_->taken.items.host(cache_->taken.software);
}

FrameCache& ViewBuilder::frames() {
  return cache_->frames;
}

FrameCache& ViewBuilder::drawn_frames() {
  return cache_->drawn;
}

SceneView ViewBuilder::build(const Scene& scene, const std::vector<FieldResult>& results, Job* job) {
  return ViewAssembly(scene, results, *cache_, job).view();
}

}  // namespace isolume
