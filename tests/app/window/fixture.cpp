// A window on a display, with what its tests need to wait and to look.
#include "fixture.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSettings>
#include <QStackedWidget>
#include <QTest>
#include <QTextStream>
#include <cmath>

#include "app/window/shell/view_actions.h"
#include "app/window/widgets/theme.h"
#include "tests/support/data.h"

namespace isolume::test {

namespace {

/// The files that tests open: none may be left next to them.
QStringList shared_files() {
  return QDir(QString::fromStdString(data("window"))).entryList(QDir::Files | QDir::Hidden);
}

}  // namespace

void WindowTest::SetUp() {
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) GTEST_SKIP() << "needs a display: xvfb-run";
  files_before_ = shared_files();
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
  QSettings().clear();
  window_ = std::make_unique<MainWindow>();
  if (qEnvironmentVariableIsSet("ISOLUME_SCREENSHOTS_DARK")) apply_theme(Theme::dark);
  window_->resize(1100, 760);
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), 30000));
  QApplication::setActiveWindow(window_.get());
  // ./dev gpu-test: the window computes on the card, as it does for a user who has one.
  if (qEnvironmentVariable("ISOLUME_REQUIRE_CUDA") == QLatin1String("1")) {
    window_->choose_device_by_name(QStringLiteral("cuda"));
    ASSERT_TRUE(wait_until([this] { return window_->fields().device().is_cuda(); })) << "the window has no CUDA";
  }
}

void WindowTest::TearDown() {
  window_.reset();
  const QStringList after = shared_files();
  if (files_before_) {
    EXPECT_EQ(after, *files_before_) << "written into the sources";
  }
}

bool WindowTest::wait_until(const std::function<bool()>& condition, int ms) {
#ifdef __SANITIZE_THREAD__
  ms *= 10;  // programs are that much slower with it
#endif
  return QTest::qWaitFor(condition, ms);
}

bool WindowTest::wait_for_picture() {
  return wait_until([this] {
    const auto& picture = window_->picture();
    // What is clicked on is the picture that was drawn last: it has to be of this scene too.
    const Viewport& viewport = window_->viewport();
    if (window_->view_actions().fitting()) return false;
    if (!viewport.ready() || !viewport.drawn() || !picture.settled() || !picture.built()) return false;
    Scene shown = picture.built()->scene;
    Scene wanted = window_->controller().scene();
    shown.camera = wanted.camera;
    shown.look = wanted.look;
    shown.playback = wanted.playback;
    return shown == wanted;
  });
}

bool WindowTest::open(const QStringList& paths) {
  const std::size_t before = window_->controller().scene().molecules.size();
  window_->open_files(paths);
  return wait_until([&] { return window_->controller().scene().molecules.size() > before; }) && wait_for_picture();
}

Image to_image(const QImage& picture) {
  const QImage rgba = picture.convertToFormat(QImage::Format_RGBA8888);
  Image image{rgba.width(), rgba.height(), {}};
  for (int y = 0; y < rgba.height(); ++y) {
    image.rgba.insert(image.rgba.end(), rgba.constScanLine(y), rgba.constScanLine(y) + 4 * rgba.width());
  }
  return image;
}

Image WindowTest::shot() {
  EXPECT_TRUE(wait_until([this] { return window_->viewport().at_rest(); }));
  return to_image(window_->viewport().grab_picture());
}

QPoint WindowTest::place_of(PickedAtom atom) {
  glm::vec3 position{0};
  EXPECT_TRUE(window_->picture().position(atom, position));
  const Viewport& viewport = window_->viewport();
  const SceneView& view = *viewport.view();
  const double aspect = double(viewport.width()) / viewport.height();
  const glm::dvec4 clip = viewport.camera().projection_matrix(aspect, view.centre, view.radius) *
                          viewport.camera().view() * glm::dvec4(glm::dvec3(position), 1);
  return {static_cast<int>(std::lround((clip.x / clip.w + 1) / 2 * viewport.width())),
          static_cast<int>(std::lround((1 - clip.y / clip.w) / 2 * viewport.height()))};
}

void WindowTest::screenshot(const QString& name) {
  const QByteArray folder = qgetenv("ISOLUME_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QDir().mkpath(QString::fromUtf8(folder));
  EXPECT_TRUE(wait_until([this] { return window_->viewport().at_rest(); }));
  EXPECT_TRUE(window_->grab().save(QStringLiteral("%1/%2.png").arg(QString::fromUtf8(folder), name)));
}

void run_alone(const QString& test, const QList<QPair<QString, QString>>& variables) {
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) GTEST_SKIP() << "needs a display: xvfb-run";
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  // The one test is of no shard.
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) environment.remove(QLatin1String(name));
  for (const auto& [name, value] : variables) environment.insert(name, value);
  program.setProcessEnvironment(environment);
  program.setProcessChannelMode(QProcess::MergedChannels);
  program.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("--gtest_also_run_disabled_tests"), QStringLiteral("--gtest_filter=") + test});
  ASSERT_TRUE(program.waitForFinished(100000));
  const QString output = QString::fromLocal8Bit(program.readAll());
  EXPECT_EQ(program.exitStatus(), QProcess::NormalExit) << output.toStdString();
  EXPECT_EQ(program.exitCode(), 0) << output.toStdString();
  EXPECT_TRUE(output.contains(QStringLiteral("[  PASSED  ] 1 test"))) << output.toStdString();
}

QString WindowTest::write_breathing_xyz(int frames) {
  struct {
    const char* element;
    double x, y, z;
  } const atoms[] = {{"C", -1.17, -0.40, 0.00},  {"C", 0.05, 0.55, 0.00},  {"O", 1.20, -0.25, 0.00},
                     {"H", 1.98, 0.31, 0.00},    {"H", -2.09, 0.20, 0.00}, {"H", -1.15, -1.03, 0.89},
                     {"H", -1.15, -1.03, -0.89}, {"H", 0.02, 1.19, 0.89},  {"H", 0.02, 1.19, -0.89}};
  const QString path = temporary(QStringLiteral("breathing.xyz"));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  for (int frame = 0; frame < frames; ++frame) {
    const double scale = 1 + 0.08 * std::sin(2 * 3.14159265358979 * frame / frames);
    out << std::size(atoms) << "\nframe " << frame << "\n";
    for (const auto& atom : atoms) {
      out << atom.element << ' ' << atom.x * scale << ' ' << atom.y * scale << ' ' << atom.z * scale << '\n';
    }
  }
  return path;
}

QString WindowTest::write_salt_pqr(int n) {
  const QString path = temporary(QStringLiteral("salt.pqr"));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  constexpr double distance = 2.82;  // angstrom
  for (int i = 0; i < n * n * n; ++i) {
    const int x = i % n, y = i / n % n, z = i / n / n;
    const bool cation = (x + y + z) % 2 == 0;
    out << "ATOM " << i + 1 << (cation ? " NA NA " : " CL CL ") << i + 1 << ' ' << distance * x << ' ' << distance * y
        << ' ' << distance * z << (cation ? " 1.0 1.16" : " -1.0 1.67") << '\n';
  }
  return path;
}

}  // namespace isolume::test
