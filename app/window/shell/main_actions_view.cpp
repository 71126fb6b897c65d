// The actions of the View menu.
#include <QActionGroup>
#include <QColor>

#include "app/window/shell/main_actions.h"
#include "app/window/shell/main_actions_menus.h"

namespace isolume {

using actions::menu, actions::submenu, actions::tr;

void MainActions::make_view() {
  QMenu* view = menu(window_, tr("&View"));
  fit = make_local(tr("&Fit"), QStringLiteral("fit"), QKeySequence(Qt::Key_F), tr("Show everything"));
  fit_picked =
      make_local(tr("Fit &selected atoms"), {}, QKeySequence(Qt::SHIFT | Qt::Key_F), tr("Zoom to the selected atoms"));
  reset = make_local(tr("&Reset view"), QStringLiteral("reset"), QKeySequence(Qt::Key_R),
                     tr("Show everything from the front"));
  centre = make_local(tr("&Centre on selected atom"), QStringLiteral("centre"), QKeySequence(Qt::Key_C),
                      tr("Rotate about the selected atom"));
  orthographic =
      make_local(tr("&Orthographic"), {}, QKeySequence(Qt::Key_O), tr("Orthographic projection, without perspective"));
  orthographic->setCheckable(true);
  fit->setProperty("words", tr("zoom extents show all"));
  reset->setProperty("words", tr("home front"));
  previous_view = make_local(tr("Previous vie&w"), {}, QKeySequence(Qt::Key_Backspace),
                             tr("Back to where camera and frame were before"));
  next_view = make_local(tr("&Next view"), {}, QKeySequence(Qt::SHIFT | Qt::Key_Backspace),
                         tr("Where camera and frame were before going back"));
  previous_view->setProperty("words", tr("undo camera rotation frame"));
  next_view->setProperty("words", tr("redo camera rotation frame"));
  view->addActions({fit, fit_picked, reset, centre, previous_view, next_view});
  QMenu* from = submenu(view, tr("&Look from"));
  const QString names[] = {tr("&Front (z)"), tr("&Back"), tr("&Right (x)"), tr("&Left"), tr("&Top (y)"), tr("B&ottom")};
  for (int i = 0; i < 6; ++i) {
    sides += make_local(names[i], {}, QKeySequence(Qt::CTRL | (Qt::Key_1 + i)), tr("Look along an axis"));
    from->addAction(sides.last());
  }
  view->addAction(orthographic);
  QMenu* left = submenu(view, tr("Left &drag"));
  auto* drags = new QActionGroup(left);
  for (const QString& text : {tr("&Rotate"), tr("&Move"), tr("&Zoom")}) {
    QAction* action = make_local(text, {}, {}, tr("Action of the left mouse button"));
    action->setCheckable(true);
    drags->addAction(action);
    left_drags += action;
    left->addAction(action);
  }
  left_drags.first()->setChecked(true);
  view->addSeparator();

  play = make(tr("Pla&y or pause"), QStringLiteral("play"), QKeySequence(Qt::CTRL | Qt::Key_P),
              tr("Play or pause the trajectory"));
  play->setProperty("words", tr("trajectory frames animate run stop"));
  view->addAction(play);
  make_views(view);
  keys = submenu(view, tr("&Key frames"));
  clipping = submenu(view, tr("&Clipping planes"));
  presets = submenu(view, tr("&Presets"));
  QMenu* background = submenu(view, tr("&Background"));
  const struct {
    QString text;
    QColor top, bottom;
  } plain[] = {{tr("&White"), QColor(255, 255, 255), QColor(255, 255, 255)},
               {tr("&Light grey"), QColor(0xeef1f5), QColor(0xd9dee6)},
               {tr("&Dark"), QColor(0x1d2025), QColor(0x131518)},
               {tr("&Black"), QColor(0, 0, 0), QColor(0, 0, 0)}};
  for (const auto& entry : plain) {
    QAction* action = make(entry.text, {}, {}, tr("Background of the 3D view"));
    action->setData(QVariant::fromValue(QList<QColor>{entry.top, entry.bottom}));
    backgrounds += action;
    background->addAction(action);
  }
  QMenu* effect = submenu(view, tr("&Effects"));
  for (const QString& text : {tr("&Ambient occlusion"), tr("&Outlines"), tr("&Shadows"), tr("&Depth cue")}) {
    QAction* action = make(text, {}, {}, tr("Lighting effect"));
    action->setCheckable(true);
    effects += action;
    effect->addAction(action);
  }
  QMenu* quality = submenu(view, tr("Render &quality"));
  auto* renderers = new QActionGroup(quality);
  qualities = {
      make(tr("&Standard"), {}, {}, tr("Draw at once, with the effects of the View menu")),
      make(tr("&Path traced"), {}, {},
           tr("Soft shadows and light between surfaces: refined while nothing moves, drawn as usual meanwhile"))};
  qualities[0]->setProperty("words", tr("render quality rasteriser fast"));
  qualities[1]->setProperty("words", tr("render quality path tracing ray shadows light realistic"));
  for (QAction* action : qualities) {
    action->setCheckable(true);
    renderers->addAction(action);
    quality->addAction(action);
  }
  qualities.first()->setChecked(true);
  QMenu* tiled = submenu(view, tr("T&iles"));
  tiles = make(tr("&Each molecule in a tile"), {}, QKeySequence(Qt::CTRL | Qt::Key_T),
               tr("Show molecules side by side and rotate them together"));
  tiles->setCheckable(true);
  tiled->addAction(tiles);
  tiled->addSeparator();
  auto* across = new QActionGroup(tiled);
  for (int i = 0; i <= 4; ++i) {
    const QString text = i == 0 ? tr("&Automatic columns") : i == 1 ? tr("&1 column") : tr("&%1 columns").arg(i);
    QAction* action = make(text, {}, {}, tr("Number of tiles per row"));
    action->setCheckable(true);
    action->setData(i);
    across->addAction(action);
    columns += action;
    tiled->addAction(action);
  }
  QMenu* eyes = submenu(view, tr("Si&mulate colour blindness"));
  auto* kinds = new QActionGroup(eyes);
  for (const QString& text : {tr("&Off"), tr("&Protanopia (no red cones)"), tr("&Deuteranopia (no green cones)"),
                              tr("&Tritanopia (no blue cones)"), tr("&Greyscale")}) {
    QAction* action = make(text, {}, {}, tr("Preview only; the scene and exported images do not change"));
    action->setCheckable(true);
    kinds->addAction(action);
    visions += action;
    eyes->addAction(action);
  }
  visions.first()->setChecked(true);
  box = make(tr("Periodic bo&x"), {}, {}, tr("Show the periodic cell"));
  box->setCheckable(true);
  axes = make(tr("A&xes"), {}, {}, tr("Show small axes in the corner"));
  axes->setCheckable(true);
  scale_bar = make(tr("Scale &bar"), {}, {},
                   tr("Show a scale bar with a round length, also in images. Set its unit in Appearance"));
  scale_bar->setCheckable(true);
  scale_bar->setProperty("words", tr("ruler length angstrom nanometre size"));
  view->addActions({box, axes, scale_bar});
  view->addSeparator();
  panels = submenu(view, tr("&Panels"));
  QMenu* theme = submenu(view, tr("&Theme"));
  auto* group = new QActionGroup(theme);
  const QString titles[] = {tr("&System"), tr("&Light"), tr("&Dark")};
  const QString keys[] = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
  for (int i = 0; i < 3; ++i) {
    QAction* action = make(titles[i], {}, {}, tr("Colours of the window"));
    action->setCheckable(true);
    action->setData(keys[i]);
    group->addAction(action);
    themes += action;
    theme->addAction(action);
  }
  full_screen = make(tr("F&ull screen"), {}, QKeySequence(Qt::Key_F11), tr("Use the whole screen"));
  full_screen->setCheckable(true);
  reset_layout = make(tr("Reset &layout"), {}, {}, tr("Return all panels to their default places"));
  view->addActions({full_screen, reset_layout});
}

void MainActions::make_views(QMenu* view) {
  QMenu* saved = submenu(view, tr("Saved &views"));
  save_view =
      make(tr("&Save this view"), {}, QKeySequence(Qt::CTRL | Qt::Key_F1), tr("Save camera and frame in the session"));
  saved->addAction(save_view);
  saved->addSeparator();
  constexpr int keys = 9;  // F2 to F10: F1, F11 and F12 are taken
  for (int i = 0; i < keys; ++i) {
    goto_views += make(tr("View %1").arg(i + 1), {}, QKeySequence(Qt::Key_F2 + i), tr("Go to this view"));
    saved->addAction(goto_views.last());
  }
  saved->addSeparator();
  QMenu* keep = submenu(saved, tr("Save &as"));
  for (int i = 0; i < keys; ++i) {
    keep_views += make(tr("Save as view %1").arg(i + 1), {}, QKeySequence(Qt::CTRL | (Qt::Key_F2 + i)),
                       tr("Save camera and frame under this number"));
    keep->addAction(keep_views.last());
  }
  remove_views = make(tr("&Remove all views"), {}, {}, tr("Remove the saved views"));
  saved->addAction(remove_views);
}

}  // namespace isolume
