// isolume compute fit: a molecule, or the frames of one, superposed on another by least squares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/documents/frames.h"
#include "app/documents/placement.h"
#include "compute/analysis/superpose_molecules.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr std::size_t most_reported = 10'000;  // frames, each with its motion: 3 MB

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> onto;
  std::string frames = ":";
  std::size_t onto_frame = 0;
  std::string selection;
  std::string onto_selection;
  std::string match = "automatic";
  std::optional<double> cutoff;
  bool rigid = false;
  std::string out;
  std::string table;
  std::string cell;
};

nlohmann::ordered_json json_of(const SuperposeResult& result, std::size_t frame) {
  const glm::dquat& q = result.motion.rotation;
  const glm::dvec3& t = result.motion.translation;
  return {{"frame", frame},
          {"rmsd", result.rmsd},
          {"rmsd_all", result.rmsd_all},
          {"pairs", result.pairs},
          {"kept", result.kept},
          {"rotation", {q.w, q.x, q.y, q.z}},
          {"translation", {t.x, t.y, t.z}}};
}

void run_fit(const Common& common, const Options& options) {
  if (!options.out.empty()) {
    check_output(options.out, "pdb ent pqr xyz dcd gz");
  }
  if (!options.table.empty()) {
    check_output(options.table, "csv");
  }
  Run run(common, false);
  for (const std::string& path : options.files) run.report.input(path);
  const auto moving = read_molecule(options.files, {}, cell_treatment(options.cell));
  const auto fixed = options.onto.empty() ? moving : read_molecule(options.onto);
  for (const std::string& path : options.onto) run.report.input(path);
  check_frame(*fixed, options.onto_frame);
  const std::vector<std::size_t> frames = parse_frames(options.frames, moving->frame_count());
  SuperposeOptions how;
  how.moving_selection = options.selection;
  how.fixed_selection = options.onto_selection.empty() ? options.selection : options.onto_selection;
  how.matching = matching_named(options.match);
  how.cutoff = options.cutoff.value_or(options.onto.empty() ? 0.0 : 2.0);
  run.report.phase("read");

  std::unique_ptr<TrajectoryWriter> writer;
  if (!options.out.empty()) writer = create_writer(options.out, *moving);
  std::string table = "frame,pairs,kept,rmsd (angstrom),rmsd of all pairs (angstrom)\n";
  nlohmann::ordered_json per_frame = nlohmann::ordered_json::array();
  const Superposer superpose_on(*moving, frames.front(), *fixed, options.onto_frame, how, run.job());
  SuperposeResult first, last;
  double least = INFINITY, most = 0;  // RMSD
  bool cell = false;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    run.job().check();
    Frame frame = moving->trajectory->frame(frames[i]);
    if (i == 0 || !options.rigid) {
      last = superpose_on(frame);
      table += fmt::format("{},{},{},{:.6f},{:.6f}\n", frames[i], last.pairs, last.kept, last.rmsd, last.rmsd_all);
      least = std::min(least, last.rmsd);
      most = std::max(most, last.rmsd);
      if (per_frame.size() < most_reported) per_frame.push_back(json_of(last, frames[i]));
    }
    if (i == 0) first = last;
    run.report.phase("compute");
    if (writer) {
      frame = moved(std::move(frame), last.motion);
      // The formats hold a cell by its lengths and angles, which say nothing of how it is turned.
      cell = cell || frame.cell.exists();
      frame.cell = {};
      writer->add(frame);
      run.report.phase("write");
    }
    run.job().progress(static_cast<double>(i + 1) / static_cast<double>(frames.size()), "superposing");
  }
  if (writer) writer->finish();
  if (!options.table.empty()) write_atomically(options.table, [&](std::ostream& out) { out << table; });
  if (cell) run.say("note: the periodic cell is left out, since the formats cannot say how it is turned");
  run.report.method = {{"name", "least squares by quaternions"},
                       {"match", name(last.how)},
                       {"cutoff", how.cutoff},
                       {"selection", options.selection.empty() ? "CA and P, or all" : options.selection}};
  run.report.unit = "angstrom";
  run.report.result = json_of(first, frames.front());
  run.report.result["residues"] = first.residues;
  run.report.result["identical"] = first.identical;
  run.report.result["matched_by"] = name(first.how);
  run.report.result["identity"] = first.identity;
  run.report.result["coverage"] = first.coverage;
  if (!first.chains.empty()) run.report.result["chains"] = first.chains;
  run.report.result["frames"] = per_frame;
  if (!options.rigid && frames.size() > most_reported) {
    run.report.result["frames_left_out"] = frames.size() - most_reported;
    if (!common.report.empty())
      run.say(
          fmt::format("note: the report has the first {} of {} frames; --table has all", most_reported, frames.size()));
  }
  run.report.phase("write");
  if (options.table.empty() && options.out.empty()) fmt::print("{}", table);
  run.say(fmt::format("{}{}{}", options.out.empty() ? "" : options.out + ": ", describe(first),
                      frames.size() > 1 ? fmt::format(" (frame {} of {} frames)", frames.front(), frames.size()) : ""));
  if (frames.size() > 1 && !options.rigid)
    run.say(fmt::format("frames {} to {}: RMSD {:.3f} to {:.3f} A", frames.front(), frames.back(), least, most));
  run.finish();
}

}  // namespace

void add_compute_fit(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "fit", "superpose a molecule on another, or frames on a frame: RMSD and moved positions",
                   "isolume compute fit closed.pdb --onto open.pdb --out moved.pdb\n"
                   "  isolume compute fit system.psf run.dcd --select 'name CA' --table rmsd.csv --out steady.dcd",
                   [&commands, options] { run_fit(commands.common, *options); });
  command.option("FILE", options->files, "the mobile molecule: a structure, perhaps with its trajectory").required();
  command.option("--onto", options->onto, "the reference (default: a frame of FILE); repeat it to add a trajectory")
      .repeated()
      .type_name("REF");
  command.option("--onto-frame", options->onto_frame, "frame of the reference, from 0").type_name("N");
  command.option("--select", options->selection,
                 "atoms to superpose, looked up once: in the reference frame, or with --onto in the first mobile frame "
                 "(default: CA and P of polymers, else all)");
  command.option("--onto-select", options->onto_selection, "atoms of the reference (default: as --select)");
  command
      .option("--match", options->match,
              "how atoms are matched: residues (chain, number, names), sequence (aligned by BLOSUM62), order, or "
              "automatic (whichever fits; refused below 30 % identity or half of the smaller molecule)")
      .one_of({"automatic", "residues", "sequence", "order"});
  command
      .option("--cutoff", options->cutoff,
              "leave out pairs farther apart, round by round, angstrom; 0 keeps all (2 with --onto, else 0)")
      .range(0.0, 1e6)
      .type_name("A");
  command.flag("--rigid", options->rigid, "move all frames as the first, instead of fitting each");
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_cell_option(command, options->cell);
  command.option("--out", options->out, "the moved positions: pdb, pqr, xyz or dcd").type_name("FILE").writes();
  command.option("--table", options->table, "csv of every frame (default, without --out: stdout)")
      .type_name("FILE")
      .writes();
}

}  // namespace isolume::cli
