// What is unsaved is asked for, what a crash leaves is found again, and files that moved are looked for.
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <thread>

#include "app/scene/scene_json.h"
#include "app/window/recovery/recovery_bar.h"
#include "app/window/shell/instance.h"
#include "app/window/shell/message_bar.h"
#include "fixture.h"

namespace isolume::test {
namespace {

class RecoveryTest : public WindowTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(state_.isValid());
    qputenv("XDG_STATE_HOME", state_.path().toUtf8());
    WindowTest::SetUp();
  }
  void TearDown() override {
    WindowTest::TearDown();
    qunsetenv("XDG_STATE_HOME");
  }
  QTemporaryDir state_;
};

/// A folder as a program leaves it that is killed: the lock that it had is free.
QString crashed_folder(const QString& root) {
  const QString folder = root + QStringLiteral("/1-1");
  QDir().mkpath(folder);
  const std::string lock = (folder + QStringLiteral("/lock")).toStdString();
  const pid_t child = fork();
  if (child == 0) {
    auto* held = new FolderLock(QString::fromStdString(lock));
    _exit(held->held() ? 0 : 1);  // without unlocking
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return folder;
}

TEST_F(RecoveryTest, AfterACrashTheSceneIsOfferedAndNothingOpensByItself) {
  const QString file = write_breathing_xyz(3);
  ASSERT_TRUE(open({file}));
  window_->controller().edit(QStringLiteral("Add surface"), [](Scene& scene) {
    scene.fields.emplace_back();
    scene.fields.back().both_signs = false;
  });
  const Scene scene = window_->controller().scene();
  QSignalSpy saved(&window_->recovery(), &Recovery::saved);
  window_->recovery().save();
  ASSERT_TRUE(saved.count() > 0 || saved.wait(10000));
  const QString state = saved.last().at(0).toString();
  const QString folder = crashed_folder(Recovery::default_root());
  ASSERT_TRUE(QFile::copy(state, folder + QStringLiteral("/scene-0.isolume")));
  // The newest state was torn by the crash: the one before it counts.
  QFile torn(folder + QStringLiteral("/scene-1.isolume"));
  ASSERT_TRUE(torn.open(QIODevice::WriteOnly));
  torn.write("{\"format\": \"isol");
  torn.close();

  window_ = std::make_unique<MainWindow>();
  window_->resize(1100, 760);
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), 30000));
  window_->offer_recovery();
  RecoveryBar& bar = window_->recovery_bar();
  ASSERT_TRUE(bar.isVisible());
  EXPECT_TRUE(bar.text().contains(QStringLiteral("breathing.xyz")));
  EXPECT_TRUE(window_->controller().scene().molecules.empty()) << "nothing is opened by itself";
  screenshot(QStringLiteral("recovery"));
  // A second window is not offered the same.
  EXPECT_TRUE(Recovery::find().isEmpty());
  QTest::mouseClick(bar.recover_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().molecules.empty(); }));
  EXPECT_EQ(window_->controller().scene(), scene);
  EXPECT_TRUE(window_->isWindowModified()) << "it is unsaved";
  EXPECT_FALSE(bar.isVisible());
  EXPECT_TRUE(wait_until([&] { return !QDir(folder).exists(); })) << "offered once";
  ASSERT_TRUE(wait_for_picture());
}

TEST_F(RecoveryTest, LaterKeepsAndDiscardDeletes) {
  const QString folder = crashed_folder(Recovery::default_root());
  QFile reading(folder + QStringLiteral("/reading.txt"));
  ASSERT_TRUE(reading.open(QIODevice::WriteOnly));
  reading.write("/somewhere/bad.pdb");
  reading.close();
  window_->offer_recovery();
  RecoveryBar& bar = window_->recovery_bar();
  ASSERT_TRUE(bar.isVisible());
  EXPECT_TRUE(bar.text().contains(QStringLiteral("bad.pdb"))) << "names what was being read";
  EXPECT_FALSE(bar.recover_button()->isEnabled()) << "no scene was saved";
  QTest::mouseClick(bar.later_button(), Qt::LeftButton);
  EXPECT_FALSE(bar.isVisible());
  EXPECT_TRUE(QDir(folder).exists());
  window_->offer_recovery();
  ASSERT_TRUE(bar.isVisible());
  QTest::mouseClick(bar.discard_button(), Qt::LeftButton);
  EXPECT_FALSE(QDir(folder).exists());
}

