// Light and dark, the layout, and what the window looks like on large examples (pictures for the eye).
#include <QDialog>
#include <QDockWidget>
#include <QTabBar>
#include <QTest>
#include <utility>

#include "app/window/help/examples.h"
#include "app/window/panels/field_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

double luminance(QColor c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(QColor a, QColor b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, TextIsReadableInLightAndDark) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    EXPECT_EQ(dark_palette(), theme == Theme::dark);
    const QPalette p = QApplication::palette();
    // WCAG 2.1: 4.5 to 1 for text.
    EXPECT_GE(contrast(p.color(QPalette::WindowText), p.color(QPalette::Window)), 4.5);
    EXPECT_GE(contrast(p.color(QPalette::Text), p.color(QPalette::Base)), 4.5);
    EXPECT_GE(contrast(p.color(QPalette::ButtonText), p.color(QPalette::Button)), 4.5);
    EXPECT_GE(contrast(p.color(QPalette::HighlightedText), p.color(QPalette::Highlight)), 4.5);
    EXPECT_GE(contrast(p.color(QPalette::PlaceholderText), p.color(QPalette::Base)), 4.5);
    EXPECT_GE(contrast(p.color(QPalette::PlaceholderText), p.color(QPalette::Window)), 4.5);
  }
  apply_theme(Theme::light);
}

TEST(Theme, TheTabInFrontHasALineThatIsSeen) {
  for (const Theme theme : {Theme::light, Theme::dark})
    for (const QTabBar::Shape shape : {QTabBar::RoundedNorth, QTabBar::RoundedEast}) {
      apply_theme(theme);
      const QColor line = QApplication::palette().color(QPalette::Link);
      EXPECT_GE(contrast(line, QApplication::palette().color(QPalette::Window)), 3) << "WCAG 2.1 for what is no text";
      QTabBar bar;
      bar.setShape(shape);
      for (const char* title : {"One", "Two", "Three"}) bar.addTab(QString::fromLatin1(title));
      bar.setCurrentIndex(1);
      bar.resize(bar.sizeHint());
      const QImage picture = bar.grab().toImage();
      const double ratio = picture.devicePixelRatio();
      for (const int tab : {0, 1, 2}) {
        const QRect rect = bar.tabRect(tab).adjusted(3, 3, -3, -3);  // neighbours overlap
        const bool upright = shape == QTabBar::RoundedEast;
        int seen = 0;
        for (int y = upright ? rect.top() : 0; y <= (upright ? rect.bottom() : bar.height() - 1); ++y)
          for (int x = upright ? 0 : rect.left(); x <= (upright ? bar.width() - 1 : rect.right()); ++x)
            seen += picture.pixelColor(int(x * ratio), int(y * ratio)).rgb() == line.rgb();
        if (tab == 1) {
          EXPECT_GE(seen, upright ? rect.height() : rect.width());
        } else {
          EXPECT_EQ(seen, 0) << tab;
        }
      }
    }
  apply_theme(Theme::light);
}

TEST_F(WindowTest, AMessageIsReadableWhenTheThemeChanges) {
  window_->messages().show_message(MessageBar::Kind::note, QStringLiteral("A note"));
  for (const Theme theme : {Theme::light, Theme::dark, Theme::light}) {
    apply_theme(theme);
    QCoreApplication::processEvents();
    const QPalette p = window_->messages().palette();
    EXPECT_GE(contrast(p.color(QPalette::WindowText), p.color(QPalette::Window)), 4.5) << name(theme).toStdString();
  }
}

TEST_F(WindowTest, LayoutIsRememberedAndReset) {
  const auto dock = [this](const char* name) { return window_->findChild<QDockWidget*>(QString::fromLatin1(name)); };
  dock("fields")->hide();
  dock("measure")->hide();
  window_->close();
  window_ = std::make_unique<MainWindow>();
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), 30000));
  EXPECT_TRUE(dock("fields")->isHidden());
  EXPECT_TRUE(dock("measure")->isHidden());
  EXPECT_FALSE(dock("orbitals")->isHidden());
  window_->commands().reset_layout->trigger();
  EXPECT_FALSE(dock("fields")->isHidden());
  EXPECT_FALSE(dock("measure")->isHidden());
}

// At any ratio: QT_SCALE_FACTOR=1.25 test_window --gtest_filter=*OfTheScreen
TEST_F(WindowTest, APixelOfThePictureIsOneOfTheScreen) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  Viewport& viewport = window_->viewport();
  if (viewport.path() == DrawingPath::window) GTEST_SKIP() << "the window's own OpenGL draws it";
  for (const int wider : {0, 1, 2, 3}) {  // logical sizes that make no whole number of pixels among them
    window_->resize(1100 + wider, 760 + wider);
    ASSERT_TRUE(wait_until([&] { return viewport.at_rest() && window_->width() == 1100 + wider; }));
    const double ratio = viewport.devicePixelRatioF();
    const QImage picture = viewport.grab_picture().convertToFormat(QImage::Format_RGB32);
    const QPointF corner = QPointF(viewport.mapTo(window_.get(), QPoint(0, 0))) * ratio;
    const int left = qRound(corner.x()), top = qRound(corner.y());
    std::size_t different = 0, coloured = 0;
    const auto same = [&] {
      const QImage screen =
          window_->screen()->grabWindow(window_->winId()).toImage().convertToFormat(QImage::Format_RGB32);
      different = coloured = 0;
      // The middle, where nothing is written over the picture.
      for (int y = picture.height() / 4; y < picture.height() * 3 / 4; ++y)
        for (int x = picture.width() / 4; x < picture.width() * 3 / 4; ++x) {
          different += picture.pixel(x, y) != screen.pixel(left + x, top + y);
          coloured += picture.pixel(x, y) != picture.pixel(0, 0);
        }
      return different == 0;
    };
    EXPECT_TRUE(wait_until(same)) << different << " pixels; ratio " << ratio << ", " << viewport.width() << " x "
                                  << viewport.height() << " at " << corner.x() << ' ' << corner.y();
    EXPECT_GT(coloured, 1000u);
  }
}

