// One scene is one picture: on the screen, exported by the window, and drawn by the command that the window copies.
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QProcess>
#include <QRegularExpression>

#include "app/scene/scene_json.h"
#include "app/window/live/live_fields.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class SamePicture : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped()) return;
    // Both sides compute on the same device: what is compared is the way, not the arithmetic.
    window_->choose_device_by_name(QStringLiteral("cpu"));
    if (!QFile::exists(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("isolume"))))
      GTEST_SKIP() << "no isolume beside the tests";
  }

  /// Runs a line of the shell next to which `isolume` is found.
  static void shell(const QString& line) {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QCoreApplication::applicationDirPath() + QLatin1Char(':') +
                                                   environment.value(QStringLiteral("PATH")));
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral("sh"), {QStringLiteral("-c"), line});
    ASSERT_TRUE(program.waitForFinished(100000));
    EXPECT_EQ(program.exitCode(), 0) << line.toStdString() << '\n' << program.readAll().toStdString();
  }
  /// What Edit: Copy as command copies, with another place to write to.
  QString command(const QString& out) {
    window_->commands().copy_command->trigger();
    QString line = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(line.startsWith(QLatin1String("isolume render "))) << line.toStdString();
    EXPECT_TRUE(line.contains(QLatin1String("--out 'picture.png'"))) << line.toStdString();
    return line.replace(QLatin1String("'picture.png'"), QLatin1Char('\'') + out + QLatin1Char('\'')) +
           QStringLiteral(" --device cpu");
  }
  Image exported(const QString& path, QSize size) {
    PictureOptions options;
    options.width = size.width();
    options.height = size.height();
    window_->export_picture(path, options, 300);
    EXPECT_TRUE(wait_until([&] { return !window_->exporter().busy(); }, 60000));
    return read_png(path.toStdString());
  }
  /// All three at one size, and the picture drawn again from what the exported one carries.
  void expect_one_picture() {
    ASSERT_TRUE(wait_for_picture());
    window_->controller().touch([](Scene& scene) { scene.camera.turn({0, 1, 0}, 20); });
    const Image screen = shot();
    ASSERT_EQ(window_->viewport().devicePixelRatioF(), 1);
    const QSize size(screen.width, screen.height);
    const Image written = exported(temporary(QStringLiteral("window.png")), size);
    shell(command(temporary(QStringLiteral("command.png"))));
    const Image drawn = read_png(temporary(QStringLiteral("command.png")).toStdString());
    ASSERT_EQ(QSize(drawn.width, drawn.height), size) << "the command has the size of the picture in the window";
    EXPECT_EQ(drawn.rgba, written.rgba) << "of the command line and of the window";
    shell(QStringLiteral("isolume replay --device cpu --trust-paths '%1' --out '%2'")
              .arg(temporary(QStringLiteral("window.png")), temporary(QStringLiteral("again.png"))));
    QFile first(temporary(QStringLiteral("window.png"))), again(temporary(QStringLiteral("again.png")));
    ASSERT_TRUE(first.open(QIODevice::ReadOnly) && again.open(QIODevice::ReadOnly));
    EXPECT_TRUE(first.readAll() == again.readAll()) << "replay makes the exported file again, byte by byte";

    // Over the picture on the screen are widgets: without texts and legends it has the same pixels.
    window_->controller().edit(QStringLiteral("no texts"), [](Scene& scene) {
      scene.legends = Legends::none;
      scene.measurements.clear();
    });
    ASSERT_TRUE(wait_for_picture());
    Image plain = shot();
    Image bare = exported(temporary(QStringLiteral("bare.png")), size);
    ASSERT_EQ(plain.rgba.size(), bare.rgba.size());
    if (window_->controller().scene().layout == Layout::tiles) return;  // their titles are texts, too
    EXPECT_EQ(plain.rgba, bare.rgba) << "of the screen and of the file";
  }
};

TEST_F(SamePicture, OfOrbitalsSurfacesAndMeasurements) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->controller().edit(QStringLiteral("add"), [](Scene& scene) {
    Field surface;
    surface.kind = Field::Kind::gaussian;
    surface.opacity = 0.4f;
    surface.colouring = Colouring::element;
    scene.fields.push_back(surface);
    scene.measurements.push_back({{{0, 0}, {0, 1}}});
    scene.representations[0].colouring = Colouring::charge;
  });
  expect_one_picture();
}

TEST_F(SamePicture, OfPotentialsAndBoxes) {
  ASSERT_TRUE(open({write_salt_pqr(4)}));
  window_->controller().edit(QStringLiteral("add"), [](Scene& scene) {
    Field surface;
    surface.kind = Field::Kind::gaussian;
    surface.paint = Field::Paint::potential;
    surface.potential.method = PotentialSettings::Method::direct;
    scene.fields.push_back(surface);
    scene.look.shadows = true;
    scene.look.background = scene.look.background_bottom = {0.1f, 0.1f, 0.12f};
  });
  expect_one_picture();
}

TEST_F(SamePicture, OfTiles) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->controller().edit(QStringLiteral("tile"), [](Scene& scene) {
    scene.layout = Layout::tiles;
    scene.measurements.push_back({{{0, 0}, {0, 1}}});
  });
  expect_one_picture();
}

}  // namespace
}  // namespace isolume::test
