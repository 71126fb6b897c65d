// isolume compute rmsd-matrix and cluster: frames by their distances from each other.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/compute/npy.h"
#include "app/cli/trajectory/trajectory.h"
#include "compute/base/memory.h"
#include "compute/trajectory/frame_clusters.h"
#include "compute/trajectory/rmsd_matrix.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

RmsdMatrix matrix_of(Run& run, const FrameSet& set, bool superposed) {
  const std::size_t bytes = rmsd_matrix_memory(set);
  RmsdMatrix matrix = rmsd_matrix(set, superposed, run.job());
  run.report.memory(bytes, peak_memory(Device::cpu()));
  run.report.phase("compute");
  run.report.unit = "angstrom";
  return matrix;
}

void run_rmsd_matrix(const Common& common, const FrameSetOptions& o) {
  if (!o.out.empty()) check_output(o.out, "csv npy");
  Run run(common, false);
  const ReadFrames read = read_frame_set(run, common, o, "RMSD matrix");
  const RmsdMatrix matrix = matrix_of(run, read.set, !o.no_fit);
  double sum = 0;
  std::size_t a = 0, b = 0;
  for (std::size_t i = 0; i < matrix.frames; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      sum += static_cast<double>(matrix.at(i, j));
      if (matrix.at(i, j) > matrix.at(a, b)) a = j, b = i;
    }
  const auto pairs = static_cast<double>(matrix.frames * (matrix.frames - 1) / 2);
  if (o.out.ends_with(".npy")) {
    write_npy(o.out, matrix.values, matrix.frames);
  } else {
    std::string text = "frame";
    for (const std::size_t frame : read.set.frames) text += fmt::format(",{}", frame);
    text += "\n";
    for (std::size_t i = 0; i < matrix.frames; ++i) {
      text += fmt::format("{}", read.set.frames[i]);
      for (std::size_t j = 0; j < matrix.frames; ++j) text += fmt::format(",{:.4f}", matrix.at(i, j));
      text += "\n";
    }
    write_text(o.out, text);
  }
  run.report.result = {{"frames", matrix.frames},
                       {"mean", sum / pairs},
                       {"maximum", matrix.at(a, b)},
                       {"farthest_frames", {read.set.frames[a], read.set.frames[b]}}};
  run.report.phase("write");
  run.say(fmt::format("{}RMSD of {}: mean {:.3f} angstrom, largest {:.3f} between frames {} and {}",
                      o.out.empty() ? "" : o.out + ": ", counted(matrix.frames, "frame"), sum / pairs, matrix.at(a, b),
                      read.set.frames[a], read.set.frames[b]));
  run.finish();
}

struct ClusterVerb {
  FrameSetOptions set;
  std::string method = "gromos", table, middles;
  double cutoff = 2;
  std::size_t count = 0;
};

void run_cluster(const Common& common, const ClusterVerb& o) {
  if (!o.set.out.empty()) check_output(o.set.out, "csv");
  if (!o.table.empty()) check_output(o.table, "csv");
  if (!o.middles.empty()) check_output(o.middles, "pdb xyz dcd");
  if (o.count > 0 && o.method == "gromos")
    throw Error("--count goes with --method average; gromos finds as many as the cutoff gives", Error::Kind::usage);
  Run run(common, false);
  const ReadFrames read = read_frame_set(run, common, o.set, "clusters of frames");
  const RmsdMatrix matrix = matrix_of(run, read.set, !o.set.no_fit);
  ClusterOptions options;
  options.method = o.method == "average" ? ClusterMethod::average : ClusterMethod::gromos;
  options.cutoff = o.cutoff;
  options.count = o.count;
  const FrameClusters found = cluster_frames(matrix.values, matrix.frames, options, run.job());
  const std::vector<std::size_t>& frames = read.set.frames;
  std::string text = frame_heading(read.set) + ",cluster\n";
  for (std::size_t row = 0; row < frames.size(); ++row)
    text += fmt::format("{},{}\n", frame_cells(read.set, row), found.of_frame[row] + 1);
  write_text(o.set.out, text);
  std::string table = "cluster,frames,middle frame,mean RMSD to it (angstrom)\n";
  Json list = Json::array();
  for (std::size_t c = 0; c < found.frames.size(); ++c) {
    double sum = 0;
    for (const std::uint32_t row : found.frames[c]) sum += static_cast<double>(matrix.at(found.middles[c], row));
    const double mean = sum / static_cast<double>(std::max<std::size_t>(1, found.frames[c].size() - 1));
    table += fmt::format("{},{},{},{:.4f}\n", c + 1, found.frames[c].size(), frames[found.middles[c]], mean);
    if (c < 1000)
      list.push_back({{"frames", found.frames[c].size()}, {"middle", frames[found.middles[c]]}, {"mean_rmsd", mean}});
  }
  if (!o.table.empty()) write_text(o.table, table);
  if (!o.middles.empty()) {
    const auto writer = create_writer(o.middles, *read.molecule);
    for (const std::uint32_t middle : found.middles) writer->add(read.molecule->trajectory->frame(frames[middle]));
    writer->finish();
  }
  run.report.method["name"] = o.method == "average" ? "average linkage" : "gromos (Daura et al. 1999)";
  run.report.method["cutoff"] = o.cutoff;
  if (o.count > 0) run.report.method["count"] = o.count;
  run.report.result = {{"clusters", found.frames.size()}, {"list", list}};
  run.report.phase("write");
  run.say(fmt::format("{}{} of {}; the largest has {} and its middle is frame {}",
                      o.set.out.empty() ? "" : o.set.out + ": ", counted(found.frames.size(), "cluster"),
                      counted(frames.size(), "frame"), found.frames[0].size(), frames[found.middles[0]]));
  run.finish();
}

}  // namespace

void add_compute_rmsd_matrix(Commands& commands, Verb parent) {
  auto o = std::make_shared<FrameSetOptions>();
  const Verb command =
      commands.add(parent, "rmsd-matrix", "root mean square deviation of every frame from every other",
                   "isolume compute rmsd-matrix system.psf run.dcd --select 'name CA' --out matrix.npy",
                   [&commands, o] { run_rmsd_matrix(commands.common, *o); });
  add_frame_set_options(command, *o, "CA and P of polymers, else all", "csv or npy (default: csv to stdout)", true);
}

void add_compute_cluster(Commands& commands, Verb parent) {
  auto o = std::make_shared<ClusterVerb>();
  const Verb command =
      commands.add(parent, "cluster", "groups of frames that are alike, by the RMSD of all pairs",
                   "isolume compute cluster system.psf run.dcd --cutoff 2 --out clusters.csv --middles middles.pdb\n"
                   "  isolume compute cluster system.psf run.dcd --method average --count 5 --out clusters.csv",
                   [&commands, o] { run_cluster(commands.common, *o); });
  add_frame_set_options(command, o->set, "CA and P of polymers, else all",
                        "csv: the cluster of every frame, 1 the largest (default: stdout)", true);
  command
      .option("--method", o->method,
              "gromos: neighbours within the cutoff of a frame; average: average linkage, joined up to the cutoff")
      .one_of({"gromos", "average"});
  command.option("--cutoff", o->cutoff, "angstrom").range(1e-3, 1e3).type_name("A");
  command.option("--count", o->count, "average: so many clusters, whatever the cutoff").range(1, 1'000'000);
  command.option("--table", o->table, "csv: each cluster with its size and its middle frame")
      .type_name("FILE")
      .writes();
  command.option("--middles", o->middles, "the middle frame of each cluster: pdb, xyz or dcd")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
