// From a scene to what the renderer draws, keeping the items of what did not change.
#include "app/view/view_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/documents/frames.h"
#include "app/fields/field_styles.h"
#include "app/scene/named_selections.h"
#include "app/view/interaction_lines.h"
#include "app/view/label_set.h"
#include "app/view/measurement.h"
#include "app/view/representation_colours.h"
#include "app/view/tiling.h"
#include "app/view/view_box.h"
#include "compute/base/host_memory.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/dipole.h"
#include "molecule/secondary_structure.h"
#include "molecule/selection/selection.h"

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

/// The topology with other classes of its residues.
Topology with_structure(const Topology& topology, const std::vector<SecondaryStructure>& structure) {
  Topology result = topology;
  for (std::size_t r = 0; r < structure.size(); ++r) result.residues[r].structure = structure[r];
  return result;
}

constexpr double atom_margin = 2.5;  // angstrom from an atom's centre to what is drawn of it

std::string text_of(const Representation& representation) {
  return fmt::format("drawing {} as {}", representation.selection, name(representation.style));
}

/// What a view takes, as far as it is built.
struct Taken {
  DrawnBytes picture;  ///< next to the items
  bool software = false;
  DrawnBytes items;          ///< of the view so far, predicted
  std::size_t made_new = 0;  ///< bytes of the host that its new items have taken already

  std::size_t host() const { return items.host(software) + picture.host(software); }

  /// Throws Error where `next` goes beyond the memory limit or what the host has.
  void require(const DrawnBytes& next, const std::string& what) const {
    const std::size_t limit = memory_limit(), all = host() + next.host(software);
    constexpr std::size_t small = std::size_t{64} << 20;  // less than this is not worth asking the system
    std::string bound;
    if (limit != 0 && all > limit) {
      bound = fmt::format("the memory limit of {}", bytes_in_words(limit));
    } else if (limit == 0 && next.host(software) > small) {
      const HostMemory memory = host_memory();
      const std::size_t wanted = all - std::min(all, made_new);
      if (wanted > memory.available)
        bound = fmt::format("the {} that can be had{}", bytes_in_words(memory.available),
                            *memory.bound ? fmt::format(" ({})", memory.bound) : "");
    }
    if (bound.empty()) return;
    std::string others;
    if (picture.host(software) > 0) others = fmt::format("{} for the picture", bytes_in_words(picture.host(software)));
    if (items.host(software) > 0)
      others += fmt::format("{}{} for what is drawn before it", others.empty() ? "" : " and ",
                            bytes_in_words(items.host(software)));
    throw Error(
        fmt::format("{} needs {}{}, more than {}: raise the limit, draw fewer atoms, draw them as lines or "
                    "points, or make a smaller picture",
                    what, bytes_in_words(next.host(software)),
                    others.empty() ? "" : fmt::format(", with {} {} in all", others, bytes_in_words(all)), bound));
  }
};

}  // namespace

struct ViewBuilder::Cache {
  explicit Cache(Documents& documents_) : documents(documents_) {}

  struct Built {
    Representation representation;
    std::shared_ptr<const Molecule> molecule;
    std::size_t frame = 0;
    std::vector<glm::vec3> shifts;  ///< of the periodic images
    std::vector<std::shared_ptr<const DrawItem>> items;
    DrawnBytes predicted;
    std::optional<ColourKey> key;
    std::optional<Label> label;
    ViewBox box;
    bool used = false;
  };
  struct Mask {
    std::shared_ptr<const Molecule> molecule;
    std::vector<std::uint8_t> mask;
  };
  struct Interacting {
    InteractionSet set;
    std::shared_ptr<const Molecule> molecule;
    std::size_t frame = 0;
    InteractionDrawing drawing;
  };
  struct Structure {
    std::shared_ptr<const Molecule> molecule;
    std::size_t frame = 0;
    std::vector<SecondaryStructure> classes;
  };
  struct Measured {
    Measurement measurement;
    std::vector<glm::dvec3> points;
    MeasurementDrawing drawing;
  };

  Documents& documents;
  std::vector<Built> built;
  std::vector<Measured> measured;
  std::vector<Interacting> interacting;
  std::map<std::size_t, Structure> structures;  // of molecules, in the frame that was asked for last
  InteractionFinder finder;
  FrameCache frames;
  std::map<std::pair<std::string, const Molecule*>, Mask> masks;  // of selections that hold for all frames
  FieldStyles styles;
  MoleculeMiddles middles;
  Taken taken;

