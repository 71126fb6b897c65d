// Everything the window can be told by menu, tool bar and key.
#include "app/window/main_actions.h"

#include <QActionGroup>
#include <QColor>
#include <QCoreApplication>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "app/window/icons.h"

namespace isolume {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("MainActions", text);
}

QMenu* menu(QMainWindow& window, const QString& title) {
  QMenu* result = window.menuBar()->addMenu(title);
  result->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  result->setToolTipsVisible(true);
  return result;
}

QMenu* submenu(QMenu* parent, const QString& title) {
  QMenu* result = parent->addMenu(title);
  result->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  result->setToolTipsVisible(true);
  return result;
}

}  // namespace

MainActions::MainActions(QMainWindow& window, QWidget& viewport) : window_(window), viewport_(viewport) {
  window.menuBar()->setAccessibleName(tr("Menus"));
  make_file();
  make_edit();
  make_view();
  make_add();
  make_measure();
  make_compute();
  make_help();
  make_tool_bar();
  name_all();
}

void MainActions::name_all() {
  const QList<QPair<QAction*, const char*>> names{{new_window, "new_window"},
                                                  {open, "open"},
                                                  {save_session, "save_session"},
                                                  {save_session_as, "save_session_as"},
                                                  {export_picture, "export_picture"},
                                                  {export_film, "export_film"},
                                                  {close_all, "close_all"},
                                                  {quit, "quit"},
                                                  {undo, "undo"},
                                                  {redo, "redo"},
                                                  {copy_picture, "copy_picture"},
                                                  {copy_command, "copy_command"},
                                                  {preferences, "preferences"},
                                                  {fit, "fit"},
                                                  {fit_picked, "fit_picked"},
                                                  {reset, "reset"},
                                                  {centre, "centre"},
                                                  {sides[0], "front"},
                                                  {sides[1], "back"},
                                                  {sides[2], "right"},
                                                  {sides[3], "left"},
                                                  {sides[4], "top"},
                                                  {sides[5], "bottom"},
                                                  {orthographic, "orthographic"},
                                                  {left_drags[0], "left_turns"},
                                                  {left_drags[1], "left_moves"},
                                                  {left_drags[2], "left_zooms"},
                                                  {box, "box"},
                                                  {axes, "axes"},
                                                  {full_screen, "full_screen"},
                                                  {reset_layout, "reset_layout"},
                                                  {add_representation, "add_representation"},
                                                  {add_surface, "add_surface"},
                                                  {add_orbital, "add_orbital"},
                                                  {add_potential, "add_potential"},
                                                  {add_volume, "add_volume"},
                                                  {measures[0], "measure_name"},
                                                  {measures[1], "measure_distance"},
                                                  {measures[2], "measure_angle"},
                                                  {measures[3], "measure_dihedral"},
                                                  {play, "play"},
                                                  {cancel, "cancel"},
                                                  {palette, "palette"},
                                                  {shortcuts, "shortcuts"}};
  for (const auto& [action, name] : names) {
    action->setObjectName(QLatin1String(name));
    all_ += action;
  }
}

QAction* MainActions::make(const QString& text, const QString& picture, const QKeySequence& key, const QString& tip) {
  auto* action = new QAction(text, &window_);
  if (!picture.isEmpty()) action->setIcon(icon(picture));
  if (!key.isEmpty()) action->setShortcut(key);
  const QString shown = key.toString(QKeySequence::NativeText);
  action->setToolTip(shown.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, shown));
  action->setStatusTip(QString());
  window_.addAction(action);
  return action;
}

QAction* MainActions::make_local(const QString& text, const QString& picture, const QKeySequence& key,
                                 const QString& tip) {
  QAction* action = make(text, picture, key, tip);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  window_.removeAction(action);
  viewport_.addAction(action);
  return action;
}

