// The parts of a view that are kept from one scene to the next: items, masks, structures, drawings, frames.
#include "app/view/view_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/documents/frames.h"
#include "app/view/representation_colours.h"
#include "compute/base/host_memory.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/dipole.h"
#include "molecule/secondary_structure.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// The topology with other classes of its residues.
Topology with_structure(const Topology& topology, const std::vector<SecondaryStructure>& structure) {
  Topology result = topology;
  for (std::size_t r = 0; r < structure.size(); ++r) result.residues[r].structure = structure[r];
  return result;
}

std::string text_of(const Representation& representation) {
  return fmt::format("drawing {} as {}", representation.selection, name(representation.style));
}

}  // namespace

void ViewBytes::require(const DrawnBytes& next, const std::string& what) const {
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

const Frame& ViewCache::frame_of(std::size_t index, const std::shared_ptr<const Molecule>& molecule,
                                 std::size_t frame) {
  return *frames.get(index, molecule, frame);
}

const Frame& ViewCache::drawn_frame_of(const Scene& scene, std::size_t index) {
  const SceneMolecule& entry = scene.molecules[index];
  const auto molecule = documents.molecule(entry), shown = documents.shown(entry);
  return shown == molecule ? frame_of(index, molecule, scene.frame) : *drawn.get(index, shown, scene.frame);
}

std::vector<glm::vec3> ViewCache::shifts_of(const Scene& scene, std::size_t index) {
  const SceneMolecule& entry = scene.molecules[index];
  if (entry.images == glm::ivec3(1)) return {glm::vec3(0)};
  const auto molecule = documents.molecule(entry);
  if (molecule->frame_count() == 0) return {glm::vec3(0)};
  return image_shifts(entry, frame_of(index, molecule, scene.frame).cell);
}

std::vector<std::uint8_t> ViewCache::mask_of(const std::string& text, const std::shared_ptr<const Molecule>& molecule,
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

std::vector<SecondaryStructure> ViewCache::structure_of(const Representation& representation,
                                                        const std::shared_ptr<const Molecule>& molecule,
                                                        std::size_t number, const Frame& frame) {
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

const InteractionDrawing* ViewCache::interact(const Scene& scene, std::size_t i, Job* job) {
  const InteractionSet& set = scene.interactions[i];
  const auto molecule = documents.molecule(scene.molecules[set.molecule]);
  if (!molecule->topology || molecule->frame_count() == 0) return nullptr;
  const std::size_t number = frame_in(*molecule, scene.frame);
  Interacting& kept = interacting[i];
  const auto shown = documents.shown(scene.molecules[set.molecule]);
  if (kept.set != set || kept.molecule != shown || kept.frame != number) {
    Job quiet;
    const Frame& frame = frame_of(set.molecule, molecule, scene.frame);
    auto found = finder.find(set, molecule, frame, job ? *job : quiet);
    if (shown != molecule) move_with_atoms(found, frame, drawn_frame_of(scene, set.molecule));
    kept = {set, shown, number, draw_interactions(found)};
  }
  return &kept.drawing;
}

ViewCache::Built& ViewCache::build(const Scene& scene, const Representation& representation,
                                   const std::function<void(double)>& progress) {
  const auto molecule = documents.molecule(scene.molecules[representation.molecule]);
  const auto shown = documents.shown(scene.molecules[representation.molecule]);
  const std::size_t number = frame_in(*molecule, scene.frame);
  const std::vector<glm::vec3> shifts = shifts_of(scene, representation.molecule);
  // Equal representations of a scene share their items, too.
  Representation shapes = representation;
  shapes.outline = {};  // not part of the items
  std::optional<std::pair<FieldProbe, ProbeSettings>> probed;
  if (representation.colouring == Colouring::probe && representation.probe < scene.probes.size())
    probed.emplace(scene.probes[representation.probe], scene.probing);
  for (Built& kept : built)
    if (kept.molecule == shown && kept.frame == number && kept.representation == shapes && kept.shifts == shifts &&
        kept.probed == probed) {
      if (std::exchange(kept.used, true)) return kept;
      if (memory_limit() != 0) taken.require(kept.predicted, text_of(representation));
      taken.items += kept.predicted;
      return kept;
    }
  Built fresh{shapes, shown, number, shifts, probed, {}, {}, {}, {}, {}, true};
  if (molecule->topology && molecule->frame_count() > 0) {
    const Topology& topology = *molecule->topology;
    // Selections, structures, values and bonds are those of the frame; only atoms are drawn where smoothing puts them.
    const Frame& frame = frame_of(representation.molecule, molecule, scene.frame);
    const bool measured =
        representation.style == Style::vectors && (representation.options.vectors == VectorKind::dipole ||
                                                   representation.options.vectors == VectorKind::residue_dipoles);
    const Frame& places = measured ? frame : drawn_frame_of(scene, representation.molecule);
    const auto mask = mask_of(representation.selection, molecule, frame);
    fresh.predicted = predict_items(topology, mask, representation.style, representation.options);
    taken.require(fresh.predicted, text_of(representation));
    const std::vector<SecondaryStructure> structure = structure_of(representation, molecule, number, frame);
    std::optional<Topology> turned;
    if (representation.colouring == Colouring::structure) turned = with_structure(topology, structure);
    AtomColours colours = colours_of(scene, representation, turned ? *turned : topology, frame, mask, documents,
                                     [&progress] { progress(0); });
    fresh.key = std::move(colours.key);
    if (representation.style == Style::vectors && representation.options.vectors == VectorKind::dipole) {
      const Dipole found = dipole(topology, frame, mask);
      fresh.label = Label{glm::vec3(found.centre), fmt::format("{:.3g} D", glm::length(found.moment))};
    }
    fresh.items = represent(topology, places, mask, representation.style, representation.options, colours.colours,
                            structure, representation.molecule + 1, representation.opacity, representation.material,
                            shifts.size() > 1 ? shifts : std::vector<glm::vec3>{}, progress, &frame);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i]) fresh.box.include(places.positions[i]);
    fresh.box.repeat(shifts);
  }
  taken.items += fresh.predicted;
  taken.made_new += fresh.predicted.own;
  built.push_back(std::move(fresh));
  return built.back();
}

const MeasurementDrawing* ViewCache::measure(const Scene& scene, std::size_t i) {
  const Measurement& measurement = scene.measurements[i];
  std::vector<glm::dvec3> points, drawn_at;
  std::string name;
  for (const SceneAtom& atom : measurement.atoms) {
    const auto molecule = documents.molecule(scene.molecules[atom.molecule]);
    if (!molecule->topology || molecule->frame_count() == 0 || !scene.molecules[atom.molecule].visible) return nullptr;
    const Frame& frame = frame_of(atom.molecule, molecule, scene.frame);
    if (atom.atom >= frame.positions.size() || atom.atom >= molecule->atom_count()) return nullptr;
    points.emplace_back(frame.positions[atom.atom]);
    // A ruler has the ticks of the distance that it measures.
    drawn_at.emplace_back(measurement.ruler ? frame.positions[atom.atom]
                                            : drawn_frame_of(scene, atom.molecule).positions[atom.atom]);
    const Residue& residue = molecule->topology->residue_of(atom.atom);
    name = fmt::format("{} {} {}", residue.name, residue.number, molecule->topology->atoms[atom.atom].name);
  }
  for (const ScenePoint& point : measurement.points) {
    points.push_back(point.position);
    drawn_at.push_back(point.position);
  }
  Measured& kept = measured[i];
  if (kept.measurement != measurement || kept.points != points || kept.drawn != drawn_at) {
    kept.drawing = draw_measurement(measurement, points, name, drawn_at);
    kept.measurement = measurement;
    kept.points = std::move(points);
    kept.drawn = std::move(drawn_at);
  }
  return &kept.drawing;
}

}  // namespace isolume