  // Only of molecules with frames. Holds until another frame of the molecule is asked for.
  const Frame& frame_of(std::size_t index, const std::shared_ptr<const Molecule>& molecule, std::size_t frame) {
    return *frames.get(index, molecule, frame);
  }

  std::vector<glm::vec3> shifts_of(const Scene& scene, std::size_t index) {
    const SceneMolecule& entry = scene.molecules[index];
    if (entry.images == glm::ivec3(1)) return {glm::vec3(0)};
    const auto molecule = documents.molecule(entry);
    if (molecule->frame_count() == 0) return {glm::vec3(0)};
    return image_shifts(entry, frame_of(index, molecule, scene.frame).cell);
  }

  std::vector<std::uint8_t> mask_of(const std::string& text, const std::shared_ptr<const Molecule>& molecule,
                                    const Frame& frame) {
    const auto found = masks.find({text, molecule.get()});
    if (found != masks.end() && found->second.molecule == molecule) return found->second.mask;
    const Selection selection(text);
    auto mask = selection.mask(*molecule->topology, frame);
    if (!selection.depends_on_positions()) {
      if (masks.size() > 200) masks.clear();
      masks[{text, molecule.get()}] = {molecule, mask};
    }
    return mask;
  }

  std::vector<SecondaryStructure> structure_of(const Representation& representation,
                                               const std::shared_ptr<const Molecule>& molecule, std::size_t number,
                                               const Frame& frame) {
    const bool moves = representation.structure == StructureSource::frame ||
                       (representation.structure == StructureSource::automatic && molecule->frame_count() > 1);
    const bool wanted = representation.style == Style::cartoon || representation.colouring == Colouring::structure;
    if (wanted && moves) {
      Structure& kept = structures[representation.molecule];
      if (kept.molecule != molecule || kept.frame != number)
        kept = {molecule, number, secondary_structure(*molecule->topology, frame)};
      return kept.classes;
    }
    std::vector<SecondaryStructure> classes;
    classes.reserve(molecule->topology->residues.size());
    for (const Residue& residue : molecule->topology->residues) classes.push_back(residue.structure);
    return classes;
  }

  // The drawing of the scene's i-th set of interactions; null where its molecule has no atoms.
  const InteractionDrawing* interact(const Scene& scene, std::size_t i, Job* job) {
    const InteractionSet& set = scene.interactions[i];
    const auto molecule = documents.molecule(scene.molecules[set.molecule]);
    if (!molecule->topology || molecule->frame_count() == 0) return nullptr;
    const std::size_t number = frame_in(*molecule, scene.frame);
    Interacting& kept = interacting[i];
    if (kept.set != set || kept.molecule != molecule || kept.frame != number) {
      Job quiet;
      const auto found = finder.find(set, molecule, frame_of(set.molecule, molecule, scene.frame), job ? *job : quiet);
      kept = {set, molecule, number, draw_interactions(found)};
    }
    return &kept.drawing;
  }

