// Scenes into pictures, without a window.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/documents/documents.h"
#include "app/fields/field_memory.h"
#include "app/fields/fields.h"
#include "app/scene/scene.h"
#include "app/view/path/traced_picture.h"
#include "app/view/view_builder.h"
#include "render/gl/context.h"
#include "render/tiles.h"

namespace isolume::cli {

/// An EGL context with a renderer, and the fields that the pictures before needed and the next may need again.
class Painter {
 public:
  /// Throws Error where there is no OpenGL 4.5.
  Painter(Documents& documents, Device device);
  ~Painter();

  /// Computes what the scene's fields need at its frame and draws it; once more in another context where the driver has
  /// lost this one. Throws Error.
  Image paint(const Scene& scene, const PictureOptions& options, Job& job);

  /// Of the last picture.
  const std::vector<FieldResult>& results() const { return results_; }
  /// Bytes predicted for its fields.
  std::size_t predicted() const { return predicted_; }
  /// Nothing was drawn in the last picture: no representation and no field of the scene has anything to show.
  bool blank() const { return blank_; }
  /// Of all pictures the most that was predicted for drawing one, in the host's memory, and that drawing one took:
  /// representations, the driver's copies and the layers of the picture, its pixels.
  std::size_t drawing_predicted() const { return drawing_predicted_; }
  std::size_t drawing_peak() const { return drawing_peak_; }
  /// Spent on each picture so far: in its fields, and in drawing them and reading the picture back.
  const std::vector<double>& field_seconds() const { return field_seconds_; }
  const std::vector<double>& draw_seconds() const { return draw_seconds_; }
  std::size_t host_bytes() const { return host_bytes_; }  ///< of surfaces that went through host memory
  /// Of the last picture, where it was path traced; else null.
  const PathReport* path_report() const { return path_ ? &path_->report() : nullptr; }
  const GlInfo& gl() const { return gl_; }
  std::string path() const { return share_->path(); }
  /// Why the last context was lost, empty where none was.
  const std::string& loss() const { return loss_; }

 private:
  void open();
  void close();
  Image paint_here(const Scene& scene, const PictureOptions& options, Job& job);
  void compute(const Scene& scene, Job& job);
  Image draw(const SceneView& view, const PictureOptions& options, Job& job);

  Documents& documents_;
  Device device_;
  std::unique_ptr<GlContext> context_;  // first in, last out
  GlInfo gl_;
  std::string loss_;
  std::unique_ptr<GlShare> share_;
  std::unique_ptr<TiledRenderer> renderer_;
  std::unique_ptr<PathPainter> path_;  // where a picture was path traced
  ViewBuilder builder_;
  FieldMemory memory_;
  std::vector<FieldResult> results_;
  std::vector<FieldRequest> requests_;  // what results_ were computed for
  std::size_t predicted_ = 0;
  std::size_t host_bytes_ = 0;
  std::size_t drawing_predicted_ = 0, drawing_peak_ = 0;
  bool blank_ = false;
  double drawn_ = 0;  ///< of the picture that is being drawn
  std::vector<double> field_seconds_, draw_seconds_;
};

/// Says so where the last picture shows nothing, and why that may be.
void note_blank(Run& run, const Painter& painter, const Scene& scene);

/// The memory of the run in its report, after its result: predicted and taken, of all and of drawing alone.
void report_memory(Run& run, const Painter& painter);

/// Says so where a picture took more than --memory-limit: the limit is kept by computations and by drawing, but not by
/// files that are held and by the driver's own programs.
void note_memory_taken(Run& run);

}  // namespace isolume::cli
