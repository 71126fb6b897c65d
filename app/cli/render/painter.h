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

  /// Computes what the scene's fields need at its frame and draws it. Throws Error.
  Image paint(const Scene& scene, const PictureOptions& options, Job& job);

  /// Of the last picture.
  const std::vector<FieldResult>& results() const { return results_; }
  /// Bytes predicted for its fields.
  std::size_t predicted() const { return predicted_; }
  /// Spent on each picture so far: in its fields, and in drawing them and reading the picture back.
  const std::vector<double>& field_seconds() const { return field_seconds_; }
  const std::vector<double>& draw_seconds() const { return draw_seconds_; }
  std::size_t host_bytes() const { return host_bytes_; }  ///< of surfaces that went through host memory
  const GlInfo& gl() const { return gl_; }
  std::string path() const { return share_->path(); }

 private:
  void compute(const Scene& scene, Job& job);

  Documents& documents_;
  Device device_;
  std::unique_ptr<GlContext> context_;  // first in, last out
  GlInfo gl_;
  std::unique_ptr<GlShare> share_;
  std::unique_ptr<TiledRenderer> renderer_;
  ViewBuilder builder_;
  FieldMemory memory_;
  std::vector<FieldResult> results_;
  std::vector<FieldRequest> requests_;  // what results_ were computed for
  std::size_t predicted_ = 0;
  std::size_t host_bytes_ = 0;
  double drawn_ = 0;  ///< of the picture that is being drawn
  std::vector<double> field_seconds_, draw_seconds_;
};

/// Says so where a picture took more than --memory-limit: the limit is kept by computations and by what is held of the
/// picture, and nobody but the driver knows what drawing takes.
void note_memory_taken(Run& run);

}  // namespace isolume::cli
