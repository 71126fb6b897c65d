// The window's actions in menus, tool bar and keyboard shortcuts.
#include "app/window/shell/main_actions.h"

#include <QToolBar>
#include <QToolButton>

#include "app/window/shell/main_actions_menus.h"
#include "app/window/widgets/icons.h"

namespace isolume {

using actions::menu, actions::submenu, actions::tr;
MainActions::MainActions(QMainWindow& window, QWidget& viewport) : window_(window), viewport_(viewport) {
  window.menuBar()->setAccessibleName(tr("Menus"));
  make_file();
  make_edit();
  select = menu(window_, tr("&Select"));
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
                                                  {save_packed, "save_packed"},
                                                  {previous_view, "previous_view"},
                                                  {next_view, "next_view"},
                                                  {export_picture, "export_picture"},
                                                  {export_film, "export_film"},
                                                  {export_data, "export_data"},
                                                  {save_picture, "save_picture"},
                                                  {save_film, "save_movie"},
                                                  {close_all, "close_all"},
                                                  {quit, "quit"},
                                                  {watch, "watch"},
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
                                                  {scale_bar, "scale_bar"},
                                                  {full_screen, "full_screen"},
                                                  {reset_layout, "reset_layout"},
                                                  {add_representation, "add_representation"},
                                                  {add_surface, "add_surface"},
                                                  {add_excluded, "add_excluded_surface"},
                                                  {add_accessible, "add_accessible_surface"},
                                                  {add_bare, "add_van_der_waals_surface"},
                                                  {add_cavities, "add_cavities"},
                                                  {add_contacts, "add_contacts"},
                                                  {add_orbital, "add_orbital"},
                                                  {add_density, "add_density"},
                                                  {add_spin_density, "add_spin_density"},
                                                  {add_potential, "add_potential"},
                                                  {add_volume, "add_volume"},
                                                  {measures[0], "measure_name"},
                                                  {measures[1], "measure_distance"},
                                                  {measures[2], "measure_angle"},
                                                  {measures[3], "measure_dihedral"},
                                                  {measures[4], "measure_ruler"},
                                                  {add_labels, "add_labels"},
                                                  {save_view, "save_view"},
                                                  {qualities[0], "render_standard"},
                                                  {qualities[1], "render_path_traced"},
                                                  {tiles, "tiles"},
                                                  {superpose, "superpose"},
                                                  {play, "play"},
                                                  {cancel, "cancel"},
                                                  {palette, "palette"},
                                                  {manual, "manual"},
                                                  {shortcuts, "shortcuts"}};
  for (const auto& [action, name] : names) {
    action->setObjectName(QLatin1String(name));
    all_ += action;
  }
  for (int i = 0; i < goto_views.size(); ++i) {
    goto_views[i]->setObjectName(QStringLiteral("view_%1").arg(i + 1));
    keep_views[i]->setObjectName(QStringLiteral("keep_view_%1").arg(i + 1));
    all_ += {goto_views[i], keep_views[i]};
  }
}

QAction* MainActions::find(const QString& name) const {
  for (QAction* action : all_)
    if (action->objectName() == name) return action;
  return nullptr;
}

