// How the camera moves during a movie: turned about the vertical axis of the picture, all round or to and fro.
#pragma once

#include <cstddef>
#include <vector>

#include "app/scene/scene.h"
#include "render/view/camera.h"

namespace isolume {

struct CameraMotion {
  enum class Kind { none, turntable, rock };
  Kind kind = Kind::none;
  double angle = 30;   ///< degrees that a rock swings to each side
  bool left = false;   ///< the front of the molecule moves to the left first, else to the right
  double seconds = 0;  ///< of the movie; 0: those of its frames, or of one frame 6 (turntable) and 4 (rock)
  bool operator==(const CameraMotion&) const = default;
};

/// The camera after `part` (0 to 1) of a movie. A turntable turns once, a rock swings to one side, to the other and
/// back, slowest at the turning points; at 1 both are where they began, so that the movie can be repeated.
Camera moved(const Camera& camera, const CameraMotion& motion, double part);

/// One picture of a movie.
struct MoviePicture {
  std::size_t frame = 0;
  double part = 0;         ///< of the motion
  double seconds = -1;     ///< of the movie by key frames (app/scene/movie.h); below 0: the scene as it is
  std::size_t number = 0;  ///< of the picture in the whole movie
};

/// The pictures of a movie of these frames. With a motion whose length is given, or of one frame, there are as many as
/// its seconds take, and the frames are spread evenly over them; else one for each frame. The motion ends one picture
/// before it is where it began.
std::vector<MoviePicture> movie_pictures(const std::vector<std::size_t>& frames, const CameraMotion& motion,
                                         double frames_per_second);

/// The pictures of a movie by key frames: those at 0, 1/rate, 2/rate ... seconds, up to its length. A motion goes on
/// over all of it, and like that of movie_pictures() ends one picture before it is where it began.
std::vector<MoviePicture> keyed_pictures(double length, double frames_per_second);

/// The scene as a picture of a movie shows it; by key frames, it has none itself.
Scene scene_of(const Scene& scene, const MoviePicture& picture, const CameraMotion& motion);

}  // namespace isolume