void MainActions::make_file() {
  QMenu* file = menu(window_, tr("&File"));
  new_window = make(tr("&New window"), {}, QKeySequence::New, tr("Another window, with a scene of its own"));
  open = make(tr("&Open..."), QStringLiteral("open"), QKeySequence::Open,
              tr("Open structures, trajectories, orbitals, volumes or a session"));
  save_session =
      make(tr("&Save session"), QStringLiteral("save"), QKeySequence::Save, tr("Save the scene as a session file"));
  save_session_as = make(tr("Save session &as..."), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                         tr("Save the scene under another name"));
  export_picture = make(tr("&Export picture..."), QStringLiteral("picture"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), tr("Write the picture as PNG in any size"));
  export_picture->setShortcuts({export_picture->shortcut(), QKeySequence(Qt::Key_F12)});
  export_film =
      make(tr("Export &film..."), {}, {}, tr("Write all frames as a film (MP4), beside the window; Esc stops it"));
  close_all = make(tr("&Close all"), {}, QKeySequence(Qt::CTRL | Qt::Key_W), tr("Empty the scene"));
  quit = make(tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Leave the program"));
  file->addActions({new_window, open});
  recent = submenu(file, tr("Open &recent"));
  file->addSeparator();
  file->addActions({save_session, save_session_as});
  file->addSeparator();
  file->addActions({export_picture, export_film});
  file->addSeparator();
  file->addActions({close_all, quit});
}

void MainActions::make_edit() {
  QMenu* edit = menu(window_, tr("&Edit"));
  undo = make(tr("&Undo"), QStringLiteral("undo"), QKeySequence::Undo, tr("Undo"));
  redo = make(tr("&Redo"), QStringLiteral("redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), tr("Redo"));
  copy_picture = make(tr("&Copy picture"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                      tr("Copy the picture as it is shown"));
  edit->addActions({undo, redo});
  edit->addSeparator();
  copy_command =
      make(tr("Copy as co&mmand"), {}, {}, tr("Copy the command line that draws this picture without the window"));
  preferences = make(tr("&Preferences..."), {}, QKeySequence(Qt::CTRL | Qt::Key_Comma),
                     tr("Theme, device, memory, mouse and keys"));
  edit->addActions({copy_picture, copy_command});
  edit->addSeparator();
  edit->addAction(preferences);
}

void MainActions::make_view() {
  QMenu* view = menu(window_, tr("&View"));
  fit = make_local(tr("&Fit"), QStringLiteral("fit"), QKeySequence(Qt::Key_F), tr("Show everything"));
  fit_picked = make_local(tr("Fit &picked atoms"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F),
                          tr("Show what is picked and what is around it"));
  reset = make_local(tr("&Reset view"), QStringLiteral("reset"), QKeySequence(Qt::Key_R),
                     tr("Show everything from the front"));
  centre = make_local(tr("&Centre on picked atom"), QStringLiteral("centre"), QKeySequence(Qt::Key_C),
                      tr("Turn about the picked atom"));
  orthographic = make_local(tr("&Orthographic"), {}, QKeySequence(Qt::Key_O), tr("Without perspective"));
  orthographic->setCheckable(true);
  view->addActions({fit, fit_picked, reset, centre});
  QMenu* from = submenu(view, tr("&Look from"));
  const QString names[] = {tr("&Front (z)"), tr("&Back"), tr("&Right (x)"), tr("&Left"), tr("&Top (y)"), tr("B&ottom")};
  for (int i = 0; i < 6; ++i) {
    sides += make_local(names[i], {}, QKeySequence(Qt::CTRL | (Qt::Key_1 + i)), tr("Look along an axis"));
    from->addAction(sides.last());
  }
  view->addAction(orthographic);
  QMenu* left = submenu(view, tr("Left &drag"));
  auto* drags = new QActionGroup(left);
  for (const QString& text : {tr("&Turns"), tr("&Moves"), tr("&Zooms")}) {
    QAction* action = make_local(text, {}, {}, tr("What the left mouse button does"));
    action->setCheckable(true);
    drags->addAction(action);
    left_drags += action;
    left->addAction(action);
  }
  left_drags.first()->setChecked(true);
  view->addSeparator();

  QMenu* background = submenu(view, tr("&Background"));
  const struct {
    QString text;
    QColor top, bottom;
  } plain[] = {{tr("&White"), QColor(255, 255, 255), QColor(255, 255, 255)},
               {tr("&Light grey"), QColor(0xeef1f5), QColor(0xd9dee6)},
               {tr("&Dark"), QColor(0x1d2025), QColor(0x131518)},
               {tr("&Black"), QColor(0, 0, 0), QColor(0, 0, 0)}};
  for (const auto& entry : plain) {
    QAction* action = make(entry.text, {}, {}, tr("Background of the picture"));
    action->setData(QVariant::fromValue(QList<QColor>{entry.top, entry.bottom}));
    backgrounds += action;
    background->addAction(action);
  }
  QMenu* effect = submenu(view, tr("&Effects"));
  for (const QString& text : {tr("&Ambient occlusion"), tr("&Outlines"), tr("&Shadows"), tr("&Depth cue")}) {
    QAction* action = make(text, {}, {}, tr("Changes how the picture is lit, not what it shows"));
    action->setCheckable(true);
    effects += action;
    effect->addAction(action);
  }
  box = make(tr("Periodic bo&x"), {}, {}, tr("Show the periodic cell"));
  box->setCheckable(true);
  axes = make(tr("A&xes"), {}, {}, tr("Show small axes in the corner"));
  axes->setCheckable(true);
  view->addActions({box, axes});
  view->addSeparator();
  panels = submenu(view, tr("&Panels"));
  QMenu* theme = submenu(view, tr("&Theme"));
  auto* group = new QActionGroup(theme);
  const QString titles[] = {tr("As the &system"), tr("&Light"), tr("&Dark")};
  const QString keys[] = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
  for (int i = 0; i < 3; ++i) {
    QAction* action = make(titles[i], {}, {}, tr("Colours of the window"));
    action->setCheckable(true);
    action->setData(keys[i]);
    group->addAction(action);
    themes += action;
    theme->addAction(action);
  }
  full_screen = make(tr("F&ull screen"), {}, QKeySequence(Qt::Key_F11), tr("Use all of the screen"));
  full_screen->setCheckable(true);
  reset_layout = make(tr("Reset &layout"), {}, {}, tr("Put all panels back to their places"));
  view->addActions({full_screen, reset_layout});
}

void MainActions::make_add() {
  QMenu* add = menu(window_, tr("&Add"));
  add_representation = make(tr("&Representation"), QStringLiteral("molecule"), QKeySequence(Qt::CTRL | Qt::Key_R),
                            tr("Show atoms in another style"));
  add_surface = make(tr("&Density surface"), QStringLiteral("surface"), QKeySequence(Qt::CTRL | Qt::Key_D),
                     tr("Add a surface of the atoms' Gaussian density"));
  add_orbital = make(tr("&Orbital"), QStringLiteral("orbital"), QKeySequence(Qt::CTRL | Qt::Key_B),
                     tr("Add a molecular orbital"));
  add_potential = make(tr("&Electrostatic potential"), QStringLiteral("potential"), QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Add surfaces of the electrostatic potential"));
  add_volume = make(tr("&Isosurface of a volume"), QStringLiteral("field"), QKeySequence(Qt::CTRL | Qt::Key_I),
                    tr("Add an isosurface of a volume from a file"));
  add->addActions({add_representation, add_surface, add_orbital, add_potential, add_volume});
}

void MainActions::make_measure() {
  QMenu* measure = menu(window_, tr("&Measure"));
  const QString texts[] = {tr("Atom &name"), tr("&Distance"), tr("&Angle"), tr("D&ihedral")};
  const QString tips[] = {tr("Write the names of the atoms that are clicked"),
                          tr("Distance of two atoms, in angstrom: click them, or pick them first"),
                          tr("Angle of three atoms, in degrees: click them, or pick them first"),
                          tr("Dihedral of four atoms, in degrees: click them, or pick them first")};
  for (int i = 0; i < 4; ++i) {
    measures += make_local(texts[i], {}, QKeySequence(Qt::Key_1 + i), tips[i]);
    measures.last()->setCheckable(true);
  }
  measure->addActions(measures);
  remove_measurements = make(tr("&Remove all"), {}, {}, tr("Remove all measurements from the picture"));
  pick_none = make_local(tr("&Let go of picked atoms"), {}, {}, tr("Nothing is picked any more (Esc)"));
  measure->addSeparator();
  measure->addActions({remove_measurements, pick_none});
}

void MainActions::make_compute() {
  QMenu* compute = menu(window_, tr("&Compute"));
  play = make(tr("&Play or pause"), QStringLiteral("play"), QKeySequence(Qt::CTRL | Qt::Key_P), tr("Play the frames"));
  cancel = make(tr("&Cancel"), QStringLiteral("close"), QKeySequence(Qt::Key_Escape),
                tr("Stop what is running; else, forget the picked atoms"));
  devices = submenu(compute, tr("&Device"));
  compute->addActions({play, cancel});
}

void MainActions::make_help() {
  QMenu* help = menu(window_, tr("&Help"));
  palette = make(tr("&Find an action..."), {}, QKeySequence(Qt::CTRL | Qt::Key_K),
                 tr("Search everything that the window can do by typing"));
  shortcuts = make(tr("&Mouse and keys"), {}, QKeySequence(Qt::Key_F1), tr("List what mouse and keys do"));
  tour = make(tr("&Tour"), {}, {}, tr("The window in four steps"));
  report = make(tr("&System report..."), {}, {}, tr("Versions, OpenGL and devices as text, for a report of a fault"));
  about = make(tr("&About Isolume"), {}, {}, tr("Version, OpenGL and devices"));
  help->addActions({palette, shortcuts, tour});
  help->addSeparator();
  help->addActions({report, about});
}

void MainActions::make_tool_bar() {
  auto* bar = new QToolBar(tr("Tools"), &window_);
  bar->setObjectName(QStringLiteral("tools"));
  bar->setAccessibleName(tr("Tools"));
  bar->setIconSize(QSize(22, 22));
  bar->setMovable(false);
  bar->addActions({open, save_session, export_picture});
  bar->addSeparator();
  bar->addActions({undo, redo});
  bar->addSeparator();
  bar->addActions({fit, reset, centre});
  bar->addSeparator();
  bar->addActions({add_representation, add_surface, add_orbital, add_potential, add_volume});
  for (QToolButton* button : bar->findChildren<QToolButton*>()) {
    button->setFocusPolicy(Qt::TabFocus);
    const QString text = button->defaultAction() ? button->defaultAction()->text() : tr("More tools");
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')).remove(QStringLiteral("...")));
  }
  window_.addToolBar(bar);
}

}  // namespace isolume
