// A box with the maps of a scene.
#pragma once

#include <QComboBox>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// A volume of the scene.
struct MapPlace {
  std::uint32_t molecule = 0;
  std::uint32_t volume = 0;
  bool operator==(const MapPlace&) const = default;
};

/// Fills a box with the scene's maps by the names of their files; the chosen one stays where it is still there.
/// Without the map `but`, where one is given.
void show_maps(QComboBox* box, const SceneController& controller, const std::optional<MapPlace>& but = {});
/// The chosen map; nothing where there is none.
std::optional<MapPlace> chosen_map(const QComboBox* box);
std::shared_ptr<const Volume> volume_at(const SceneController& controller, const MapPlace& place);

}  // namespace isolume
