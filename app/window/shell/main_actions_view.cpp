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

  make_views(view);
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
  QMenu* tiled = submenu(view, tr("T&iles"));
  tiles = make(tr("&Each molecule in a tile"), {}, QKeySequence(Qt::CTRL | Qt::Key_T),
               tr("Molecules beside each other, turned and zoomed together"));
  tiles->setCheckable(true);
  tiled->addAction(tiles);
  tiled->addSeparator();
  auto* across = new QActionGroup(tiled);
  for (int i = 0; i <= 4; ++i) {
    const QString text = i == 0 ? tr("As many &columns as suit") : i == 1 ? tr("&1 column") : tr("&%1 columns").arg(i);
    QAction* action = make(text, {}, {}, tr("How many tiles lie beside each other"));
    action->setCheckable(true);
    action->setData(i);
    across->addAction(action);
    columns += action;
    tiled->addAction(action);
  }
  QMenu* eyes = submenu(view, tr("Colours as &seen with"));
  auto* kinds = new QActionGroup(eyes);
  for (const QString& text :
       {tr("&Full colour vision"), tr("&Protanopia (no red cones)"), tr("&Deuteranopia (no green cones)"),
        tr("&Tritanopia (no blue cones)"), tr("&Grey, as in a print without colours")}) {
    QAction* action = make(text, {}, {}, tr("Preview; neither the scene nor exported pictures change"));
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

void MainActions::make_views(QMenu* view) {
  QMenu* saved = submenu(view, tr("Saved &views"));
  save_view = make(tr("&Save this view"), {}, QKeySequence(Qt::CTRL | Qt::Key_F1),
                   tr("Keep camera and frame to come back to; part of the session"));
  saved->addAction(save_view);
  saved->addSeparator();
  constexpr int keys = 9;  // F2 to F10: F1, F11 and F12 are taken
  for (int i = 0; i < keys; ++i) {
    goto_views += make(tr("View %1").arg(i + 1), {}, QKeySequence(Qt::Key_F2 + i), tr("Fly to this view"));
    saved->addAction(goto_views.last());
  }
  saved->addSeparator();
  QMenu* keep = submenu(saved, tr("Save &as"));
  for (int i = 0; i < keys; ++i) {
    keep_views += make(tr("Save as view %1").arg(i + 1), {}, QKeySequence(Qt::CTRL | (Qt::Key_F2 + i)),
                       tr("Keep camera and frame under this number"));
    keep->addAction(keep_views.last());
  }
  remove_views = make(tr("&Remove all views"), {}, {}, tr("Forget the saved views"));
  saved->addAction(remove_views);
}

}  // namespace isolume
