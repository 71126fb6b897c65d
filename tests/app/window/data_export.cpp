// Exporting what the scene has from the window: by menu, by the list of surfaces, by the console.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTreeView>
#include <set>

#include "app/window/dialogs/data_export_dialog.h"
#include "app/window/over_time/heat_map.h"
#include "app/window/over_time/share_bars.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/command_runner.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/panels.h"
#include "app/window/structures/ramachandran_panel.h"
#include "app/window/tree/scene_tree.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/plot.h"
#include "fixture.h"
#include "formats/read.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, ATrajectoryIsExportedByTheMenu) {
  ASSERT_TRUE(open({write_breathing_xyz(12)}));
  window_->commands().export_data->trigger();
  auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_GE(dialog->format_box()->findData(QStringLiteral("dcd")), 0);
  dialog->format_box()->setCurrentIndex(dialog->format_box()->findData(QStringLiteral("pdb")));
  dialog->frames_box()->setCurrentIndex(1);
  screenshot(QStringLiteral("export_data"));
  DataExport what = dialog->wanted();
  EXPECT_EQ(what.first, 0u);
  EXPECT_EQ(what.last, 11u);
  dialog->reject();
  what.path = temporary(QStringLiteral("out.pdb")).toStdString();
  QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
  window_->files().data().start(what, Device::cpu());
  ASSERT_TRUE(finished.wait(30000));
  EXPECT_EQ(read_file(what.path).frame_count(), 12u);
}

TEST_F(WindowTest, ANameIsProposedThatIsNotThereYet) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  const auto proposed = [this] {
    window_->commands().save_session_as->trigger();
    auto* dialog = window_->findChild<QFileDialog*>();
    const QStringList files = dialog ? dialog->selectedFiles() : QStringList();
    delete dialog;
    return files.value(0);
  };
  QSettings().setValue(QStringLiteral("save_folder"), folder_.path());
  EXPECT_EQ(proposed(), temporary(QStringLiteral("breathing.isolume")));
  QFile there(temporary(QStringLiteral("breathing.isolume")));
  ASSERT_TRUE(there.open(QIODevice::WriteOnly));
  EXPECT_EQ(proposed(), temporary(QStringLiteral("breathing-2.isolume")));
}

