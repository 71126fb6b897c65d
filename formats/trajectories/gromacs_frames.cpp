// What readers of GROMACS trajectories share: frames behind each other, each with a header.
#include "formats/trajectories/gromacs_frames.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "formats/bytes/index_file.h"
#include "formats/bytes/known_frames.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

using StepOverFrame = std::function<GromacsFrame(BinaryCursor&)>;

/// Whether some of the known frames are where they are said to be, each followed by the next.
bool are_there(const ByteSource& source, const KnownFrames& known, bool swap, const StepOverFrame& step_over) {
  constexpr std::size_t looks = 16, header = 256;
  const std::size_t last = known.places.size() - 1;
  if (known.atoms > source.limits().atoms || (known.passed == 0 && known.places.front().offset != 0)) return false;
  for (std::size_t i = 0; i < looks; ++i)
    read_ahead(source.text().substr(known.places[i * last / (looks - 1)].offset, header));
  try {
    for (std::size_t i = 0; i < looks; ++i) {
      const std::size_t at = i * last / (looks - 1);
      BinaryCursor cursor(source, swap, known.places[at].offset);
      const GromacsFrame frame = step_over(cursor);
      if (frame.atoms != known.atoms || !frame.positions) return false;
      const std::uint64_t next = at < last ? known.places[at + 1].offset : known.last.offset;
      if (known.passed == 0 ? cursor.offset() != next : cursor.offset() > next) return false;
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

Molecule read_gromacs_frames(std::shared_ptr<const ByteSource> source, const char* format, bool swap,
                             const std::function<GromacsFrame(BinaryCursor&)>& step_over,
                             IndexedTrajectory::Decode decode, IndexedTrajectory::DecodeLeading leading) {
  Molecule molecule;
  std::vector<FramePlace> places;
  std::uint64_t atoms = 0;
  std::size_t scanned = 0, left_out = 0;
  BinaryCursor cursor(*source, swap);
  const auto known = known_frames(*source, format);
  if (known && are_there(*source, *known, swap, step_over)) {
    places = known->places;
    atoms = known->atoms;
    left_out = known->passed;
    scanned = places.size() + left_out;
    cursor = BinaryCursor(*source, swap, known->last.offset);
  }
  // What is found up to the last frame, which is looked at again when the file has grown.
  std::size_t last = 0, places_before = 0, left_out_before = 0;
  while (scanned == 0 || cursor.left() > 0) {
    const std::size_t start = cursor.offset();
    check_stop();
    WorkPart::report(static_cast<double>(start) / static_cast<double>(source->bytes().size()));
    try {
      const GromacsFrame frame = step_over(cursor);
      if (scanned == 0) {
        atoms = frame.atoms;
        if (atoms > source->limits().atoms) cursor.fail(std::to_string(atoms) + " atoms are more than the limit");
      } else if (frame.atoms != atoms) {
        cursor.fail("a frame of " + std::to_string(frame.atoms) + " atoms after frames of " + std::to_string(atoms));
      }
      last = start;
      places_before = places.size();
      left_out_before = left_out;
      if (!frame.positions) ++left_out;
      if (frame.positions) places.push_back({start, 0});
    } catch (const Error& error) {
      if (places.empty()) throw;
      molecule.warnings.push_back("Frame " + std::to_string(scanned + 1) + " is damaged; the " +
                                  std::to_string(scanned) + " before it are read (" + error.what() + ").");
      break;
    }
    ++scanned;
  }
  if (places.empty())
    throw Error::in_file(source->name(), 0, std::string("no frame of this ") + format + " has positions");
  if (left_out > 0) molecule.warnings.push_back(std::to_string(left_out) + " frames without positions are left out.");
  if (!known || known->last.offset != last) {
    KnownFrames found{format, {}, {}, {last, 0}, {}, atoms, left_out_before};
    found.places.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(places_before));
    remember_frames(*source, std::move(found));
  } else {
    remember_frames(*source, *known);
  }
  molecule.format = format;
  molecule.trajectory = std::make_shared<IndexedTrajectory>(std::move(source), std::move(places), atoms,
                                                            std::move(decode), Frame(), std::move(leading));
  molecule.trajectory->frame(0);  // a file whose first frame is damaged is refused at once
  return molecule;
}

}  // namespace isolume
