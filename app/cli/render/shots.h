// Which pictures a run of isolume render draws: frames, a camera that moves, the key frames of a session.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/view/camera_motion.h"

namespace isolume::cli {

struct ShotOptions {
  std::string frames;
  double frames_per_second = 0;
  bool turntable = false;
  double rock = 0;  ///< degrees
  std::string direction = "right";
  double seconds = 0;
  bool keys = false;
};
/// --frames, and the others, which are about movies.
void add_frames_option(Verb command, ShotOptions& options);
void add_shot_options(Verb command, ShotOptions& options);

/// Throws Error (usage) where options contradict each other, before anything is read.
void check_shots(const ShotOptions& options);

/// Pictures in their order.
struct Shots {
  std::vector<MoviePicture> pictures;
  CameraMotion motion;
  double rate = 20;  ///< frames per second
  bool keys = false;
  Scene everything;  ///< the scene with all that one of the pictures shows

  std::size_t size() const { return pictures.size(); }
  /// The frames of the trajectory that they show.
  std::vector<std::size_t> frames() const;
  /// The number in a picture's name: of several pictures of a frame not that of the frame.
  std::size_t number(std::size_t picture) const;
  /// What the progress says of it; nothing of a single one.
  std::string words(std::size_t picture) const;
  /// Adds the motion and the key frames to a result.
  void report(nlohmann::ordered_json& result) const;
};

/// The pictures of a scene of `count` frames. By key frames, --frames counts the pictures of the movie. Throws Error
/// where there are none.
Shots plan_shots(const ShotOptions& options, const Scene& scene, std::size_t count, bool movie);

}  // namespace isolume::cli