TEST_F(RecoveryTest, ACleanEndLeavesNothing) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  QSignalSpy saved(&window_->recovery(), &Recovery::saved);
  const QString folder = window_->recovery().folder();
  EXPECT_TRUE(QDir(folder).exists());
  // States take turns: three at most.
  for (int i = 0; i < 5; ++i) {
    // Where work has begun meanwhile the scene has been saved already.
    const auto before = saved.count();
    window_->controller().edit(QStringLiteral("Axes"), [i](Scene& s) { s.look.depth_cue = 0.1f * float(i + 1); });
    window_->recovery().save();
    ASSERT_TRUE(wait_until([&] { return saved.count() > before; }));
  }
  EXPECT_EQ(QDir(folder).entryList({QStringLiteral("scene-*")}).size(), 3);
  window_.reset();
  EXPECT_FALSE(QDir(folder).exists());
}

TEST_F(RecoveryTest, AChangedSceneAsksBeforeItCloses) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().axes->trigger();
  ASSERT_TRUE(window_->isWindowModified());
  window_->close();
  EXPECT_TRUE(window_->isVisible());
  auto* box = window_->findChild<QMessageBox*>(QStringLiteral("unsaved"));
  ASSERT_NE(box, nullptr);
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  EXPECT_TRUE(window_->isVisible());
  ASSERT_TRUE(wait_until([&] { return window_->findChild<QMessageBox*>(QStringLiteral("unsaved")) == nullptr; }));
  QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier);
  box = window_->findChild<QMessageBox*>(QStringLiteral("unsaved"));
  ASSERT_NE(box, nullptr) << "closing the scene asks too";
  QTest::mouseClick(box->button(QMessageBox::Discard), Qt::LeftButton);
  EXPECT_TRUE(window_->controller().scene().molecules.empty());
}

TEST_F(RecoveryTest, ASessionWhoseFilesMovedIsRepaired) {
  const QString file = write_breathing_xyz(4);
  ASSERT_TRUE(open({file}));
  window_->commands().axes->trigger();
  const Scene scene = window_->controller().scene();
  QDir().mkpath(temporary(QStringLiteral("sessions")));
  const QString session = temporary(QStringLiteral("sessions/moved.isolume"));
  QSignalSpy saved(&window_->loader(), &FileLoader::session_saved);
  window_->save_session(session);
  ASSERT_TRUE(saved.wait(10000));
  QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier);
  ASSERT_TRUE(window_->controller().scene().molecules.empty());

  // Nowhere: it says which file, and asks; the scene stays as it was.
  QDir().mkpath(temporary(QStringLiteral("elsewhere")));
  const QString there = temporary(QStringLiteral("elsewhere/breathing.xyz"));
  ASSERT_TRUE(QFile::rename(file, there));
  window_->open_files({session});
  QMessageBox* box = nullptr;
  ASSERT_TRUE(
      wait_until([&] { return (box = window_->findChild<QMessageBox*>(QStringLiteral("missing"))) != nullptr; }));
  EXPECT_TRUE(box->informativeText().contains(QStringLiteral("breathing.xyz")));
  EXPECT_TRUE(window_->controller().scene().molecules.empty());
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  // In the folder that the user names.
  window_->loader().open_session_with(session, {temporary(QStringLiteral("elsewhere"))});
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().molecules.empty(); }));
  EXPECT_EQ(window_->controller().scene().molecules[0].paths[0], there.toStdString());
  EXPECT_EQ(window_->controller().scene().representations, scene.representations);
  EXPECT_TRUE(window_->isWindowModified()) << "its paths are others than those that are saved";
  ASSERT_TRUE(wait_for_picture());

  // Next to the session: found without asking.
  window_->controller().reset({});
  ASSERT_TRUE(QFile::rename(there, temporary(QStringLiteral("sessions/breathing.xyz"))));
  window_->open_files({session});
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().molecules.empty(); }));
  ASSERT_TRUE(wait_for_picture());
}

// In containers every program may have the same process number: a lock file that names this one says nothing.
TEST_F(RecoveryTest, TheNumberOfAProcessKeepsNothingFromBeingOffered) {
  const QString folder = Recovery::default_root() + QStringLiteral("/%1-1000").arg(QCoreApplication::applicationPid());
  QDir().mkpath(folder);
  QFile lock(folder + QStringLiteral("/lock"));
  ASSERT_TRUE(lock.open(QIODevice::WriteOnly));
  lock.write(QStringLiteral("%1\n%2\n%3\n")
                 .arg(QCoreApplication::applicationPid())
                 .arg(QCoreApplication::applicationName(), QSysInfo::machineHostName())
                 .toUtf8());
  lock.close();
  QFile reading(folder + QStringLiteral("/reading.txt"));
  ASSERT_TRUE(reading.open(QIODevice::WriteOnly));
  reading.write("/somewhere/a.pdb");
  reading.close();
  const QList<Recovery::Found> found = Recovery::find();
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found.first().folder, folder);
  EXPECT_TRUE(Recovery::find().isEmpty()) << "held by the first";
}

