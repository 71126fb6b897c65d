// A running simulation in the window.
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <atomic>

#include "app/scene/path_part.h"
#include "app/window/live/stream_follow.h"
#include "app/window/over_time/stream_panel.h"
#include "app/window/shell/panels.h"
#include "formats/read.h"
#include "tests/app/window/fixture.h"
#include "tests/support/imd_bytes.h"
#include "tests/support/imd_server.h"

namespace isolume::test {
namespace {

std::string frame(int number) {
  const auto x = static_cast<float>(number);
  return ImdBytes()
      .time(0.002, 0.5 * number, 100 * number)
      .energies(100 * number, 300 + x)
      .positions({0, 0, 0, 1, 0, 0, 0, 1 + 0.01f * x, 0})
      .text;
}
std::string hello() {
  return ImdBytes().handshake(3).session(true, true, false, true, false, false).text;
}
std::string frames(int first, int end) {
  std::string all;
  for (int i = first; i < end; ++i) all += frame(i);
  return all;
}

class StreamTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    structure_ = temporary(QStringLiteral("water.xyz"));
    QFile file(structure_);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("3\nwater\nO 0 0 0\nH 1 0 0\nH 0 1 0\n");
  }
  StreamPanel& panel() { return window_->panels().get<StreamPanel>(); }
  std::size_t frame_count() { return window_->controller().frame_count(); }
  std::size_t shown() { return window_->controller().scene().frame; }
  QString structure_;
};

TEST_F(StreamTest, FramesComeIntoTheSceneAndStay) {
  std::atomic<int> pauses{0}, resumes{0};
  std::atomic<bool> goes_on{false};
  {
    ImdServer server({[&](ImdPeer& peer) {
      peer.send(hello() + frames(0, 10));
      for (int type = 0; (type = peer.receive()) >= 0;) {
        if (type == 7 && ++pauses == 1) goes_on = true;
        if (type == 11 && ++resumes == 1) peer.send(frames(10, 15));
      }
    }});
    window_->open_files({QString::fromStdString(server.address()), structure_});
    ASSERT_TRUE(wait_until([&] { return frame_count() == 10; }));
    EXPECT_TRUE(panel().isVisible());
    EXPECT_EQ(shown(), 9u) << "the newest one";
    EXPECT_EQ(panel().connect_button()->text(), QStringLiteral("Disconnect"));
    ASSERT_TRUE(wait_until([&] { return panel().figures()->text().contains(QStringLiteral("10 frames, step 900")); }));
    EXPECT_TRUE(panel().figures()->text().contains(QStringLiteral("309.0 K"))) << qPrintable(panel().figures()->text());
    const auto molecule = window_->controller().molecule(0);
    EXPECT_NEAR(molecule->trajectory->frame(4).positions[2].y, 1.04f, 1e-6f);
    EXPECT_EQ(molecule->trajectory->frame(4).time, 2.0);
    // The simulation itself waits.
    panel().pause_button()->click();
    ASSERT_TRUE(wait_until([&] { return goes_on.load(); }));
    ASSERT_TRUE(wait_until([&] { return panel().pause_button()->text() == QStringLiteral("Resume"); }));
    // Whoever looks at an earlier frame stays there.
    window_->controller().touch([](Scene& scene) { scene.frame = 3; });
    panel().pause_button()->click();
    ASSERT_TRUE(wait_until([&] { return frame_count() == 15; }));
    EXPECT_EQ(shown(), 3u);
    ASSERT_TRUE(wait_for_picture());
    screenshot(QStringLiteral("running_simulation"));
    panel().connect_button()->click();
    ASSERT_TRUE(wait_until([&] { return !panel().stream().active(); }));
  }
  EXPECT_EQ(frame_count(), 15u);
  ASSERT_TRUE(wait_until([&] { return panel().connect_button()->text() == QStringLiteral("Connect"); }));
  // Undo takes the frames away, redo brings them back, and neither connects.
  window_->controller().undo();
  EXPECT_EQ(frame_count(), 1u);
  window_->controller().redo();
  EXPECT_EQ(frame_count(), 15u);
}

TEST_F(StreamTest, IsRecorded) {
  const QString file = temporary(QStringLiteral("run.dcd"));
  ImdServer server({[&](ImdPeer& peer) {
    peer.send(hello() + frames(0, 2));
    for (int type = 0; (type = peer.receive()) >= 0;)
      if (type == 7) peer.send(frames(2, 6));  // the sign that recording has begun
  }});
  window_->open_files({structure_, QString::fromStdString(server.address())});
  ASSERT_TRUE(wait_until([&] { return frame_count() == 2; }));
  panel().stream().record(file);
  ASSERT_TRUE(wait_until([&] { return panel().record_button()->text() == QStringLiteral("Stop recording"); }));
  panel().pause_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel().stream().state().recorded == 4; }));
  panel().record_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel().record_button()->text() == QStringLiteral("Record..."); }));
  const Molecule read = read_file(file.toStdString());
  ASSERT_EQ(read.frame_count(), 4u);
  EXPECT_NEAR(read.trajectory->frame(3).positions[2].y, 1.05f, 1e-6f);
  // The simulation goes on until its peer has gone.
  window_->controller().reset({});
  ASSERT_TRUE(wait_until([&] { return !panel().stream().active(); }));
}

