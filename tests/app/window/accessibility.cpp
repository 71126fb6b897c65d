// Every widget has a name for screen readers, a tool tip where it is a control, and is reached by the keyboard.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSet>
#include <QSpinBox>
#include <QTabBar>
#include <QToolTip>
#include <algorithm>

#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/dialogs/data_export_dialog.h"
#include "app/window/dialogs/picture_export.h"
#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/frames/compare_frames_dialog.h"
#include "app/window/frames/motion_dialog.h"
#include "app/window/help/tour.h"
#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/maps/fit_map_dialog.h"
#include "app/window/maps/flexible_fit_dialog.h"
#include "app/window/maps/morph_dialog.h"
#include "app/window/panels/field_panel.h"
#include "app/window/sampling/ion_dialog.h"
#include "app/window/sampling/ligand_map_dialog.h"
#include "app/window/shell/command_palette.h"
#include "app/window/structures/interface_dialog.h"
#include "app/window/widgets/number_tips.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

/// Parts that Qt's own widgets are made of: their owner speaks for them.
bool inner_part(const QWidget* widget) {
  const QString name = widget->objectName();
  const bool holds_ours =
      name == QLatin1String("qt_scrollarea_viewport") || name == QLatin1String("qt_tabwidget_stackedwidget");
  if (name.startsWith(QLatin1String("qt_")) && !holds_ours) return true;
  if (qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QTabBar*>(widget)) return true;
  const QWidget* parent = widget->parentWidget();
  if (parent == nullptr) return false;
  if (qobject_cast<const QAbstractItemView*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent)) return true;
  if (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QTabBar*>(parent)) return true;
  if (qobject_cast<const QDockWidget*>(parent) && qobject_cast<const QAbstractButton*>(widget)) return true;
  return inner_part(parent);
}

bool control(const QWidget* widget) {
  return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QAbstractSlider*>(widget) ||
         qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
         qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractItemView*>(widget);
}

std::string described(const QWidget* widget) {
  std::string path = widget->metaObject()->className();
  for (const QWidget* w = widget->parentWidget(); w != nullptr; w = w->parentWidget()) {
    path = std::string(w->metaObject()->className()) + "(" + w->accessibleName().toStdString() + ")/" + path;
  }
  return path;
}

std::string name_of(QWidget* widget) {
  QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
  return interface == nullptr ? "" : interface->text(QAccessible::Name).toStdString();
}

void expect_named(QWidget* top) {
  int controls = 0;
  for (QWidget* widget : top->findChildren<QWidget*>()) {
    if (inner_part(widget)) continue;
    const bool text = qobject_cast<QLabel*>(widget) != nullptr;
    if (!control(widget) && !text) continue;
    EXPECT_FALSE(widget->accessibleName().isEmpty() && name_of(widget).empty()) << "no name: " << described(widget);
    if (!control(widget)) continue;
    ++controls;
    EXPECT_FALSE(widget->accessibleName().isEmpty() && name_of(widget).empty());
    EXPECT_FALSE(widget->toolTip().isEmpty()) << "no tool tip: " << described(widget);
  }
  EXPECT_GT(controls, 3);
}

TEST_F(WindowTest, EveryWidgetHasANameAndEveryControlATip) {
  expect_named(window_.get());
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  expect_named(window_.get());
  PictureDialog dialog({640, 480});
  for (QWidget* widget : dialog.findChildren<QWidget*>()) {
    if (inner_part(widget) || !control(widget)) continue;
    EXPECT_FALSE(name_of(widget).empty()) << described(widget);
  }
}

