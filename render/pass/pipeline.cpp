// The passes that make a picture of drawables.
#include "render/pass/pipeline.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/gl/context.h"
#include "render/pass/gl_state.h"

namespace isolume {

Pipeline::Pipeline(std::shared_ptr<gl::ProgramCache> programs) : programs_(std::move(programs)) {
  pass_.programs = programs_.get();
  pass_.software = gl_info().software;
}

void Pipeline::resize(int width, int height) {
  if (width <= size_.x && height <= size_.y) return;
  const int w = std::max(width, size_.x), h = std::max(height, size_.y);
  size_ = glm::ivec2(0);
  const auto make = [w, h](gl::Texture& texture, unsigned format) { texture = gl::Texture(format, w, h); };
  make(albedo_, GL_RGBA8);
  make(normal_, GL_RG16);
  make(id_, GL_RG32UI);
  make(depth_, GL_DEPTH_COMPONENT32F);
  make(occlusion_, GL_RG32F);
  make(blurred_, GL_R8);
  make(layer_, GL_RGBA16F);
  make(layer_id_, GL_RG32UI);
  make(front_id_, GL_RG32UI);
  make(layers_, GL_RGBA16F);
  for (auto& depth : layer_depth_) make(depth, GL_DEPTH_COMPONENT32F);
  make(mask_, GL_RG8);
  make(sum_, GL_RGBA32F);
  to_geometry_ = gl::Framebuffer({&albedo_, &normal_, &id_}, &depth_);
  to_numberless_ = gl::Framebuffer({&albedo_, &normal_}, &depth_);
  to_occlusion_ = gl::Framebuffer({&occlusion_}, &depth_);
  to_blurred_ = gl::Framebuffer({&blurred_}, &depth_);
  to_layers_ = gl::Framebuffer({&layers_}, nullptr);
  to_mask_ = gl::Framebuffer({&mask_}, &layer_depth_[1]);
  to_sum_ = gl::Framebuffer({&sum_}, &layer_depth_[1]);
  to_samples_ = gl::Framebuffer({&sum_}, &depth_);
  to_layer_[0] = gl::Framebuffer({&layer_, &front_id_}, &layer_depth_[0]);
  to_layer_[1] = gl::Framebuffer({&layer_, &layer_id_}, &layer_depth_[1]);
  to_layer_[2] = gl::Framebuffer({&layer_, &layer_id_}, &layer_depth_[2]);
  size_ = glm::ivec2(w, h);
}

void Pipeline::set_frame(const FrameBlock& block) {
  uniforms_.upload(&block, sizeof block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_.name());
}

gl::Program& Pipeline::full_screen(const char* fragment, const std::vector<std::string>& defines) {
  gl::Program& program = programs_->get("fullscreen.vert", fragment, defines);
  program.use();
  return program;
}

void Pipeline::fill(const char* fragment) {
  full_screen(fragment);
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Pipeline::fill_where(bool opaque) {
  // The triangle is as far away as what is empty. Depth is tested and not written, so that shaders may read it.
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(opaque ? GL_GREATER : GL_LEQUAL);
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  depth_state(false, false);
}

bool Pipeline::draw(const SceneView& view, const Contents& contents, glm::ivec2 picture, Region region, int side,
                    double pixel_scale, bool transparent_background, bool fast) {
  // The window's painter may have left anything behind.
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glFrontFace(GL_CCW);
  glCullFace(GL_BACK);
  glDepthRange(0, 1);
  glEnable(GL_SCISSOR_TEST);
  glBindSampler(0, 0);

  resize(region.width, region.height);
  region_ = region;
  fast_ = fast;
  projection_.clear();
  if (view.camera.projection == Camera::Projection::perspective) projection_.emplace_back("PERSPECTIVE");
  pass_.pixel_scale = static_cast<float>(pixel_scale);
  pass_.fast = fast;
  glViewport(0, 0, region.width, region.height);
  glScissor(0, 0, region.width, region.height);
  clear_colour(to_sum_, 0, 0);

  glm::mat4 shadow(1.0f);
  if (view.look.shadows) {
    draw_shadow(view, contents);
    if (pass_.stopped()) return end(false);
    light_block(view, shadow_size, shadow);
    glViewport(0, 0, region.width, region.height);
    glScissor(0, 0, region.width, region.height);
  }

  const bool outlines = widest_outline(view) > 0, own_outlines = outlines && contents.own_outlines();
  for (int n = 0; n < side * side; ++n) {
    // Numbers are read of the last sample alone, but for outlines that items have of their own.
    const bool with_ids = own_outlines || n + 1 == side * side;
    Shot shot{picture, region,      glm::dvec2((n % side + 0.5) / side - 0.5, (n / side + 0.5) / side - 0.5),
              n,       side * side, pixel_scale,
              fast};
    frame_ = frame_block(view, shot);
    frame_.shadow = shadow;
    set_frame(frame_);
    draw_geometry(contents, with_ids);
    if (view.look.caps && (view.camera.slab_front > 0 || !contents.planes.empty()))
      draw_caps(contents, view.camera.slab_front > 0);
    if (pass_.stopped()) return end(false);
    const bool occlusion = view.look.ambient_occlusion && view.look.ambient_occlusion_strength > 0;
    if (occlusion) draw_occlusion(side * side);
    const bool clouds = draw_clouds(contents);
    if (pass_.stopped()) return end(false);
    const bool layers = draw_layers(contents, with_ids);
    if (contents.highlights) draw_mask(contents);

    // Through a lens the sample is made apart and then spread into the sum.
    const bool lens = view.look.depth_of_field > 0;
    if (lens && composed_size_ != size_) {
      composed_ = gl::Texture(GL_RGBA16F, size_.x, size_.y);
      to_composed_ = gl::Framebuffer({&composed_}, &depth_);
      composed_size_ = size_;
    }
    (lens ? to_composed_ : to_samples_).bind();
    if (!lens) glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    std::vector<std::string> parts = projection_;
    if (outlines) parts.emplace_back("OUTLINES");
    if (outlines && fast && pass_.software) parts.emplace_back("SKETCHED");
    if (own_outlines) {
      parts.emplace_back("OWN_OUTLINES");
      outlines_.upload(contents.outlines(view.look, pixel_scale));
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, outlines_.name());
      id_.bind(9);
      front_id_.bind(10);
    }
    if (outlines && contents.all_have_rims()) parts.emplace_back("RIMS");
    if (contents.all_standard()) parts.emplace_back("STANDARD");
    if (view.look.shadows) parts.emplace_back("SHADOWS");
    if (occlusion) parts.emplace_back("OCCLUSION");
    if (occlusion && side > 1) parts.emplace_back("UNBLURRED");
    if (clouds) parts.emplace_back("CLOUDS");
    if (layers) parts.emplace_back("LAYERS");
    if (contents.highlights) parts.emplace_back("MASK");
    (side > 1 ? occlusion_ : blurred_).bind(3);
    if (view.look.shadows) shadow_.bind(6);
    if (clouds) clouds_.bind(8);
    compose(parts, transparent_background);
    glDisable(GL_BLEND);
    if (lens) draw_blurred(layers);
    if (progress_) progress_((n + 1.0) / (side * side));
    if (pass_.stopped()) return end(false);
  }
  if (!contents.axes.empty()) draw_axes(view, contents, Shot{picture, region, {}, 0, 1, pixel_scale, fast});
  return end(true);
}

void Pipeline::compose(const std::vector<std::string>& parts, bool transparent_background) {
  albedo_.bind(0);
  normal_.bind(1);
  depth_.bind(2);
  layers_.bind(4);
  mask_.bind(5);
  layer_depth_[0].bind(7);
  for (const bool opaque : {true, false}) {
    std::vector<std::string> own = parts;
    if (!opaque) own.emplace_back("EMPTY");
    full_screen("compose.frag", own).set("transparent_background", transparent_background ? 1 : 0);
    fill_where(opaque);
  }
}

bool Pipeline::end(bool complete) {
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  return complete;
}

void Pipeline::present(unsigned framebuffer, Region wanted) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, wanted.width, wanted.height);
  depth_state(false, false);
  glDisable(GL_BLEND);
  gl::Program& resolve = full_screen("resolve.frag");
  resolve.set("offset", glm::vec2(wanted.x - region_.x, wanted.y - region_.y));
  resolve.set("vision", glm::mat4(vision_));
  sum_.bind(0);
  fill("resolve.frag");
  glDepthMask(GL_TRUE);
  glBindVertexArray(0);
  glUseProgram(0);
}

