// The passes that make a picture of drawables.
#include "render/pass/pipeline.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace isolume {
namespace {

constexpr int shadow_size = 2048;
constexpr int layers_at_rest = 12, layers_in_motion = 4;

void depth_state(bool test, bool write) {
  if (test)
    glEnable(GL_DEPTH_TEST);
  else
    glDisable(GL_DEPTH_TEST);
  glDepthMask(write ? GL_TRUE : GL_FALSE);
  glDepthFunc(GL_LESS);
}

void clear_colour(const gl::Framebuffer& target, int attachment, float value) {
  const float values[4] = {value, value, value, value};
  glClearNamedFramebufferfv(target.name(), GL_COLOR, attachment, values);
}

void clear_ids(const gl::Framebuffer& target, int attachment) {
  const unsigned zeros[4] = {};
  glClearNamedFramebufferuiv(target.name(), GL_COLOR, attachment, zeros);
}

void clear_depth(const gl::Framebuffer& target, float value) {
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(target.name(), GL_DEPTH, 0, &value);
}

}  // namespace

Pipeline::Pipeline() {
  pass_.programs = &programs_;
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
  make(occlusion_, GL_R8);
  make(blurred_, GL_R8);
  make(layer_, GL_RGBA16F);
  make(layer_id_, GL_RG32UI);
  make(front_id_, GL_RG32UI);
  make(layers_, GL_RGBA16F);
  for (auto& depth : layer_depth_) make(depth, GL_DEPTH_COMPONENT32F);
  make(mask_, GL_RG8);
  make(sum_, GL_RGBA32F);
  to_geometry_ = gl::Framebuffer({&albedo_, &normal_, &id_}, &depth_);
  to_occlusion_ = gl::Framebuffer({&occlusion_}, nullptr);
  to_blurred_ = gl::Framebuffer({&blurred_}, nullptr);
  to_layers_ = gl::Framebuffer({&layers_}, nullptr);
  to_mask_ = gl::Framebuffer({&mask_}, &layer_depth_[1]);
  to_sum_ = gl::Framebuffer({&sum_}, &layer_depth_[1]);
  to_layer_[0] = gl::Framebuffer({&layer_, &front_id_}, &layer_depth_[0]);
  to_layer_[1] = gl::Framebuffer({&layer_, &layer_id_}, &layer_depth_[1]);
  to_layer_[2] = gl::Framebuffer({&layer_, &layer_id_}, &layer_depth_[2]);
  size_ = glm::ivec2(w, h);
}

void Pipeline::set_frame(const FrameBlock& block) {
  uniforms_.upload(&block, sizeof block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms_.name());
}

gl::Program& Pipeline::full_screen(const char* fragment) {
  gl::Program& program = programs_.get("fullscreen.vert", fragment);
  program.use();
  return program;
}

