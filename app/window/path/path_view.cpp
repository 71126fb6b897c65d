// The thread that path traces what the 3-D view shows, sample after sample.
#include "app/window/path/path_view.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/documents/thread_priority.h"
#include "app/models/labels.h"
#include "app/view/path/traced_picture.h"
#include "app/window/widgets/post.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double longest_pass = 2;  // seconds: a picture that gets better is to be seen to

QImage image_of(const Image& picture, ColourVision vision) {
  QImage image(picture.width, picture.height, QImage::Format_RGB32);
  const std::uint8_t* from = picture.rgba.data();
  for (int y = 0; y < picture.height; ++y) {
    auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < picture.width; ++x, from += 4) {
      if (vision == ColourVision::full) {
        line[x] = qRgb(from[0], from[1], from[2]);
        continue;
      }
      const glm::vec3 seen = 255.0f * seen_colour(glm::vec3(from[0], from[1], from[2]) / 255.0f, vision);
      line[x] = qRgb(qRound(seen.r), qRound(seen.g), qRound(seen.b));
    }
  }
  return image;
}

/// How many samples come next, where the last ones took `seconds` each.
int next_samples(int done, int wanted, double seconds) {
  const double most = std::clamp(longest_pass / std::max(seconds, 1e-6), 1.0, 65536.0);
  return std::min({std::max(done, 1), static_cast<int>(most), wanted - done});
}

}  // namespace

struct PathView::Worker {
  PathView& owner;
  std::unique_ptr<GlContext> context;
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<std::pair<std::uint64_t, Request>> next;
  Job* running = nullptr;
  bool quit = false;
  std::thread thread;  // last: it uses everything above

  Worker(PathView& owner_, std::unique_ptr<GlContext> context_)
      : owner(owner_), context(std::move(context_)), thread([this] { run(); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
      if (running) running->cancel();
    }
    wake.notify_one();
    thread.join();
  }

  void ask(std::uint64_t number, Request request) {
    {
      const std::lock_guard lock(mutex);
      if (running) running->cancel();
      next.emplace(number, std::move(request));
    }
    wake.notify_one();
  }

  void cancel() {
    const std::lock_guard lock(mutex);
    next.reset();
    if (running) running->cancel();
  }

  void run() {
    lower_thread_priority();
    std::optional<PathPainter> painter;
    std::optional<Device> device;
    for (;;) {
      Job job;
      std::optional<std::pair<std::uint64_t, Request>> taken;
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return quit || next; });
        if (quit) break;
        taken.swap(next);
        running = &job;
      }
      const auto& [number, request] = *taken;
      QString fault;
      try {
        context->make_current();
        if (device != request.device) {
          painter.emplace(request.device);
          device = request.device;
        }
        refine(*painter, number, request, job);
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::cancelled) fault = to_qt(error.what());
      } catch (const std::bad_alloc&) {
        fault = tr("There is not enough memory for this.");
      } catch (const std::exception& error) {
        fault = to_qt(error.what());
      }
      {
        const std::lock_guard lock(mutex);
        running = nullptr;
      }
      if (!fault.isEmpty()) post(&owner, [to = &owner, number = number, fault] { to->fail(number, fault); });
    }
    painter.reset();  // while its context is current
    try {
      context->done_current();
    } catch (const Error&) {
      // It is lost, and what it held with it.
    }
  }

  void refine(PathPainter& painter, std::uint64_t number, const Request& request, Job& job) {
    SceneView view = *request.view;
    view.camera = request.camera;
    view.look = request.look;
    PictureOptions options;
    options.width = request.width;
    options.height = request.height;
    options.pixel_ratio = request.pixel_ratio;
    options.path_traced = true;
    painter.begin(view, options);
    double seconds = longest_pass;
    for (int done = 0; done < request.samples;) {
      const int more = next_samples(done, request.samples, seconds);
      const auto begin = std::chrono::steady_clock::now();
      const Image picture = painter.refine(more, job);
      // Building the hierarchy is not a part of what the next pass takes.
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      seconds = std::max(took - (done == 0 ? painter.report().build_seconds : 0.0), 1e-6) / more;
      done += more;
      const PathReport& report = painter.report();
      PathPass pass{image_of(picture, request.vision), done, report.standard_error, to_qt(report.device), {}};
      pass.picture.setDevicePixelRatio(request.pixel_ratio);
      for (const std::string& note : report.notes) pass.left_out += to_qt(note);
      job.check();
      post(&owner, [to = &owner, number, pass = std::move(pass), last = done == request.samples] {
        to->take(number, pass, last);
      });
    }
  }
};

PathView::PathView(QObject* parent) : QObject(parent) {}
PathView::~PathView() = default;

void PathView::start(std::unique_ptr<GlContext> context) {
  stop();
  worker_ = std::make_unique<Worker>(*this, std::move(context));
}

void PathView::stop() {
  done_ = asked_;
  worker_.reset();
}

void PathView::request(Request request) {
  if (worker_) worker_->ask(++asked_, std::move(request));
}

void PathView::cancel() {
  if (!worker_ || !busy()) return;
  done_ = asked_;
  worker_->cancel();
}

void PathView::take(std::uint64_t number, const PathPass& pass, bool last) {
  if (number != asked_ || !busy()) return;  // of something that is shown no more
  if (last) done_ = number;
  Q_EMIT passed(pass);
}

void PathView::fail(std::uint64_t number, const QString& message) {
  if (number != asked_ || !busy()) return;
  done_ = number;
  Q_EMIT failed(message);
}

}  // namespace isolume
