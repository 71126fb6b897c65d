// The window whose OpenGL context is lost: the driver's answer is put in place, all else is as it would be.
#include <QSignalSpy>
#include <QTest>
#include <atomic>

#include "app/window/shell/message_bar.h"
#include "app/window/viewport/drawing_path.h"
#include "render/gl/context_loss.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class LostContext : public WindowTest {
 protected:
  void TearDown() override {
    set_reset_status_for_test(nullptr);
    WindowTest::TearDown();
  }
  /// The next `times` answers are that the context is lost.
  static void lose(int times) {
    set_reset_status_for_test([left = std::make_shared<std::atomic<int>>(times)] {
      constexpr unsigned unknown = 0x8255;  // GL_UNKNOWN_CONTEXT_RESET
      return left->fetch_sub(1) > 0 ? unknown : 0u;
    });
  }
};

TEST_F(LostContext, ThePictureAndItsSurfacesAreBuiltAgain) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->controller().edit(QStringLiteral("Add surface"), [](Scene& scene) { scene.fields.emplace_back(); });
  ASSERT_TRUE(wait_for_picture());
  const Image before = shot();
  QSignalSpy recovered(&window_->viewport(), &Viewport::recovered);
  QSignalSpy failed(&window_->viewport(), &Viewport::failed);
  lose(1);
  window_->viewport().look_from(1);
  window_->viewport().look_from(0);
  ASSERT_TRUE(wait_until([&] { return recovered.count() == 1; }));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(failed.count(), 0);
  EXPECT_EQ(window_->viewport().path(), DrawingPath::image);
  EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("rebuilt")))
      << window_->messages().message().toStdString();
  ASSERT_EQ(window_->fields().results().size(), 1u);
  EXPECT_FALSE(window_->fields().results().front().items.empty());
  // Of the same look from the same side.
  window_->viewport().look_from(0);
  const Image after = shot();
  EXPECT_EQ(after.width, before.width);
  window_->viewport().look_from(1);
  window_->viewport().look_from(0);
  EXPECT_LT(compare(after, shot()).mean, 0.002) << "it goes on drawing";
}

TEST_F(LostContext, OfAContextThatIsLostAgainAndAgainItIsSaid) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  QSignalSpy failed(&window_->viewport(), &Viewport::failed);
  lose(1000);
  window_->viewport().look_from(1);
  ASSERT_TRUE(wait_until([&] { return failed.count() == 1; }));
  EXPECT_TRUE(failed.first().first().toString().contains(QStringLiteral("--safe-mode")));
  // The window is usable all the same.
  QTest::keyClick(&window_->viewport(), Qt::Key_Right);
  EXPECT_EQ(window_->controller().scene().frame, 1u);
}

}  // namespace
}  // namespace isolume::test
