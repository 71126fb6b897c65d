// What a 3-D mouse does in the 3D view.
#pragma once

#include <QStringList>
#include <array>

namespace isolume {

/// How far the cap of a 3-D mouse is pushed and turned, as the daemon spacenavd counts: to the right, up and away from
/// the user, then about these three axes (right-handed). Some 350 is as far as it goes.
struct SixAxisMotion {
  std::array<int, 6> axes{};
  int milliseconds = 0;  ///< since the motion before
};

/// A plain value, part of Preferences.
struct SixAxisUse {
  bool on = true;
  bool moves_camera = false;   ///< the cap is the camera; else it is the scene
  int move = 100, turn = 100;  ///< percent of the usual speed; 0 for not at all
  int reversed = 0;            ///< bit i: axis i of SixAxisMotion counts backwards
  bool strongest = false;      ///< only the axis that is pushed furthest
  /// Object names of actions by the button's number; empty for nothing.
  QStringList buttons{QStringLiteral("fit"), QStringLiteral("reset")};

  bool operator==(const SixAxisUse&) const = default;
};

}  // namespace isolume
