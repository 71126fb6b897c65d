// Cancel: what is read and what is drawn ends at once, and what is seen stays.
#include <QFile>
#include <QOpenGLContext>
#include <QSignalSpy>
#include <QTest>
#include <future>
#include <mutex>
#include <set>

#include "app/window/live/file_loader.h"
#include "app/window/shell/status_line.h"
#include "app/window/viewport/viewport_renderer.h"
#include "fixture.h"

namespace isolume::test {
namespace {

class CancelTest : public WindowTest {};

TEST_F(CancelTest, ReadingSaysHowFarItIsAndIsDropped) {
  const QString path = write_breathing_xyz(3);
  FileLoader& loader = window_->loader();
  QSignalSpy progress(&loader, &FileLoader::progress), opened(&loader, &FileLoader::opened),
      reading(&loader, &FileLoader::reading);
  window_->open_files({path});
  ASSERT_FALSE(progress.isEmpty());
  EXPECT_TRUE(progress.first()[0].toString().contains(QStringLiteral("Reading")));
  EXPECT_GE(progress.first()[1].toDouble(), 0) << "a fraction, not a bar that runs to and fro";
  ASSERT_TRUE(loader.busy());
  Q_EMIT window_->findChild<StatusLine*>()->cancel();  // as its button does
  EXPECT_TRUE(progress.last()[0].toString().isEmpty()) << "the task is gone before cancel() returns";
  ASSERT_TRUE(wait_until([&] { return !loader.busy(); }));
  EXPECT_TRUE(opened.isEmpty());
  EXPECT_TRUE(window_->controller().scene().molecules.empty());
  ASSERT_TRUE(open({path})) << "and can be read again";
}

TEST_F(CancelTest, OfAPictureThatWaitsLeavesTheOneThatIsSeen) {
  std::promise<void> first_is_there, go_on, third_is_there;
  std::set<std::uint64_t> finished, cancelled;
  std::mutex mutex;
  ViewportRenderer::Callbacks callbacks;
  callbacks.started = [](const GlInfo&) {};
  callbacks.failed = [](const std::string& message) { ADD_FAILURE() << message; };
  callbacks.picked = [](std::uint64_t, PickId) {};
  callbacks.cancelled = [&](std::uint64_t number) {
    const std::lock_guard lock(mutex);
    cancelled.insert(number);
  };
  callbacks.finished = [&](std::uint64_t number, double) {
    {
      const std::lock_guard lock(mutex);
      finished.insert(number);
    }
    if (number == 1) {
      first_is_there.set_value();
      go_on.get_future().wait();  // holds the drawing thread
    }
    if (number == 3) third_is_there.set_value();
  };
  // Some drivers refuse EGL's context in a thread that has one of the window's.
  if (QOpenGLContext* current = QOpenGLContext::currentContext()) current->doneCurrent();
  ViewportRenderer renderer(create_egl_context(), true, callbacks);
  ViewportRenderer::Request request;
  request.view = std::make_shared<SceneView>();
  request.width = request.height = 64;
  request.number = 1;
  renderer.draw(request);
  first_is_there.get_future().wait();
  request.number = 2;
  request.width = 80;
  renderer.draw(request);
  renderer.cancel();
  EXPECT_EQ(renderer.image().width(), 64);
  go_on.set_value();
  request.number = 3;
  request.width = 96;
  renderer.draw(request);
  third_is_there.get_future().wait();
  const std::lock_guard lock(mutex);
  EXPECT_EQ(finished, (std::set<std::uint64_t>{1, 3}));
  EXPECT_EQ(cancelled, std::set<std::uint64_t>{2});
}

TEST_F(CancelTest, OfADrawingIsFollowedByTheNextPicture) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  Viewport& viewport = window_->viewport();
  const auto shown = window_->picture().drawn();
  window_->controller().edit(QStringLiteral("frame"), [](Scene& scene) { scene.frame = 1; });
  ASSERT_TRUE(wait_until([&] { return window_->picture().built() != shown; }));
  viewport.cancel();
  ASSERT_TRUE(wait_until([&] { return viewport.drawn(); })) << "drawn, or cancelled: nothing runs";
  // Whichever it was, a movement draws what is asked for.
  viewport.centre_on({1, 0, 0});
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->picture().drawn(), window_->picture().built());
}

}  // namespace
}  // namespace isolume::test
