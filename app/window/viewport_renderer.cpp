// The thread that draws for the viewport.
#include "app/window/viewport_renderer.h"

#include <epoxy/gl.h>

#include <chrono>
#include <exception>
#include <utility>

#include "molecule/error.h"

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

ViewportRenderer::ViewportRenderer(std::unique_ptr<GlContext> context, Callbacks callbacks)
    : context_(std::move(context)), callbacks_(std::move(callbacks)) {
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

void ViewportRenderer::pick(std::uint64_t ticket, int x, int y, int reach) {
  {
    const std::lock_guard lock(mutex_);
    picks_.push_back({ticket, x, y, reach});
  }
  wake_.notify_one();
}

void ViewportRenderer::run() {
  std::unique_ptr<Renderer> renderer;
  try {
    context_->make_current();
    renderer = std::make_unique<Renderer>();
    const GlInfo info = gl_info();
    callbacks_.started(info);
    for (;;) {
      std::optional<Request> request;
      std::vector<Pick> picks;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stop_ || next_ || !picks_.empty(); });
        if (stop_) break;
        picks.swap(picks_);
        if (picks.empty()) request.swap(next_);
        waiting_ = info.software;
      }
      for (const Pick& pick : picks) callbacks_.picked(pick.ticket, renderer->pick(pick.x, pick.y, pick.reach));
      if (!request) continue;
      const auto begin = std::chrono::steady_clock::now();
      draw_now(*renderer, *request);
      const std::uint64_t number = request->number;
      request.reset();
      callbacks_.finished(number, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, longest_wait, [this] { return stop_ || !waiting_; });
    }
  } catch (const std::exception& error) {
    callbacks_.failed(error.what());
  }
  renderer.reset();
  for (auto& target : targets_) target->release();
  context_->done_current();
}

void ViewportRenderer::draw_now(Renderer& renderer, const Request& request) {
  Target& target = *targets_[drawing_];
  target.resize(request.width, request.height);
  SceneView view = request.view ? *request.view : SceneView{};
  view.camera = request.camera;
  view.look = request.look;
  renderer.set_fast(request.fast);
  renderer.draw(view, target.framebuffer, request.width, request.height, request.pixel_ratio);
  glFinish();  // the window copies what is complete, and waits for nothing
  const std::lock_guard lock(mutex_);
  std::swap(drawing_, finished_);
  fresh_ = true;
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
  return true;
}

}  // namespace isolume
