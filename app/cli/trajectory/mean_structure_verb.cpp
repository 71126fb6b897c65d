// isolume compute mean-structure: where atoms are on average over frames, as a structure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/quantum/nuclei.h"
#include "compute/trajectory/mean_structure.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string frames = ":", selection = "all", fit, cell, out;
  bool no_fit = false;
};

void run_mean_structure(const Common& common, const Options& options) {
  check_output(options.out, "pdb ent cif pqr gro xyz gz");
  if (options.no_fit && !options.fit.empty()) throw Error("--fit and --no-fit exclude each other", Error::Kind::usage);
  Run run(common, false);
  on_cpu_alone(run, common, "mean structure");
  for (const std::string& file : options.files) run.report.input(file);
  MeanStructureRequest request;
  request.molecule = read_molecule(options.files, {}, cell_treatment(options.cell));
  if (!request.molecule->topology || request.molecule->frame_count() == 0)
    throw Error(missing_positions(*request.molecule), Error::Kind::usage);
  request.frames = parse_frames(options.frames, request.molecule->frame_count());
  request.selection = options.selection;
  request.fit = options.fit;
  request.superpose = !options.no_fit;
  run.report.phase("read");
  const MeanStructure mean = mean_structure(request, run.job());
  run.report.phase("compute");
  const auto writer = create_writer(options.out, mean.molecule, mean.atoms);
  writer->add(mean.frame);
  writer->finish();
  double square = 0;
  for (const double value : mean.fluctuations) square += value * value / static_cast<double>(mean.fluctuations.size());
  run.report.method = {{"name", "mean structure"}, {"selection", options.selection},
                       {"fit", mean.fit},          {"superposed", request.superpose},
                       {"rounds", mean.rounds},    {"pbc", options.cell.empty() ? "whole" : options.cell}};
  run.report.unit = "angstrom";
  run.report.result = {{"atoms", mean.atoms.size()},
                       {"frames", request.frames.size()},
                       {"rmsf", std::sqrt(square)},
                       {"nearest_frame", mean.nearest_frame},
                       {"nearest_rmsd", mean.nearest_rmsd}};
  run.report.phase("write");
  run.say(fmt::format("{}: mean of {} in {}, fluctuation {:.3g} angstrom; frame {} is nearest, {:.3g} angstrom from it",
                      options.out, counted(mean.atoms.size(), "atom"), counted(request.frames.size(), "frame"),
                      std::sqrt(square), mean.nearest_frame, mean.nearest_rmsd));
  run.finish();
}

}  // namespace

void add_compute_mean_structure(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "mean-structure", "where atoms are on average over frames, as a structure with B factors",
                   "isolume compute mean-structure system.psf run.dcd --select protein --out mean.pdb\n"
                   "  isolume compute mean-structure system.gro run.xtc --frames 100: --fit 'name CA' --out mean.cif",
                   [&commands, options] { run_mean_structure(commands.common, *options); });
  command.option("FILE", options->files, "a structure with its trajectory").required();
  command.option("--out", options->out, "pdb, cif, pqr, gro or xyz").type_name("FILE").required().writes();
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), from 0 (default: all)");
  command.option("--select", options->selection, "which atoms");
  command.option("--fit", options->fit,
                 "atoms by which frames are superposed (default: CA and P of polymers, else those of --select)");
  command.flag("--no-fit", options->no_fit, "leave frames where they are");
  add_cell_option(command, options->cell);
}

}  // namespace isolume::cli
