// What readers of GROMACS trajectories share: frames behind each other, each with a header.
#include "formats/trajectories/gromacs_frames.h"

#include <string>
#include <utility>
#include <vector>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {

Molecule read_gromacs_frames(std::shared_ptr<const ByteSource> source, const char* format, bool swap,
                             const std::function<GromacsFrame(BinaryCursor&)>& step_over,
                             IndexedTrajectory::Decode decode) {
  Molecule molecule;
  std::vector<FramePlace> places;
  std::uint64_t atoms = 0;
  std::size_t scanned = 0, left_out = 0;
  BinaryCursor cursor(*source, swap);
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
  molecule.format = format;
  molecule.trajectory =
      std::make_shared<IndexedTrajectory>(std::move(source), std::move(places), atoms, std::move(decode));
  molecule.trajectory->frame(0);  // a file whose first frame is damaged is refused at once
  return molecule;
}

}  // namespace isolume
