// Binary glTF 2.0, mesh by mesh.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "molecule/mesh.h"

namespace isolume {

/// Collects meshes, one for each frame, and writes them as one file (Khronos glTF 2.0, GLB container). Scalars become
/// attributes such as _POTENTIAL, their units the mesh's extras; with several meshes an animation shows each from its
/// time (seconds) to the next one's by its node's scale, 1 or 0, in steps: their topology differs from frame to frame,
/// so that morph targets do not serve.
class GlbBuilder {
 public:
  /// Throws Error (usage) for an empty mesh, or beyond the 4 GiB that the container can hold.
  void add(const Mesh& mesh, double time = 0);
  /// `made` is a JSON object that says how the meshes were made, or empty; it goes to asset.extras.made.
  void write(std::ostream& out, const std::string& comment, const std::string& made);

 private:
  int add_bytes(const void* data, std::size_t size, int target, const std::string& accessor);
  std::string animation();

  std::string bytes_, views_, accessors_, meshes_;
  std::vector<float> times_;
  int count_ = 0;
  bool transparent_ = false;
};

}  // namespace isolume
