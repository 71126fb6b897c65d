// Which pictures a run of isolume render draws: frames, a camera that moves, the key frames of a session.
#include "app/cli/render/shots.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/command.h"
#include "app/scene/movie.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

CameraMotion motion_of(const ShotOptions& options) {
  CameraMotion motion;
  if (options.turntable) motion.kind = CameraMotion::Kind::turntable;
  if (options.rock > 0) motion.kind = CameraMotion::Kind::rock, motion.angle = options.rock;
  motion.left = options.direction == "left";
  motion.seconds = options.seconds;
  return motion;
}

std::vector<std::size_t> frames_of(const ShotOptions& options, const Scene& scene, std::size_t count, bool movie) {
  if (!options.frames.empty()) return parse_frames(options.frames, std::max<std::size_t>(1, count));
  if (!movie) return {scene.frame};
  return parse_frames(fmt::format("::{}", scene.playback.stride), std::max<std::size_t>(1, count));
}

/// Shows what is shown by one of the key frames.
Scene everything_in(const Scene& scene) {
  Scene all = scene;
  const auto show = [](auto& entries, const auto& keyed) {
    for (std::size_t i = 0; i < std::min(entries.size(), keyed.size()); ++i)
      entries[i].visible = entries[i].visible || keyed[i].visible;
  };
  for (const MovieKey& key : scene.keys) {
    show(all.representations, key.representations);
    show(all.fields, key.fields);
  }
  return all;
}

void plan_keys(Shots& shots, const ShotOptions& options, const Scene& scene, std::size_t count) {
  if (scene.keys.size() < 2)
    throw Error(fmt::format("--keys: a movie needs two key frames, and the scene has {}; the panel Movie makes them, "
                            "docs/scene.md describes them",
                            scene.keys.empty() ? "none" : "one"),
                Error::Kind::input);
  for (std::size_t i = 0; i < scene.keys.size(); ++i)
    if (scene.keys[i].frame >= std::max<std::size_t>(1, count))
      throw Error(fmt::format("keys[{}].frame: {} is beyond the {} frames of the scene (they count from 0)", i,
                              scene.keys[i].frame, count),
                  Error::Kind::input);
  shots.everything = everything_in(scene);
  shots.pictures = keyed_pictures(movie_length(scene), shots.rate);
  if (options.frames.empty()) return;
  std::vector<MoviePicture> chosen;
  for (const std::size_t number : parse_frames(options.frames, shots.size())) chosen.push_back(shots.pictures[number]);
  shots.pictures = std::move(chosen);
}

}  // namespace

void check_shots(const ShotOptions& options) {
  if (options.keys && options.seconds > 0)
    throw Error("--seconds: with --keys the movie is as long as its key frames say", Error::Kind::usage);
  const bool left = options.direction == "left";
  if (!options.turntable && options.rock == 0 && (left || options.seconds > 0))
    throw Error(fmt::format("{} is of --turntable or --rock, and neither is given", left ? "--direction" : "--seconds"),
                Error::Kind::usage);
}

Shots plan_shots(const ShotOptions& options, const Scene& scene, std::size_t count, bool movie) {
  Shots shots;
  shots.motion = motion_of(options);
  shots.rate = options.frames_per_second > 0 ? options.frames_per_second : scene.playback.frames_per_second;
  shots.keys = options.keys;
  shots.everything = scene;
  if (options.keys) {
    plan_keys(shots, options, scene, count);
  } else {
    shots.pictures = movie_pictures(frames_of(options, scene, count, movie), shots.motion, shots.rate);
  }
  for (MoviePicture& picture : shots.pictures)
    if (shots.keys) picture.frame = scene_at(scene, picture.seconds).frame;
  return shots;
}

std::vector<std::size_t> Shots::frames() const {
  std::vector<std::size_t> result;
  for (const MoviePicture& picture : pictures)
    if (result.empty() || result.back() != picture.frame) result.push_back(picture.frame);
  return result;
}

std::size_t Shots::number(std::size_t picture) const {
  const bool several = keys || motion.kind != CameraMotion::Kind::none;
  return several ? pictures[picture].number : pictures[picture].frame;
}

std::string Shots::words(std::size_t picture) const {
  if (size() < 2) return {};
  if (keys || motion.kind != CameraMotion::Kind::none) return fmt::format("picture {} of {}", picture + 1, size());
  return fmt::format("frame {} ({} of {})", pictures[picture].frame, picture + 1, size());
}

void Shots::report(nlohmann::ordered_json& result) const {
  if (motion.kind != CameraMotion::Kind::none) {
    const bool rock = motion.kind == CameraMotion::Kind::rock;
    result["motion"] = {
        {"kind", rock ? "rock" : "turntable"}, {"direction", motion.left ? "left" : "right"}, {"pictures", size()}};
    if (rock) result["motion"]["angle"] = motion.angle;
  }
  if (keys) result["keys"] = {{"key_frames", everything.keys.size()}, {"seconds", movie_length(everything)}};
}

void add_frames_option(Verb command, ShotOptions& options) {
  command.option("--frames,--frame", options.frames,
                 "A:B:STEP (B excluded), or one frame; several make numbered pictures or a movie. With --keys those of "
                 "the movie");
}

void add_shot_options(Verb command, ShotOptions& options) {
  command.option("--fps", options.frames_per_second, "frames per second of a movie").range(0.1, 240.0);
  command.flag("--keys", options.keys, "the movie of the key frames that the session has");
  const Option turntable = command.flag("--turntable", options.turntable,
                                        "turn once about the vertical axis of the picture during the movie; of one "
                                        "structure too");
  command.option("--rock", options.rock, "swing about the vertical axis by this many degrees to each side instead")
      .range(0.1, 180.0)
      .type_name("DEGREES")
      .excludes(turntable);
  command.option("--direction", options.direction, "of the front, at first: right or left").one_of({"right", "left"});
  command
      .option("--seconds", options.seconds,
              "length of a movie with --turntable or --rock (6 and 4 of one frame; of several frames one picture each)")
      .range(0.1, 3600.0)
      .type_name("S");
}

}  // namespace isolume::cli
