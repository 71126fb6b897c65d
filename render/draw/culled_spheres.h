// Spheres in chunks, of which those that may be seen are drawn.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "render/draw/drawable.h"
#include "render/gl/buffer.h"
#include "render/gl/program.h"

namespace isolume {

/// Culls spheres on the device (chunks, then each by itself) against the region, clipping planes and the depth of what
/// is drawn. A picture has three rounds, so that it is the same whatever was drawn before: what the last one showed;
/// the nearest chunks in each square of the picture that its depth does not hide; all else that the depth of both does
/// not hide. Chunks smaller than a pixel are drawn as one sphere. The CPU knows none of the numbers.
class CulledSpheres {
 public:
  /// Whether the driver offers what is needed.
  static bool possible();

  explicit CulledSpheres(const Spheres& shape);

  struct Draw {
    gl::Program& shader;  ///< spheres.vert, LISTED
    const gl::Buffer& spheres;
    const gl::Buffer& colours;
    unsigned every;      ///< so many-th sphere is drawn
    float radius_scale;  ///< the larger
    std::size_t copy;    ///< which of the item's
    glm::vec3 offset;    ///< of that
  };
  /// Into the framebuffer and in the state that are set; pass.culling is not null.
  void draw(const Pass& pass, const Draw& what);

  /// Spheres of the last draw of all copies; waits for the device.
  std::size_t drawn() const;

 private:
  enum class Round { again, next, rest };
  void draw_round(const Pass& pass, const Draw& what, Round round, const gl::Buffer& seen);
  void vote(const Pass& pass, const Draw& what);
  gl::Program& compute(const Pass& pass, const Draw& what, const char* name, const char* define = nullptr) const;
  struct Part {
    std::size_t first_chunk, chunks, first, spheres;
  };
  Part part(std::size_t number) const;
  void bind(const Part& part, const gl::Buffer& seen) const;

  std::size_t count_, chunk_count_;
  gl::Buffer chunks_, drawn_, now_, counts_, places_, list_, squares_, command_;
  std::map<std::pair<Pass::Kind, std::size_t>, gl::Buffer> seen_;  // by copy
  gl::VertexArray nothing_;
};

}  // namespace isolume
