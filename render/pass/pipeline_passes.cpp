// What each pass of a picture draws.
#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "render/pass/gl_state.h"
#include "render/pass/pipeline.h"

namespace isolume {
namespace {

constexpr int layers_at_rest = 12, layers_in_motion = 4;
constexpr int lens_taps_at_rest = 64, lens_taps_in_motion = 24;
constexpr float nothing_there = 1e30f;  // eye z of what is empty: no surface is so far

}  // namespace

void Pipeline::draw_items(const Contents& contents) {
  for (std::size_t i = 0; i < contents.items.size(); ++i) draw_item(contents, i);
}

void Pipeline::draw_item(const Contents& contents, std::size_t index) {
  pass_.clipped_by = contents.planes_of(contents.traits[index].kind);
  contents.items[index]->draw(pass_, static_cast<std::uint32_t>(index + 1));
  pass_.clipped_by = 0;
}

void Pipeline::draw_geometry(const Contents& contents, bool with_ids) {
  pass_.kind = Pass::Kind::geometry;
  (with_ids ? to_geometry_ : to_numberless_).bind();
  clear_colour(to_geometry_, 0, 0);
  clear_colour(to_geometry_, 1, 0);
  if (with_ids) clear_ids(to_geometry_, 2);
  clear_depth(to_geometry_, 1);
  depth_state(true, true);
  const Culling culling{&depth_, {region_.width, region_.height}, &pyramid_};
  pass_.culling = &culling;
  draw_items(contents);
  pass_.culling = nullptr;
}

void Pipeline::draw_caps(const Contents& contents, bool front) {
  for (std::size_t i = 0; i < contents.items.size(); ++i) {
    if (!contents.items[i]->closed()) continue;
    if (front) draw_cap(contents, i, -1);
    const std::uint32_t cut_by = contents.planes_of(contents.traits[i].kind);
    for (int plane = 0; plane < static_cast<int>(contents.planes.size()); ++plane)
      if (cut_by & (1u << plane)) draw_cap(contents, i, plane);
  }
}

void Pipeline::draw_cap(const Contents& contents, std::size_t index, int plane) {
  // A line of sight that is inside at the plane goes through a closed surface an odd number of times behind it. They
  // are counted where the layers are added up later.
  const Drawable& item = *contents.items[index];
  pass_.kind = Pass::Kind::crossing;
  pass_.behind_plane = plane;
  to_layers_.bind();
  clear_colour(to_layers_, 0, 0);
  depth_state(false, false);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  draw_item(contents, index);
  glDisable(GL_BLEND);
  to_geometry_.bind();
  depth_state(true, true);
  layers_.bind(0);
  const std::uint32_t cut_by = contents.planes_of(contents.traits[index].kind);
  std::vector<std::string> defines;
  if (cut_by != 0) defines.emplace_back("CLIPPED");
  gl::Program& cap = full_screen("cap.frag", defines);
  cap.set("item", static_cast<std::uint32_t>(index + 1));
  cap.set("colour", item.cap_colour());
  cap.set("clipped_by", cut_by);
  cap.set("in_plane", plane);
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  pass_.behind_plane = -1;
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
  const Culling culling{&shadow_, glm::ivec2(shadow_size), &pyramid_};
  pass_.culling = &culling;
  draw_items(contents);
  pass_.culling = nullptr;
}

void Pipeline::draw_occlusion(int samples) {
  to_occlusion_.bind();
  const float empty[4] = {1, nothing_there, 0, 0};
  glClearNamedFramebufferfv(to_occlusion_.name(), GL_COLOR, 0, empty);
  depth_.bind(0);
  normal_.bind(1);
  albedo_.bind(2);
  std::vector<std::string> parts = projection_;
  parts.emplace_back(fast_ || samples > 1 ? "DIRECTIONS 1" : "DIRECTIONS 2");  // samples go to different ones
  parts.emplace_back(fast_ ? "STEPS 4" : "STEPS 5");
  full_screen("ambient_occlusion.frag", parts);
  fill_where(true);
  if (samples > 1) return;  // what they are composed from: each has a part of the pattern
  to_blurred_.bind();
  occlusion_.bind(0);
  full_screen("blur_occlusion.frag", projection_);
  fill_where(true);
}

bool Pipeline::draw_layers(const Contents& contents, bool with_ids) {
  // Depth peeling (Everitt 2001): each pass draws what is nearest behind the pass before, so the result does not
  // depend on the order of the items. It ends where a pass finds nothing more.
  const bool any = std::any_of(contents.items.begin(), contents.items.end(),
                               [](const Drawable* item) { return item->transparent() && item->item().opacity > 0; });
  if (any || with_ids) clear_ids(to_layer_[0], 1);
  if (!any) return false;
  clear_colour(to_layers_, 0, 0);
  unsigned query = 0;
  glCreateQueries(GL_ANY_SAMPLES_PASSED, 1, &query);
  pass_.kind = Pass::Kind::layer;
  const int most = fast_ ? layers_in_motion : layers_at_rest;
  for (int layer = 0; layer < most; ++layer) {
    const std::size_t now = layer == 0 ? 0 : layer % 2 ? 1 : 2;
    const std::size_t before = layer <= 1 ? 0 : layer % 2 ? 2 : 1;
    if (layer == 0) clear_depth(to_layer_[1], 0);  // nothing is before the first layer
    const gl::Framebuffer& target = to_layer_[now];
    target.bind();
    clear_colour(target, 0, 0);
    clear_depth(target, 1);
    depth_state(true, true);
    depth_.bind(0);
    layer_depth_[layer == 0 ? 1 : before].bind(1);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    draw_items(contents);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    int drawn = 0;
    glGetQueryObjectiv(query, GL_QUERY_RESULT, &drawn);
    if (!drawn || (pass_.stop && (*pass_.stop)())) break;
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

bool Pipeline::draw_clouds(const Contents& contents) {
  const bool any = std::any_of(contents.items.begin(), contents.items.end(),
                               [](const Drawable* item) { return item->is_cloud() && item->item().opacity > 0; });
  if (!any) return false;
  if (clouds_size_ != size_) {
    clouds_ = gl::Texture(GL_RGBA16F, size_.x, size_.y);
    to_clouds_ = gl::Framebuffer({&clouds_}, nullptr);
    clouds_size_ = size_;
  }
  pass_.kind = Pass::Kind::cloud;
  to_clouds_.bind();
  clear_colour(to_clouds_, 0, 0);
  depth_state(false, false);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);  // one after another, the first in front
  for (std::size_t i = 0; i < contents.items.size(); ++i) {
    depth_.bind(0);
    draw_item(contents, i);
  }
  glDisable(GL_BLEND);
  return true;
}

void Pipeline::draw_mask(const Contents& contents) {
  pass_.kind = Pass::Kind::mask;
  to_mask_.bind();
  clear_colour(to_mask_, 0, 0);
  clear_depth(to_mask_, 1);
  depth_state(true, true);
  depth_.bind(0);
  pass_.clipped_by = contents.planes_of(ItemTraits::Kind::atoms);
  contents.highlights->draw(pass_, 0);
  pass_.clipped_by = 0;
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

void Pipeline::draw_blurred(bool layers) {
  to_sum_.bind();
  depth_state(false, false);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  gl::Program& blur = full_screen("depth_of_field.frag");
  blur.set("has_layers", layers ? 1 : 0);
  blur.set("taps", fast_ ? lens_taps_in_motion : lens_taps_at_rest);
  composed_.bind(0);
  depth_.bind(1);
  layer_depth_[0].bind(2);
  nothing_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

}  // namespace isolume
