// isolume compute volmap: how much of a selection is where, over the frames of a trajectory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "app/cli/over_time/averager.h"
#include "app/cli/over_time/over_time.h"
#include "app/cli/over_time/volmap_frames.h"
#include "app/cli/over_time/volmap_mean.h"
#include "compute/base/memory.h"
#include "compute/over_time/frame_pipeline.h"
#include "compute/over_time/map_peaks.h"
#include "formats/bytes/left_out.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  VolmapChoice choice;
  AverageOptions average;
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  std::string cell, out, peaks;
  double threshold = 0, site_radius = 1.4;
};

// Wrong options are reported before any file is read.
void check(const Common& common, const Options& o) {
  const auto refuse = [](bool wrong, const char* text) {
    if (wrong) throw Error(text, Error::Kind::usage);
  };
  check_volmap_choice(o.choice);
  check_average_options(o.average, false);
  refuse(o.out.empty() && o.average.partial.empty(), "--out is missing: where should the map go?");
  if (!o.out.empty()) check_output(o.out, map_extensions);
  if (!o.peaks.empty()) check_output(o.peaks, "csv");
  refuse(common.device.starts_with("cuda"), "compute volmap runs on the CPU; there is no body for CUDA");
  const bool residence = o.choice.kind == "residence";
  refuse(residence && !o.average.faded_out.empty(), "--faded-out is of means that may be 0; a residence is a time");
  refuse(residence && !o.average.variance_out.empty(),
         "--variance-out belongs to means over frames, not to a residence");
  refuse(residence && (!o.average.partial.empty() || !o.average.convergence.empty()),
         "--kind residence counts whole stays: neither --partial nor --convergence belongs to it");
  refuse(!o.peaks.empty() && (residence || o.choice.kind == "distance" || o.choice.kind == "charge" ||
                              o.choice.kind == "value" || o.choice.kind.ends_with("-energy")),
         "--peaks belongs to --kind density, mass and occupancy");
}

void write_peaks(Run& run, const Options& o, const Grid& grid, std::span<const float> means,
                 std::span<const float> errors, const std::string& unit) {
  double sum = 0;
  for (const float value : means) sum += static_cast<double>(value);
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, means.size()));
  const double threshold = o.threshold > 0 ? o.threshold : 2 * mean;
  const std::vector<MapPeak> peaks = map_peaks(grid, means, threshold, o.site_radius, o.site_radius);
  write_atomically(o.peaks, [&](std::ostream& out) {
    out << fmt::format(
        "site,x (angstrom),y (angstrom),z (angstrom),value ({0}),standard error ({0}),sum within {1:g} A\n", unit,
        o.site_radius);
    for (std::size_t i = 0; i < peaks.size(); ++i)
      out << fmt::format("{},{:.3f},{:.3f},{:.3f},{:.6g},{:.3g},{:.5g}\n", i + 1, peaks[i].place.x, peaks[i].place.y,
                         peaks[i].place.z, peaks[i].value, errors[peaks[i].point], peaks[i].occupancy);
  });
  run.report.result["peaks"] = {{"count", peaks.size()}, {"threshold", threshold}, {"radius", o.site_radius}};
  run.say(fmt::format("{}: {} above {:.3g} {}", o.peaks, counted(peaks.size(), "site"), threshold, unit));
}

void run_residence(Run& run, const Options& o, const VolmapFrames& frames, std::span<const std::size_t> which) {
  MeanResidence found = mean_residence(frames, which, run.job());
  const std::string& unit = found.unit;
  flag_unknown(found.errors);
  run.report.phase("compute");
  run.report.unit = unit;
  run.report.result["frames"] = which.size();
  run.report.result["stays"] = found.stays;
  run.report.result["occupied"] = found.occupied;
  run.report.result["frame_step"] = found.frame_step;
  const std::string comment =
      fmt::format("mean residence in {} over {} frames, {}, by Isolume", unit, which.size(), frames.text());
  write_volume(o.out, VolumeView(frames.grid(), found.means, "mean residence", unit), &frames.molecule(), 0, comment);
  if (!o.average.error_out.empty())
    write_volume(o.average.error_out,
                 VolumeView(frames.grid(), found.errors, "standard error of the mean residence", unit),
                 &frames.molecule(), 0, "standard error (-1: fewer than 10 stays) of the " + comment);
  run.say(fmt::format("{}: mean residence of {} in {}", o.out, counted(found.stays, "stay"), unit));
}

