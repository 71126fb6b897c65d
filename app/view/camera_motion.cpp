// How the camera moves during a movie: turned about the vertical axis of the picture, all round or to and fro.
#include "app/view/camera_motion.h"

#include <algorithm>
#include <cmath>

namespace isolume {

Camera moved(const Camera& camera, const CameraMotion& motion, double part) {
  Camera turned = camera;
  const double sign = motion.left ? -1 : 1;
  if (motion.kind == CameraMotion::Kind::turntable) turned.turn({0, 1, 0}, sign * 360 * part);
  if (motion.kind == CameraMotion::Kind::rock) turned.turn({0, 1, 0}, sign * motion.angle * std::sin(2 * M_PI * part));
  return turned;
}

std::vector<MoviePicture> movie_pictures(const std::vector<std::size_t>& frames, const CameraMotion& motion,
                                         double frames_per_second) {
  std::vector<MoviePicture> pictures;
  if (frames.empty()) return pictures;
  std::size_t count = frames.size();
  if (motion.kind != CameraMotion::Kind::none && (motion.seconds > 0 || frames.size() == 1)) {
    const double usual = motion.kind == CameraMotion::Kind::rock ? 4 : 6;
    const double seconds = motion.seconds > 0 ? motion.seconds : usual;
    count = std::max<std::size_t>(2, static_cast<std::size_t>(std::llround(seconds * frames_per_second)));
  }
  pictures.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    pictures.push_back({frames[i * frames.size() / count], static_cast<double>(i) / static_cast<double>(count)});
  return pictures;
}

}  // namespace isolume
