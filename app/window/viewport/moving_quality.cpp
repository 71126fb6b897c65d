// The resolution of pictures during movement, by the time of the last ones.
#include "app/window/viewport/moving_quality.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr double slow_software = 0.026;  // seconds a picture: 25 a second, and their way to the screen
constexpr double slow_card = 0.0145;     // 60 a second, and their way to the screen
constexpr double fast = 0.35;            // of that: there is time for more
constexpr unsigned thin_card = 8;        // before a card's pictures become smaller
constexpr double bare_scale = 0.5;       // from here on without ambient occlusion
constexpr double smallest_scale = 0.25;  // coarser than this, nothing can be made out
constexpr unsigned thinnest = 256, thinnest_card = 64;

}  // namespace

MovingQuality first_quality(bool software) {
  return {software ? 0.5 : 1.0, 1, true};
}

MovingQuality next_quality(const MovingQuality& last, double seconds, bool software) {
  MovingQuality next = last;
  const double slow = software ? slow_software : slow_card;
  if (seconds > slow) {
    if (!software && last.thin < thin_card) {
      next.thin = 2 * last.thin;
      return next;
    }
    if (software && last.scale <= bare_scale) next.occlusion = false;
    // Both pixels and atoms where it is far too slow.
    if (last.scale <= smallest_scale || seconds > 3 * slow)
      next.thin = std::min(2 * last.thin, software ? thinnest : thinnest_card);
    next.scale = std::max(smallest_scale, last.scale * std::max(0.5, std::sqrt(slow / seconds)));
  } else if (seconds < fast * slow) {
    if (last.thin > 1) {
      next.thin = last.thin / 2;
    } else if (last.scale < 1) {
      next.scale = std::min(1.0, 1.1 * last.scale);
    } else {
      next.occlusion = true;
    }
  }
  return next;
}

int rest_before_refining(double seconds, bool unfinished) {
  if (unfinished) return 4000;
  return static_cast<int>(1000 * std::clamp(seconds, 0.18, 0.25));
}

}  // namespace isolume
