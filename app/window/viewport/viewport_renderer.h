// The thread that draws for the viewport, so that the window never waits for OpenGL.
#pragma once

#include <QImage>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/window/viewport/moving_quality.h"
#include "render/gl/context.h"
#include "render/tiles.h"
#include "render/view/scene_view.h"

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
    ColourVision vision = ColourVision::full;
  };
  /// They come on the drawing thread.
  struct Callbacks {
    std::function<void(const GlInfo&)> started;
    std::function<void(const std::string&)> failed;                      ///< nothing more is drawn
    std::function<void(const std::string&)> lost;                        ///< likewise: the context is lost; may be null
    std::function<void(std::uint64_t number, double seconds)> finished;  ///< seconds that drawing took
    std::function<void(std::uint64_t number)> cancelled;                 ///< it will not be finished; may be null
    std::function<void(std::uint64_t ticket, PickId id)> picked;
  };
  /// With `to_image` pictures are fetched with image(), else with show().
  ViewportRenderer(std::unique_ptr<GlContext> context, bool to_image, Callbacks callbacks);
  ~ViewportRenderer();  ///< waits for the picture that is being drawn; the window's context is current

  /// Pictures of a movement (`fast`) are drawn smaller, or with fewer and larger atoms, where that is needed to draw
  /// some 25 in a second by the processor, 60 by a graphics card.
  void draw(Request request);
  /// Forgets the picture that waits, and ends the one that is drawn where that takes long (by the processor). What is
  /// seen stays.
  void cancel();
  /// What is under a point of the picture last drawn, in parts of its width and height (y down), searching `reach`
  /// logical pixels around it; answered through Callbacks::picked, which a slow refined picture does not hold up. One
  /// that is not `urgent` (of a pointer that rests) stops a refined picture once: the next waits for it, so that
  /// there is a refined picture at last.
  void pick(std::uint64_t ticket, double x, double y, int reach, bool urgent);

  /// Copies the newest picture to a framebuffer of the current context, which is the window's; false where there is
  /// none yet. Throws ContextLost where that context is lost.
  bool show(unsigned framebuffer, int width, int height);
  /// The newest picture, null before the first; shares its pixels.
  QImage image() const;
  /// Of the newest picture (TiledRenderer::covered_labels()).
  std::vector<std::vector<std::uint8_t>> covered_labels() const;
  /// The window has put the newest picture on the screen. A software driver draws for one context at a time: there, the
  /// next picture is begun only then, so that the window need not wait for it.
  void shown();

 private:
  struct Target;
  struct Pick {
    std::uint64_t ticket;
    double x, y;
    int reach;
    bool urgent;
  };
  void run();
  /// Draws without showing, in a movement one of `thin` atoms; false where it was stopped.
  bool draw_now(TiledRenderer& renderer, const Request& request, bool software, unsigned thin);
  /// Asks again for a refined picture that was stopped. True where questions stopped it, which are then in `picks`;
  /// false where a movement did.
  bool redo(const Request& request, std::vector<Pick>& picks);
  /// Makes what was drawn the newest picture.
  void hand_over(const Request& request);
  /// A refined picture of that number is to end.
  bool refined_is_late(std::uint64_t number);
  bool is_cancelled() const;
  void keep_image(const Target& target, const Request& request);
  void adapt(const Request& request, double seconds, bool software);
  PickId pick_now(TiledRenderer& renderer, const Pick& pick) const;

  std::unique_ptr<GlContext> context_;
  const bool to_image_;
  Callbacks callbacks_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Request> next_;
  std::vector<Pick> picks_;
  bool stop_ = false;
  bool cancelled_ = false;  ///< the picture that is drawn is not wanted any more
  bool waiting_ = false;    ///< for shown()

  // Three pictures take turns: one is drawn, one is finished, one is shown. The indices change under the mutex.
  std::unique_ptr<Target> targets_[3];
  int drawing_ = 0, finished_ = 1, shown_ = 2;
  bool fresh_ = false;                              ///< the finished one is newer than the shown one
  unsigned reader_ = 0;                             ///< a framebuffer of the window's context
  QImage image_;                                    ///< under the mutex
  std::vector<std::vector<std::uint8_t>> covered_;  ///< under the mutex

  // Of the drawing thread alone.
  MovingQuality quality_;
  bool whole_ = true;                ///< the last picture was drawn to its end, so that atoms can be picked in it
  std::uint64_t stopped_ = 0;        ///< number of the refined picture that a question has stopped already
  const SceneView* seen_ = nullptr;  ///< view of the last picture: its first has uploads in its time
  Request last_;                     ///< what was drawn last, at the size that it was drawn

  std::thread thread_;  // last: it uses everything above
};

}  // namespace isolume
