// OpenGL contexts that the driver has lost, as far as a test can play it: the driver's answer is put in place.
#include "render/gl/context_loss.h"

#include "render/tiles.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr unsigned guilty = 0x8253, innocent = 0x8254, unknown = 0x8255;  // GL_..._CONTEXT_RESET

class ContextLoss : public testing::Test {
 protected:
  void TearDown() override { set_reset_status_for_test(nullptr); }
};

std::string message_of(unsigned status) {
  set_reset_status_for_test([status] { return status; });
  try {
    check_context();
  } catch (const ContextLost& loss) {
    return loss.what();
  }
  return {};
}

TEST_F(ContextLoss, IsSaidAsTheDriverSaysIt) {
  EXPECT_EQ(message_of(0), "");
  EXPECT_NE(message_of(guilty).find("while Isolume drew"), std::string::npos);
  EXPECT_NE(message_of(innocent).find("another program"), std::string::npos);
  EXPECT_NE(message_of(unknown).find("reset"), std::string::npos);
}

TEST_F(ContextLoss, AnUntouchedContextIsNotLost) {
  renderer();  // its context is current
  EXPECT_NO_THROW(check_context());
}

TEST_F(ContextLoss, NoPictureComesOfALostContextAndTheSameOneOfTheNext) {
  SceneView view = scene({item(surface(ball({0, 0, 0}, 4), {80, 160, 230, 255}), 1)}, 6);
  const PictureOptions options{.width = 120, .height = 90, .samples = 1};
  const auto picture = [&] {
    const auto context = create_egl_context();
    context->make_current();
    Image image;
    {
      TiledRenderer renderer;
      image = renderer.picture(view, options);
    }
    context->done_current();
    return image;
  };
  const Image before = picture();
  set_reset_status_for_test([] { return unknown; });
  EXPECT_THROW(picture(), ContextLost);
  set_reset_status_for_test(nullptr);
  EXPECT_EQ(picture().rgba, before.rgba);
}

TEST_F(ContextLoss, ContextsThatShareAgreeOnBeingTold) {
  // A driver refuses to share between one that is told of resets and one that is not.
  const auto context = create_egl_context();
  EXPECT_NE(context->create_shared(), nullptr);
}

}  // namespace
}  // namespace isolume::test