TEST_F(WindowTest, ASurfaceIsExportedByTheConsole) {
  ASSERT_TRUE(open({write_salt_pqr(4)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
  const QString path = temporary(QStringLiteral("surface.stl"));
  Q_EMIT window_->console().entered(QStringLiteral("export %1 field 0").arg(path));
  ASSERT_TRUE(finished.wait(30000));
  EXPECT_GT(QFile(path).size(), 1000);
  // What the scene shows is never replaced.
  QSignalSpy failed(&window_->files().data(), &DataExporter::failed);
  DataExport what;
  what.source = data_sources(window_->controller().scene(), window_->controller().documents()).front();
  what.path = window_->controller().scene().molecules[0].paths[0];
  window_->files().data().start(what, Device::cpu());
  ASSERT_TRUE(failed.wait(30000));
  EXPECT_EQ(read_file(what.path).atom_count(), 64u);
}

TEST_F(WindowTest, TheListOfSurfacesProposesItsRow) {
  ASSERT_TRUE(open({write_salt_pqr(4)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  Q_EMIT window_->field_panel().export_asked(0);
  auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->wanted().source.kind, DataSource::Kind::field);
  EXPECT_GE(dialog->format_box()->findData(QStringLiteral("glb")), 0);
}

TEST_F(WindowTest, MenusOfMoleculesAndRepresentationsProposeThem) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  window_->controller().edit(QStringLiteral("selection"),
                             [](Scene& scene) { scene.representations[0].selection = "index 3"; });
  const auto proposed = [this](QTreeView* list, DataSource::Kind kind, const QString& format) {
    list->setCurrentIndex(list->model()->index(0, 0));
    for (QAction* action : list->actions())
      if (action->text() == QStringLiteral("&Export...")) action->trigger();
    auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
    EXPECT_NE(dialog, nullptr);
    if (!dialog) return std::string();
    EXPECT_GE(dialog->format_box()->findData(format), 0);
    dialog->format_box()->setCurrentIndex(dialog->format_box()->findData(format));
    const DataExport what = dialog->wanted();
    EXPECT_EQ(what.source.kind, kind);
    delete dialog;
    return what.selection;
  };
  using Kind = DataSource::Kind;
  EXPECT_EQ(proposed(window_->representations().list(), Kind::representation, QStringLiteral("pdb")), "index 3");
  EXPECT_EQ(proposed(window_->molecules().list(), Kind::molecule, QStringLiteral("pdb")), "all");
}

TEST_F(WindowTest, ARepresentationIsWrittenAsTrianglesByItsMenu) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  window_->controller().edit(QStringLiteral("spheres"), [](Scene& scene) {
    scene.representations.resize(1);
    scene.representations[0].style = Style::spheres;
    scene.representations[0].selection = "index 0 to 2";
  });
  QTreeView* list = window_->representations().list();
  list->setCurrentIndex(list->model()->index(0, 0));
  for (QAction* action : list->actions())
    if (action->text() == QStringLiteral("&Export...")) action->trigger();
  auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->extension(), QStringLiteral("glb")) << "triangles are proposed";
  screenshot(QStringLiteral("export_representation"));
  for (const char* extension : {"stl", "glb", "ply", "obj"}) {
    dialog->format_box()->setCurrentIndex(dialog->format_box()->findData(QLatin1String(extension)));
    DataExport what = dialog->wanted();
    what.path = temporary(QStringLiteral("balls.") + QLatin1String(extension)).toStdString();
    QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
    std::vector<double> parts;
    const auto seen = QObject::connect(&window_->files().data(), &DataExporter::progress, &window_->files(),
                                       [&](const QString&, double part) { parts.push_back(part); });
    window_->files().data().start(what, Device::cpu());
    EXPECT_TRUE(window_->files().data().busy()) << "on another thread";
    ASSERT_TRUE(finished.wait(30000));
    QObject::disconnect(seen);
    // Three spheres of 1 280 triangles.
    EXPECT_EQ(finished.front().at(1).toString(), QStringLiteral("3840 triangles"));
    EXPECT_GT(parts.size(), 2u) << "it tells how far it is";
    EXPECT_TRUE(QFile::exists(QString::fromStdString(what.path + ".made.json")));
  }
  dialog->reject();
  // 84 bytes of head and count, 50 a triangle.
  EXPECT_EQ(QFile(temporary(QStringLiteral("balls.stl"))).size(), 84 + 50 * 3840);
}

TEST_F(WindowTest, AnExportOfARepresentationIsCancelled) {
  ASSERT_TRUE(open({write_salt_pqr(24)}));
  window_->controller().edit(QStringLiteral("spheres"),
                             [](Scene& scene) { scene.representations[0].style = Style::spheres; });
  const auto& scene = window_->controller().scene();
  DataExport what;
  for (const DataSource& source : data_sources(scene, window_->controller().documents()))
    if (source.kind == DataSource::Kind::representation) what.source = source;
  ASSERT_TRUE(what.source.takes("glb"));
  what.path = temporary(QStringLiteral("many.glb")).toStdString();
  QSignalSpy failed(&window_->files().data(), &DataExporter::failed);
  QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
  window_->files().data().start(what, Device::cpu());
  window_->commands().cancel->trigger();
  ASSERT_TRUE(wait_until([&] { return !window_->files().data().busy(); }));
  EXPECT_EQ(finished.size(), 0);
  EXPECT_EQ(failed.size(), 0) << "a cancelled export is no fault";
  EXPECT_FALSE(QFile::exists(QString::fromStdString(what.path)));
  EXPECT_FALSE(QFile::exists(QString::fromStdString(what.path + ".made.json")));
}

TEST_F(WindowTest, ASessionWithItsDataOpensWhereTheFilesAreNot) {
  qputenv("XDG_CACHE_HOME", folder_.path().toLocal8Bit());
  const QString file = write_salt_pqr(2);
  ASSERT_TRUE(open({file}));
  const QString session = temporary(QStringLiteral("whole.isolume"));
  QSignalSpy saved(&window_->loader(), &FileLoader::session_saved);
  window_->run_command(QStringLiteral("save %1 data").arg(session));
  ASSERT_TRUE(saved.wait(30000));
  ASSERT_TRUE(QFile::rename(file, file + QStringLiteral(".away")));
  window_->commands().close_all->trigger();
  ASSERT_TRUE(open({session}));
  EXPECT_EQ(window_->controller().molecule(0)->atom_count(), 8u);
  EXPECT_FALSE(window_->controller().modified());
  // Saved again it still has them, though not asked for.
  window_->save_session(session);
  ASSERT_TRUE(wait_until([&] { return saved.size() == 2; }));
  EXPECT_GT(QFile(session).size(), QFile(file + QStringLiteral(".away")).size());
  window_->commands().close_all->trigger();
  ASSERT_TRUE(open({session}));
  EXPECT_EQ(window_->controller().molecule(0)->atom_count(), 8u);
}

/// A window's menu that has just opened.
QMenu* open_menu() {
  return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

QAction* export_entry(const QList<QAction*>& actions) {
  const auto found = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
    return action->text().remove(QLatin1Char('&')).startsWith(QStringLiteral("Export"));
  });
  return found == actions.end() ? nullptr : *found;
}

TEST_F(WindowTest, TheMenuOfEveryMoleculeRepresentationAndFieldExportsIt) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  using Kind = Field::Kind;
  using Show = Field::Show;
  // Where a kind can be shown in several ways, each of them.
  const std::vector<std::pair<Kind, Show>> all{
      {Kind::gaussian, Show::surfaces},
      {Kind::orbital, Show::surfaces},
      {Kind::orbital, Show::cloud},
      {Kind::potential, Show::surfaces},
      {Kind::potential, Show::cloud},
      {Kind::potential, Show::lines},
      {Kind::volume, Show::surfaces},
      {Kind::volume, Show::cloud},
      {Kind::volume, Show::lines},
      {Kind::volume, Show::paths},
      {Kind::solvent_excluded, Show::surfaces},
      {Kind::solvent_accessible, Show::surfaces},
      {Kind::cavities, Show::surfaces},
      {Kind::contacts, Show::surfaces},
  };
  std::set<Kind> walked;
  for (const auto& [kind, show] : all) walked.insert(kind);
  ASSERT_EQ(walked.size(), static_cast<std::size_t>(Kind::contacts) + 1);  // the last one
  window_->controller().edit(QStringLiteral("all kinds"), [&](Scene& scene) {
    for (const auto& [kind, show] : all) {
      Field field;
      field.kind = kind;
      field.show = show;
      field.visible = false;
      scene.fields.push_back(field);
    }
  });
  // The scene tree shows the same menus as the lists.
  const auto exported = [this](TreeRow::Kind kind, std::size_t index) {
    auto& tree = window_->panels().get<SceneTree>();
    tree.choose(kind, index);
    DataExport what;
    const TreeRow* row = tree.current();
    if (!row || row->kind != kind || row->index != index) {
      ADD_FAILURE() << "no such row";
      return what;
    }
    Q_EMIT tree.menu_asked(TreeRow(*row), QPoint(10, 10));
    QMenu* menu = open_menu();
    QAction* action = menu ? export_entry(menu->actions()) : nullptr;
    EXPECT_NE(action, nullptr);
    if (action) {
      EXPECT_TRUE(action->isEnabled());
      action->trigger();
    }
    if (menu) menu->close();
    auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
    EXPECT_NE(dialog, nullptr);
    if (dialog) {
      what = dialog->wanted();
      EXPECT_TRUE(what.source.takes(dialog->extension().toStdString()));
    }
    delete dialog;
    return what;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    const DataExport what = exported(TreeRow::Kind::field, i);
    EXPECT_EQ(what.source.kind, DataSource::Kind::field);
    EXPECT_EQ(what.source.index, i);
  }
  EXPECT_EQ(exported(TreeRow::Kind::molecule, 0).source.kind, DataSource::Kind::molecule);
  for (const Style style : {Style::spheres, Style::sticks, Style::ball_and_stick, Style::lines}) {
    window_->controller().edit(QStringLiteral("style"), [&](Scene& scene) { scene.representations[0].style = style; });
    const DataExport what = exported(TreeRow::Kind::representation, 0);
    EXPECT_EQ(what.source.kind, DataSource::Kind::representation);
    EXPECT_EQ(what.source.takes("glb"), style != Style::lines);
  }
}