TEST_F(WindowTest, EveryDialogIsNamedToo) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  PreferencesDialog preferences({}, {}, window_->commands().all(), {});
  expect_named(&preferences);
  SuperposeDialog superpose(window_->controller(), 0);
  superpose.setAttribute(Qt::WA_DeleteOnClose, false);
  expect_named(&superpose);
  for (const AnalysisKind kind : {AnalysisKind::rmsd, AnalysisKind::contacts, AnalysisKind::rdf}) {
    AnalysisDialog analysis(window_->controller(), kind);
    analysis.setAttribute(Qt::WA_DeleteOnClose, false);
    expect_named(&analysis);
  }
  DataExportDialog data_export(window_->controller(), -1);
  expect_named(&data_export);
  CompareFramesDialog compare_frames(window_->controller());
  CalculateMapDialog calculate_map(window_->controller(), folder_.path());
  DensityDialog density(window_->controller(), folder_.path(), [] { return Device::cpu(); });
  FitMapDialog fit_map(window_->controller(), [] { return Device::cpu(); });
  FlexibleFitDialog flexible_fit(window_->controller(), [] { return Device::cpu(); });
  InterfaceDialog interfaces(window_->controller());
  IonDialog ions(window_->controller(), folder_.path(), [] { return Device::cpu(); });
  LigandMapDialog ligand_map(window_->controller(), folder_.path(), [] { return Device::cpu(); });
  MorphDialog morph(window_->controller(), folder_.path());
  MotionDialog mean(window_->controller(), MotionDialog::Task::mean, folder_.path());
  MotionDialog component(window_->controller(), MotionDialog::Task::component, folder_.path());
  for (QDialog* dialog :
       std::initializer_list<QDialog*>{&compare_frames, &calculate_map, &density, &fit_map, &flexible_fit, &interfaces,
                                       &ions, &ligand_map, &morph, &mean, &component}) {
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    expect_named(dialog);
  }
  CommandPalette palette(entries_of(window_->menuWidget()), window_.get());
  for (QWidget* widget : palette.findChildren<QWidget*>()) {
    if (inner_part(widget) || !control(widget)) continue;
    EXPECT_FALSE(name_of(widget).empty()) << described(widget);
  }
  window_->commands().tour->trigger();
  Tour* tour = window_->findChild<Tour*>(QStringLiteral("tour"));
  ASSERT_NE(tour, nullptr);
  for (QWidget* widget : tour->findChildren<QWidget*>()) {
    if (inner_part(widget) || !control(widget)) continue;
    EXPECT_FALSE(name_of(widget).empty()) << described(widget);
  }
  tour->close();
}

/// Every number says from where to where it goes.
TEST_F(WindowTest, EveryNumberSaysItsRange) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  int numbers = 0;
  for (QWidget* widget : window_->findChildren<QWidget*>()) {
    if (inner_part(widget)) continue;
    const auto* real = qobject_cast<QDoubleSpinBox*>(widget);
    const auto* whole = qobject_cast<QSpinBox*>(widget);
    if (!real && !whole) continue;
    ++numbers;
    const QString tip = tip_of(widget);
    EXPECT_GT(tip.size(), widget->toolTip().size()) << described(widget);
    const QString highest =
        real ? widget->locale().toString(real->maximum(), 'g', 6) : widget->locale().toString(whole->maximum());
    EXPECT_TRUE(tip.contains(highest)) << tip.toStdString();
    const QString suffix = real ? real->suffix() : whole->suffix();
    EXPECT_TRUE(tip.contains(highest + suffix)) << tip.toStdString();
  }
  EXPECT_GT(numbers, 10);
  // It is what is shown over the box and over its line.
  auto* box = window_->findChild<QDoubleSpinBox*>();
  ASSERT_NE(box, nullptr);
  for (QWidget* part : {static_cast<QWidget*>(box), static_cast<QWidget*>(box->findChild<QLineEdit*>())}) {
    QHelpEvent help(QEvent::ToolTip, {2, 2}, box->mapToGlobal(QPoint(2, 2)));
    QCoreApplication::sendEvent(part, &help);
    EXPECT_EQ(QToolTip::text(), tip_of(box));
    QToolTip::hideText();
  }
}

