// What the user prefers, kept between runs.
#include "app/window/settings/preferences.h"

#include <QAction>
#include <QSettings>
#include <algorithm>

namespace isolume {
namespace {

SixAxisUse read_six_axes(const QSettings& settings) {
  SixAxisUse use;
  const auto value = [&settings](const char* key, const QVariant& usual) {
    return settings.value(QStringLiteral("six_axes/") + QLatin1String(key), usual);
  };
  use.on = value("on", use.on).toBool();
  use.moves_camera = value("camera", use.moves_camera).toBool();
  use.move = std::clamp(value("move", use.move).toInt(), 0, 500);
  use.turn = std::clamp(value("turn", use.turn).toInt(), 0, 500);
  use.reversed = value("reversed", use.reversed).toInt() & 63;
  use.strongest = value("strongest", use.strongest).toBool();
  use.buttons = value("buttons", use.buttons).toStringList();
  return use;
}

void write_six_axes(QSettings& settings, const SixAxisUse& use) {
  const auto set = [&settings](const char* key, const QVariant& value) {
    settings.setValue(QStringLiteral("six_axes/") + QLatin1String(key), value);
  };
  set("on", use.on);
  set("camera", use.moves_camera);
  set("move", use.move);
  set("turn", use.turn);
  set("reversed", use.reversed);
  set("strongest", use.strongest);
  set("buttons", use.buttons);
}

}  // namespace

Preferences Preferences::read() {
  const QSettings settings;
  Preferences p;
  const auto text = [&settings](const char* key, const QString& usual) {
    return settings.value(QString::fromLatin1(key), usual).toString();
  };
  p.theme = text("theme", p.theme);
  p.device = text("device", p.device);
  p.memory_limit = std::clamp(settings.value(QStringLiteral("memory_limit"), 0.0).toDouble(), 0.0, 1e6);
  p.input = text("input", p.input);
  p.scroll = text("scroll", p.scroll);
  p.six_axes = read_six_axes(settings);
  p.drawing = text("drawing", p.drawing);
  p.autosave = std::clamp(settings.value(QStringLiteral("autosave"), p.autosave).toInt(), 5, 3600);
  p.ask_unsaved = settings.value(QStringLiteral("ask_unsaved"), p.ask_unsaved).toBool();
  p.background_follows_theme = settings.value(QStringLiteral("background_follows_theme"), true).toBool();
  p.frame_index = settings.value(QStringLiteral("frame_index"), true).toBool();
  p.reduced_motion = settings.value(QStringLiteral("reduced_motion"), false).toBool();
  const QVariantMap keys = settings.value(QStringLiteral("keys")).toMap();
  for (auto key = keys.begin(); key != keys.end(); ++key) p.keys[key.key()] = key.value().toString();
  return p;
}

void Preferences::write() const {
  QSettings settings;
  settings.setValue(QStringLiteral("theme"), theme);
  settings.setValue(QStringLiteral("device"), device);
  settings.setValue(QStringLiteral("memory_limit"), memory_limit);
  settings.setValue(QStringLiteral("input"), input);
  settings.setValue(QStringLiteral("scroll"), scroll);
  write_six_axes(settings, six_axes);
  settings.setValue(QStringLiteral("drawing"), drawing);
  settings.setValue(QStringLiteral("autosave"), autosave);
  settings.setValue(QStringLiteral("ask_unsaved"), ask_unsaved);
  settings.setValue(QStringLiteral("background_follows_theme"), background_follows_theme);
  settings.setValue(QStringLiteral("frame_index"), frame_index);
  settings.setValue(QStringLiteral("reduced_motion"), reduced_motion);
  QVariantMap own;
  for (auto key = keys.begin(); key != keys.end(); ++key) own[key.key()] = key.value();
  settings.setValue(QStringLiteral("keys"), own);
}

QMap<QString, QString> preset_keys(const QString& input) {
  if (input == QLatin1String("VMD")) {
    return {{QStringLiteral("left_turns"), QStringLiteral("R")},
            {QStringLiteral("left_moves"), QStringLiteral("T")},
            {QStringLiteral("left_zooms"), QStringLiteral("S")},
            {QStringLiteral("reset"), QStringLiteral("Ctrl+Alt+R")}};
  }
  if (input == QLatin1String("PyMOL")) {
    return {{QStringLiteral("redo"), QStringLiteral("Ctrl+Y")}, {QStringLiteral("fit"), QStringLiteral("Z")}};
  }
  return {};
}

void apply_keys(const QList<QAction*>& actions, const QMap<QString, QList<QKeySequence>>& usual,
                const Preferences& preferences) {
  QMap<QString, QString> wanted = preset_keys(preferences.input);
  for (auto key = preferences.keys.begin(); key != preferences.keys.end(); ++key) wanted[key.key()] = key.value();
  // A key that was given to one action is taken from the one that has it by usage.
  QList<QKeySequence> taken;
  for (const QString& key : wanted) taken += QKeySequence(key);
  for (QAction* action : actions) {
    const QString name = action->objectName();
    QList<QKeySequence> keys = usual.value(name);
    if (wanted.contains(name)) {
      const QKeySequence key(wanted[name]);
      keys = key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key};
    } else {
      keys.removeIf([&](const QKeySequence& key) { return taken.contains(key); });
    }
    if (action->shortcuts() != keys) action->setShortcuts(keys);
  }
}

}  // namespace isolume
