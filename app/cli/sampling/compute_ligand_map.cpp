// isolume compute ligand-map: free energy of placing a probe, averaged over frames, with its uncertainty.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/over_time/ligand_result.h"
#include "app/cli/over_time/part_origin.h"
#include "app/cli/over_time/part_run.h"
#include "app/cli/sampling/probe_work.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/sampling/ligand_average.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t listed_minima = 20;

struct Options {
  ProbeWorkOptions work;
  int rotations = 60;
  std::string out, error_out, frames_out, partial, all_frames;

  LigandOutputs outputs() const { return {out, error_out, frames_out}; }
};

void check(const Options& options) {
  const bool at = !options.work.at.empty();
  if (options.work.probe.empty()) throw Error("--probe is missing: which molecule is sampled?", Error::Kind::usage);
  if (!at && options.out.empty() && options.partial.empty())
    throw Error("--out is missing: where should the map go?", Error::Kind::usage);
  if (!options.all_frames.empty() && options.partial.empty())
    throw Error("--all-frames belongs to --partial", Error::Kind::usage);
  check_part_path(options.partial);
  check_ligand_outputs(options.outputs(), at);
}

// Values of one frame at points, in double precision.
std::vector<float> at_points(const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                             const std::vector<glm::dquat>& orientations, const ProbeOptions& options, Job& job) {
  std::vector<double> energies(work.points.size() * orientations.size());
  probe_energies(frame.atoms, frame.cell, probe, orientations, work.points, options, energies, job);
  std::vector<float> values;
  for (std::size_t p = 0; p < work.points.size(); ++p)
    values.push_back(static_cast<float>(std::min(
        probe_ceiling,
        mean_free_energy(std::span<const double>(energies).subspan(p * orientations.size(), orientations.size())))));
  return values;
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json minima_json(const ProbeWork& work, const ProbedFrame& frame, const std::vector<float>& values,
                 const LigandAverage& average, std::size_t& count) {
  const std::vector<std::size_t> minima = free_energy_minima(work.grid, values);
  count = minima.size();
  Json list = Json::array();
  for (std::size_t n = 0; n < std::min(minima.size(), listed_minima); ++n) {
    const LigandPoint p = average.at(minima[n]);
    const glm::dvec3 place = point_of(work.grid, minima[n]);
    list.push_back({{"free_energy", p.free_energy * work.factor},
                    {"error", number(p.error * work.factor)},
                    {"effective_frames", p.effective},
                    {"place", {place.x, place.y, place.z}},
                    {"nearest_residue", nearest_residue(work, frame, place)}});
  }
  return list;
}

// The values of one frame at all points.
std::vector<float> values_of(Run& run, const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                             const std::vector<glm::dquat>& orientations, const ProbeOptions& probing, bool at) {
  if (at) return at_points(work, frame, probe, orientations, probing, run.job());
  return probe_map(run, work, frame, probe, orientations, probing);
}

// A part: `work` has all frames, whose blocks are those of a single run.
void run_part(Run& run, const Options& options, const ProbeWork& work, const LigandResult& result, std::size_t points,
              const std::function<std::vector<float>(std::size_t frame)>& values) {
  const std::vector<std::size_t> frames = parse_frames(options.work.frames, work.molecule->frame_count());
  const auto place_of = [&](std::size_t frame) {
    const auto place = std::find(work.frames.begin(), work.frames.end(), frame);
    if (place == work.frames.end())
      throw Error(fmt::format("--frames: frame {} is none of --all-frames", frame), Error::Kind::usage);
    return static_cast<std::size_t>(place - work.frames.begin());
  };
  for (const std::size_t frame : frames) place_of(frame);
  require_memory(5 * LigandAverage::memory(points, work.frames.size()), Device::cpu(), "the part of a ligand map");
  PartRun made(run, options.partial, ligand_kind, frames);
  made.finish([&](std::span<const std::size_t> some, Job& job) {
    LigandAverage average(points, work.frames.size());
    for (const std::size_t frame : some) {
      job.check();
      average.add_at(place_of(frame), values(frame), job);
    }
    return ligand_part(result, average, {some.begin(), some.end()});
  });
  run.report.phase("compute");
  if (options.outputs().any())
    write_ligand(result, ligand_average_of(made.part()), options.outputs(), work.molecule.get(), work.frames.front());
  run.report.method = {{"name", "implicit ligand sampling"}, {"probe", result.made}};
  run.report.unit = result.unit;
  run.report.result["part"] = {{"file", options.partial}, {"frames", frames_in_words(made.part().frames)}};
  run.report.phase("write");
  run.say(fmt::format("{}: ligand map of {}", options.partial, counted(frames.size(), "frame")));
  run.finish();
}

void run_ligand_map(const Common& common, Options options) {
  check(options);
  Run run(common);
  warn_of_cold(run, options.work.probing.temperature);
  const Probe probe = probe_of(run, options.work.probe);
  options.work.probing.mixing = mixing_of(options.work.mixing);
  const ProbeOptions& probing = options.work.probing;
  const std::vector<glm::dquat> orientations = probe_orientations(probe, options.rotations);
  ProbeWorkOptions of_work = options.work;
  // The grid and the frame of --align are those of the first of all frames, in every part.
  if (!options.partial.empty()) of_work.frames = options.all_frames.empty() ? ":" : options.all_frames;
  const ProbeWork work = probe_work(run, of_work);
  if (probing.charges &&
      std::all_of(probe.sites.begin(), probe.sites.end(), [](const auto& s) { return s.charge == 0; }))
    run.say(fmt::format("note: {} has no charges; --charges changes nothing", probe.name));
  const bool at = !options.work.at.empty();
  if (at) run.report.device(Device::cpu());
  const std::size_t points = at ? work.points.size() : work.grid.size();
  if (!at) run.report.grid(work.grid);
  const LigandResult result{work.grid, at, options.work.unit, work.factor,
                            fmt::format("{} ({}), {} K, {}", probe.name, probe.source, probing.temperature,
                                        counted(orientations.size(), "orientation"))};
  if (!options.partial.empty())
    return run_part(run, options, work, result, points, [&](std::size_t frame) {
      return values_of(run, work, probed_frame(work, frame), probe, orientations, probing, at);
    });
  const std::size_t bytes = LigandAverage::memory(points, work.frames.size()) + points * 2 * sizeof(float);
  require_memory(bytes, Device::cpu(), "the maps of the probe");
  run.report.phase("read");
  const LaunchRecord record;
  LigandAverage average(points, work.frames.size());
  std::vector<float> values(points);
  ProbedFrame frame;
  for (std::size_t n = 0; n < work.frames.size(); ++n) {
    const double parts = static_cast<double>(work.frames.size());
    run.progress.part(static_cast<double>(n) / parts, static_cast<double>(n + 1) / parts, "ligand map");
    frame = probed_frame(work, work.frames[n]);
    run.report.phase("read");
    values = values_of(run, work, frame, probe, orientations, probing, at);
    average.add(values, run.job());
    run.report.phase("compute");
  }
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(run.device));
  if (!at) run.report.error = probe_error(work, frame, probe, orientations, probing, values, run.job());
  run.report.phase("check");
  std::vector<float> mean(points);
  std::size_t open = 0, known = 0;
  for (std::size_t p = 0; p < points; ++p) {
    const LigandPoint point = average.at(p);
    mean[p] = static_cast<float>(point.free_energy);
    open += point.free_energy < probe_ceiling;
    known += std::isfinite(point.error);
  }
  const std::string made = fmt::format("{}, {}", result.made, counted(work.frames.size(), "frame"));
  std::size_t minima = 0;
  write_ligand(result, average, options.outputs(), work.molecule.get(), work.frames.front());
  if (!at) {
    run.report.result["minima"] = minima_json(work, frame, mean, average, minima);
    run.report.result["minima_count"] = minima;
  }
  run.report.method = {{"name", "implicit ligand sampling"},
                       {"probe", probe.name},
                       {"probe_source", probe.source},
                       {"lennard_jones", work.parameters.source},
                       {"orientations", orientations.size()},
                       {"temperature", probing.temperature},
                       {"cutoff", probing.cutoff},
                       {"charges", probing.charges},
                       {"mixing", options.work.mixing},
                       {"selection", options.work.selection},
                       {"align", options.work.align}};
  run.report.unit = options.work.unit;
  run.report.result["frames"] = work.frames.size();
  run.report.result["points"] = points;
  run.report.result["points_that_fit"] = open;
  run.report.result["points_with_error"] = known;
  run.report.phase("write");
  std::string said = fmt::format("{}: {}; it fits at {} of {} points",
                                 at && options.out.empty() ? "points" : options.out, made, open, points);
  if (work.frames.size() > 1)
    said += fmt::format("; at {} of these fewer than two effective frames carry the average, without an error",
                        open - std::min(open, known));
  run.say(said);
  run.finish();
}

}  // namespace

