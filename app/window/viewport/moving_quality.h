// The resolution of pictures during movement, by the time of the last ones.
#pragma once

namespace isolume {

/// A plain value: what pictures of a movement leave out. Pictures at rest leave out nothing.
struct MovingQuality {
  double scale = 1;       ///< of the sides of the picture, which is then shown enlarged
  unsigned thin = 1;      ///< one of so many atoms is drawn, the larger
  bool occlusion = true;  ///< ambient occlusion, where the scene wants it
  bool operator==(const MovingQuality&) const = default;
};

/// What the first picture of a window is drawn with: nothing is known yet of how fast a software rasteriser is.
MovingQuality first_quality(bool software);

/// The quality of the next picture after one of `last` took `seconds` to be drawn and handed over. Some 60 pictures a
/// second are wanted of a graphics card, which has more trouble with atoms than with pixels: these go first; 25 of a
/// software rasteriser: pixels go first, then ambient occlusion, then atoms. It becomes finer only where pictures take
/// a third of the time that they may, and ambient occlusion comes back last, so that nothing flickers to and fro.
MovingQuality next_quality(const MovingQuality& last, double seconds, bool software);

/// How many milliseconds after the last movement a refined picture begins, where the last one took `seconds`. A slow
/// one (of a software rasteriser) waits until the user has stopped, but not long: it ends as soon as something moves,
/// and the picture is to be fine within a second. `unfinished`: fields of the scene are still computed by the same
/// processor, and with them another picture comes, which would be refined again.
int rest_before_refining(double seconds, bool unfinished = false);

}  // namespace isolume