TEST_F(WindowTest, PicturesForTheEye) {
  if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  const auto raise = [this](const char* name) {
    window_->findChild<QDockWidget*>(QString::fromLatin1(name))->raise();
    QCoreApplication::processEvents();
  };
  window_->resize(1280, 820);
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const QString tag = name(theme);
    window_->controller().reset({});  // without the question of what is unsaved
    screenshot(QStringLiteral("welcome-") + tag);

    const QString protein = QString::fromStdString(shared_data("structures/1hpv.pdb"));
    ASSERT_TRUE(open({protein}));
    raise("representations");
    screenshot(QStringLiteral("protein-") + tag);
    window_->controller().edit(QStringLiteral("Add"), [](Scene& scene) {
      Field field;
      field.both_signs = false;
      field.selection = "protein and within 9 of resname 478";
      field.colouring = Colouring::element;
      field.colour = {0, 0, 0, 0};
      field.opacity = 0.55f;
      scene.fields.push_back(field);
    });
    ASSERT_TRUE(wait_for_picture());
    raise("fields");
    screenshot(QStringLiteral("surface-") + tag);

    window_->controller().edit(QStringLiteral("Colours"), [](Scene& scene) {
      scene.fields.clear();
      scene.representations[0].colouring = Colouring::b_factor;
      scene.representations[0].options.profile = RibbonProfile::cylinders;
      scene.representations[0].material = Material::glossy;
      scene.legends = Legends::all;
    });
    ASSERT_TRUE(wait_for_picture());
    raise("representations");
    screenshot(QStringLiteral("b-factor-") + tag);
    raise("molecules");
    screenshot(QStringLiteral("molecules-") + tag);
    window_->controller().edit(QStringLiteral("Appearance"), [](Scene& scene) {
      scene.look.shadows = true;
      scene.look.depth_of_field = 0.015f;
    });
    ASSERT_TRUE(wait_for_picture());
    raise("look");
    screenshot(QStringLiteral("look-") + tag);

    window_->controller().reset({});  // without the question of what is unsaved
    QStringList frames;
    for (int i = 0; i < 36; ++i) {
      frames += QString::fromStdString(shared_data("qm-computed/ethylene_torsion/frame_")) +
                QStringLiteral("%1.molden").arg(i, 3, 10, QLatin1Char('0'));
    }
    ASSERT_TRUE(open(frames));
    window_->player().step(9);
    raise("orbitals");
    ASSERT_TRUE(wait_for_picture());
    screenshot(QStringLiteral("orbital-") + tag);
  }
  apply_theme(Theme::light);
}

// Every panel and dialog as it comes, with field lines and a cloud in the picture.
TEST_F(WindowTest, PicturesForTheEyeOfPanelsAndDialogs) {
  if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  window_->resize(1280, 820);
  const auto choose_show = [this](Field::Show show) {
    window_->controller().edit(QStringLiteral("Show"), [show](Scene& scene) {
      scene.fields[0].show = show;
      scene.fields[0].opacity = 1;
    });
    ASSERT_TRUE(wait_for_picture());
  };
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const QString tag = name(theme);
    window_->controller().reset({});
    ASSERT_TRUE(open({QString::fromStdString(shared_data("structures/pqr/1ajj.pqr"))}));
    window_->field_panel().add(Field::Kind::potential);
    window_->findChild<QDockWidget*>(QStringLiteral("fields"))->raise();
    choose_show(Field::Show::cloud);
    screenshot(QStringLiteral("cloud-") + tag);
    choose_show(Field::Show::lines);
    screenshot(QStringLiteral("lines-") + tag);
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
      dock->show();
      dock->raise();
      QCoreApplication::processEvents();
      screenshot(QStringLiteral("panel-%1-%2").arg(dock->objectName(), tag));
    }
    const MainActions& actions = window_->commands();
    const std::pair<const char*, QAction*> dialogs[] = {{"preferences", actions.preferences},
                                                        {"export", actions.export_picture},
                                                        {"keys", actions.shortcuts},
                                                        {"report", actions.report},
                                                        {"about", actions.about},
                                                        {"palette", actions.palette},
                                                        {"manual", actions.manual},
                                                        {"news", actions.news}};
    for (const auto& [what, action] : dialogs) {
      action->trigger();
      QTest::qWait(1000);
      QWidget* dialog = QApplication::activePopupWidget();
      for (QWidget* widget : QApplication::topLevelWidgets())
        if (dialog == nullptr && qobject_cast<QDialog*>(widget) != nullptr && widget->isVisible()) dialog = widget;
      const QString folder = QString::fromUtf8(qgetenv("ISOLUME_SCREENSHOTS"));
      const QString file = QStringLiteral("%1/dialog-%2-%3.png").arg(folder, QLatin1String(what), tag);
      EXPECT_TRUE((dialog != nullptr ? dialog : window_.get())->grab().save(file));
      if (dialog != nullptr) dialog->close();
      QTest::keyClick(window_.get(), Qt::Key_Escape);
      QCoreApplication::processEvents();
    }
    window_->commands().reset_layout->trigger();
  }
  apply_theme(Theme::light);
}

}  // namespace
}  // namespace isolume::test