void add_compute_ligand_map(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "ligand-map", "free energy of placing a small molecule at every point, averaged over frames",
      "isolume compute ligand-map system.prmtop run.nc --probe O2 --frames ::10 --align 'name CA' --out o2.dx "
      "--error-out error.dx\n"
      "  isolume compute ligand-map protein.pdb --probe Xe --spacing 0.5 --out xe.dx --report wells.json",
      [&commands, options] { run_ligand_map(commands.common, *options); });
  add_probe_work_options(command, options->work);
  command.option("--probe", options->work.probe, "Ar, CH4, CO, H2, N2, NO, O2, Xe, or a file with a small molecule")
      .type_name("NAME or FILE");
  command.option("--frame,--frames", options->work.frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_partial_option(command, options->partial);
  command.option("--all-frames", options->all_frames,
                 "of --partial: the frames of all parts, whose blocks give the error (default: all of the file)");
  command.option("--rotations", options->rotations, "orientations of the probe at every point").range(1, 100'000);
  command.flag("--charges", options->work.probing.charges, "with the charges of probe and atoms");
  command.option("--out", options->out, "the map: cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)")
      .type_name("FILE")
      .writes();
  command.option("--error-out", options->error_out, "map of the jackknife error, -1 where there is none to be had")
      .type_name("FILE")
      .writes();
  command.option("--frames-out", options->frames_out, "map of the effective number of frames")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