TEST_F(StreamTest, TheDialogOfRecordingAsksForTheFile) {
  ImdServer server({[&](ImdPeer& peer) {
    peer.send(hello() + frames(0, 2));
    for (int type = 0; (type = peer.receive()) >= 0;)
      if (type == 7) peer.send(frames(2, 6));  // the sign that recording has begun
  }});
  window_->open_files({structure_, QString::fromStdString(server.address())});
  ASSERT_TRUE(wait_until([&] { return frame_count() == 2; }));
  QString written;
  QObject::connect(&panel().stream(), &StreamFollow::written, [&](const QString& path) { written = path; });
  const auto dialog = [&] { return panel().findChild<QFileDialog*>(); };
  // Cancelled, nothing is recorded.
  panel().record_button()->click();
  ASSERT_NE(dialog(), nullptr);
  dialog()->reject();
  ASSERT_TRUE(wait_until([&] { return dialog() == nullptr; }));
  EXPECT_EQ(panel().record_button()->text(), QStringLiteral("Record..."));
  panel().record_button()->click();
  ASSERT_NE(dialog(), nullptr);
  EXPECT_EQ(dialog()->windowTitle(), QStringLiteral("Record the simulation"));
  EXPECT_EQ(dialog()->selectedFiles().value(0).section(QLatin1Char('/'), -1), QStringLiteral("water-run.dcd"));
  // The kind of file that is chosen ends the name.
  dialog()->setDirectory(folder_.path());
  dialog()->selectNameFilter(QStringLiteral("XYZ (*.xyz)"));
  Q_EMIT dialog()->filterSelected(QStringLiteral("XYZ (*.xyz)"));
  dialog()->selectFile(QStringLiteral("recorded"));
  screenshot(QStringLiteral("record"));
  QMetaObject::invokeMethod(dialog(), "accept");
  ASSERT_TRUE(wait_until([&] { return panel().record_button()->text() == QStringLiteral("Stop recording"); }));
  panel().pause_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel().stream().state().recorded == 4; }));
  ASSERT_TRUE(wait_until(
      [&] { return panel().figures()->text().contains(QStringLiteral("Recorded in recorded.xyz: 4 frames")); }));
  panel().record_button()->click();
  ASSERT_TRUE(wait_until([&] { return !written.isEmpty(); }));
  EXPECT_EQ(written, temporary(QStringLiteral("recorded.xyz")));
  const Molecule read = read_file(written.toStdString());
  ASSERT_EQ(read.frame_count(), 4u);
  EXPECT_NEAR(read.trajectory->frame(3).positions[2].y, 1.05f, 1e-6f);
  window_->controller().reset({});
  ASSERT_TRUE(wait_until([&] { return !panel().stream().active(); }));
}

TEST_F(StreamTest, ASimulationThatBreaksIsSaidAndTheNextIsFollowed) {
  ImdServer server({[&](ImdPeer& peer) {
                      peer.send(hello() + frames(0, 3) + frame(3).substr(0, 30));
                      peer.receive();
                    },
                    [&](ImdPeer& peer) {
                      peer.send(hello() + frames(0, 5));
                      peer.rest();
                    }});
  window_->open_files({structure_, QString::fromStdString(server.address())});
  ASSERT_TRUE(wait_until([&] { return !panel().stream().active() && frame_count() == 3; }));
  EXPECT_EQ(panel().stream().state().phase, StreamFollower::Phase::failed);
  EXPECT_NE(panel().stream().state().message.find("in the middle of a frame"), std::string::npos);
  panel().connect_button()->click();
  ASSERT_TRUE(wait_until([&] { return frame_count() == 5; }));
  // Its molecule goes, and so does the connection.
  window_->controller().reset({});
  ASSERT_TRUE(wait_until([&] { return !panel().stream().active(); }));
}

TEST_F(StreamTest, ASessionNeverConnects) {
  std::atomic<int> connections{0};
  ImdServer server({[&](ImdPeer& peer) {
                      ++connections;
                      peer.send(hello() + frames(0, 3));
                      peer.rest();
                    },
                    [&](ImdPeer&) { ++connections; }});
  window_->open_files({structure_, QString::fromStdString(server.address())});
  ASSERT_TRUE(wait_until([&] { return frame_count() == 3; }));
  const QString session = temporary(QStringLiteral("s.isolume"));
  window_->save_session(session);
  ASSERT_TRUE(wait_until([&] { return QFile::exists(session); }));
  window_ = nullptr;
  window_ = std::make_unique<MainWindow>();
  window_->show();
  window_->open_files({session});
  ASSERT_TRUE(wait_until([&] { return window_->controller().scene().molecules.size() == 1; }));
  EXPECT_EQ(frame_count(), 1u);
  const auto& paths = window_->controller().scene().molecules[0].paths;
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(path_part(paths[1]).kind, PathPart::Kind::stream);
  EXPECT_EQ(connections, 1);
}

TEST_F(StreamTest, WhatCannotBeIsSaid) {
  window_->open_files({QStringLiteral("imd://127.0.0.1:1")});
  EXPECT_FALSE(panel().stream().active()) << "there is no structure";
  ASSERT_TRUE(open({structure_}));
  QString said;
  QObject::connect(&panel().stream(), &StreamFollow::failed, [&](const QString& text) { said = text; });
  panel().follow(QStringLiteral("imd://a b"), 0);
  EXPECT_TRUE(said.contains(QStringLiteral("expected imd://HOST:PORT"))) << qPrintable(said);
  panel().follow(QStringLiteral("imd://127.0.0.1:1"), 0);
  ASSERT_TRUE(wait_until([&] { return said.contains(QStringLiteral("no simulation answers")); }));
  EXPECT_FALSE(panel().stream().active());
  EXPECT_EQ(window_->controller().scene().molecules[0].paths.size(), 1u) << "nothing has come";
}

}  // namespace
}  // namespace isolume::test
