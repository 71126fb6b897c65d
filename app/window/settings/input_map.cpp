// What the mouse's buttons and wheel do in the 3-D view, by the habits of several programs.
#include "app/window/settings/input_map.h"

#include <QCoreApplication>
#include <QKeySequence>

namespace isolume {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("InputMap", text);
}

QString words(Drag drag) {
  switch (drag) {
    case Drag::rotate:
      return tr("Rotate; near the edge, roll");
    case Drag::pan:
      return tr("Move");
    case Drag::zoom:
      return tr("Zoom");
    case Drag::roll:
      return tr("Roll");
    case Drag::slab:
      return tr("Move the front clipping plane");
    case Drag::box_add:
      return tr("Select atoms in a box");
    case Drag::box_remove:
      return tr("Deselect atoms in a box");
    default:
      return {};
  }
}

QString words(WheelUse use) {
  switch (use) {
    case WheelUse::zoom:
      return tr("Zoom to the pointer");
    case WheelUse::slab:
      return tr("Move the front clipping plane");
    case WheelUse::isovalue:
      return tr("Isovalue of the selected surface");
    default:
      return {};
  }
}

QString words(Qt::MouseButton button) {
  return button == Qt::LeftButton ? tr("Left drag") : button == Qt::RightButton ? tr("Right drag") : tr("Middle drag");
}

QString with_modifiers(Qt::KeyboardModifiers modifiers, const QString& what) {
  QString text = QKeySequence(static_cast<int>(modifiers)).toString(QKeySequence::NativeText);
  while (text.endsWith(QLatin1Char('+'))) text.chop(1);
  return text.isEmpty() ? what : QStringLiteral("%1+%2").arg(text, what.toLower());
}

QList<InputMap> make_maps() {
  constexpr auto L = Qt::LeftButton, M = Qt::MiddleButton, R = Qt::RightButton;
  constexpr auto none = Qt::NoModifier;
  constexpr auto shift = Qt::ShiftModifier, ctrl = Qt::ControlModifier;
  const Qt::KeyboardModifiers alt_shift = Qt::AltModifier | Qt::ShiftModifier;
  const QList<InputMap::WheelRule> usual_wheel{
      {none, WheelUse::zoom}, {shift, WheelUse::slab}, {ctrl, WheelUse::isovalue}};
  const QList<InputMap::Rule> boxes{{L, shift, Drag::box_add}, {L, alt_shift, Drag::box_remove}};
  return {
      {QStringLiteral("Isolume"),
       QList<InputMap::Rule>{{L, none, Drag::rotate}, {M, none, Drag::pan}, {R, none, Drag::pan}} + boxes, usual_wheel},
      {QStringLiteral("VMD"),
       QList<InputMap::Rule>{
           {L, none, Drag::rotate}, {L, ctrl, Drag::pan}, {M, none, Drag::roll}, {R, none, Drag::roll}} +
           boxes,
       usual_wheel},
      {QStringLiteral("PyMOL"),
       QList<InputMap::Rule>{{L, none, Drag::rotate},
                             {L, ctrl, Drag::pan},
                             {M, none, Drag::pan},
                             {R, none, Drag::zoom},
                             {R, shift, Drag::slab}} +
           boxes,
       {{none, WheelUse::slab}, {shift, WheelUse::zoom}, {ctrl, WheelUse::isovalue}}},
      {QStringLiteral("ChimeraX"),
       {{L, none, Drag::rotate},
        {L, shift, Drag::pan},
        {L, ctrl, Drag::box_add},
        {L, ctrl | shift, Drag::box_remove},
        {M, none, Drag::pan},
        {R, none, Drag::pan}},
       usual_wheel},
      {QStringLiteral("ParaView"),
       QList<InputMap::Rule>{
           {L, none, Drag::rotate}, {L, ctrl, Drag::roll}, {M, none, Drag::pan}, {R, none, Drag::zoom}} +
           boxes,
       usual_wheel},
  };
}

}  // namespace

Drag InputMap::drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const {
  modifiers &= Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier;
  Drag plain = Drag::none;
  for (const Rule& rule : drags) {
    if (rule.button != button) continue;
    if (rule.modifiers == modifiers) return rule.drag;
    if (rule.modifiers == Qt::NoModifier) plain = rule.drag;
  }
  return plain;
}

WheelUse InputMap::wheel_use(Qt::KeyboardModifiers modifiers) const {
  modifiers &= Qt::ShiftModifier | Qt::ControlModifier;
  WheelUse plain = WheelUse::none;
  for (const WheelRule& rule : wheel) {
    if (rule.modifiers == modifiers) return rule.use;
    if (rule.modifiers == Qt::NoModifier) plain = rule.use;
  }
  return plain;
}

const QList<InputMap>& input_maps() {
  static const QList<InputMap> maps = make_maps();
  return maps;
}

const InputMap& input_map(const QString& name) {
  for (const InputMap& map : input_maps()) {
    if (map.name.compare(name, Qt::CaseInsensitive) == 0) return map;
  }
  return input_maps().first();
}

QList<QPair<QString, QString>> describe(const InputMap& map) {
  QList<QPair<QString, QString>> lines;
  for (const InputMap::Rule& rule : map.drags) {
    lines.append({with_modifiers(rule.modifiers, words(rule.button)), words(rule.drag)});
  }
  for (const InputMap::WheelRule& rule : map.wheel) {
    lines.append({with_modifiers(rule.modifiers, tr("Wheel")), words(rule.use)});
  }
  return lines;
}

ScrollUse scroll_use(const QString& name) {
  if (name == QLatin1String("move")) return ScrollUse::move;
  return name == QLatin1String("turn") ? ScrollUse::turn : ScrollUse::zoom;
}

}  // namespace isolume