  Built& build(const Scene& scene, const Representation& representation, const std::function<void(double)>& progress) {
    const auto molecule = documents.molecule(scene.molecules[representation.molecule]);
    const std::size_t number = frame_in(*molecule, scene.frame);
    const std::vector<glm::vec3> shifts = shifts_of(scene, representation.molecule);
    // Equal representations of a scene share what is built, too.
    Representation shapes = representation;
    shapes.outline = {};  // not part of what is built
    for (Built& kept : built)
      if (kept.molecule == molecule && kept.frame == number && kept.representation == shapes && kept.shifts == shifts) {
        if (std::exchange(kept.used, true)) return kept;
        if (memory_limit() != 0) taken.require(kept.predicted, text_of(representation));
        taken.items += kept.predicted;
        return kept;
      }
    Built fresh{shapes, molecule, number, shifts, {}, {}, {}, {}, {}, true};
    if (molecule->topology && molecule->frame_count() > 0) {
      const Topology& topology = *molecule->topology;
      const Frame& frame = frame_of(representation.molecule, molecule, scene.frame);
      const auto mask = mask_of(representation.selection, molecule, frame);
      fresh.predicted = predict_items(topology, mask, representation.style, representation.options);
      taken.require(fresh.predicted, text_of(representation));
      const std::vector<SecondaryStructure> structure = structure_of(representation, molecule, number, frame);
      std::optional<Topology> turned;
      if (representation.colouring == Colouring::structure) turned = with_structure(topology, structure);
      AtomColours colours = colours_of(scene, representation, turned ? *turned : topology, frame, mask, documents);
      fresh.key = std::move(colours.key);
      if (representation.style == Style::vectors && representation.options.vectors == VectorKind::dipole) {
        const Dipole found = dipole(topology, frame, mask);
        fresh.label = Label{glm::vec3(found.centre), fmt::format("{:.3g} D", glm::length(found.moment))};
      }
      fresh.items = represent(topology, frame, mask, representation.style, representation.options, colours.colours,
                              structure, representation.molecule + 1, representation.opacity, representation.material,
                              shifts.size() > 1 ? shifts : std::vector<glm::vec3>{}, progress);
      for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i]) fresh.box.include(frame.positions[i]);
      fresh.box.repeat(shifts);
    }
    taken.items += fresh.predicted;
    taken.made_new += fresh.predicted.own;
    built.push_back(std::move(fresh));
    return built.back();
  }

  // The drawing of the scene's i-th measurement, or null where an atom is not there.
  const MeasurementDrawing* measure(const Scene& scene, std::size_t i) {
    const Measurement& measurement = scene.measurements[i];
    std::vector<glm::dvec3> points;
    std::string name;
    for (const SceneAtom& atom : measurement.atoms) {
      const auto molecule = documents.molecule(scene.molecules[atom.molecule]);
      if (!molecule->topology || molecule->frame_count() == 0 || !scene.molecules[atom.molecule].visible)
        return nullptr;
      const Frame& frame = frame_of(atom.molecule, molecule, scene.frame);
      if (atom.atom >= frame.positions.size() || atom.atom >= molecule->atom_count()) return nullptr;
      points.emplace_back(frame.positions[atom.atom]);
      const Residue& residue = molecule->topology->residue_of(atom.atom);
      name = fmt::format("{} {} {}", residue.name, residue.number, molecule->topology->atoms[atom.atom].name);
    }
    Measured& kept = measured[i];
    if (kept.measurement != measurement || kept.points != points) {
      kept.drawing = draw_measurement(measurement, points, name);
      kept.measurement = measurement;
      kept.points = std::move(points);
    }
    return &kept.drawing;
  }
};

ViewBuilder::ViewBuilder(Documents& documents) : cache_(std::make_unique<Cache>(documents)) {}

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

