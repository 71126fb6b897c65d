// The thread that draws for the viewport.
#include "app/window/viewport/viewport_renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include "app/documents/thread_priority.h"
#include "app/window/viewport/enlarge.h"
#include "molecule/base/error.h"
#include "render/gl/context_loss.h"

namespace isolume {
namespace {

/// How long the next picture waits for the window to show the last; a hidden window shows none.
constexpr std::chrono::milliseconds longest_wait{100};

}  // namespace

/// A colour texture, and on the drawing thread the framebuffer around it.
struct ViewportRenderer::Target {
  unsigned texture = 0, framebuffer = 0;
  int width = 0, height = 0;

  void resize(int wide, int high) {
    if (wide == width && high == height) return;
    release();
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, wide, high);
    glCreateFramebuffers(1, &framebuffer);
    glNamedFramebufferTexture(framebuffer, GL_COLOR_ATTACHMENT0, texture, 0);
    width = wide;
    height = high;
  }
  void release() {
    if (framebuffer) glDeleteFramebuffers(1, &framebuffer);
    if (texture) glDeleteTextures(1, &texture);
    framebuffer = texture = 0;
    width = height = 0;
  }
};

ViewportRenderer::ViewportRenderer(std::unique_ptr<GlContext> context, bool to_image, Callbacks callbacks)
    : context_(std::move(context)), to_image_(to_image), callbacks_(std::move(callbacks)) {
  for (auto& target : targets_) target = std::make_unique<Target>();
  thread_ = std::thread([this] { run(); });
}

ViewportRenderer::~ViewportRenderer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (reader_) glDeleteFramebuffers(1, &reader_);
}

void ViewportRenderer::draw(Request request) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(request);
  }
  wake_.notify_one();
}

void ViewportRenderer::cancel() {
  std::optional<Request> dropped;
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(next_);
    cancelled_ = true;
  }
  if (dropped && callbacks_.cancelled) callbacks_.cancelled(dropped->number);
}

void ViewportRenderer::pick(std::uint64_t ticket, double x, double y, int reach, bool urgent) {
  {
    const std::lock_guard lock(mutex_);
    picks_.push_back({ticket, x, y, reach, urgent});
  }
  wake_.notify_one();
}

void ViewportRenderer::run() {
  lower_thread_priority();
  std::unique_ptr<TiledRenderer> renderer;
  try {
    context_->make_current();
    renderer = std::make_unique<TiledRenderer>();
    const GlInfo info = gl_info();
    callbacks_.started(info);
    quality_ = first_quality(info.software);
    for (;;) {
      std::optional<Request> request;
      std::vector<Pick> picks;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stop_ || next_ || !picks_.empty(); });
        if (stop_) break;
        picks.swap(picks_);
        if (picks.empty() || !whole_) request.swap(next_);
        if (request) cancelled_ = false;
        waiting_ = info.software && !to_image_;
      }
      const auto answer = [&] {
        for (const Pick& pick : picks) callbacks_.picked(pick.ticket, pick_now(*renderer, pick));
        picks.clear();
      };
      if (whole_ || !request) answer();  // else in the picture that comes now
      if (!request) continue;
      const auto begin = std::chrono::steady_clock::now();
      whole_ = draw_now(*renderer, *request, info.software, quality_.thin);
      if (!whole_ && is_cancelled()) {
        answer();
        if (callbacks_.cancelled) callbacks_.cancelled(request->number);
        continue;
      }
      if (!whole_) {  // what stopped it comes first, then it is made again
        if (!redo(*request, picks)) continue;
        stopped_ = request->number;
        Request quick = *request;
        quick.fast = true;
        quick.look.ambient_occlusion = false;
        whole_ = draw_now(*renderer, quick, info.software, 1);  // every atom, as in the picture that is seen
        answer();
        if (!whole_) cancel();  // and so is the refined one, which was asked for again
        continue;
      }
      hand_over(*request);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      answer();
      const std::uint64_t number = request->number;
      adapt(*request, seconds, info.software);
      request.reset();
      callbacks_.finished(number, seconds);
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, longest_wait, [this] { return stop_ || !waiting_; });
    }
  } catch (const ContextLost& loss) {
    (callbacks_.lost ? callbacks_.lost : callbacks_.failed)(loss.what());
  } catch (const std::exception& error) {
    callbacks_.failed(error.what());
  }
  renderer.reset();
  for (auto& target : targets_) target->release();
  context_->done_current();
}

