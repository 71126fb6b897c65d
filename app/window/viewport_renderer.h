// The thread that draws for the viewport, so that the window never waits for OpenGL.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "render/gl/context.h"
#include "render/renderer.h"
#include "render/scene_view.h"

namespace isolume {

/// A thread with a renderer on an OpenGL context of its own. Of the pictures asked for the newest is drawn, into one of
/// three textures that the window's context shares; the window only copies the newest finished one.
class ViewportRenderer {
 public:
  struct Request {
    std::uint64_t number = 0;
    std::shared_ptr<const SceneView> view;  ///< null draws the background
    Camera camera;                          ///< in place of the view's
    Look look;
    int width = 0, height = 0;  ///< device pixels
    double pixel_ratio = 1;
    bool fast = false;
  };
  /// They come on the drawing thread.
  struct Callbacks {
    std::function<void(const GlInfo&)> started;
    std::function<void(const std::string&)> failed;                      ///< nothing more is drawn
    std::function<void(std::uint64_t number, double seconds)> finished;  ///< seconds that drawing took
    std::function<void(std::uint64_t ticket, PickId id)> picked;
  };
  ViewportRenderer(std::unique_ptr<GlContext> context, Callbacks callbacks);
  ~ViewportRenderer();  ///< waits for the picture that is being drawn; the window's context is current

  void draw(Request request);
  /// What lies under a pixel of the picture last drawn (y down); answered through Callbacks::picked.
  void pick(std::uint64_t ticket, int x, int y, int reach);

  /// Copies the newest picture to a framebuffer of the current context, which is the window's; false where there is
  /// none yet.
  bool show(unsigned framebuffer, int width, int height);
  /// The window has put the newest picture on the screen. A software driver draws for one context at a time: there, the
  /// next picture is begun only then, so that the window need not wait for it.
  void shown();

 private:
  struct Target;
  struct Pick {
    std::uint64_t ticket;
    int x, y, reach;
  };
  void run();
  void draw_now(Renderer& renderer, const Request& request);

  std::unique_ptr<GlContext> context_;
  Callbacks callbacks_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Request> next_;
  std::vector<Pick> picks_;
  bool stop_ = false;
  bool waiting_ = false;  ///< for shown()

  // Three pictures take turns: one is drawn, one is finished, one is shown. The indices change under the mutex.
  std::unique_ptr<Target> targets_[3];
  int drawing_ = 0, finished_ = 1, shown_ = 2;
  bool fresh_ = false;   ///< the finished one is newer than the shown one
  unsigned reader_ = 0;  ///< a framebuffer of the window's context

  std::thread thread_;  // last: it uses everything above
};

}  // namespace isolume