QAction* MainActions::make(const QString& text, const QString& picture, const QKeySequence& key, const QString& tip) {
  auto* action = new QAction(text, &window_);
  action->setProperty("title", text);
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
  new_window = make(tr("&New window"), {}, QKeySequence::New, tr("Open another window with its own scene"));
  open = make(tr("&Open..."), QStringLiteral("open"), QKeySequence::Open,
              tr("Open structures, trajectories, orbitals, volumes or a session"));
  save_session =
      make(tr("&Save session"), QStringLiteral("save"), QKeySequence::Save, tr("Save the scene as a session file"));
  save_session_as = make(tr("Save session &as..."), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                         tr("Save the session under another name"));
  save_packed = make(tr("Save session wit&h data..."), {}, {},
                     tr("Save the session with the files that it shows in it, to send it as one file"));
  export_picture = make(tr("&Export image..."), QStringLiteral("picture"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), tr("Export the image as PNG at any size"));
  export_picture->setShortcuts({export_picture->shortcut(), QKeySequence(Qt::Key_F12)});
  export_film =
      make(tr("Export &movie..."), {}, {}, tr("Export the trajectory or a turntable as a movie (MP4); Esc stops it"));
  export_data = make(tr("Export &data..."), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                     tr("Export atoms and frames, a map, or a surface as a file for other programs"));
  close_all = make(tr("&Close all"), {}, QKeySequence(Qt::CTRL | Qt::Key_W), tr("Close all molecules"));
  quit = make(tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Quit Isolume"));
  watch = make(tr("&Watch files"), {}, {},
               tr("Reload files that change on disk and follow the last frame of a running simulation"));
  watch->setCheckable(true);
  save_picture = make(tr("Save &image"), QStringLiteral("camera"), QKeySequence(Qt::CTRL | Qt::Key_F12),
                      tr("Save the image as shown as PNG under a new name, without a question"));
  save_film = make(tr("Save mo&vie"), QStringLiteral("movie"), {},
                   tr("Save the trajectory, or a turntable of one structure, as MP4 under a new name, without a "
                      "question; Esc stops it"));
  save_picture->setProperty("words", tr("snapshot screenshot quick picture PNG"));
  save_film->setProperty("words", tr("spin video animation quick MP4 turntable rotate record"));
  export_picture->setProperty("words", tr("picture render screenshot figure save PNG"));
  export_film->setProperty("words", tr("film video animation save MP4 turntable rotate spin rock"));
  export_data->setProperty("words", tr("save structure mesh volume map frames PDB DCD GLB STL DX cube MRC"));
  watch->setProperty("words", tr("follow reload running simulation"));
  file->addActions({new_window, open});
  recent = submenu(file, tr("Open &recent"));
  file->addSeparator();
  file->addAction(watch);
  file->addSeparator();
  file->addActions({save_session, save_session_as, save_packed});
  file->addSeparator();
  file->addActions({save_picture, save_film});
  file->addSeparator();
  file->addActions({export_picture, export_film, export_data});
  file->addSeparator();
  file->addActions({close_all, quit});
}

void MainActions::make_edit() {
  QMenu* edit = menu(window_, tr("&Edit"));
  undo = make(tr("&Undo"), QStringLiteral("undo"), QKeySequence::Undo, tr("Undo"));
  redo = make(tr("&Redo"), QStringLiteral("redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), tr("Redo"));
  copy_picture =
      make(tr("&Copy image"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), tr("Copy the image as shown"));
  copy_picture->setProperty("words", tr("picture screenshot clipboard"));
  edit->addActions({undo, redo});
  edit->addSeparator();
  copy_command =
      make(tr("Copy as co&mmand"), {}, {}, tr("Copy the command line that renders this image without a window"));
  preferences = make(tr("&Preferences..."), {}, QKeySequence(Qt::CTRL | Qt::Key_Comma),
                     tr("Theme, device, memory, mouse and keys"));
  edit->addActions({copy_picture, copy_command});
  edit->addSeparator();
  edit->addAction(preferences);
}

void MainActions::make_add() {
  QMenu* add = menu(window_, tr("&Add"));
  add_representation = make(tr("&Representation"), QStringLiteral("molecule"), QKeySequence(Qt::CTRL | Qt::Key_R),
                            tr("Show atoms in another style"));
  add_surface = make(tr("Molecular &surface (smooth)"), QStringLiteral("surface"), QKeySequence(Qt::CTRL | Qt::Key_D),
                     tr("Add a smooth surface around the atoms (Gaussian density)"));
  add_excluded = make(tr("Solvent-&excluded surface"), QStringLiteral("surface"), {},
                      tr("Add the solvent-excluded surface (SES), which a probe cannot enter"));
  add_accessible = make(tr("Solvent-&accessible surface"), QStringLiteral("surface"), {},
                        tr("Add the solvent-accessible surface (SAS), traced by the centre of a probe"));
  add_bare = make(tr("&Van der Waals surface"), QStringLiteral("surface"), {},
                  tr("Add the surface of the atoms' van der Waals spheres"));
  add_cavities = make(tr("&Cavities and pockets"), QStringLiteral("surface"), {},
                      tr("Add surfaces of the cavities and pockets in the molecule"));
  add_contacts = make(tr("&Noncovalent contacts"), QStringLiteral("surface"), {},
                      tr("Add surfaces between two groups of atoms where they touch, coloured by attraction and "
                         "repulsion (IGM, NCI)"));
  // Other words for the same, for the search.
  add_contacts->setProperty("words", tr("NCI IGM delta-g weak interactions hydrogen bonds ligand pocket RDG"));
  add_surface->setProperty("words", tr("molecular surface Gaussian density QuickSurf"));
  add_excluded->setProperty("words", tr("SES Connolly molecular surface"));
  add_accessible->setProperty("words", tr("SAS SASA Lee-Richards molecular surface"));
  add_bare->setProperty("words", tr("vdW VDW spheres CPK molecular surface"));
  add_cavities->setProperty("words", tr("pocket void tunnel binding site surface"));
  add_orbital = make(tr("&Orbital"), QStringLiteral("orbital"), QKeySequence(Qt::CTRL | Qt::Key_B),
                     tr("Add a molecular orbital"));
  add_density = make(tr("Elec&tron density"), QStringLiteral("orbital"), {},
                     tr("Add the density of the electrons of a file's orbitals, computed in every frame"));
  add_spin_density = make(tr("Spin &density"), QStringLiteral("orbital"), {},
                          tr("Add the density of alpha less that of beta electrons, computed in every frame"));
  add_potential = make(tr("Electrostatic &potential"), QStringLiteral("potential"), QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Add a surface coloured by the electrostatic potential"));
  add_volume = make(tr("&Isosurface of a map"), QStringLiteral("field"), QKeySequence(Qt::CTRL | Qt::Key_I),
                    tr("Add an isosurface of a map or volume from a file"));
  add_representation->setProperty("words", tr("style sticks cartoon spheres ribbon tube lines"));
  add_orbital->setProperty("words", tr("HOMO LUMO MO wave function surface"));
  add_density->setProperty("words", tr("rho charge density orbitals surface live"));
  add_spin_density->setProperty("words", tr("alpha beta unpaired radical magnetisation surface live"));
  add_potential->setProperty("words", tr("ESP MEP coulombic electrostatics surface"));
  add_volume->setProperty("words", tr("density map volume cube mesh contour level surface"));
  add->addAction(add_representation);
  add->addSeparator();
  add->addActions({add_surface, add_excluded, add_accessible, add_bare, add_cavities, add_contacts});
  add->addSeparator();
  add->addActions({add_orbital, add_density, add_spin_density, add_potential, add_volume});
}

void MainActions::make_measure() {
  measure = menu(window_, tr("&Measure"));
  const QString texts[] = {tr("Atom &name"), tr("&Distance"), tr("&Angle"), tr("D&ihedral"), tr("&Ruler")};
  const QString tips[] = {tr("Label the atoms you click"),
                          tr("Distance between two atoms in angstrom: click them, or select them first"),
                          tr("Angle of three atoms in degrees: click them, or select them first"),
                          tr("Dihedral of four atoms in degrees: click them, or select them first"),
                          tr("Line with ticks in angstrom between two atoms: click them, or select them first")};
  for (int i = 0; i < 5; ++i) {
    measures += make_local(texts[i], {}, QKeySequence(Qt::Key_1 + i), tips[i]);
    measures.last()->setCheckable(true);
  }
  measure->addActions(measures);
  add_labels = make(tr("Add &labels"), {}, {},
                    tr("Write the names of residues, chains or atoms, or a text, next to the selected atoms"));
  add_labels->setProperty("words", tr("label annotate text name residue atom chain"));
  remove_measurements = make(tr("&Remove all"), {}, {}, tr("Remove all measurements"));
  pick_none = make_local(tr("&Clear selection"), {}, {}, tr("Clear the selection (Esc)"));
  pick_none->setProperty("words", tr("deselect none unselect"));
  measure->addSeparator();
  measure->addAction(add_labels);
  measure->addSeparator();
  measure->addActions({remove_measurements, pick_none});
}

void MainActions::make_compute() {
  compute = menu(window_, tr("&Compute"));
  cancel = make(tr("&Cancel"), QStringLiteral("close"), QKeySequence(Qt::Key_Escape),
                tr("Stop the running task, or else clear the selection"));
  devices = submenu(compute, tr("&Device"));
  superpose = make(tr("&Superpose molecules..."), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                   tr("Fit one molecule to another by least squares, or align a trajectory"));
  superpose->setProperty("words", tr("align alignment fit RMSD match superimpose"));
  compute->addActions({add_potential, superpose, cancel});
}

void MainActions::make_help() {
  QMenu* help = menu(window_, tr("&Help"));
  palette = make(tr("&Find an action..."), {}, QKeySequence(Qt::CTRL | Qt::Key_K), tr("Search all actions by typing"));
  manual = make(tr("Ma&nual"), {}, QKeySequence(Qt::Key_F1),
                tr("Help on the focused panel, or on mouse and keys in the 3D view"));
  news = make(tr("&What's new"), {}, {}, tr("Changes in this version"));
  shortcuts =
      make(tr("&Mouse and keys"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F1), tr("List mouse and keyboard controls"));
  tour = make(tr("&Tour"), {}, {}, tr("The window in four steps"));
  report = make(tr("&System report..."), {}, {}, tr("System information for bug reports"));
  about = make(tr("&About Isolume"), {}, {}, tr("Version, OpenGL and devices"));
  help->addActions({palette, manual, shortcuts, tour, news});
  help->addSeparator();
  help->addActions({report, about});
}

void MainActions::make_tool_bar() {
  auto* bar = new QToolBar(tr("Tools"), &window_);
  bar->setObjectName(QStringLiteral("tools"));
  bar->setAccessibleName(tr("Tools"));
  bar->setIconSize(QSize(22, 22));
  bar->setMovable(false);
  bar->addActions({open, save_session, export_picture, save_picture, save_film});
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
