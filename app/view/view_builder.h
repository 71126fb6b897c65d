// From a scene to draw items.
#pragma once

#include <memory>
#include <vector>

#include "app/documents/documents.h"
#include "app/documents/frame_cache.h"
#include "app/fields/fields.h"
#include "app/scene/scene.h"
#include "compute/base/job.h"
#include "render/drawing_memory.h"
#include "render/view/scene_view.h"

namespace isolume {

struct ViewCache;

/// Builds scene views and keeps the items of unchanged representations, so that they keep their GPU copies.
class ViewBuilder {
 public:
  explicit ViewBuilder(Documents& documents);
  ~ViewBuilder();

  /// What to draw for a scene with the results that there are (one per field; empty items where none yet). Frames
  /// beyond a molecule's last show its last. Object numbers for picking: 1 + index of the molecule.
  /// Reports to `job`, if any, which representation is built, and stops between two of them.
  SceneView build(const Scene& scene, const std::vector<FieldResult>& results, Job* job = nullptr);

  /// What is taken next to the representations of the views that are built from now on, and whether the processor
  /// draws them, so that the driver's copies are in the host's memory. build() refuses representations that go beyond
  /// the memory limit together with it (or, without a limit, beyond what the host has), before they are made.
  void expect(const DrawnBytes& picture, bool software);
  /// Bytes of the host that were predicted for the representations and surfaces of the view that was built last.
  std::size_t predicted() const;

  /// The frames of the scene that was built last.
  FrameCache& frames();
  /// The same of molecules as they are shown (Documents::shown), where that is not as they are.
  FrameCache& drawn_frames();

 private:
  std::unique_ptr<ViewCache> cache_;
};

}  // namespace isolume
