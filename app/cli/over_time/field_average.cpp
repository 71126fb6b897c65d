// The mean of a field over the frames of a molecule: its frames, its points and its outputs.
#include "app/cli/over_time/field_average.h"

#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"

namespace isolume::cli {

FieldOfFrames::FieldOfFrames(const Molecule& molecule, const AverageOptions& options, std::size_t reference)
    : molecule_(molecule),
      alignment_((require_same_atoms(molecule, "an average over frames"), molecule), options.align, reference) {}

void average_field(Run& run, const FieldAverage& average, FieldOfFrames& field) {
  const AverageOptions& options = average.options;
  const std::size_t count = field.molecule().frame_count();
  const std::vector<std::size_t> frames = parse_frames(options.frames.empty() ? ":" : options.frames, count);
  if (count < 2) throw Error(average.needs, Error::Kind::usage);
  const Grid grid = field.plan(average.points ? &*average.points : nullptr);
  AveragePart part = field.part();
  if (average.points) {
    part.points = *average.points;
  } else {
    part.grid = grid;
  }
  run.report.phase("plan");
  Averager averager(run, options, std::move(part), frames);
  if (average.points) {
    field.at_points(*average.points, averager);
  } else {
    field.on_grid(grid, averager);
  }
  const FrameAlignment& alignment = field.alignment();
  averager.finish(outputs_of(options, average.out), alignment, &field.molecule(), alignment.reference());
}

}  // namespace isolume::cli