bool ViewportRenderer::draw_now(TiledRenderer& renderer, const Request& request, bool software, unsigned thin) {
  Request now = request;
  if (request.fast) {
    now.width = std::max(1, static_cast<int>(std::lround(quality_.scale * request.width)));
    now.height = std::max(1, static_cast<int>(std::lround(quality_.scale * request.height)));
    now.pixel_ratio = quality_.scale * request.pixel_ratio;
    now.look.ambient_occlusion = request.look.ambient_occlusion && quality_.occlusion;
  }
  Target& target = *targets_[drawing_];
  target.resize(now.width, now.height);
  SceneView view = request.view ? *request.view : SceneView{};
  view.camera = request.camera;
  view.look = now.look;
  renderer.set_fast(request.fast, thin);
  renderer.set_vision(request.vision);
  // A refined picture takes seconds by the processor: it ends where something moves, or is asked for. So may the first
  // of a view: it ends where it is cancelled.
  const auto late = [this, number = request.number, fast = request.fast] {
    return is_cancelled() || (!fast && refined_is_late(number));
  };
  const bool slow = software && (!request.fast || seen_ != request.view.get());
  renderer.set_stop(slow ? std::function<bool()>(late) : nullptr);
  if (!renderer.draw(view, target.framebuffer, now.width, now.height, now.pixel_ratio)) return false;
  auto covered = renderer.covered_labels(view);
  {
    const std::lock_guard lock(mutex_);
    covered_ = std::move(covered);
  }
  last_ = now;
  last_.view.reset();  // what it draws may go with the next request
  return true;
}

bool ViewportRenderer::redo(const Request& request, std::vector<Pick>& picks) {
  const std::lock_guard lock(mutex_);
  picks.insert(picks.end(), picks_.begin(), picks_.end());
  picks_.clear();
  if (!next_) next_ = request;
  if (!next_->fast && !stop_) return true;
  picks_.swap(picks);  // answered in the picture of the movement
  return false;
}

void ViewportRenderer::hand_over(const Request& request) {
  Target& target = *targets_[drawing_];
  if (to_image_) {
    keep_image(target, request);
    return;
  }
  glFinish();  // the window copies the last complete picture, and waits for nothing
  const std::lock_guard lock(mutex_);
  std::swap(drawing_, finished_);
  fresh_ = true;
}

bool ViewportRenderer::is_cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_ || stop_;
}

bool ViewportRenderer::refined_is_late(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto urgent = [](const Pick& pick) { return pick.urgent; };
  return stop_ || (next_ && next_->fast) ||
         (number == stopped_ ? std::any_of(picks_.begin(), picks_.end(), urgent) : !picks_.empty());
}

void ViewportRenderer::keep_image(const Target& target, const Request& request) {
  QImage upside_down(target.width, target.height, QImage::Format_RGB32);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, target.width, target.height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, upside_down.bits());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  const QSize size(request.width, request.height);
  QImage picture = upside_down.size() == size ? upside_down.mirrored() : enlarged(upside_down, size);
  picture.setDevicePixelRatio(request.pixel_ratio);
  const std::lock_guard lock(mutex_);
  image_ = std::move(picture);
}

std::vector<std::vector<std::uint8_t>> ViewportRenderer::covered_labels() const {
  const std::lock_guard lock(mutex_);
  return covered_;
}

QImage ViewportRenderer::image() const {
  const std::lock_guard lock(mutex_);
  return image_;
}

void ViewportRenderer::adapt(const Request& request, double seconds, bool software) {
  const bool known = seen_ == request.view.get();
  seen_ = request.view.get();
  if (!request.fast || !known) return;
  quality_ = next_quality(quality_, seconds, software);
}

PickId ViewportRenderer::pick_now(TiledRenderer& renderer, const Pick& pick) const {
  return renderer.pick(static_cast<int>(pick.x * last_.width), static_cast<int>(pick.y * last_.height),
                       std::max(1, static_cast<int>(std::lround(pick.reach * last_.pixel_ratio))));
}

void ViewportRenderer::shown() {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = waiting_ && fresh_;  // of an older picture: the newest is still to come
  }
  wake_.notify_one();
}

bool ViewportRenderer::show(unsigned framebuffer, int width, int height) {
  Target source;
  {
    const std::lock_guard lock(mutex_);
    if (fresh_) {
      std::swap(finished_, shown_);
      fresh_ = false;
    }
    source = *targets_[shown_];
  }
  if (source.texture == 0) return false;
  if (!reader_) glCreateFramebuffers(1, &reader_);
  glNamedFramebufferTexture(reader_, GL_COLOR_ATTACHMENT0, source.texture, 0);
  const bool same = source.width == width && source.height == height;
  glDisable(GL_SCISSOR_TEST);
  glBlitNamedFramebuffer(reader_, framebuffer, 0, 0, source.width, source.height, 0, 0, width, height,
                         GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
  check_context();
  return true;
}

}  // namespace isolume