TEST_F(RecoveryTest, WhatIsUnsavedWhenASignalEndsTheProgramIsOffered) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().axes->trigger();
  const Scene scene = window_->controller().scene();
  window_->end_as_asked();
  EXPECT_FALSE(window_->isVisible()) << "nobody is asked";
  window_.reset();
  const QList<Recovery::Found> found = Recovery::find();
  ASSERT_EQ(found.size(), 1);
  EXPECT_TRUE(found.first().asked_to_end);
  EXPECT_EQ(read_scene(found.first().scene.toStdString()), scene);
  Recovery::discard(found.first());
}

TEST_F(RecoveryTest, WhatIsSavedWhenASignalEndsTheProgramLeavesNothing) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->controller().set_saved();
  window_->end_as_asked();
  window_.reset();
  EXPECT_TRUE(Recovery::find().isEmpty());
}

TEST_F(RecoveryTest, ASessionFromElsewhereAsksBeforeItOpensOtherFolders) {
  const QString file = write_breathing_xyz(2);
  Scene scene;
  scene.molecules.push_back({{file.toStdString()}});
  QDir().mkpath(temporary(QStringLiteral("mail")));
  const QString session = temporary(QStringLiteral("mail/s.isolume"));
  write_scene(session.toStdString(), scene);
  QMessageBox* box = nullptr;
  const auto asked = [&] { return (box = window_->findChild<QMessageBox*>(QStringLiteral("foreign"))) != nullptr; };
  window_->open_files({session});
  ASSERT_TRUE(wait_until(asked));
  EXPECT_TRUE(box->informativeText().contains(file));
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !asked(); }));
  EXPECT_TRUE(window_->controller().scene().molecules.empty());
  window_->open_files({session});
  ASSERT_TRUE(wait_until(asked));
  QTest::mouseClick(box->button(QMessageBox::Open), Qt::LeftButton);
  EXPECT_TRUE(wait_until([&] { return window_->controller().scene().molecules.size() == 1; }));
}

TEST_F(RecoveryTest, NoExportReplacesAFileThatIsShown) {
  const QString file = write_breathing_xyz(2);
  ASSERT_TRUE(open({file}));
  QFile before(file);
  ASSERT_TRUE(before.open(QIODevice::ReadOnly));
  const QByteArray bytes = before.readAll();
  QSignalSpy failed(&window_->loader(), &FileLoader::failed);
  window_->save_session(file);
  ASSERT_TRUE(failed.count() > 0 || failed.wait(10000));
  EXPECT_TRUE(failed.first().at(0).toString().contains(QStringLiteral("is an input as well")));
  QFile after(file);
  ASSERT_TRUE(after.open(QIODevice::ReadOnly));
  EXPECT_TRUE(after.readAll() == bytes);
}

TEST_F(RecoveryTest, AnotherProgramHandsItsFilesOver) {
  const QString name = QStringLiteral("isolume-test-%1").arg(QCoreApplication::applicationPid());
  Instance instance(name);
  EXPECT_FALSE(Instance::hand_over({}, name)) << "nobody listens yet";
  ASSERT_TRUE(instance.listen());
  Instance second(name);
  EXPECT_FALSE(second.listen()) << "one is enough";
  QSignalSpy asked(&instance, &Instance::asked);
  const QStringList files{QStringLiteral("/a b/\u00e9.pdb"), QStringLiteral("/c.xyz")};
  std::thread other([&] { EXPECT_TRUE(Instance::hand_over(files, name)); });
  EXPECT_TRUE(wait_until([&] { return asked.count() == 1; }));
  other.join();
  ASSERT_EQ(asked.count(), 1);
  EXPECT_EQ(asked.at(0).at(0).toStringList(), files);
}

TEST_F(RecoveryTest, AnotherWindowHasItsOwnScene) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  MainWindow* other = window_->open_another({});
  ASSERT_TRUE(QTest::qWaitForWindowExposed(other, 30000));
  EXPECT_TRUE(other->controller().scene().molecules.empty());
  EXPECT_FALSE(window_->controller().scene().molecules.empty());
  delete other;
  ASSERT_TRUE(wait_for_picture());
}

}  // namespace
}  // namespace isolume::test
