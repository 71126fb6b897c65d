// The parts of a view that are kept from one scene to the next: items, masks, structures, drawings, frames.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/documents/documents.h"
#include "app/documents/frame_cache.h"
#include "app/fields/field_styles.h"
#include "app/scene/scene.h"
#include "app/view/interaction_lines.h"
#include "app/view/measurement.h"
#include "app/view/tiling.h"
#include "app/view/view_box.h"
#include "compute/base/job.h"
#include "render/drawing_memory.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Bytes of a view, as far as it is built.
struct ViewBytes {
  DrawnBytes picture;  ///< next to the items
  bool software = false;
  DrawnBytes items;          ///< of the view so far, predicted
  std::size_t made_new = 0;  ///< bytes of the host that its new items have taken already

  std::size_t host() const { return items.host(software) + picture.host(software); }

  /// Throws Error where `next` goes beyond the memory limit or what the host has.
  void require(const DrawnBytes& next, const std::string& what) const;
};

/// Kept by a ViewBuilder; build() of each part finds what is unchanged.
struct ViewCache {
  explicit ViewCache(Documents& documents_) : documents(documents_) {}

  struct Built {
    Representation representation;
    std::shared_ptr<const Molecule> molecule;
    std::size_t frame = 0;
    std::vector<glm::vec3> shifts;                               ///< of the periodic images
    std::optional<std::pair<FieldProbe, ProbeSettings>> probed;  ///< whose contributions are the colours
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
    std::vector<glm::dvec3> points, drawn;
    MeasurementDrawing drawing;
  };

  Documents& documents;
  std::vector<Built> built;
  std::vector<Measured> measured;
  std::vector<Interacting> interacting;
  std::map<std::size_t, Structure> structures;  // of molecules, in the frame that was asked for last
  InteractionFinder finder;
  FrameCache frames;
  FrameCache drawn;                                               // those of molecules as they are shown
  std::map<std::pair<std::string, const Molecule*>, Mask> masks;  // of selections that hold for all frames
  FieldStyles styles;
  MoleculeMiddles middles;
  ViewBytes taken;

  /// Only of molecules with frames. Holds until another frame of the molecule is asked for.
  const Frame& frame_of(std::size_t index, const std::shared_ptr<const Molecule>& molecule, std::size_t frame);
  /// The same as it is drawn: smoothed where the scene says so.
  const Frame& drawn_frame_of(const Scene& scene, std::size_t index);
  std::vector<glm::vec3> shifts_of(const Scene& scene, std::size_t index);
  std::vector<std::uint8_t> mask_of(const std::string& text, const std::shared_ptr<const Molecule>& molecule,
                                    const Frame& frame);
  std::vector<SecondaryStructure> structure_of(const Representation& representation,
                                               const std::shared_ptr<const Molecule>& molecule, std::size_t number,
                                               const Frame& frame);
  /// The drawing of the scene's i-th set of interactions; null where its molecule has no atoms.
  const InteractionDrawing* interact(const Scene& scene, std::size_t i, Job* job);
  Built& build(const Scene& scene, const Representation& representation, const std::function<void(double)>& progress);
  /// The drawing of the scene's i-th measurement, or null where an atom is not there.
  const MeasurementDrawing* measure(const Scene& scene, std::size_t i);
};

}  // namespace isolume
