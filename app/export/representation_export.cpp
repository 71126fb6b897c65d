// A representation of a scene as triangles.
#include "app/export/representation_export.h"

#include <fmt/format.h>

#include "app/view/view_builder.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "render/represent/solid_mesh.h"

namespace isolume {
namespace {

/// The scene with nothing else in it.
Scene alone(Scene scene, std::size_t index) {
  for (std::size_t i = 0; i < scene.representations.size(); ++i) scene.representations[i].visible = i == index;
  for (SceneMolecule& molecule : scene.molecules) {
    molecule.visible = true;
    molecule.smoothing = 0;
  }
  scene.interactions.clear();
  scene.measurements.clear();
  scene.labels.clear();
  for (FieldProbe& probe : scene.probes) probe.visible = false;  // atoms may be coloured by them
  return scene;
}

}  // namespace

Mesh representation_mesh(const Scene& scene, Documents& documents, std::size_t index, Job& job) {
  const Representation& shown = scene.representations.at(index);
  ViewBuilder builder(documents);
  const SceneView view = builder.build(alone(scene, index), {}, &job);
  const std::span items(view.items);
  const int cuts = cuts_of(items);
  const SolidCount count = count_solids(items, cuts);
  const std::string what = fmt::format("{} of {}", name(shown.style), shown.selection);
  if (count.triangles == 0)
    throw Error(fmt::format("{} has no surface that could be written", what), Error::Kind::usage);
  // Once as it is, and once as the bytes of the file.
  require_memory(2 * count.bytes(), Device::cpu(), "the triangles of " + what);
  return solid_mesh(items, cuts, [&job](double part) {
    job.check();
    job.progress(part, "making triangles");
  });
}

}  // namespace isolume