TEST_F(WindowTest, TheMenuOfEveryPlotExportsIt) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  std::set<QString> walked;
  for (QWidget* widget : window_->findChildren<QWidget*>()) {
    const bool plot = qobject_cast<Plot*>(widget) || qobject_cast<HeatMap*>(widget) ||
                      qobject_cast<RamachandranPlot*>(widget) || qobject_cast<LevelDiagram*>(widget) ||
                      qobject_cast<ShareBars*>(widget);
    if (!plot) continue;
    walked.insert(QLatin1String(widget->metaObject()->className()));
    SCOPED_TRACE(widget->accessibleName().toStdString());
    if (widget->contextMenuPolicy() == Qt::ActionsContextMenu) {
      EXPECT_NE(export_entry(widget->actions()), nullptr);
      continue;
    }
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, {5, 5}, {5, 5});
    QCoreApplication::sendEvent(widget, &asked);
    auto* menu = widget->findChild<QMenu*>(QStringLiteral("plot_menu"));
    ASSERT_NE(menu, nullptr);
    const QAction* action = export_entry(menu->actions());
    ASSERT_NE(action, nullptr);
    const auto* curves = qobject_cast<Plot*>(widget);
    EXPECT_EQ(action->isEnabled(), !curves || !curves->curves().empty());
    delete menu;
  }
  EXPECT_EQ(walked.size(), 5u);
}

