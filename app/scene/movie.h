// Movies by key frames: the scene at every time of one.
#pragma once

#include <cstddef>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

constexpr double longest_movie = 36'000;  ///< seconds
constexpr int most_turns = 100;

/// The part of the way to the next key frame that has been gone after `part` (0 to 1) of the time: u, u^2,
/// 1 - (1 - u)^2, 3 u^2 - 2 u^3, and 0 for a hold. It never falls, and is 0 and 1 at the ends but for the hold.
double eased(Easing easing, double part);

/// A colour on the way from one to another: even in lightness, hue and colourfulness of Oklab (B. Ottosson, "A
/// perceptual color space for image processing", 2020), even in alpha. At 0 and 1 the colours themselves.
glm::u8vec4 between(glm::u8vec4 from, glm::u8vec4 to, double part);

/// The length of the scene's movie in seconds: the time of its last key frame.
double movie_length(const Scene& scene);

/// The scene at a time of its movie; before the first key frame and after the last one it is as there. Between two of
/// them, with their part u = eased(...):
/// - the camera as between() of cameras, and turned by 360 degrees times `turns` times u;
/// - the frame nearest to an even course;
/// - opacity even, with what is hidden as opacity 0; hidden where it is 0;
/// - isovalues (in the unit shown), enclosed probabilities and offsets of slices even, colours by between();
/// - clipping planes even where both have the same number of them, else those of the earlier key frame.
/// The scene that comes back has no key frames. Without key frames it is the scene itself. Throws Error (usage) for a
/// time that is no number.
Scene scene_at(const Scene& scene, double seconds);

/// Throws Error (input) where the key frames cannot make a movie: times that are no numbers, out of range, or equal.
/// @param name  of the list, for the message
void check_keys(const std::vector<MovieKey>& keys, const char* name = "keys");

/// What the scene shows as a key frame.
MovieKey key_of(const Scene& scene, double seconds);

/// Puts a key frame in its place by time; one that is there already, within half a millisecond, is replaced. Returns
/// its index.
std::size_t put_key(Scene& scene, MovieKey key);

/// Moves a key frame to another time. Returns its index then; where another one has that time, nothing changes.
std::size_t move_key(Scene& scene, std::size_t index, double seconds);

/// After a change of the scene's representations and fields: the key frames follow entries that were moved or removed.
/// What is new is in all of them as in the scene.
void follow_entries(const Scene& before, Scene& after);

}  // namespace isolume
