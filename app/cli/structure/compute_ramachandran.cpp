// isolume compute ramachandran: backbone dihedrals of every residue in every frame.
#include <fmt/format.h>

#include <array>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/over_time/line_run.h"
#include "app/cli/over_time/part_origin.h"
#include "app/documents/frames.h"
#include "compute/analysis/analysis.h"
#include "compute/structure/ramachandran.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string frames = "0", selection = "protein", cell, assembly, out, partial;
};

constexpr const char* heading = "frame,chain,residue,number,class,phi (degrees),psi (degrees),contacts\n";

// The lines of a frame; how many of them are outside, in the outer limits and in the normal ones is added to `counts`.
std::string lines_of(const Topology& topology, const Frame& frame, std::size_t number, const Selection& words,
                     std::array<std::size_t, 3>& counts) {
  std::string text;
  const auto mask = words.mask(topology, frame);
  for (const RamachandranPoint& point : ramachandran(topology, frame)) {
    const Residue& residue = topology.residues[point.residue];
    bool wanted = false;
    for (std::uint32_t i = 0; i < residue.atom_count && !wanted; ++i) wanted = mask[residue.first_atom + i] != 0;
    if (!wanted) continue;
    const RamachandranRegion region = ramachandran_region(point.kind, point.phi, point.psi);
    ++counts[static_cast<std::size_t>(region)];
    text += fmt::format("{},{},{},{}{},{},{:.2f},{:.2f},{}\n", number, csv_field(topology.chains[residue.chain].id),
                        csv_field(residue.name), residue.number,
                        residue.insertion == ' ' ? "" : std::string(1, residue.insertion), name(point.kind), point.phi,
                        point.psi, name(region));
  }
  return text;
}

void run_ramachandran(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  check_part_path(options.partial);
  const Selection words(options.selection);
  Run run(common, false);
  for (const std::string& file : options.files) run.report.input(file);
  const auto molecule = read_molecule(options.files, options.assembly, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  const Topology& topology = *molecule->topology;
  const std::vector<std::size_t> frames = parse_frames(options.frames, molecule->frame_count());
  run.report.phase("read");
  std::array<std::size_t, 3> counts{};
  const auto lines = [&](std::size_t frame) {
    return lines_of(topology, frame_at(*molecule, frame), frame, words, counts);
  };
  if (!options.partial.empty())
    return run_line_part(run, {options.partial, options.out, "ramachandran", heading, options.selection}, frames,
                         lines);
  std::string text = heading;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    run.job().check();
    run.job().progress(static_cast<double>(k) / static_cast<double>(frames.size()), "backbone dihedrals");
    text += lines(frames[k]);
  }
  const std::size_t all = counts[0] + counts[1] + counts[2];
  if (all == 0)
    throw Error("no residue of protein has both dihedrals: N, CA and C are needed, and neighbours on both sides",
                Error::Kind::usage);
  run.report.phase("compute");
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  run.report.method = {{"name", "backbone dihedrals"},
                       {"regions", "contact limits of hard spheres (Ramachandran and Sasisekharan 1968)"},
                       {"selection", options.selection}};
  run.report.unit = "degrees";
  run.report.result = {{"frames", frames.size()},
                       {"residues", all},
                       {"normal", counts[2]},
                       {"outer", counts[1]},
                       {"outside", counts[0]}};
  run.report.phase("write");
  run.say(fmt::format("{}{} dihedral pairs in {}: {} within normal limits of contact, {} within outer ones, {} outside",
                      options.out.empty() ? "" : options.out + ": ", all, counted(frames.size(), "frame"), counts[2],
                      counts[1], counts[0]));
  run.finish();
}

}  // namespace

void add_compute_ramachandran(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "ramachandran", "phi and psi of every residue of protein, as a table",
                   "isolume compute ramachandran crambin.pdb.gz --out dihedrals.csv\n"
                   "  isolume compute ramachandran system.gro run.xtc --frames ::10 --out dihedrals.csv",
                   [&commands, options] { run_ramachandran(commands.common, *options); });
  command.option("FILE", options->files, "a structure, perhaps with its trajectory").required();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
  command.option("--select", options->selection, "residues with these atoms");
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  add_cell_option(command, options->cell);
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_partial_option(command, options->partial);
}

}  // namespace isolume::cli