SceneView ViewBuilder::build(const Scene& given, const std::vector<FieldResult>& results, Job* job) {
  const Scene scene = with_names(given);
  SceneView view;
  view.camera = scene.camera;
  view.look = scene.look;
  view.clip_planes = scene.clip_planes;
  view.show_box = scene.show_box;
  ViewBox box;
  view.tile_columns = static_cast<int>(scene.tile_columns);
  std::map<std::uint32_t, std::size_t> tile_of;  // by molecule
  for (const SceneTile& tile : tiles_of(scene, cache_->documents, &cache_->middles)) {
    tile_of[tile.molecule] = view.tiles.size();
    SceneView& own = view.tiles.emplace_back();
    own.camera = view.camera;
    own.look = view.look;
    own.show_box = view.show_box;
    own.title = tile.title;
    own.object = tile.molecule + 1;
    own.camera_shift = tile.shift;
  }
  std::vector<ViewBox> tile_boxes(view.tiles.size());
  // Calls with the view of all and, where there is one, the molecule's tile, and their boxes.
  const auto each_view = [&](std::uint32_t molecule, const auto& put) {
    put(view, box);
    if (const auto found = tile_of.find(molecule); found != tile_of.end())
      put(view.tiles[found->second], tile_boxes[found->second]);
  };
  const auto shown = [&](std::size_t molecule) {
    return molecule < scene.molecules.size() && scene.molecules[molecule].visible;
  };
  for (Cache::Built& kept : cache_->built) kept.used = false;
  cache_->taken.items = {};
  cache_->taken.made_new = 0;
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
      with_names(given, representation.molecule, given.representations[i].selection);  // says what is wrong with names
      const Cache::Built& built = cache_->build(scene, representation, progress);
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
  std::erase_if(cache_->built, [](const Cache::Built& kept) { return !kept.used; });
  const auto widen = [](ViewBox& around) {
    if (around.empty()) return;
    around.lower -= atom_margin;
    around.upper += atom_margin;
  };
  widen(box);
  std::for_each(tile_boxes.begin(), tile_boxes.end(), widen);
  for (std::size_t i = 0; i < scene.fields.size() && i < results.size(); ++i) {
    const Field field = as_shown(scene.fields[i], results[i]);
    if (!field.visible || !shown(field.molecule) || results[i].items.empty()) continue;
    const std::vector<glm::vec3> shifts = cache_->shifts_of(scene, field.molecule);
    const std::vector<glm::vec3> copies = shifts.size() > 1 ? shifts : std::vector<glm::vec3>{};
    std::vector<std::shared_ptr<const DrawItem>> items;
    for (std::size_t sign = 0; sign < results[i].items.size(); ++sign)
      items.push_back(cache_->styles.apply(i, sign, field, results[i].items[sign], copies, results[i].automatic_range));
    for (const auto& item : items) cache_->taken.items.driver += item ? bytes_of(*item).driver : 0;
    ViewBox around = box_of(results[i].grid);
    around.repeat(shifts);
    each_view(field.molecule, [&](SceneView& to, ViewBox& whole) {
      for (const auto& item : items) to.add(item, {ItemTraits::Kind::surface, field.outline});
      whole.include(around);
    });
  }
  cache_->measured.resize(scene.measurements.size());
  for (std::size_t i = 0; i < scene.measurements.size(); ++i) {
    const Measurement& measurement = scene.measurements[i];
    const MeasurementDrawing* drawing = measurement.visible ? cache_->measure(scene, i) : nullptr;
    if (!drawing) continue;
    const auto put = [drawing](SceneView& to) {
      to.add(drawing->lines, {});
      to.labels.push_back(drawing->label);
      to.labels.insert(to.labels.end(), drawing->ticks.begin(), drawing->ticks.end());
    };
    // What is measured between molecules has no place in a tile of one.
    const std::uint32_t molecule = measurement.atoms.front().molecule;
    const bool of_one = std::all_of(measurement.atoms.begin(), measurement.atoms.end(),
                                    [&](const SceneAtom& atom) { return atom.molecule == molecule; });
    put(view);
    if (const auto found = tile_of.find(molecule); of_one && found != tile_of.end()) put(view.tiles[found->second]);
  }
  for (std::size_t i = 0; i < scene.labels.size(); ++i) {
    const LabelSet& set = scene.labels[i];
    if (!set.visible || !shown(set.molecule)) continue;
    const auto molecule = cache_->documents.molecule(scene.molecules[set.molecule]);
    if (!molecule->topology || molecule->frame_count() == 0) continue;
    try {
      const Frame& frame = cache_->frame_of(set.molecule, molecule, scene.frame);
      with_names(given, set.molecule, given.labels[i].selection);
      const std::vector<Label> labels =
          labels_of(set, *molecule->topology, frame, cache_->mask_of(set.selection, molecule, frame));
      each_view(set.molecule, [&](SceneView& to, ViewBox&) {
        for (const Label& label : labels)
          if (!cut_away(scene, glm::dvec3(label.position) - to.camera_shift)) to.labels.push_back(label);
      });
    } catch (const Error& error) {
      throw Error(fmt::format("labels {}: {}", i, error.what()), error.kind());
    }
  }
  cache_->interacting.resize(scene.interactions.size());
  for (std::size_t i = 0; i < scene.interactions.size(); ++i) {
    const InteractionSet& set = scene.interactions[i];
    if (!set.visible || !shown(set.molecule)) continue;
    try {
      with_names(given, set.molecule, given.interactions[i].selection);
      with_names(given, set.molecule, given.interactions[i].other);
      const InteractionDrawing* drawing = cache_->interact(scene, i, job);
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
  for (std::uint32_t m = 0; m < scene.molecules.size() && scene.show_box; ++m) {
    if (!shown(m) || (view.box.exists() && view.tiles.empty())) continue;
    const auto molecule = cache_->documents.molecule(scene.molecules[m]);
    if (molecule->frame_count() == 0) continue;
    const Cell cell = cache_->frame_of(m, molecule, scene.frame).cell;
    if (!cell.exists()) continue;
    const std::vector<glm::vec3> shifts = cache_->shifts_of(scene, m);
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
  const auto bound = [](SceneView& to, const ViewBox& around) {
    if (around.empty()) return;
    to.centre = 0.5 * (around.lower + around.upper);
    to.radius = std::max(1.0, 0.5 * glm::length(around.upper - around.lower));
  };
  bound(view, box);
  for (std::size_t i = 0; i < view.tiles.size(); ++i) bound(view.tiles[i], tile_boxes[i]);
  return view;
}

}  // namespace isolume