std::vector<std::array<Pipeline::Hit, 2>> Pipeline::hits(Region block) const {
  const int x = block.x - region_.x, y = block.y - region_.y;
  const auto count = static_cast<std::size_t>(block.width) * static_cast<std::size_t>(block.height);
  std::vector<std::array<Hit, 2>> found(count);
  const auto read = [&](const gl::Texture& ids, const gl::Texture& depths, std::size_t which) {
    std::vector<glm::uvec2> id(count);
    std::vector<float> depth(count);
    glGetTextureSubImage(ids.name(), 0, x, y, 0, block.width, block.height, 1, GL_RG_INTEGER, GL_UNSIGNED_INT,
                         static_cast<GLsizei>(count * sizeof(glm::uvec2)), id.data());
    glGetTextureSubImage(depths.name(), 0, x, y, 0, block.width, block.height, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                         static_cast<GLsizei>(count * sizeof(float)), depth.data());
    for (std::size_t i = 0; i < count; ++i) found[i][which] = Hit{id[i].x, id[i].y, depth[i], which == 1};
  };
  read(id_, depth_, 0);
  read(front_id_, layer_depth_[0], 1);
  return found;
}

void Pipeline::linear_row(int x, int y, int width, float* rgba) const {
  glGetTextureSubImage(sum_.name(), 0, x - region_.x, y - region_.y, 0, width, 1, 1, GL_RGBA, GL_FLOAT,
                       static_cast<GLsizei>(static_cast<std::size_t>(width) * 4 * sizeof(float)), rgba);
}

}  // namespace isolume
