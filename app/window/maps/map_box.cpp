// A box with the maps of a scene.
#include "app/window/maps/map_box.h"

#include <QSignalBlocker>
#include <QStringList>
#include <algorithm>

#include "app/documents/titles.h"
#include "app/models/labels.h"

namespace isolume {

void show_maps(QComboBox* box, const SceneController& controller, const std::optional<MapPlace>& but) {
  QStringList texts, keys;
  for (std::size_t m = 0; m < controller.scene().molecules.size(); ++m) {
    const auto molecule = controller.molecule(m);
    for (std::size_t v = 0; molecule && v < molecule->volumes.size(); ++v) {
      if (but == MapPlace{static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(v)}) continue;
      texts += to_qt(volume_title(*molecule, v)).simplified();
      keys += QStringLiteral("%1 %2").arg(m).arg(v);
    }
  }
  QStringList now;
  QStringList now_keys;
  for (int i = 0; i < box->count(); ++i) {
    now += box->itemText(i);
    now_keys += box->itemData(i).toString();
  }
  if (now == texts && now_keys == keys) return;
  const QSignalBlocker quiet(box);
  const QString chosen = box->currentData().toString();
  box->clear();
  for (int i = 0; i < texts.size(); ++i) box->addItem(texts[i], keys[i]);
  box->setCurrentIndex(std::max(0, box->findData(chosen)));
}

std::optional<MapPlace> chosen_map(const QComboBox* box) {
  const QStringList parts = box->currentData().toString().split(QLatin1Char(' '));
  if (parts.size() != 2) return std::nullopt;
  return MapPlace{parts[0].toUInt(), parts[1].toUInt()};
}

std::shared_ptr<const Volume> volume_at(const SceneController& controller, const MapPlace& place) {
  const auto molecule = controller.molecule(place.molecule);
  return molecule && place.volume < molecule->volumes.size() ? molecule->volumes[place.volume] : nullptr;
}

}  // namespace isolume
