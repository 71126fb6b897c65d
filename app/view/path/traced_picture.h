// Scene views as path-traced pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "render/image/image.h"
#include "render/renderer.h"

namespace isolume {

/// What a picture cost, and how good it is.
struct PathReport {
  std::string device;  ///< "cpu (Embree)", "cuda:0"
  int samples = 0, bounces = 0;
  std::uint64_t shapes = 0, rays = 0;
  double build_seconds = 0, trace_seconds = 0;
  /// Of luminance in linear light, where white is 1: root mean square over covered pixels. Not a number after one
  /// sample, which says nothing of it.
  double standard_error = 0;
  std::string denoiser;            ///< "Open Image Denoise 2.5.1"; empty: none
  std::size_t bytes = 0;           ///< predicted: of the scene, the hierarchy and the sums
  std::vector<std::string> notes;  ///< what the picture leaves out
};

/// Traces the pictures of a run. The hierarchy is kept while the camera alone turns.
class PathPainter {
 public:
  explicit PathPainter(Device device);
  ~PathPainter();
  PathPainter(const PathPainter&) = delete;
  PathPainter& operator=(const PathPainter&) = delete;

  /// The picture that TiledRenderer::picture() draws, but traced: PictureOptions::samples paths for each pixel.
  /// Transparent backgrounds, tiles, layers and sizes as there. An OpenGL context must be current where surfaces are in
  /// its buffers. PictureOptions::denoise smooths it; the standard error is that of before. Throws Error: what does not
  /// fit into memory, before it is taken; a denoiser that is not there.
  Image picture(const SceneView& view, const PictureOptions& options, Job& job);

  /// Begins a picture that is refined in passes; PictureOptions::samples has no meaning.
  void begin(const SceneView& view, const PictureOptions& options);
  /// Adds samples to the picture that was begun, and gives the mean of all so far: after n samples, in however many
  /// passes, that is picture() with n samples. Needs and throws what picture() does; after that it has to be begun
  /// again.
  Image refine(int samples, Job& job);

  /// As TiledRenderer::covered_labels(), of the last picture, which was of this view.
  std::vector<std::vector<std::uint8_t>> covered_labels(const SceneView& view) const;

  /// Of the last picture.
  const PathReport& report() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace isolume