void run_mean(Run& run, const Options& o, const VolmapFrames& frames, const std::vector<std::size_t>& which) {
  Averager averager(run, o.average, frames.part(), which);
  averager.use_device(Device::cpu(), 0);
  const std::span<const std::size_t> left = averager.left();
  const auto make = [&](std::size_t i) { return frames.map_of(left[i], run.job()); };
  const auto take = [&](std::size_t, const VolmapFrame& frame) {
    averager.add(std::span<const float>(frame.values), frame.rmsd);
  };
  in_order(left.size(), frames.ahead(), run.job(), make, take);
  averager.finish(outputs_of(o.average, o.out), frames.alignment(), &frames.molecule(), o.frame.value_or(0));
  if (o.peaks.empty()) return;
  std::vector<float> means(frames.grid().size()), errors(means.size());
  averager.statistics().fill(means, errors, run.job());
  write_peaks(run, o, frames.grid(), means, errors, frames.unit());
}

void run_volmap(const Common& common, Options& o) {
  o.average.average = true;
  check(common, o);
  Run run(common, false);
  run.report.device(Device::cpu());
  for (const std::string& file : o.files) run.report.input(file);
  const auto molecule = read_molecule(o.files, {}, cell_treatment(o.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  require_same_atoms(*molecule, "a volume map");
  const std::vector<std::size_t> which =
      parse_frames(o.average.frames.empty() ? ":" : o.average.frames, molecule->frame_count());
  check_frame(*molecule, o.frame.value_or(0));
  run.report.phase("read");
  const VolmapFrames frames(molecule, o.choice, o.average.align, o.frame.value_or(0));
  run.report.grid(frames.grid());
  run.report.method = frames.method();
  run.report.result["atoms"] = frames.atom_count();
  const std::size_t maps = frames.ahead() + static_cast<std::size_t>(std::max(1, thread_count()));
  const std::size_t bytes =
      maps * frames.grid().size() * sizeof(float) + RunningStatistics::memory(frames.grid().size(), which.size());
  require_memory(bytes, Device::cpu(), "the volume map");
  run.report.phase("plan");
  if (o.choice.kind == "residence") {
    run_residence(run, o, frames, which);
  } else {
    run_mean(run, o, frames, which);
  }
  run.report.memory(bytes, 0);
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_volmap(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "volmap",
      "density, mass, charge, occupancy, residence, distance or any number of atoms on a grid, over frames",
      "isolume compute volmap md.gro md.xtc --kind density --select 'water and name OW' --align 'name CA' --out w.mrc\n"
      "  isolume compute volmap md.gro md.xtc --around 'resname THR' --select 'name OW' --unit bulk --out sdf.dx\n"
      "  isolume compute volmap md.gro md.xtc --kind value --values flexibility.csv --align 'name CA' --out f.mrc",
      [&commands, options] { run_volmap(commands.common, *options); });
  command.option("FILE", options->files, "a structure with its trajectory").required();
  command.option("--frame", options->frame, "the frame of the grid and of --align, from 0");
  command.option("--out", options->out, "the mean: cube, dx, mrc, map or ccp4").type_name("FILE").writes();
  add_volmap_choice(command, options->choice);
  add_average_options(command, options->average, false);
  command.option("--peaks", options->peaks, "csv: the highest points as sites").type_name("FILE").writes();
  command.option("--peak-threshold", options->threshold, "the least value of a site (twice the mean of the map)")
      .positive();
  command.option("--site-radius", options->site_radius, "angstrom within which a site is summed (1.4)")
      .range(0.1, 10.0);
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
