// 3-D mice, by a made-up daemon that sends what spacenavd does.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "app/window/dialogs/six_axis_page.h"
#include "app/window/viewport/six_axis_mouse.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/preferences_test.h"

namespace isolume::test {
namespace {

using Event = std::array<std::int32_t, 8>;
constexpr int far = 350;  // as far as the cap goes
constexpr int ms = 20;
const double degree = std::acos(-1.0) / 180;

/// The daemon, and the window that it is connected with. SPNAV_SOCKET is that of the daemon.
class SixAxisTest : public PreferencesTest {
 protected:
  void SetUp() override {
    qputenv("SPNAV_SOCKET", temporary(QStringLiteral("spnav.sock")).toLocal8Bit());
    ASSERT_TRUE(start_daemon());
    PreferencesTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(take_client());
    ASSERT_TRUE(open({write_breathing_xyz(3)}));
    shot();
  }
  void TearDown() override {
    PreferencesTest::TearDown();
    end_daemon();
    qunsetenv("SPNAV_SOCKET");
  }
  bool start_daemon() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = temporary(QStringLiteral("spnav.sock")).toLocal8Bit();
    std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
    daemon_ = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    return bind(daemon_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && listen(daemon_, 4) == 0;
  }
  void end_daemon() {
    for (int* each : {&client_, &daemon_})
      if (*each >= 0) close(std::exchange(*each, -1));
    QFile::remove(temporary(QStringLiteral("spnav.sock")));
  }
  bool take_client() {
    return wait_until([&] {
             client_ = accept(daemon_, nullptr, nullptr);
             return client_ >= 0;
           }) &&
           wait_until([&] { return window_->six_axis_mouse().connected(); });
  }
  void send(const QByteArray& bytes) {
    ASSERT_EQ(::send(client_, bytes.constData(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL), bytes.size());
  }
  static QByteArray bytes(const Event& event) { return {reinterpret_cast<const char*>(event.data()), sizeof event}; }
  /// Pushes one axis, and waits until all that was sent before has been read as well.
  void push(int axis, int by) {
    Event event{};
    event[static_cast<std::size_t>(1 + axis)] = by;
    event[7] = ms;
    send(bytes(event));
    ASSERT_TRUE(wait_for_motion());
  }
  /// Sends a button without a meaning, and waits for it.
  bool wait_for_motion() {
    int last = 0;
    const auto link = QObject::connect(&window_->six_axis_mouse(), &SixAxisMouse::pressed, window_.get(),
                                       [&last](int button) { last = button; });
    send(bytes({1, 1000}));
    const bool came = wait_until([&] { return last == 1000; });
    QObject::disconnect(link);
    return came;
  }
  const Camera& camera() { return window_->viewport().camera(); }
  void use(const SixAxisUse& use) {
    Preferences preferences = window_->preferences();
    preferences.six_axes = use;
    window_->apply_preferences(preferences);
  }

  int daemon_ = -1, client_ = -1;  ///< sockets
};

TEST_F(SixAxisTest, TheSceneGoesWithTheCapInTheAxesOfThePicture) {
  window_->viewport().look_from(3);  // the picture's axes are not those of the file
  const Camera before = camera();
  const double seconds = ms / 1000.0;
  // To the right and up: two half heights in a second.
  push(0, far);
  Camera wanted = before;
  wanted.pan({2 * seconds, 0});
  EXPECT_NEAR(glm::distance(camera().centre, wanted.centre), 0, 1e-9);
  push(1, far / 2);
  wanted.pan({0, seconds});
  EXPECT_NEAR(glm::distance(camera().centre, wanted.centre), 0, 1e-9);
  EXPECT_EQ(camera().rotation, before.rotation);
  EXPECT_DOUBLE_EQ(camera().height, before.height);
  // Away from the user: what is seen becomes smaller, and what is pulled comes back.
  push(2, far);
  EXPECT_NEAR(camera().height, before.height * std::exp(1.5 * seconds), 1e-9);
  push(2, -far);
  EXPECT_NEAR(camera().height, before.height, 1e-9);
  // About the picture's axes, 150 degrees in a second: the axis towards the user is the camera's z.
  const glm::dvec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  for (int i = 0; i < 3; ++i) {
    const glm::dquat from = camera().rotation;
    push(3 + i, far);
    const glm::dquat turned = glm::angleAxis(150 * seconds * degree, axes[i]) * from;
    EXPECT_NEAR(std::abs(glm::dot(camera().rotation, turned)), 1, 1e-12) << i;
    EXPECT_LT(std::abs(glm::dot(camera().rotation, from)), 1 - 1e-6) << i;
  }
  // A rest before a motion does not count: the daemon says how long it was.
  const Camera rested = camera();
  send(bytes({0, far, 0, 0, 0, 0, 0, 60000}));
  ASSERT_TRUE(wait_for_motion());
  EXPECT_NEAR(glm::distance(camera().centre, rested.centre), 2 * 0.04 * rested.height / 2, 1e-9);
}

TEST_F(SixAxisTest, PreferencesSayWhatTheCapDoes) {
  const Camera before = camera();
  SixAxisUse wish;
  wish.move = 0;
  use(wish);
  for (const int axis : {0, 1, 2}) push(axis, far);
  EXPECT_EQ(camera(), before) << "moving is off";
  // Twice as fast, with one axis reversed: there and, twice as far, back again.
  wish.move = 200;
  use(wish);
  push(0, far / 2);
  const glm::dvec3 there = camera().centre;
  EXPECT_NEAR(glm::distance(there, before.centre), 2 * 0.02 * before.height / 2, 1e-9);
  wish.reversed = 1;
  use(wish);
  push(0, far / 2);
  EXPECT_NEAR(glm::distance(camera().centre, before.centre), 0, 1e-9);
  push(1, far);
  EXPECT_GT(glm::distance(camera().centre, before.centre), 1e-3);
  push(1, -far);
  // The camera in the hand: everything the other way.
  wish = {};
  push(4, 0);
  use(wish);
  push(4, far);
  const glm::dquat turned = camera().rotation;
  EXPECT_NE(turned, before.rotation);
  wish.moves_camera = true;
  use(wish);
  push(4, far);
  EXPECT_NEAR(std::abs(glm::dot(camera().rotation, before.rotation)), 1, 1e-12);
  // The strongest axis alone.
  wish = {};
  wish.strongest = true;
  use(wish);
  const Camera still = camera();
  send(bytes({0, 100, 40, 30, 0, -120, 60, ms}));
  ASSERT_TRUE(wait_for_motion());
  EXPECT_EQ(camera().centre, still.centre);
  EXPECT_EQ(camera().height, still.height);
  const glm::dquat spun = glm::angleAxis(-150 * 0.02 * 120 / 350 * degree, glm::dvec3(0, 1, 0)) * still.rotation;
  EXPECT_NEAR(std::abs(glm::dot(camera().rotation, spun)), 1, 1e-12);
}

TEST_F(SixAxisTest, ButtonsAreActions) {
  const Camera fitted = camera();
  const double height = fitted.height;
  for (int i = 0; i < 10; ++i) push(0, far);
  EXPECT_GT(glm::distance(camera().centre, fitted.centre), 0.1 * height);
  send(bytes({1, 0}));
  ASSERT_TRUE(wait_until([&] { return glm::distance(camera().centre, fitted.centre) < 0.01 * height; }))
      << "the first one fits";
  send(bytes({2, 0}));
  push(3, far);
  const glm::dquat front(1, 0, 0, 0);
  EXPECT_NE(camera().rotation, front);
  send(bytes({1, 1}));
  ASSERT_TRUE(wait_until([&] { return camera().rotation == front; })) << "the second one resets";
  SixAxisUse wish;
  wish.buttons = {QString(), QString(), QStringLiteral("orthographic")};
  use(wish);
  send(bytes({1, 2}));
  ASSERT_TRUE(wait_until([&] { return camera().projection == Camera::Projection::orthographic; }));
  // Buttons that no action has, and numbers that no mouse has.
  for (const int number : {0, 7, -1, 1 << 30}) send(bytes({1, number}));
  ASSERT_TRUE(wait_for_motion());
  EXPECT_EQ(camera().projection, Camera::Projection::orthographic);
}

TEST_F(SixAxisTest, EventsComeInPiecesAndTheDaemonGoesAndComes) {
  const Camera before = camera();
  const QByteArray one = bytes({0, far, 0, 0, 0, 0, 0, ms});
  send(one.left(13));
  QCoreApplication::processEvents();
  EXPECT_EQ(camera(), before) << "half an event moves nothing";
  send(one.mid(13) + one + bytes({3, 1, 2, 3, 4, 5, 6, 7}));  // and one of a later protocol
  ASSERT_TRUE(wait_for_motion());
  EXPECT_NEAR(glm::distance(camera().centre, before.centre), 2 * 2 * 0.02 * before.height / 2, 1e-9);
  // What is no daemon is left.
  send(bytes({-7, 1, 1, 1, 1, 1, 1, 1}));
  ASSERT_TRUE(wait_until([&] { return !window_->six_axis_mouse().connected(); }));
  // It is looked for when the focus changes.
  end_daemon();
  window_->six_axis_mouse().look_again();
  EXPECT_FALSE(window_->six_axis_mouse().connected());
  ASSERT_TRUE(start_daemon());
  Q_EMIT qGuiApp->focusWindowChanged(QGuiApplication::focusWindow());
  ASSERT_TRUE(take_client());
  const Camera again = camera();
  push(4, far);
  EXPECT_NE(camera().rotation, again.rotation);
  // Off is off.
  SixAxisUse wish;
  wish.on = false;
  use(wish);
  EXPECT_FALSE(window_->six_axis_mouse().connected());
  window_->six_axis_mouse().look_again();
  EXPECT_FALSE(window_->six_axis_mouse().connected());
}

TEST_F(SixAxisTest, OnlyTheWindowThatIsUsedMoves) {
  QWidget other;
  other.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&other));
  QApplication::setActiveWindow(&other);
  const Camera before = camera();
  push(4, far);
  EXPECT_EQ(camera(), before);
  QApplication::setActiveWindow(window_.get());
  push(4, far);
  EXPECT_NE(camera(), before);
}

TEST_F(SixAxisTest, ThePageOfThePreferencesIsKept) {
  PreferencesDialog* shown = dialog();
  ASSERT_NE(shown, nullptr);
  SixAxisPage* page = shown->six_axis_page();
  EXPECT_TRUE(page->state()->text().startsWith(QStringLiteral("Connected"))) << page->state()->text().toStdString();
  page->turn_box()->setValue(250);
  page->reverse_boxes()[2]->click();
  page->cap_box()->setCurrentIndex(1);
  Q_EMIT page->cap_box()->activated(1);
  QComboBox* third = page->button_boxes()[2];
  third->setCurrentIndex(third->findData(QStringLiteral("play")));
  Q_EMIT third->activated(third->currentIndex());
  SixAxisUse wanted;
  wanted.turn = 250;
  wanted.reversed = 4;
  wanted.moves_camera = true;
  wanted.buttons += QStringLiteral("play");
  EXPECT_EQ(window_->preferences().six_axes, wanted) << "at once";
  shown->accept();
  EXPECT_EQ(Preferences::read().six_axes, wanted);
  end_daemon();
  ASSERT_TRUE(wait_until([&] { return !window_->six_axis_mouse().connected(); }));
}

}  // namespace
}  // namespace isolume::test