TEST_F(WindowTest, APlotIsWrittenByItsMenuAsValuesAndAsDrawing) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  auto* plot = new Plot(QStringLiteral("Squares"), window_.get());
  plot->resize(300, 200);
  plot->set_curves({{QStringLiteral("square"), {0, 1, 2}, {0, 1, 4}, {}, {}}});
  const auto write = [&](const QString& path) {
    QContextMenuEvent asked(QContextMenuEvent::Mouse, {5, 5}, {5, 5});
    QCoreApplication::sendEvent(plot, &asked);
    auto* menu = plot->findChild<QMenu*>(QStringLiteral("plot_menu"));
    ASSERT_NE(menu, nullptr);
    export_entry(menu->actions())->trigger();
    delete menu;
    auto* dialog = plot->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->hide();
    Q_EMIT dialog->fileSelected(path);
    delete dialog;
  };
  const auto text_of = [](const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QString table = temporary(QStringLiteral("squares.csv")), drawing = temporary(QStringLiteral("squares.svg"));
  ASSERT_NO_FATAL_FAILURE(write(table));
  EXPECT_EQ(text_of(table).count('\n'), 4);
  EXPECT_TRUE(text_of(table).contains("\n2,4")) << text_of(table).toStdString();
  ASSERT_NO_FATAL_FAILURE(write(drawing));
  EXPECT_TRUE(text_of(drawing).contains("<svg"));
  // A file that the scene shows is kept.
  const QString shown = QString::fromStdString(window_->controller().scene().molecules[0].paths[0]);
  const QByteArray before = text_of(shown);
  ASSERT_NO_FATAL_FAILURE(write(shown));
  EXPECT_EQ(text_of(shown), before);
}

}  // namespace
}  // namespace isolume::test
