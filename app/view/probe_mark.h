// Marks of probes in the picture.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <memory>

#include "app/scene/scene.h"
#include "molecule/molecule.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Three crossing lines at the place of a probe, and its number, from 1. The cross of a bond has one line along it.
struct ProbeMark {
  std::shared_ptr<const DrawItem> lines;
  Label label;
};
/// The mark of the scene's probe of that number in a frame of its molecule. Throws Error (usage) where it is at an atom
/// that is not there.
ProbeMark probe_mark(const Scene& scene, std::size_t number, const Topology& topology, const Frame& frame);

/// The colour of a mark, and of what else is of the probe of that number: one of eight that stay apart.
glm::u8vec4 probe_colour(std::size_t number);

}  // namespace isolume
