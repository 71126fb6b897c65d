// The window's actions in menus, tool bar and keyboard shortcuts.
#pragma once

#include <QAction>
#include <QList>
#include <QMainWindow>
#include <QMenu>

namespace isolume {

/// The actions of the window with their texts, icons, keys and tool tips; what they do is connected by MainWindow.
/// Single-letter keys belong to the viewport, so that they do not disturb typing.
struct MainActions {
  explicit MainActions(QMainWindow& window, QWidget& viewport);

  QAction *new_window, *open, *save_session, *save_session_as, *save_packed, *export_picture, *export_film,
      *export_data;
  QAction *save_picture, *save_film;  ///< at once, under a new name
  QAction *close_all, *quit, *watch;
  QAction *undo, *redo, *copy_picture, *copy_command, *preferences;
  QAction *fit, *fit_picked, *reset, *centre, *orthographic, *full_screen, *reset_layout, *cancel, *box, *axes,
      *scale_bar;
  QList<QAction*> sides;        ///< six, for Navigator::look_from(1 to 6)
  QList<QAction*> backgrounds;  ///< data: two colours, top and bottom
  QList<QAction*> themes;       ///< data: name of the theme
  QList<QAction*> visions;      ///< checkable, in the order of ColourVision
  QAction* tiles;               ///< checkable
  QList<QAction*> columns;      ///< of tiles, checkable; data: how many, 0 for as many as suit
  QAction* superpose;
  QList<QAction*> qualities;  ///< checkable; the rasteriser, path tracing
  QList<QAction*> effects;    ///< checkable; ambient occlusion, outlines, shadows, depth cue
  QAction *add_representation, *add_surface, *add_orbital, *add_potential, *add_volume;
  QAction *add_density, *add_spin_density;  ///< of orbitals, computed in every frame
  QAction *add_excluded, *add_accessible, *add_bare, *add_cavities,
      *add_contacts;  ///< surfaces of atoms, as add_surface
  QAction *play, *palette, *manual, *news, *shortcuts, *tour, *report, *about;
  QList<QAction*> left_drags;  ///< what the left drag does: turn, move, zoom
  QList<QAction*> measures;    ///< of one to four atoms: name, distance, angle, dihedral; and a ruler
  QAction *add_labels, *remove_measurements, *pick_none;
  QAction *save_view, *remove_views;
  QAction *previous_view, *next_view;  ///< of the steps of camera and frame
  QList<QAction*> goto_views;          ///< nine, visible where there is such a view
  QList<QAction*> keep_views;          ///< nine, which save under a number
  QMenu *recent, *select, *compute, *measure, *presets, *clipping, *keys, *panels, *devices;

  /// All of them that can have a key, in the order of the menus; each has an object name that stays.
  QList<QAction*> all() const { return all_; }
  /// The action of that object name; null where there is none.
  QAction* find(const QString& name) const;
  /// Further ones, which other classes have made; each has an object name that stays.
  void include(const QList<QAction*>& more) { all_ += more; }

 private:
  QAction* make(const QString& text, const QString& picture, const QKeySequence& key, const QString& tip);
  QAction* make_local(const QString& text, const QString& picture, const QKeySequence& key, const QString& tip);
  void make_file();
  void make_edit();
  void make_view();
  void make_views(QMenu* view);
  void make_add();
  void make_measure();
  void make_compute();
  void make_help();
  void make_tool_bar();

  void name_all();

  QMainWindow& window_;
  QWidget& viewport_;
  QList<QAction*> all_;
};

}  // namespace isolume
