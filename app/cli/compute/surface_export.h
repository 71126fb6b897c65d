// Meshes of surfaces into files: one, numbered ones, or one file with all frames.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/write/write_glb.h"
#include "molecule/mesh.h"

namespace isolume::cli {

/// "surface.ply" of frame 7, where there are several, as "surface_0007.ply"; "s_%02d.ply" as "s_07.ply".
std::string numbered_name(const std::string& path, std::size_t frame, bool several);

/// Writes the mesh of one frame after another: each into its own file, or all of a .glb without a number in its name
/// into one animation of `frames_per_second`.
class SurfaceExport {
 public:
  SurfaceExport(std::string path, std::size_t frames, double frames_per_second);
  void add(std::size_t frame, const Mesh& mesh, const std::string& comment, const std::string& made);
  /// Writes what waits; the files that were written.
  std::vector<std::string> finish();
  bool animated() const { return animated_; }

 private:
  std::string path_;
  std::size_t frames_;
  double frames_per_second_;
  bool animated_;
  GlbBuilder builder_;
  std::size_t added_ = 0;
  std::string comment_, made_;
  std::vector<std::string> written_;
};

}  // namespace isolume::cli
