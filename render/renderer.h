// The renderer: scene view in, pixels out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "render/image/colour_vision.h"
#include "render/image/image.h"
#include "render/image/text.h"
#include "render/view/scene_view.h"

namespace isolume {

namespace gl {
class ProgramCache;
}
struct Contents;
struct PictureLayers;
struct Region;

/// How a picture is made.
struct PictureOptions {
  int width = 1600;
  int height = 1200;
  int samples = 4;            ///< samples per pixel and axis are 1, 2, 3 ...: `samples` = n*n (1, 4, 9, 16)
  bool transparent = false;   ///< the background has alpha 0
  double pixel_ratio = 1.0;   ///< pixels per logical pixel: line widths and outlines scale with it
  double dots = 0;            ///< per inch, for its size on paper and for letters in points; 0 leaves it open
  int largest_tile = 4096;    ///< pixels; a picture that is wider or higher is made of several tiles
  bool layers = false;        ///< Image::layers too
  bool legends_only = false;  ///< the legends without the scene, on nothing
  bool path_traced = false;   ///< by PathPainter, with `samples` paths for each pixel, any number of them
  bool denoise = false;       ///< smoothed by denoise(), where it is path traced
  bool vectors = false;       ///< what is written over it becomes Image::overlay, not pixels

  /// Pixels of an inch: `dots`, or those of a screen.
  double dots_of_letters() const { return dots > 0 ? dots : screen_dots * pixel_ratio; }
};

/// Draws scene views with OpenGL 4.5. All members need the context current in which it was made; it keeps GPU copies of
/// items by identity and drops those of items that are gone. Makes no computation beyond uploads.
class Renderer {
 public:
  /// Throws Error where the current context is older than OpenGL 4.5.
  /// @param programs  compiled by other renderers of the same context; null: its own
  explicit Renderer(std::shared_ptr<gl::ProgramCache> programs = nullptr);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Draws into framebuffer `target` (0: the window's) of width x height pixels. False where it was stopped: the
  /// framebuffer is then as it was, and nothing can be picked until the next picture.
  bool draw(const SceneView& view, unsigned target, int width, int height, double pixel_ratio = 1.0);
  /// While moving: fewer ambient-occlusion samples and no supersampling, so that it stays fluid; of tens of thousands
  /// of spheres, cylinders and lines every `thin`-th alone.
  void set_fast(bool fast, unsigned thin = 1);

  /// Shows colours as such eyes see them, from the next picture on.
  void set_vision(ColourVision vision);

  /// Asked now and then while draw() draws, which ends soon after it says true; null: draws to the end. It waits for
  /// the driver at each question, which costs little where the processor draws and much where a graphics card does.
  void set_stop(std::function<bool()> stop);

  /// Told how far a picture() is, from 0 to 1, after each of its samples; null: nobody.
  void set_progress(std::function<void(double)> progress);

  /// A picture of any size, in tiles where it exceeds the largest framebuffer. The same pixels as in a window of that
  /// size.
  Image picture(const SceneView& view, const PictureOptions& options);

  /// What is under a pixel of the last draw (x right, y down, pixels), searching `reach` pixels around it.
  PickId pick(int x, int y, int reach = 2);

  /// 1 for points that have something opaque before them in the last picture, nearer to the eye by more than `margin`
  /// angstrom. All 0 where that picture was drawn in several pieces, or they are very many.
  std::vector<std::uint8_t> covered(std::span<const glm::vec3> points, double margin) const;

  /// How many spheres of items with chunks the last picture drew (of its last sample, and of one of its pieces): those
  /// that may be seen, chunks drawn as one counted once. Waits for the device.
  std::size_t spheres_drawn() const;

 private:
  struct Parts;
  void take_hits(const SceneView& view, const Contents& contents, glm::ivec2 size, const Region& wanted, double scale,
                 PictureLayers& layers);

  std::unique_ptr<Parts> parts_;
};

}  // namespace isolume