/// Every number that has a dimension says its unit, every control of what is computed or drawn what a change costs.
TEST_F(WindowTest, EveryControlSaysItsUnitAndCost) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  PictureDialog picture({640, 480});
  picture.ensurePolished();
  // What is a mere number: factors, counts, and what stands for itself.
  const QStringList plain = {
      QStringLiteral("scale"),  QStringLiteral("size"),     QStringLiteral("isovalue"),   QStringLiteral("detail"),
      QStringLiteral("images"), QStringLiteral("along"),    QStringLiteral("dielectric"), QStringLiteral("lines"),
      QStringLiteral("range"),  QStringLiteral("strength"), QStringLiteral("frame"),      QStringLiteral("number"),
      QStringLiteral("value"),  QStringLiteral("ambient"),  QStringLiteral("diffuse"),    QStringLiteral("arrows"),
      QStringLiteral("length"), QStringLiteral("opacity"),  QStringLiteral("step"),       QStringLiteral("light")};
  int controls = 0, computing = 0;
  QList<QWidget*> roots = {&picture};
  for (const char* name : {"representations", "molecules", "look", "fields", "orbitals"}) {
    auto* dock = window_->findChild<QDockWidget*>(QString::fromLatin1(name));
    ASSERT_NE(dock, nullptr) << name;
    roots += dock->widget();
  }
  for (QWidget* root : roots) {
    int here = 0;
    for (QWidget* widget : root->findChildren<QWidget*>()) {
      if (inner_part(widget) || !control(widget)) continue;
      const auto* real = qobject_cast<QDoubleSpinBox*>(widget);
      const auto* whole = qobject_cast<QSpinBox*>(widget);
      const QString tip = tip_of(widget);
      if (real || whole) {
        const QString suffix = real ? real->suffix() : whole->suffix();
        const QString words = (widget->accessibleName() + QLatin1Char(' ') + widget->toolTip()).toLower();
        const bool mere =
            std::any_of(plain.begin(), plain.end(), [&](const QString& word) { return words.contains(word); });
        EXPECT_TRUE(!suffix.isEmpty() || mere) << "no unit: " << described(widget) << ": " << tip.toStdString();
      }
      const bool changes = real || whole || qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractSlider*>(widget);
      if (!changes) continue;
      ++controls;
      const QString cost = tip.section(QLatin1Char('\n'), -1);
      EXPECT_NE(tip, widget->toolTip()) << "no cost: " << described(widget) << ": " << tip.toStdString();
      computing += cost.startsWith(QStringLiteral("Recomputed: "));
      ++here;
    }
    EXPECT_GT(here, 0) << described(root);
  }
  EXPECT_GT(controls, 40);
  EXPECT_GT(computing, 5) << "of the field that is chosen it is known";
  auto* spacing = window_->field_panel().findChild<QDoubleSpinBox*>();
  ASSERT_NE(spacing, nullptr);
  EXPECT_TRUE(tip_of(spacing).contains(QStringLiteral(" points"))) << tip_of(spacing).toStdString();
}

TEST_F(WindowTest, EveryActionSaysWhatItDoes) {
  for (const QAction* action : window_->findChildren<QAction*>()) {
    if (action->isSeparator() || action->text().isEmpty()) continue;
    EXPECT_FALSE(action->toolTip().isEmpty()) << action->text().toStdString();
  }
}

TEST_F(WindowTest, EveryControlIsInTheTabOrder) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QCoreApplication::processEvents();
    QSet<const QWidget*> chain;
    const QWidget* first = window_->focusWidget() ? window_->focusWidget() : window_.get();
    const QWidget* widget = first;
    do {
      chain.insert(widget);
      widget = widget->nextInFocusChain();
    } while (widget != first && widget != nullptr);
    for (QWidget* child : dock->findChildren<QWidget*>()) {
      if (!child->isVisible() || !child->isEnabled() || inner_part(child) || !control(child)) continue;
      const bool tab = (child->focusPolicy() & Qt::TabFocus) != 0;
      if (qobject_cast<QHeaderView*>(child)) continue;
      EXPECT_TRUE(tab) << "not by Tab: " << described(child);
      EXPECT_TRUE(chain.contains(child)) << "not in the chain: " << described(child);
    }
  }
}

TEST_F(WindowTest, NoTwoKeysAreTheSame) {
  QSet<QString> keys;
  QSet<const QAction*> seen;
  QList<QAction*> actions = window_->findChildren<QAction*>();
  for (const QAction* action : actions) {
    if (seen.contains(action) || action->shortcut().isEmpty()) continue;
    seen.insert(action);
    const QString key = action->shortcut().toString();
    EXPECT_FALSE(keys.contains(key)) << key.toStdString() << " twice";
    keys.insert(key);
  }
  EXPECT_GT(keys.size(), 20);
}

TEST_F(WindowTest, TheSelectionIsSaidInWords) {
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin.pdb.gz"))}));
  const Viewport& viewport = window_->viewport();
  const QString before = viewport.accessibleDescription();
  window_->controller().set_picked({{0, 0}, {0, 1}, {0, 30}});  // THR 1 has 30 atoms, with its other locations
  EXPECT_EQ(viewport.accessibleDescription(),
            QStringLiteral("3 atoms of 2 residues selected: A/THR 1, A/THR 2. ") + before);
  std::vector<PickedAtom> all;
  for (std::uint32_t atom = 0; atom < 831; ++atom) all.push_back({0, atom});
  window_->controller().set_picked(std::move(all));
  EXPECT_TRUE(viewport.accessibleDescription().startsWith(
      QStringLiteral("831 atoms of 46 residues selected: A/THR 1, A/THR 2, A/CYS 3, A/CYS 4, A/PRO 5 and 41 more")))
      << viewport.accessibleDescription().toStdString();
  window_->controller().set_picked({});
  EXPECT_EQ(viewport.accessibleDescription(), before);
}

}  // namespace
}  // namespace isolume::test
