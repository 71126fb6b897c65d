// How the camera moves during a movie: turned about the vertical axis of the picture, all round or to and fro.
#include "app/view/camera_motion.h"

#include <algorithm>
#include <cmath>

#include "app/scene/movie.h"

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
    pictures.push_back({frames[i * frames.size() / count], static_cast<double>(i) / static_cast<double>(count), -1, i});
  return pictures;
}

std::vector<MoviePicture> keyed_pictures(double length, double frames_per_second) {
  // The last one is not lost where the product is a hair below a whole number.
  const auto count = static_cast<std::size_t>(std::floor(length * frames_per_second + 1e-6)) + 1;
  std::vector<MoviePicture> pictures;
  pictures.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    pictures.push_back({0, static_cast<double>(i) / static_cast<double>(count),
                        std::min(length, static_cast<double>(i) / frames_per_second), i});
  return pictures;
}

Scene scene_of(const Scene& scene, const MoviePicture& picture, const CameraMotion& motion) {
  Scene shown = picture.seconds < 0 ? scene : scene_at(scene, picture.seconds);
  if (picture.seconds < 0) shown.frame = picture.frame;
  shown.camera = moved(shown.camera, motion, picture.part);
  return shown;
}

}  // namespace isolume