void Pipeline::fill(const char* fragment) {
  full_screen(fragment);
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Pipeline::draw(const SceneView& view, const Contents& contents, glm::ivec2 picture, Region region, int side,
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
  pass_.pixel_scale = static_cast<float>(pixel_scale);
  glViewport(0, 0, region.width, region.height);
  glScissor(0, 0, region.width, region.height);
  clear_colour(to_sum_, 0, 0);

  glm::mat4 shadow(1.0f);
  if (view.look.shadows) {
    draw_shadow(view, contents);
    light_block(view, shadow_size, shadow);
    glViewport(0, 0, region.width, region.height);
    glScissor(0, 0, region.width, region.height);
  }

  for (int n = 0; n < side * side; ++n) {
    Shot shot{picture, region,      glm::dvec2((n % side + 0.5) / side - 0.5, (n / side + 0.5) / side - 0.5),
              n,       side * side, pixel_scale,
              fast};
    frame_ = frame_block(view, shot);
    frame_.shadow = shadow;
    set_frame(frame_);
    draw_geometry(contents);
    const bool occlusion = view.look.ambient_occlusion && view.look.ambient_occlusion_strength > 0;
    if (occlusion) draw_occlusion();
    const bool layers = draw_layers(contents);
    if (contents.highlights) draw_mask(contents);

    to_sum_.bind();
    depth_state(false, false);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl::Program& compose = full_screen("compose.frag");
    compose.set("transparent_background", transparent_background ? 1 : 0);
    compose.set("has_layers", layers ? 1 : 0);
    compose.set("has_mask", contents.highlights ? 1 : 0);
    compose.set("has_occlusion", occlusion ? 1 : 0);
    albedo_.bind(0);
    normal_.bind(1);
    depth_.bind(2);
    blurred_.bind(3);
    layers_.bind(4);
    mask_.bind(5);
    if (view.look.shadows) shadow_.bind(6);
    layer_depth_[0].bind(7);
    nothing_.bind();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
  }
  if (!contents.axes.empty()) draw_axes(view, contents, Shot{picture, region, {}, 0, 1, pixel_scale, fast});
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
}

void Pipeline::draw_geometry(const Contents& contents) {
  pass_.kind = Pass::Kind::geometry;
  to_geometry_.bind();
  clear_colour(to_geometry_, 0, 0);
  clear_colour(to_geometry_, 1, 0);
  clear_ids(to_geometry_, 2);
  clear_depth(to_geometry_, 1);
  depth_state(true, true);
  for (std::size_t i = 0; i < contents.items.size(); ++i)
    contents.items[i]->draw(pass_, static_cast<std::uint32_t>(i + 1));
}

void Pipeline::draw_shadow(const SceneView& view, const Contents& contents) {
  if (!shadow_.name()) {
    shadow_ = gl::Texture(GL_DEPTH_COMPONENT32F, shadow_size, shadow_size);
    to_shadow_ = gl::Framebuffer({}, &shadow_);
  }
  glm::mat4 from_eye(1.0f);
  set_frame(light_block(view, shadow_size, from_eye));
  glViewport(0, 0, shadow_size, shadow_size);
  glScissor(0, 0, shadow_size, shadow_size);
  pass_.kind = Pass::Kind::shadow;
  to_shadow_.bind();
  clear_depth(to_shadow_, 1);
  depth_state(true, true);
  for (std::size_t i = 0; i < contents.items.size(); ++i)
    contents.items[i]->draw(pass_, static_cast<std::uint32_t>(i + 1));
}

void Pipeline::draw_occlusion() {
  depth_state(false, false);
  to_occlusion_.bind();
  depth_.bind(0);
  normal_.bind(1);
  albedo_.bind(2);
  gl::Program& search = full_screen("ambient_occlusion.frag");
  search.set("directions", fast_ ? 1 : 2);
  search.set("steps", fast_ ? 4 : 5);
  fill("ambient_occlusion.frag");
  to_blurred_.bind();
  occlusion_.bind(0);
  depth_.bind(1);
  fill("blur_occlusion.frag");
}

bool Pipeline::draw_layers(const Contents& contents) {
  // Depth peeling (Everitt 2001): each pass draws what lies nearest behind the pass before, so the result does not
  // depend on the order of the items. It ends where a pass finds nothing more.
  const bool any = std::any_of(contents.items.begin(), contents.items.end(),
                               [](const Drawable* item) { return item->transparent() && item->item().opacity > 0; });
  clear_ids(to_layer_[0], 1);
  if (!any) return false;
  clear_colour(to_layers_, 0, 0);
  unsigned query = 0;
  glCreateQueries(GL_ANY_SAMPLES_PASSED, 1, &query);
  pass_.kind = Pass::Kind::layer;
  const int most = fast_ ? layers_in_motion : layers_at_rest;
  for (int layer = 0; layer < most; ++layer) {
    const std::size_t now = layer == 0 ? 0 : layer % 2 ? 1 : 2;
    const std::size_t before = layer <= 1 ? 0 : layer % 2 ? 2 : 1;
    if (layer == 0) clear_depth(to_layer_[1], 0);  // nothing lies before the first layer
    const gl::Framebuffer& target = to_layer_[now];
    target.bind();
    clear_colour(target, 0, 0);
    clear_depth(target, 1);
    depth_state(true, true);
    depth_.bind(0);
    layer_depth_[layer == 0 ? 1 : before].bind(1);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    for (std::size_t i = 0; i < contents.items.size(); ++i)
      contents.items[i]->draw(pass_, static_cast<std::uint32_t>(i + 1));
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    int drawn = 0;
    glGetQueryObjectiv(query, GL_QUERY_RESULT, &drawn);
    if (!drawn) break;
    to_layers_.bind();
    depth_state(false, false);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    layer_.bind(0);
    fill("blend_layer.frag");
    glDisable(GL_BLEND);
  }
  glDeleteQueries(1, &query);
  return true;
}

void Pipeline::draw_mask(const Contents& contents) {
  pass_.kind = Pass::Kind::mask;
  to_mask_.bind();
  clear_colour(to_mask_, 0, 0);
  clear_depth(to_mask_, 1);
  depth_state(true, true);
  depth_.bind(0);
  contents.highlights->draw(pass_, 0);
}

void Pipeline::draw_axes(const SceneView& view, const Contents& contents, const Shot& shot) {
  // Their own small camera, in the lower left corner of the picture.
  const int side = static_cast<int>(std::lround(std::min(90.0 * shot.pixel_scale, 0.25 * shot.picture.y)));
  SceneView corner;
  corner.camera.rotation = view.camera.rotation;
  corner.camera.projection = Camera::Projection::orthographic;
  corner.camera.height = 3.0;
  corner.radius = 1.6;
  corner.look = view.look;
  corner.look.depth_cue = 0;
  Shot inset = shot;
  inset.picture = glm::ivec2(side);
  inset.region = Region{0, 0, side, side};
  const int left = static_cast<int>(6 * shot.pixel_scale) - shot.region.x;
  const int low = static_cast<int>(6 * shot.pixel_scale) - shot.region.y;
  set_frame(frame_block(corner, inset));
  glViewport(left, low, side, side);
  pass_.kind = Pass::Kind::overlay;
  to_sum_.bind();
  clear_depth(to_sum_, 1);
  depth_state(true, true);
  for (Drawable* item : contents.axes) item->draw(pass_, 0);
  glViewport(0, 0, shot.region.width, shot.region.height);
}

void Pipeline::present(unsigned framebuffer, Region wanted) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, wanted.width, wanted.height);
  depth_state(false, false);
  glDisable(GL_BLEND);
  full_screen("resolve.frag").set("offset", glm::vec2(wanted.x - region_.x, wanted.y - region_.y));
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

}  // namespace isolume
